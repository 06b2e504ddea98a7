/**
 * Samples tracks and clips: STEP, LINEAR and CUBICSPLINE as in glTF 2.0, section 3.11 (clamping) and Appendix C.
 * These functions neither allocate nor throw. They require valid tracks (see repairTrack).
 */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { lastAtMost } from '../math/search.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { Clip, Keys, Track, TrackPath } from './clip.ts';

/** Length below which an interpolated quaternion counts as zero. */
const ZERO_LENGTH = 1e-12;

/**
 * Returns the last key at or before a time, −1 before the first. `cursor` is a guess. With the result for a slightly earlier time,
 * forward playback needs a few comparisons; other cases need a binary search.
 */
function keyBefore(times: Floats, time: number, cursor: number): number {
  const last = times.length - 1;
  if (!(time >= times[0])) return -1;
  if (time >= times[last]) return last;
  if (cursor >= 0 && cursor < last && times[cursor] <= time) {
    if (time < times[cursor + 1]) return cursor;
    if (time < times[cursor + 2]) return cursor + 1;
  }
  return lastAtMost(times, time);
}

/** Interpolates between keys k and k + 1 of a LINEAR track, at t from 0 to 1: Appendix C.3, for rotations C.4. */
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
 * Interpolates between keys k and k + 1 of a CUBICSPLINE track, at t from 0 to 1; the keys are `duration` seconds apart: Appendix C.5.
 * Rotations are the same spline of four numbers, normalized; where it passes through zero, the left key is used.
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
  // The two keys store in-tangent, value, out-tangent, in-tangent, value.
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

/** Evaluates one component of a cubic spline: the left value is at i, the next elements follow at a distance of `width`. */
function hermite(v: Floats, i: number, width: number, a: number, b: number, c: number, d: number): number {
  return a * v[i] + b * v[i + width] + c * v[i + 3 * width] + d * v[i + 2 * width];
}

/**
 * Samples a track at a time. Before the first and after the last key the value is clamped to that key; at a key it is exactly the stored value. A
 * track without keys leaves `out` unchanged. `out` receives 3 floats at offset o, 4 for rotations; local space.
 */
export function sampleTrack(track: Track, time: number, out: Floats, o: number, cursor = 0): number {
  const isRotation = track.path === 'rotation';
  return sampleKeys(track, isRotation ? 4 : 3, isRotation, time, out, o, cursor);
}

/** Samples keys of any property, as {@link sampleTrack}. `out` receives `width` floats at offset o. */
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

/** Returns the offset of a path in the floats of a node. Comparing is three times as fast as a lookup with a variable key. */
function pathOffset(path: TrackPath): number {
  if (path === 'rotation') return PATH_OFFSET.rotation;
  return path === 'scale' ? PATH_OFFSET.scale : PATH_OFFSET.translation;
}

/**
 * Samples a clip at a time into a pose. Nodes and paths without a track keep the values that `pose` holds, usually the rest pose.
 *
 * @param clip a valid clip.
 * @param time Seconds; clamped to the first and last key of each track.
 * @param pose Receives the animated values: 10 floats per node, local space.
 * @param cursors One entry per track, all 0 at first, updated by every call. They belong to one player and make forward playback fast.
 * @example
 * const pose = restPose(skeleton);
 * sampleClip(clip, 0.5, pose);
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
