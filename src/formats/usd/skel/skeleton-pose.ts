/** Poses an animated skeleton repeatedly, into buffers of its plan. */

import type { Issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { hasAuthoredValue } from '../stage/attribute-values.ts';
import type { Stage } from '../stage/stage.ts';
import {
  fillLocalTransforms,
  type MapFlags,
  mapFlags,
  skelTransforms,
  skinningTransforms,
} from './joint-transforms.ts';
import { type NumericSamples, numbersAt, planNumericSamples } from './numeric-samples.ts';
import { animationTransforms, animationWeights, fillTransforms } from './skel-animation.ts';
import type { AnimatedSkeleton } from './skeleton-sample.ts';

/** An animated skeleton with its sampled animation and reusable buffers. */
export interface SkeletonPose {
  /** The skeleton and its animation. */
  readonly skeleton: AnimatedSkeleton;
  /**
   * Samples of translations, rotations and scales; null if they are read from the stage at every time.
   *
   * @internal
   */
  readonly jointSamples: readonly [NumericSamples, NumericSamples, NumericSamples] | null;
  /**
   * Samples of the blend shape weights; null if they are read from the stage at every time, or the animation has no weights.
   *
   * @internal
   */
  readonly weightSamples: NumericSamples | null;
  /** True if the animation has blend shape weights. */
  readonly hasWeights: boolean;
  /** Flags of the joint map; null without an animation. */
  readonly flags: MapFlags | null;
  /** Joint-local matrices, 16 floats per joint of the animation. */
  readonly animated: Float64Array;
  /** Matrices of the skeleton, 16 floats per joint: joint-local, then in skeleton space. */
  readonly matrices: Float64Array;
  /** Memory of `skinning`. */
  readonly skinningBuffer: Float64Array;
  /** Skinning matrices of the last pose, 16 floats per joint; null if a bind or rest pose is missing. */
  skinning: Float64Array | null;
  /** Weights of the last pose in the order of the animation; null without. */
  weights: ArrayLike<number> | null;
  /** Problems of the last pose. */
  readonly issues: Issue[];
}

/**
 * Plans the poses of a skeleton: reads the samples of its animation and allocates the buffers.
 *
 * @param stage - The composed stage.
 * @param skeleton - The skeleton, from {@link readAnimatedSkeleton}.
 * @returns The plan for {@link poseSkeleton}.
 */
export function planSkeletonPose(stage: Stage, skeleton: AnimatedSkeleton): SkeletonPose {
  const { definition, animation, map } = skeleton;
  const samples = (name: string, width: number): NumericSamples | null =>
    animation === null ? null : planNumericSamples(stage, animation.prim, name, width);
  const translations = samples('translations', 3);
  const rotations = samples('rotations', 4);
  const scales = samples('scales', 3);
  const count = animation?.joints.length ?? 0;
  const fitsJoints = translations?.between.length === 3 * count && rotations?.between.length === 4 * count;
  const isComplete = fitsJoints && scales?.between.length === 3 * count && count > 0;
  const size = definition.joints.length * MATRIX_STRIDE;
  return {
    skeleton,
    jointSamples: isComplete ? [translations, rotations, scales] : null,
    weightSamples: samples('blendShapeWeights', 1),
    hasWeights: animation !== null && hasAuthoredValue(stage, animation.prim, 'blendShapeWeights'),
    flags: map === null ? null : mapFlags(map),
    animated: new Float64Array(count * MATRIX_STRIDE),
    matrices: new Float64Array(size),
    skinningBuffer: new Float64Array(size),
    skinning: null,
    weights: null,
    issues: [],
  };
}

/**
 * Poses a skeleton at a time code, with the values of {@link sampleSkeleton}. Does not allocate if all samples of the animation have the same size
 * and none come from value clips.
 *
 * @param stage - The composed stage.
 * @param pose - The plan; its `skinning`, `weights` and `issues` are updated.
 * @param time - Time code.
 */
export function poseSkeleton(stage: Stage, pose: SkeletonPose, time: number): void {
  const { skeleton, jointSamples, weightSamples, flags, animated, matrices, skinningBuffer, issues } = pose;
  issues.length = 0;
  const { definition, animation, map } = skeleton;
  let moved: Float64Array | null = null;
  if (animation !== null && map !== null && map.kind !== 'null') {
    if (jointSamples === null) {
      const sampled = animationTransforms(stage, animation, time);
      moved = sampled.transforms;
      issues.push(...sampled.issues);
    } else {
      fillTransforms(
        animated,
        numbersAt(jointSamples[0], time),
        numbersAt(jointSamples[1], time),
        numbersAt(jointSamples[2], time),
      );
      moved = animated;
    }
  }
  const hasPose = fillLocalTransforms(matrices, definition, map, flags, moved);
  if (hasPose) skelTransforms(definition.parents, matrices, matrices);
  pose.skinning = hasPose ? skinningTransforms(definition, matrices, skinningBuffer) : null;
  if (weightSamples !== null) pose.weights = numbersAt(weightSamples, time);
  else pose.weights = animation !== null && pose.hasWeights ? animationWeights(stage, animation, time) : null;
}
