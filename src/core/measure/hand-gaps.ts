/** Measures how far hands are from what those of the source touch: the other hand, trunk, head, legs and arms. */
import type { Clip } from '../animation/clip.ts';
import { createPosedCharacter } from '../contacts/frames/posed-character.ts';
import { findTouches } from '../contacts/hands/find-touches.ts';
import { findHandPairs, handBones, touchParts } from '../contacts/hands/touch-parts.ts';
import { FRAME_STRIDE, sampleBoneFrames } from '../contacts/self-collision/bone-frames.ts';
import { radiiBone } from '../contacts/surface/bone-axes.ts';
import type { ContactSurface } from '../contacts/surface/contact-surface.ts';
import { leaveOutHelpers } from '../contacts/surface/helper-meshes.ts';
import { bonesOfPoints } from '../contacts/surface/surface-bones.ts';
import { countPoints, type SkinPoints, skinPoint } from '../deform/skin-points.ts';
import { BONE, SIDES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { createMotionSampler, sampleMotion } from './motion-sampler.ts';
import { createMovingSurface, type MovingSurface, surfaceDistance } from './surface-distance.ts';

/** A character with its surface, its vertices and its clip. */
export interface HandMotion {
  /** The character. */
  readonly humanoid: Humanoid;
  /** Its surface. */
  readonly surface: ContactSurface;
  /** Its vertices and triangles, from `collectSkinPoints`. */
  readonly skin: SkinPoints;
  /** Its clip. */
  readonly clip: Clip;
}

/** Options of {@link measureHandGaps}. */
export interface HandGapOptions {
  /** Samples per second; 30 by default. */
  readonly fps?: number;
  /** Greatest number of vertices per hand that are measured, spread over it; all by default. */
  readonly mostVertices?: number;
}

/** Least distances between the skin of a hand and that of what it touches in the source, in percent of the height of the character. */
export interface HandGaps {
  /** Number of contacts of the source. */
  readonly contacts: number;
  /** Mean over all contacts and their frames: the source. */
  readonly source: number;
  /** The same: the target. */
  readonly target: number;
  /** Mean of what the target is further away than the source. */
  readonly beyond: number;
  /** Greatest distance of the target. */
  readonly worst: number;
}

/** The skin of a character, ready for distances. */
interface MeasuredSkin {
  readonly motion: HandMotion;
  readonly mostVertices: number;
  readonly sampler: ReturnType<typeof createMotionSampler>;
  readonly bones: Int16Array;
  readonly positions: Float64Array;
  readonly hands: Map<number, Int32Array>;
  readonly parts: Map<string, MovingSurface>;
}

function prepare(motion: HandMotion, mostVertices: number): MeasuredSkin {
  const { humanoid, skin, clip } = motion;
  return {
    motion,
    mostVertices,
    sampler: createMotionSampler(humanoid, clip),
    bones: leaveOutHelpers(humanoid, skin, bonesOfPoints(humanoid, skin)).map(radiiBone),
    positions: new Float64Array(3 * countPoints(skin)),
    hands: new Map(),
    parts: new Map(),
  };
}

function pointsOf({ bones, hands, mostVertices }: MeasuredSkin, side: number): Int32Array {
  const known = hands.get(side);
  if (known !== undefined) return known;
  const own = new Set(handBones(SIDES[side]).map((name) => BONE[name]));
  const all = [...bones.keys()].filter((point) => own.has(bones[point]));
  const every = Math.max(1, Math.ceil(all.length / mostVertices));
  const points = Int32Array.from(all.filter((_, k) => k % every === 0));
  hands.set(side, points);
  return points;
}

function surfaceOf({ motion, bones, parts }: MeasuredSkin, side: number, part: number): MovingSurface {
  const known = parts.get(`${side} ${part}`);
  if (known !== undefined) return known;
  const own = new Set(touchParts(SIDES[side], motion.humanoid, motion.surface)[part].map(({ bone }) => bone));
  const { triangles } = motion.skin;
  const chosen: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
    if (corners.filter((point) => own.has(bones[point])).length >= 2) chosen.push(...corners);
  }
  const surface = createMovingSurface(Int32Array.from(chosen));
  parts.set(`${side} ${part}`, surface);
  return surface;
}

/** Distance between hand and part in the current pose, percent of the height. */
function gapOf(measured: MeasuredSkin, side: number, part: number): number {
  const { motion, sampler, positions } = measured;
  const points = pointsOf(measured, side);
  const surface = surfaceOf(measured, side, part);
  for (const point of points) skinPoint(positions, 3 * point, motion.skin, point, sampler.matrices);
  for (const point of surface.vertices) skinPoint(positions, 3 * point, motion.skin, point, sampler.matrices);
  const { height, metersPerUnit } = motion.humanoid;
  return (surfaceDistance(surface, points, positions) * metersPerUnit * 100) / height;
}

/**
 * Compares the gaps between hands and what they touch before and after retargeting.
 *
 * @param source The source.
 * @param target The target.
 * @param options Sampling rate, and how many vertices.
 * @returns The measure; null if no hand of the source touches anything that the target has.
 */
export function measureHandGaps(
  source: HandMotion,
  target: HandMotion,
  { fps = 30, mostVertices = Number.POSITIVE_INFINITY }: HandGapOptions = {},
): HandGaps | null {
  const count = Math.floor(source.clip.duration * fps) + 1;
  const posed = createPosedCharacter(source.humanoid, source.surface);
  const bones = sampleBoneFrames(posed, source.clip, { count, step: 1 / fps });
  const found = findHandPairs(source, target).flatMap(({ side, points }) => {
    const parts = touchParts(SIDES[side], source.humanoid, source.surface);
    const others = touchParts(SIDES[side], target.humanoid, target.surface);
    const shared = parts.map((part, p) => (others[p].length > 0 ? part : []));
    return findTouches({ side, points, parts: shared }, bones, 1 / fps, source.humanoid.height).contacts;
  });
  const [from, to] = [source, target].map((motion) => prepare(motion, mostVertices));
  const gaps: { readonly source: number; readonly target: number }[] = [];
  for (let frame = 0; frame < bones.length / FRAME_STRIDE; frame++) {
    const now = found.filter((contact) => frame >= contact.from && frame <= contact.to);
    if (now.length === 0) continue;
    for (const { sampler } of [from, to]) sampleMotion(sampler, frame / fps);
    for (const { side, part } of now) {
      const [before, after] = [from, to].map((one) => gapOf(one, side, part));
      if (Number.isFinite(before) && Number.isFinite(after)) gaps.push({ source: before, target: after });
    }
  }
  if (gaps.length === 0) return null;
  const mean = (get: (gap: (typeof gaps)[number]) => number): number =>
    gaps.reduce((sum, gap) => sum + get(gap), 0) / gaps.length;
  return {
    contacts: found.length,
    source: mean((gap) => gap.source),
    target: mean((gap) => gap.target),
    beyond: mean((gap) => Math.max(0, gap.target - gap.source)),
    worst: gaps.reduce((worst, gap) => Math.max(worst, gap.target), 0),
  };
}
