/** Curves of the timeline and lines on the ground for a retargeted clip. */
import {
  BONES,
  type BoneName,
  type Clip,
  type ContactReport,
  type Humanoid,
  localToModelMatrices,
  MATRIX_STRIDE,
  POSE_STRIDE,
  sampleClip,
} from 'anyrig';
import {
  describeBody,
  judgeFigures,
  measureResult as measureLimbs,
  type ResultFigures,
  THRESHOLDS,
} from 'anyrig/experimental';
import * as vec3 from '../../../src/core/math/vec3.ts';
import type { Level } from '../../../src/core/measure/verdict.ts';
import type { FeetFinding, GroundMark, Measures, ResultVerdict } from './protocol.ts';

/** Way of a wrist by the height of the character that is seen: see `handsMoved` of a contact report. */
const SEEN = 0.05;

/** Figures of the feet and the pelvis, and what is said about each. */
const FEET: Readonly<Record<string, FeetFinding>> = {
  slide: 'slide',
  below: 'below',
  above: 'above',
  lying: 'pelvis',
  height: 'pelvis',
};
/** Figures that are about neither pose nor feet: contacts changed them on purpose, or the options do. */
const ASIDE: readonly string[] = ['changed', 'path', 'scale', 'hands', 'inside', 'duration'];

/** Judges a result. `contacts`: what contacts changed; null with contacts off. `height`: height of the character, meters. */
export function verdictOf(figures: ResultFigures, contacts: ContactReport | null, height: number): ResultVerdict {
  const { findings } = judgeFigures(figures);
  const feet = findings.find(({ figure }) => figure in FEET);
  const pose = findings.filter(({ figure }) => !(figure in FEET) && !ASIDE.includes(figure));
  const worst = (levels: readonly Level[]): Level =>
    levels.includes('wrong') ? 'wrong' : levels.includes('look') ? 'look' : 'good';
  const angle = pose.find(({ figure }) => THRESHOLDS[figure].unit === '°')?.value;
  const moved = contacts?.handsMoved ?? 0;
  return {
    pose: {
      level: worst(pose.map(({ level }) => level)),
      degrees: angle ?? Math.max(0, ...Object.values(figures.limbs).map(({ p95 }) => p95)),
    },
    feet:
      figures.feet === null
        ? null
        : {
            level: feet?.level ?? 'good',
            finding: feet === undefined ? 'ground' : FEET[feet.figure],
            // The ruler has percent of the height.
            centimeters: (feet?.value ?? 0) * height,
          },
    arms: { level: moved < SEEN ? 'good' : 'look', centimeters: 100 * moved * height },
  };
}

/** Samples per second of all curves. */
const RATE = 30;
/** Height above its reference height, in parts of the hips height, below which a foot counts as planted. */
const PLANTED = 0.03;
/** Speed along the ground, in hips heights per second, below which a low foot stands. */
const MOST_STANDING_SPEED = 0.3;

/** Positions of a few bones over time, canonical frame, meters above the ground. */
interface SampledBones {
  /** Per bone that exists: xyz per frame. */
  readonly positions: ReadonlyMap<BoneName, Float32Array>;
  readonly frames: number;
}

const FOLLOWED: readonly BoneName[] = ['hips', 'leftFoot', 'rightFoot', 'leftToes', 'rightToes'];

function sampleBones(humanoid: Humanoid, clip: Clip): SampledBones {
  const { skeleton, map, frame, metersPerUnit, ground } = humanoid;
  const frames = Math.max(1, Math.floor(clip.duration * RATE) + 1);
  const count = skeleton.parents.length;
  const local = new Float64Array(POSE_STRIDE * count);
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  const point = new Float64Array(3);
  const present = FOLLOWED.filter((name) => map.nodes[BONES.indexOf(name)] >= 0);
  const positions = new Map(present.map((name) => [name, new Float32Array(3 * frames)] as const));
  for (let f = 0; f < frames; f++) {
    local.set(skeleton.rest);
    sampleClip(clip, Math.min(clip.duration, f / RATE), local);
    localToModelMatrices(matrices, skeleton.parents, local);
    for (const name of present) {
      const at = map.nodes[BONES.indexOf(name)] * MATRIX_STRIDE + 12;
      vec3.rotate(point, 0, frame, 0, matrices, at);
      const out = positions.get(name) as Float32Array;
      out[3 * f] = point[0] * metersPerUnit;
      out[3 * f + 1] = point[1] * metersPerUnit - ground;
      out[3 * f + 2] = point[2] * metersPerUnit;
    }
  }
  return { positions, frames };
}

/** The bone of a foot that touches the ground: toes, else foot. */
function soleOf(positions: ReadonlyMap<BoneName, Float32Array>, side: 'left' | 'right'): Float32Array | null {
  return positions.get(`${side}Toes`) ?? positions.get(`${side}Foot`) ?? null;
}

function solesOf({ positions }: SampledBones): Float32Array[] {
  return (['left', 'right'] as const).flatMap((side) => soleOf(positions, side) ?? []);
}

/** Lowest height of both feet per frame, meters, times a factor. */
function heights(sampled: SampledBones, factor: number): Float32Array {
  const lowest = new Float32Array(sampled.frames).fill(Number.POSITIVE_INFINITY);
  for (const sole of solesOf(sampled)) {
    for (let f = 0; f < sampled.frames; f++) lowest[f] = Math.min(lowest[f], sole[3 * f + 1] * factor);
  }
  return lowest.map((height) => (Number.isFinite(height) ? height : 0));
}

