/**
 * Values of tracks at a time: STEP, LINEAR and CUBICSPLINE as in glTF 2.0, section 3.11 (clamping) and Appendix C.
 * Nothing here allocates or throws; tracks are taken to be valid (see validateClip, mendTrack).
 */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { Clip, Keys, Track, TrackPath } from './clip.ts';

/** Length below which an interpolated quaternion has no direction. */
const ZERO_LENGTH = 1e-12;

/**
 * The last key at or before a time, −1 before the first. `cursor` is a guess, best the answer for a time shortly before:
 * playing forward then costs a few comparisons, anything else a binary search.
 */
function keyBefore(times: Floats, time: number, cursor: number): number {
  const last = times.length - 1;
  if (!(time >= times[0])) return -1;
  if (time >= times[last]) return last;
  if (cursor >= 0 && cursor < last && times[cursor] <= time) {
    if (time < times[cursor + 1]) return cursor;
    if (time < times[cursor + 2]) return cursor + 1;
  }
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** Between keys k and k + 1 of a LINEAR track, t of 0…1: Appendix C.3, for rotations C.4. */
function linear(
  out: Floats,
  o: number,
  values: Floats,
  width: number,
  k: number,
  t: number,
  isRotation: boolean,
): void {
  const left = k * width;
  const right = left + width;
  if (isRotation) {
    quat.slerp(out, o, values, left, values, right, t);
    return;
  }
  const s = 1 - t;
  for (let c = 0; c < width; c++) out[o + c] = s * values[left + c] + t * values[right + c];
}

/**
 * Between keys k and k + 1 of a CUBICSPLINE track, t of 0…1, the keys `duration` seconds apart: Appendix C.5. A rotation
 * is the same spline of four numbers, made unit; where it passes through zero, the left key.
 */
function cubic(
  out: Floats,
  o: number,
  values: Floats,
  width: number,
  k: number,
  t: number,
  duration: number,
  isRotation: boolean,
): void {
  const t2 = t * t;
  const t3 = t2 * t;
  const a = 2 * t3 - 3 * t2 + 1;
  const b = duration * (t3 - 2 * t2 + t);
  const c = 3 * t2 - 2 * t3;
  const d = duration * (t3 - t2);
  // Elements of two keys: in-tangent, value, out-tangent, in-tangent, value.
  const i = (3 * k + 1) * width;
  if (!isRotation) {
    for (let e = 0; e < width; e++) out[o + e] = hermite(values, i + e, width, a, b, c, d);
    return;
  }
  const x = hermite(values, i, 4, a, b, c, d);
  const y = hermite(values, i + 1, 4, a, b, c, d);
  const z = hermite(values, i + 2, 4, a, b, c, d);
  const w = hermite(values, i + 3, 4, a, b, c, d);
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (length > ZERO_LENGTH) quat.set(out, o, x / length, y / length, z / length, w / length);
  else quat.copy(out, o, values, i);
}

/** One component of a cubic spline: the left value is at i, each further element `width` on. */
function hermite(v: Floats, i: number, width: number, a: number, b: number, c: number, d: number): number {
  return a * v[i] + b * v[i + width] + c * v[i + 3 * width] + d * v[i + 2 * width];
}

/**
 * Writes the value of a track at a time: 3 floats, of a rotation 4. Before the first and after the last key it is that
 * key's, at a key it is the stored value as it is. Returns the key at or before the time: hand it in as `cursor` the next
 * time, and playing forward needs no search. A track without keys leaves `out` alone.
 */
export function sampleTrack(track: Track, time: number, out: Floats, o: number, cursor = 0): number {
  const isRotation = track.path === 'rotation';
  return sampleKeys(track, isRotation ? 4 : 3, isRotation, time, out, o, cursor);
}

/** The same of any keys: `width` floats a value, unit quaternions where `isRotation`. */
export function sampleKeys(
  { times, values, interpolation }: Keys,
  width: number,
  isRotation: boolean,
  time: number,
  out: Floats,
  o: number,
  cursor = 0,
): number {
  const last = times.length - 1;
  if (last < 0) return 0;
  const key = keyBefore(times, time, cursor);
  const k = Math.max(key, 0);
  if (key < 0 || key === last || interpolation === 'STEP' || times[k] === time) {
    const at = interpolation === 'CUBICSPLINE' ? (3 * k + 1) * width : k * width;
    for (let c = 0; c < width; c++) out[o + c] = values[at + c];
    return k;
  }
  const duration = times[k + 1] - times[k];
  const t = (time - times[k]) / duration;
  if (interpolation === 'LINEAR') linear(out, o, values, width, k, t, isRotation);
  else cubic(out, o, values, width, k, t, duration, isRotation);
  return k;
}

/** Place of a path in the floats of a node. Comparing is three times as fast here as looking up in a table. */
function pathOffset(path: TrackPath): number {
  if (path === 'rotation') return 3;
  return path === 'scale' ? 7 : 0;
}

/**
 * Writes the local pose of a clip at a time over `pose` (10 floats a node): nodes and paths without a track keep what the
 * caller filled in, usually the rest pose. `cursors`, one a track and all 0 at first, belong to one player; they make
 * playing forward cheap and may be left out.
 */
export function sampleClip(clip: Clip, time: number, pose: Floats, cursors?: Int32Array): void {
  const { tracks } = clip;
  for (let t = 0; t < tracks.length; t++) {
    const track = tracks[t];
    const o = track.target * POSE_STRIDE + pathOffset(track.path);
    const key = sampleTrack(track, time, pose, o, cursors === undefined ? 0 : cursors[t]);
    if (cursors !== undefined) cursors[t] = key;
  }
}
