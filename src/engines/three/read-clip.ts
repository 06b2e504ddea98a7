/** Clips of three.js as clips of the core. */

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
import { keysOfFunction } from '../scene/keys-of-function.ts';
import type { SceneMotion } from '../scene/motion.ts';
import { isCubicSpline } from './cubic-spline.ts';
import { type TrackTarget, trackTarget } from './track-name.ts';

function interpolationOf(track: KeyframeTrack): Interpolation | null {
  if (isCubicSpline(track)) return 'CUBICSPLINE';
  // Typed as one of four, but undefined for a track with an interpolant of its own.
  const mode: number | undefined = track.getInterpolation();
  if (mode === InterpolateLinear) return 'LINEAR';
  return mode === InterpolateDiscrete ? 'STEP' : null;
}

/** Keys of a track; smooth, Bézier and other curves are resampled. */
function readTrack(target: number, { path }: TrackTarget, track: KeyframeTrack): Track {
  const { times } = track;
  const interpolation = interpolationOf(track);
  // A track without keys has no curve.
  if (interpolation !== null || times.length === 0) {
    return { target, path, interpolation: interpolation ?? 'LINEAR', times, values: track.values };
  }
  const { createInterpolant } = track as unknown as { createInterpolant(result?: TypedArray): Interpolant };
  const curve = createInterpolant.call(track, new Float64Array(PATH_WIDTH[path]));
  // The ends of a smooth curve are up to the action that plays it: as it goes when it is played once.
  curve.settings = { endingStart: ZeroSlopeEnding, endingEnd: ZeroSlopeEnding };
  return keysOfFunction(target, path, times, track.values, (time, out, o) => {
    const value = curve.evaluate(time);
    for (let c = 0; c < value.length; c++) out[o + c] = value[c];
  });
}

/** Whether a clip animates the transform of its root itself. */
export function movesRoot(clip: AnimationClip, root: Object3D): boolean {
  return clip.tracks.some(({ name }) => {
    const target = trackTarget(root, name);
    return typeof target === 'object' && target.object === root;
  });
}

/**
 * The clip that `AnimationMixer(root)` would play, on nodes of a graph. STEP, LINEAR and CUBICSPLINE keys are taken as they are, other curves
 * resampled to 0.005° and 1e-5 of the largest value. Of tracks of the same property the last counts.
 *
 * @throws RangeError for an additive clip: it is no motion by itself.
 */
export function readClip(clip: AnimationClip, root: Object3D, indexOf: ReadonlyMap<Object3D, number>): SceneMotion {
  if (clip.blendMode === AdditiveAnimationBlendMode) {
    throw new RangeError(
      `The clip ${JSON.stringify(clip.name)} is additive, which is no motion by itself; retarget it before it is made additive`,
    );
  }
  const tracks = new Map<string, Track>();
  const others: IssueTally = new Map();
  const issues: Issue[] = [];
  for (const track of clip.tracks) {
    const target = trackTarget(root, track.name);
    const node = typeof target === 'string' ? undefined : indexOf.get(target.object);
    if (typeof target === 'string' || node === undefined) {
      const kind = typeof target === 'string' ? target : 'objects outside of the skeleton';
      tallyIssue(others, kind);
      continue;
    }
    const mended = repairTrack(readTrack(node, target, track));
    issues.push(...mended.issues);
    if (mended.track !== null) tracks.set(`${node} ${target.path}`, mended.track);
  }
  const list = [...tracks.values()];
  return { clip: { name: clip.name, duration: lastKeyTime(list), tracks: list }, others, issues };
}
