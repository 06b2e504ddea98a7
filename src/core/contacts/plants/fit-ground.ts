/** Puts a motion that floats above the ground, or sinks into it, on the ground. */
import type { Clip, Track } from '../../animation/clip.ts';
import { SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { sampleCharacterFrames } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { bearingRests } from './find-floors.ts';

/** Share of the time at rest, from the lowest floor up, at which the ground is: a short rest below it is noise. */
const GROUND_SHARE = 0.1;
/** Height of the ground below which a motion is on it already, relative to the height of the character: the noise of motion capture. */
const ON_GROUND = 0.002;

/** Finds the height of the floor that feet stand on, meters above the ground; where feet never rest, that of the lowest sole; null without feet. */
function standingHeight(humanoid: Humanoid, surface: ContactSurface, clip: Clip): number | null {
  const frames = sampleCharacterFrames(
    createPosedCharacter(humanoid, surface),
    clip,
    frameGridOf(clip, humanoid),
    'all',
  );
  const rests = bearingRests(frames).sort((a, b) => a.level - b.level);
  const all = rests.reduce((sum, { from, to }) => sum + to - from, 0);
  let passed = 0;
  for (const { from, to, level } of rests) {
    passed += to - from;
    if (passed >= GROUND_SHARE * all) return level;
  }
  let lowest = Number.POSITIVE_INFINITY;
  for (const side of SIDES) for (const height of frames.legs[side]?.clearance ?? []) lowest = Math.min(lowest, height);
  return Number.isFinite(lowest) ? lowest : null;
}

/** Adds a constant to a translation track. */
function shifted(track: Track, offset: Float64Array): Track {
  const isSpline = track.interpolation === 'CUBICSPLINE';
  const values = Float64Array.from(track.values, (value, k) => {
    return isSpline && Math.floor(k / 3) % 3 !== 1 ? value : value + offset[k % 3];
  });
  return { ...track, values };
}

/**
 * Moves a motion up or down so that its feet stand on the ground where they rest, on the lowest floor of several. Nothing else changes. `surface`:
 * what of the humanoid touches the ground. Returns the clip, and how far it was raised, in meters; the clip itself where it stands on the ground.
 */
export function fitGround(
  humanoid: Humanoid,
  surface: ContactSurface,
  clip: Clip,
): { readonly clip: Clip; readonly raised: number } {
  const height = standingHeight(humanoid, surface, clip);
  if (height === null || Math.abs(height) <= ON_GROUND * humanoid.height) return { clip, raised: 0 };
  const { skeleton, frame, metersPerUnit, map } = humanoid;
  const back = quat.conjugated(frame);
  const offset = Float64Array.of(0, -height / metersPerUnit, 0);
  vec3.rotate(offset, 0, back, 0, offset, 0);
  let root = map.nodes[0];
  while (skeleton.parents[root] >= 0) root = skeleton.parents[root];
  const isRoot = (track: Track): boolean => track.target === root && track.path === 'translation';
  const tracks = clip.tracks.map((track) => (isRoot(track) ? shifted(track, offset) : track));
  if (!clip.tracks.some(isRoot)) {
    const values = skeleton.rest.slice(POSE_STRIDE * root, POSE_STRIDE * root + 3);
    vec3.add(values, 0, values, 0, offset, 0);
    tracks.push({ target: root, path: 'translation', interpolation: 'STEP', times: Float64Array.of(0), values });
  }
  return { clip: { ...clip, tracks }, raised: -height };
}
