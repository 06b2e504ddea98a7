/** Translation and rotation tracks of detached bones and joints. */
import type { Clip, Track } from '../../animation/clip.ts';
import { ROTATION_TOLERANCE } from '../../animation/resample-tolerance.ts';
import { sampleClip } from '../../animation/sample.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { RetargetPlan } from '../plan-types.ts';
import { retargetStraightPose } from '../retarget-pose.ts';
import { type Resampling, resampleTrack } from '../target-track.ts';

/** Position tolerance between keys, relative to the distance of the node from its parent. */
const TOLERANCE = 1e-4;

/** Floats of a detached joint in a {@link DetachedSampler} result: translation xyz, rotation xyzw. */
const JOINT_STRIDE = 7;

/** Greatest number of floats that a sampler keeps: 64 MB. */
const CACHED_FLOATS = 8e6;

/** Returns the local translation and rotation of every detached joint at a time, seconds. Valid until the next call. */
type DetachedSampler = (time: number) => Float64Array;

/**
 * Creates a sampler for all detached joints. One pose gives the values of all of them, and their tracks are resampled at mostly the same
 * times, so values are cached by time.
 */
function createSampler(plan: RetargetPlan, clip: Clip): DetachedSampler {
  const { detachedJoints } = plan;
  const sourceLocal = plan.sourceRest.slice();
  const targetLocal = plan.targetRest.slice();
  const cursors = new Int32Array(clip.tracks.length);
  const sample = (time: number, out: Float64Array): Float64Array => {
    sampleClip(clip, time, sourceLocal, cursors);
    retargetStraightPose(plan, sourceLocal, targetLocal);
    detachedJoints.forEach(({ targetNode }, k) => {
      const at = POSE_STRIDE * targetNode;
      vec3.copy(out, JOINT_STRIDE * k, targetLocal, at);
      quat.copy(out, JOINT_STRIDE * k + PATH_OFFSET.rotation, targetLocal, at + PATH_OFFSET.rotation);
    });
    return out;
  };
  const width = JOINT_STRIDE * detachedJoints.length;
  const scratch = new Float64Array(width);
  const cache = new Map<number, Float64Array>();
  return (time) => {
    const cached = cache.get(time);
    if (cached !== undefined) return cached;
    if (width * cache.size >= CACHED_FLOATS) return sample(time, scratch);
    const values = sample(time, new Float64Array(width));
    cache.set(time, values);
    return values;
  };
}

/**
 * Resamples the translation of every detached bone and joint, and the rotation of the joints. They depend on every bone above them, so
 * no source keys can be mapped.
 *
 * @param plan From {@link planRetarget}.
 * @param clip A clip of the source.
 * @param fps Keys per second; undefined keeps the key times of the source and adds keys up to the tolerance.
 * @returns One or two LINEAR tracks per detached node.
 */
export function detachedTracks(plan: RetargetPlan, clip: Clip, fps: number | undefined): Track[] {
  if (plan.detachedJoints.length === 0) return [];
  const sample = createSampler(plan, clip);
  const { tracks, duration } = clip;
  return plan.detachedJoints.flatMap(({ targetNode, rotation }, k) => {
    const at = JOINT_STRIDE * k;
    const position = (time: number, out: Floats, o: number): void => vec3.copy(out, o, sample(time), at);
    const size = vec3.length(plan.targetRest, POSE_STRIDE * targetNode) || 1;
    const moving: Resampling = { path: 'translation', tracks, tolerance: TOLERANCE * size, evaluate: position };
    const moved = resampleTrack(targetNode, moving, duration, fps);
    if (rotation === null) return [moved];
    const orientation = (time: number, out: Floats, o: number): void =>
      quat.copy(out, o, sample(time), at + PATH_OFFSET.rotation);
    const rotating: Resampling = { path: 'rotation', tracks, tolerance: ROTATION_TOLERANCE, evaluate: orientation };
    return [moved, resampleTrack(targetNode, rotating, duration, fps)];
  });
}
