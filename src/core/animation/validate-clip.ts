import * as quat from '../math/quat.ts';
import { type Validity, validity } from '../report/validity.ts';
import { type Clip, PATH_WIDTH, type Track } from './clip.ts';

/** What a unit quaternion may be off unit length: four bytes of a normalized byte accessor round that much. */
export const UNIT_TOLERANCE = 0.008;

/** Whether the tracks of a clip fit a skeleton of `nodeCount` nodes, each other, and the rules of glTF 3.11. */
export function validateClip(clip: Clip, nodeCount: number): Validity {
  const reasons: string[] = [];
  if (!(clip.duration >= 0 && Number.isFinite(clip.duration))) {
    reasons.push(`the duration is ${clip.duration}; expected seconds, 0 or more`);
  }
  const seen = new Set<string>();
  clip.tracks.forEach((track, index) => {
    const name = `track ${index} (${track.path} of node ${track.target})`;
    if (!(Number.isInteger(track.target) && track.target >= 0 && track.target < nodeCount)) {
      reasons.push(`${name} has no target: the skeleton has ${nodeCount} nodes`);
    }
    for (const reason of keyReasons(track)) reasons.push(`${name} ${reason}`);
    const last = track.times[track.times.length - 1];
    if (last > clip.duration) reasons.push(`${name} ends at ${last} s, after the clip's ${clip.duration} s`);
    const key = `${track.target} ${track.path}`;
    if (seen.has(key)) reasons.push(`${name} is the second one of its target and path`);
    seen.add(key);
  });
  return validity(reasons);
}

/** The least and greatest squared length of a unit quaternion. */
const LEAST_UNIT = (1 - UNIT_TOLERANCE) ** 2;
const GREATEST_UNIT = (1 + UNIT_TOLERANCE) ** 2;

/** Whether the keys of a STEP or LINEAR track are valid: what {@link keyReasons} says of nearly all tracks, in one pass. */
function areSound({ path, times, values, interpolation }: Track): boolean {
  if (interpolation !== 'STEP' && interpolation !== 'LINEAR') return false;
  const count = times.length;
  if (count === 0 || values.length !== count * PATH_WIDTH[path]) return false;
  let last = -1;
  for (let key = 0; key < count; key++) {
    const time = times[key];
    if (!(time > last && time >= 0 && time < Number.POSITIVE_INFINITY)) return false;
    last = time;
  }
  if (path === 'rotation') {
    for (let at = 0; at < values.length; at += 4) {
      const x = values[at];
      const y = values[at + 1];
      const z = values[at + 2];
      const w = values[at + 3];
      const squared = x * x + y * y + z * z + w * w;
      if (!(squared >= LEAST_UNIT && squared <= GREATEST_UNIT)) return false;
    }
    return true;
  }
  // Of numbers that are not finite the difference from themselves is not 0.
  for (let at = 0; at < values.length; at++) if (values[at] - values[at] !== 0) return false;
  return true;
}

/** Why the keys of a track are not valid; one reason a kind, so that a long broken track does not make a long list. */
export function keyReasons(track: Track): string[] {
  if (areSound(track)) return [];
  const { times, values, interpolation } = track;
  const reasons: string[] = [];
  if (!Object.hasOwn(PATH_WIDTH, track.path)) return [...reasons, 'has no known path'];
  if (interpolation !== 'STEP' && interpolation !== 'LINEAR' && interpolation !== 'CUBICSPLINE') {
    return [...reasons, `has interpolation ${interpolation}; expected STEP, LINEAR or CUBICSPLINE`];
  }
  const isCubic = interpolation === 'CUBICSPLINE';
  const least = isCubic ? 2 : 1;
  if (times.length < least) reasons.push(`has ${times.length} keys; ${interpolation} needs at least ${least}`);
  for (let key = 0; key < times.length; key++) {
    const isRising = key === 0 ? times[0] >= 0 : times[key] > times[key - 1];
    if (isRising && Number.isFinite(times[key])) continue;
    reasons.push(`has time ${times[key]} at key ${key}; expected finite, strictly rising seconds from 0 on`);
    break;
  }
  const expected = times.length * PATH_WIDTH[track.path] * (isCubic ? 3 : 1);
  if (values.length !== expected) return [...reasons, `has ${values.length} floats in values; expected ${expected}`];
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) return [...reasons, `has the value ${values[bad]}; expected finite numbers`];
  if (track.path !== 'rotation') return reasons;
  for (let key = 0; key < times.length; key++) {
    const at = isCubic ? 12 * key + 4 : 4 * key;
    const length = Math.sqrt(quat.dot(values, at, values, at));
    if (Math.abs(length - 1) <= UNIT_TOLERANCE) continue;
    reasons.push(`has a quaternion of length ${length} at key ${key}; expected length 1`);
    break;
  }
  return reasons;
}
