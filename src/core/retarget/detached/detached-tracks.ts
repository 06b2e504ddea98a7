import type { Clip, Track } from '../../animation/clip.ts';
import { reflectClip } from '../../animation/reflect-clip.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../../animation/resample-tolerance.ts';
import { sampleClip } from '../../animation/sample.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { RetargetPlan } from '../plan-types.ts';
import { retargetStraightPose } from '../retarget-pose.ts';
import { type Resampling, resampleTrack } from '../target-track.ts';
import { retargetDetachedJoint } from './retarget-detached-joint.ts';

/** Floats of a detached joint in a {@link DetachedSampler} result: translation xyz, rotation xyzw. */
const JOINT_STRIDE = 7;

/** Greatest number of floats that a sampler keeps: 64 MB. */
const CACHED_FLOATS = 8e6;

/** Returns the local translation and rotation of every detached joint at a time, seconds. Valid until the next call. */
type DetachedSampler = (time: number) => Float64Array;

/** Writes the pose of the target at a time, seconds, with its detached joints. */
type PoseSampler = (time: number, targetLocal: Float64Array) => void;

/**
 * Creates a sampler for all detached joints. One pose gives the values of all of them, and their tracks are resampled at mostly the same
 * times, so values are cached by time.
 */
function createSampler({ detachedJoints, targetRest }: RetargetPlan, samplePose: PoseSampler): DetachedSampler {
  const targetLocal = targetRest.slice();
  const sample = (time: number, out: Float64Array): Float64Array => {
    samplePose(time, targetLocal);
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

/** Reduces a translation that keeps its first value to one key: that of a joint whose parent is constrained to the parent of its bone. */
function withoutEqualKeys(track: Track, tolerance: number): Track {
  const { values, interpolation, times } = track;
  if (interpolation !== 'LINEAR') return track;
  for (let at = 3; at < values.length; at += 3) {
    if (!(vec3.distance(values, 0, values, at) <= tolerance)) return track;
  }
  return { ...track, interpolation: 'STEP', times: times.slice(0, 1), values: values.slice(0, 3) };
}

/** Resamples the detached bones and joints of a pose that moves with some tracks. */
function tracksOfPoses(
  plan: RetargetPlan,
  tracks: readonly Track[],
  duration: number,
  fps: number | undefined,
  part: number,
  samplePose: PoseSampler,
): Track[] {
  const sample = createSampler(plan, samplePose);
  return plan.detachedJoints.flatMap(({ targetNode, rotation, size }, k) => {
    const at = JOINT_STRIDE * k;
    const position = (time: number, out: Floats, o: number): void => vec3.copy(out, o, sample(time), at);
    const tolerance = part * RELATIVE_TOLERANCE * size;
    const moving: Resampling = { path: 'translation', tracks, tolerance, evaluate: position };
    const moved = withoutEqualKeys(resampleTrack(targetNode, moving, duration, fps), moving.tolerance);
    if (rotation === null) return [moved];
    const orientation = (time: number, out: Floats, o: number): void =>
      quat.copy(out, o, sample(time), at + PATH_OFFSET.rotation);
    const rotating: Resampling = {
      path: 'rotation',
      tracks,
      tolerance: part * ROTATION_TOLERANCE,
      evaluate: orientation,
    };
    return [moved, resampleTrack(targetNode, rotating, duration, fps)];
  });
}

/**
 * Resamples the translation of every detached bone and joint, and the rotation of the joints. They depend on every bone above them, so no source
 * keys can be mapped. `fps`: keys per second; undefined keeps the key times of the source and adds keys up to the tolerance. `part`: part of the
 * tolerances, above 0, at most 1.
 */
export function detachedTracks(plan: RetargetPlan, clip: Clip, fps: number | undefined, part: number): Track[] {
  if (plan.detachedJoints.length === 0) return [];
  const sourceLocal = plan.sourceRest.slice();
  const cursors = new Int32Array(clip.tracks.length);
  return tracksOfPoses(plan, clip.tracks, clip.duration, fps, part, (time, targetLocal) => {
    sampleClip(clip, time, sourceLocal, cursors);
    retargetStraightPose(plan, sourceLocal, targetLocal);
  });
}

/**
 * Moves detached bones and joints with the bones again, after a retargeted clip was edited. `fps`: keys per second; undefined keeps the key times
 * of the clip.
 */
export function followBones(plan: RetargetPlan, clip: Clip, fps: number | undefined): Clip {
  const { detachedJoints, targetSigns } = plan;
  if (detachedJoints.length === 0) return clip;
  const isDetached = ({ target, path }: Track): boolean =>
    detachedJoints.some(
      ({ targetNode, rotation }) =>
        targetNode === target && (path === 'translation' || (path === 'rotation' && rotation !== null)),
    );
  const straight = reflectClip(clip, targetSigns);
  const tracks = straight.tracks.filter((track) => !isDetached(track));
  const others = { ...straight, tracks };
  const cursors = new Int32Array(tracks.length);
  const added = tracksOfPoses(plan, tracks, clip.duration, fps, 1, (time, targetLocal) => {
    sampleClip(others, time, targetLocal, cursors);
    for (const joint of detachedJoints) retargetDetachedJoint(targetLocal, joint);
  });
  return reflectClip({ ...clip, tracks: [...tracks, ...added] }, targetSigns);
}