/** Lowest height of a foot over all frames. */
function floorOf(sole: Float32Array): number {
  let floor = Number.POSITIVE_INFINITY;
  for (let y = 1; y < sole.length; y += 3) floor = Math.min(floor, sole[y]);
  return floor;
}

/** Way of a foot along the ground from one frame to the next, meters. */
function wayAt(sole: Float32Array, frame: number): number {
  const before = Math.max(0, frame - 1);
  return Math.hypot(sole[3 * frame] - sole[3 * before], sole[3 * frame + 2] - sole[3 * before + 2]);
}

/** Tells in which frames a foot stands: it is low and hardly moves. */
function standingFrames(sole: Float32Array, hipsHeight: number): Uint8Array {
  const floor = floorOf(sole);
  return Uint8Array.from({ length: sole.length / 3 }, (_, frame) => {
    const isLow = sole[3 * frame + 1] - floor < PLANTED * hipsHeight;
    return isLow && wayAt(sole, frame) * RATE < MOST_STANDING_SPEED * hipsHeight ? 1 : 0;
  });
}

/** Speed along the ground of the faster one of the feet that stand in the motion, meters per second. */
function slides(soles: readonly Float32Array[], standing: readonly Uint8Array[], frames: number): Float32Array {
  const speeds = new Float32Array(frames);
  for (const [side, sole] of soles.entries()) {
    for (let f = 1; f < frames; f++) {
      if (standing[side]?.[f] === 1) speeds[f] = Math.max(speeds[f], wayAt(sole, f) * RATE);
    }
  }
  return speeds;
}

/** Half the side of the square that marks where a foot stood, in parts of the hips height. */
const MARK_SIZE = 0.045;

/** Marks where a foot stood for more than a frame. */
function marksOf(sole: Float32Array, hipsHeight: number): GroundMark[] {
  const standing = standingFrames(sole, hipsHeight);
  const marks: GroundMark[] = [];
  for (let start = 0; start < standing.length; start++) {
    if (standing[start] === 0) continue;
    let end = start;
    while (standing[end + 1] === 1) end++;
    if (end > start) marks.push(square(sole, Math.round((start + end) / 2), start, end, MARK_SIZE * hipsHeight));
    start = end;
  }
  return marks;
}

/** A square around the foot in a frame. */
function square(sole: Float32Array, at: number, start: number, end: number, half: number): GroundMark {
  const [x, z] = [sole[3 * at], sole[3 * at + 2]];
  const points = [x - half, 0, z - half, x + half, 0, z - half, x + half, 0, z + half, x - half, 0, z + half];
  return { points: Float32Array.from(points), from: start / RATE, to: end / RATE };
}

/** A motion and the humanoid that it moves. */
interface MovedHumanoid {
  readonly humanoid: Humanoid;
  /** A clip on its skeleton. */
  readonly clip: Clip;
}

/**
 * Measures a retargeted clip over time.
 *
 * @param hipsScale Meters that the hips of the target travel per meter of the source.
 * @param contacts What contacts changed; null with contacts off.
 * @param retargetPlainly Retargets without contacts, to tell what they changed from what is wrong. Called only where there is something to tell.
 * @returns Curves at 30 samples per second, and lines on the ground in the canonical frame of the target, meters.
 */
export async function measureResult(
  source: MovedHumanoid,
  target: MovedHumanoid,
  hipsScale: number,
  contacts: ContactReport | null,
  retargetPlainly: () => Promise<Clip | null>,
): Promise<Measures> {
  const from = sampleBones(source.humanoid, source.clip);
  const to = sampleBones(target.humanoid, target.clip);
  const [before, after] = [source, target].map(({ humanoid: { skeleton, map }, clip }) => {
    return { body: describeBody({ skeleton, nodes: map.nodes }), clip };
  });
  const { segments, times, figures } = measureLimbs(before, after, { fps: RATE, skinFps: 0 });
  const isChanged = contacts !== null && judgeFigures(figures).level !== 'good';
  const plain = isChanged ? await retargetPlainly() : null;
  const judged = plain === null ? figures : measureLimbs(before, after, { fps: RATE, skinFps: 0, plain }).figures;
  const { metersPerUnit } = target.humanoid;
  const boneErrors: Partial<Record<BoneName, Float32Array>> = {};
  for (const { bone, degrees } of segments) {
    const known = boneErrors[bone];
    boneErrors[bone] = Float32Array.from(degrees, (value, f) => Math.max(value, known?.[f] ?? 0));
  }
  const poseError = new Float32Array(times.length);
  for (const values of Object.values(boneErrors)) {
    for (let f = 0; f < poseError.length; f++) poseError[f] = Math.max(poseError[f], values[f]);
  }
  const standing = solesOf(from).map((sole) => standingFrames(sole, source.humanoid.hipsHeight));
  const hips = to.positions.get('hips') ?? new Float32Array(0);
  const path = hips.map((value, i) => (i % 3 === 1 ? 0 : value));
  return {
    charts: {
      rate: RATE,
      footHeight: { source: heights(from, hipsScale), target: heights(to, 1) },
      slide: {
        source: slides(solesOf(from), standing, from.frames).map((speed) => speed * hipsScale),
        target: slides(solesOf(to), standing, to.frames),
      },
      poseError,
      boneErrors,
    },
    lines: {
      trails: solesOf(to),
      path,
      marks: solesOf(to).flatMap((sole) => marksOf(sole, target.humanoid.hipsHeight)),
    },
    verdict: verdictOf(judged, contacts, after.body.height * metersPerUnit),
  };
}
