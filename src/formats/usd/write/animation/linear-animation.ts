/** Converts animations to linear keys, the only interpolation of USD besides constant. */

import type { Keys, Track } from '../../../../core/animation/clip.ts';
import { linearKeys } from '../../../../core/animation/linear-keys.ts';
import type { MotionEvents } from '../../../../core/animation/motion-events.ts';
import { resampleFunction } from '../../../../core/animation/resample.ts';
import { EXACT_TOLERANCE, RELATIVE_TOLERANCE } from '../../../../core/animation/resample-tolerance.ts';
import { sampleKeys } from '../../../../core/animation/sample.ts';
import type { MorphTrack, NewAnimation } from '../../../../core/asset/asset.ts';
import type { Skeleton } from '../../../../core/skeleton/skeleton.ts';
import type { NodeTracks } from '../../author/sample-tracks.ts';

/** A clip with linear keys, organized by node. */
export interface LinearAnimation {
  readonly name: string;
  readonly duration: number;
  readonly tracks: ReadonlyMap<number, NodeTracks>;
  readonly morphs: ReadonlyMap<number, MorphTrack>;
  readonly events?: MotionEvents | undefined;
}

/**
 * Converts an animation to linear keys. STEP tracks get a second key right before each jump; CUBICSPLINE tracks are resampled within 0.01° of
 * world rotation, and 1e-5 of `size`.
 */
export function linearAnimation(
  animation: NewAnimation,
  nodeOf: (source: number) => number,
  nodes: Skeleton,
  size: number,
): { animation: LinearAnimation; lost: number } {
  const { name, clip, sourceNodes, morphs = [], events } = animation;
  const tracks = new Map<number, NodeTracks>();
  const weights = new Map<number, MorphTrack>();
  let { duration } = clip;
  let lost = 0;
  const written: Track[] = [];
  for (const track of clip.tracks) {
    const node = nodeOf(sourceNodes[track.target]);
    if (node < 0 || track.times.length === 0) lost++;
    else written.push({ ...track, target: node });
  }
  const options = {
    tolerance: EXACT_TOLERANCE,
    size,
    converts: ['STEP', 'CUBICSPLINE'],
    sharesTimes: true,
  } as const;
  for (const [t, track] of linearKeys(nodes, written, options).entries()) {
    const found = tracks.get(track.target) ?? {};
    const spline = written[t];
    found[track.path] = spline.interpolation === 'CUBICSPLINE' ? { ...track, spline } : track;
    tracks.set(track.target, found);
  }
  for (const track of morphs) {
    const node = nodeOf(track.sourceNode);
    if (node < 0 || track.times.length === 0) {
      lost++;
      continue;
    }
    duration = Math.max(duration, track.times[track.times.length - 1]);
    weights.set(node, { ...track, ...linearMorphs(track) });
  }
  return { animation: { name, duration, tracks, morphs: weights, events }, lost };
}

function linearMorphs(track: MorphTrack): Keys {
  const { interpolation, times, values, targetCount } = track;
  if (interpolation === 'LINEAR' || targetCount === 0) return { interpolation: 'LINEAR', times, values };
  let cursor = 0;
  const keys = resampleFunction({
    width: targetCount,
    isRotation: false,
    keyTimes: times,
    ...(interpolation === 'STEP' ? { stepTimes: times } : {}),
    tolerance: RELATIVE_TOLERANCE,
    evaluate: (time, out, o) => {
      cursor = sampleKeys(track, targetCount, false, time, out, o, cursor);
    },
  });
  return { interpolation: 'LINEAR', ...keys };
}
