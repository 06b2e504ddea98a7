import {
  AdditiveAnimationBlendMode,
  type AnimationClip,
  type Interpolant,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  type Object3D,
  type TypedArray,
  ZeroSlopeEnding,
} from 'three';
import { type Interpolation, lastKeyTime, PATH_WIDTH, type Track } from '../../core/animation/clip.ts';
import { repairTrack } from '../../core/animation/repair-track.ts';
import type { Issue } from '../../core/report/issue.ts';
import { type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { resampleCurve } from '../scene/resample-curve.ts';
import type { SceneMotion } from '../scene/retarget-motion.ts';
import { isCubicSpline } from './cubic-spline.ts';
import { type TrackTarget, trackTarget } from './track-name.ts';

function interpolationOf(track: KeyframeTrack): Interpolation | null {
  if (isCubicSpline(track)) return 'CUBICSPLINE';
  // The declared type omits undefined, which a track with a custom interpolant returns.
  const mode: number | undefined = track.getInterpolation();
  if (mode === InterpolateLinear) return 'LINEAR';
  return mode === InterpolateDiscrete ? 'STEP' : null;
}

/** Converts a track. Smooth, Bézier and other curves are resampled. */
function readTrack(target: number, { path }: TrackTarget, track: KeyframeTrack): Track {
  const { times } = track;
  const interpolation = interpolationOf(track);
  // A track without keys has no curve.
  if (interpolation !== null || times.length === 0) {
    return { target, path, interpolation: interpolation ?? 'LINEAR', times, values: track.values };
  }
  const { createInterpolant } = track as unknown as { createInterpolant(result?: TypedArray): Interpolant };
  const curve = createInterpolant.call(track, new Float64Array(PATH_WIDTH[path]));
  // The action determines the ends of a smooth curve; these settings match LoopOnce.
  curve.settings = { endingStart: ZeroSlopeEnding, endingEnd: ZeroSlopeEnding };
  return resampleCurve(target, path, times, track.values, (time, out, o) => {
    const value = curve.evaluate(time);
    for (let c = 0; c < value.length; c++) out[o + c] = value[c];
  });
}

export function movesRoot(clip: AnimationClip, root: Object3D): boolean {
  return clip.tracks.some(({ name }) => {
    const target = trackTarget(root, name);
    return typeof target === 'object' && target.object === root;
  });
}

/**
 * Converts the clip that `AnimationMixer(root)` would play. STEP, LINEAR and CUBICSPLINE keys are kept; other curves are resampled with an error of
 * at most 0.005° and 1e-5 of the largest value. The last of several tracks on the same property is used. Throws RangeError for an additive clip.
 */
export function readClip(clip: AnimationClip, root: Object3D, indexOf: ReadonlyMap<Object3D, number>): SceneMotion {
  if (clip.blendMode === AdditiveAnimationBlendMode) {
    throw new RangeError(
      `The clip ${JSON.stringify(clip.name)} is additive and is not a motion by itself; retarget the original clip, then make the result additive`,
    );
  }
  const tracks = new Map<string, Track>();
  const others: IssueTally = new Map();
  const issues: Issue[] = [];
  for (const track of clip.tracks) {
    const target = trackTarget(root, track.name);
    const node = typeof target === 'string' ? undefined : indexOf.get(target.object);
    if (typeof target === 'string' || node === undefined) {
      const kind = typeof target === 'string' ? target : 'objects outside the skeleton';
      tallyIssue(others, kind);
      continue;
    }
    const repaired = repairTrack(readTrack(node, target, track));
    issues.push(...repaired.issues);
    if (repaired.track !== null) tracks.set(`${node} ${target.path}`, repaired.track);
  }
  const list = [...tracks.values()];
  return { clip: { name: clip.name, duration: lastKeyTime(list), tracks: list }, others, issues };
}
