/** An animated skeleton with room for its matrices: a pose for every time without allocation. */

import type { Issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage } from '../stage/stage.ts';
import { hasAuthoredValue } from '../stage/values.ts';
import {
  fillLocalTransforms,
  type MapFlags,
  mapFlags,
  skelTransforms,
  skinningTransforms,
} from './joint-transforms.ts';
import { numbersAt, planSamples, type SampledNumbers } from './sampled-numbers.ts';
import { animationTransforms, animationWeights, fillTransforms } from './skel-animation.ts';
import type { AnimatedSkeleton } from './skeleton-sample.ts';

/** A skeleton, its animation planned, and what it came to at the time that it was posed for last. */
export interface SkeletonPose {
  readonly skeleton: AnimatedSkeleton;
  /** Translations, rotations and scales; null where these are looked up in the stage every time. */
  readonly joints: readonly [SampledNumbers, SampledNumbers, SampledNumbers] | null;
  /** Weights of blend shapes; null where these are looked up, if there are any. */
  readonly shapes: SampledNumbers | null;
  readonly hasWeights: boolean;
  readonly flags: MapFlags | null;
  /** In the order of the animation, joint-local. */
  readonly animated: Float64Array;
  /** In the order of the skeleton: joint-local, then to the skeleton. */
  readonly matrices: Float64Array;
  /** Room for {@link skinning}. */
  readonly room: Float64Array;
  /** From the bind pose to the skeleton, 16 floats a joint; null where a pose that they need is missing. */
  skinning: Float64Array | null;
  /** In the order of the blend shapes of the animation; null without. */
  weights: ArrayLike<number> | null;
}

/** Room for the poses of a skeleton. */
export function planSkeletonPose(stage: Stage, skeleton: AnimatedSkeleton): SkeletonPose {
  const { definition, animation, map } = skeleton;
  const samples = (name: string, width: number): SampledNumbers | null =>
    animation === null ? null : planSamples(stage, animation.prim, name, width);
  const translations = samples('translations', 3);
  const rotations = samples('rotations', 4);
  const scales = samples('scales', 3);
  const count = animation?.joints.length ?? 0;
  const fits = translations?.between.length === 3 * count && rotations?.between.length === 4 * count;
  const isWhole = fits && scales?.between.length === 3 * count && count > 0;
  const size = definition.joints.length * MATRIX_STRIDE;
  return {
    skeleton,
    joints: isWhole ? [translations, rotations, scales] : null,
    shapes: samples('blendShapeWeights', 1),
    hasWeights: animation !== null && hasAuthoredValue(stage, animation.prim, 'blendShapeWeights'),
    flags: map === null ? null : mapFlags(map),
    animated: new Float64Array(count * MATRIX_STRIDE),
    matrices: new Float64Array(size),
    room: new Float64Array(size),
    skinning: null,
    weights: null,
  };
}

/** Poses a skeleton at a time code, with the numbers of `sampleSkeleton`. No allocation where the samples of its animation are all of one size. */
export function poseSkeleton(stage: Stage, pose: SkeletonPose, time: number, issues: Issue[]): void {
  const { skeleton, joints, shapes, flags, animated, matrices, room } = pose;
  const { definition, animation, map } = skeleton;
  let moved: Float64Array | null = null;
  if (animation !== null && map !== null && map.kind !== 'null') {
    if (joints === null) moved = animationTransforms(stage, animation, time, issues);
    else {
      fillTransforms(animated, numbersAt(joints[0], time), numbersAt(joints[1], time), numbersAt(joints[2], time));
      moved = animated;
    }
  }
  const isThere = fillLocalTransforms(matrices, definition, map, flags, moved);
  if (isThere) skelTransforms(definition.parents, matrices, matrices);
  pose.skinning = isThere ? skinningTransforms(definition, matrices, room) : null;
  if (shapes !== null) pose.weights = numbersAt(shapes, time);
  else pose.weights = animation !== null && pose.hasWeights ? animationWeights(stage, animation, time) : null;
}
