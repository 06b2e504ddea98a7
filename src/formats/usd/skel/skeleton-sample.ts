import type { Issue } from '../../../core/report/issue.ts';
import { createJointMapper, type JointMapper } from '../../../core/skeleton/joint-mapper.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { localTransforms, restRelativeTransforms, skelTransforms, skinningTransforms } from './joint-transforms.ts';
import { animationTransforms, animationWeights, readSkelAnimation, type SkelAnimation } from './skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from './skeleton-definition.ts';

/** A valid skeleton and its animation. Plain data. */
export interface AnimatedSkeleton {
  /** Path of the Skeleton prim. */
  readonly prim: string;
  /** Joints, bind pose and rest pose. */
  readonly definition: SkeletonDefinition;
  /** The SkelAnimation; null: the rest pose. */
  readonly animation: SkelAnimation | null;
  /** From the joint order of the animation to that of the skeleton; null without an animation. */
  readonly map: JointMapper | null;
}

/** A skeleton at a time. Matrices have 16 floats per joint and are null if a bind or rest pose is missing. */
export interface SkeletonSample {
  /** Joint space to the space of the parent joint. */
  readonly local: Float64Array | null;
  /** Joint space to skeleton space. */
  readonly skel: Float64Array | null;
  /** Bind pose to skeleton space. */
  readonly skinning: Float64Array | null;
  /** Joint space to the space of the parent joint, relative to the rest pose. */
  readonly restRelative: Float64Array | null;
  /** Blend shape weights in the order of the animation; null without. */
  readonly weights: ArrayLike<number> | null;
  /** Why the animation was not applied. */
  readonly issues: readonly Issue[];
}

/** Result of {@link readAnimatedSkeleton}. */
interface AnimatedSkeletonReading {
  /** The skeleton; null if its definition is invalid. */
  readonly skeleton: AnimatedSkeleton | null;
  /** Problems of the skeleton definition. */
  readonly issues: readonly Issue[];
}

/**
 * Reads a Skeleton prim and the SkelAnimation prim that animates it.
 *
 * @param stage The composed stage.
 * @param skeleton Path of the Skeleton prim.
 * @param animationPrim Path of the SkelAnimation prim; null: the rest pose.
 * @returns The skeleton, or null if its definition is invalid, and the issues of the definition.
 */
export function readAnimatedSkeleton(
  stage: Stage,
  skeleton: string,
  animationPrim: string | null,
): AnimatedSkeletonReading {
  const { definition, issues } = readSkeleton(stage, skeleton);
  if (definition === null) return { skeleton: null, issues };
  const animation = animationPrim === null ? null : readSkelAnimation(stage, animationPrim);
  const map = animation === null ? null : createJointMapper(animation.joints, definition.joints);
  return { skeleton: { prim: skeleton, definition, animation, map }, issues };
}

/**
 * Samples a skeleton and its animation at a time. If the animation is invalid, the rest pose is used and the issues say why.
 *
 * @param stage The composed stage.
 * @param skeleton The skeleton, from {@link readAnimatedSkeleton}.
 * @param time Time code, or `default` for default values.
 * @returns Matrices and blend shape weights.
 * @example
 * ```ts
 * const { skeleton } = readAnimatedSkeleton(stage, '/Hero/Skel', skeletonAnimation(stage, '/Hero/Skel'));
 * const sample = skeleton === null ? null : sampleSkeleton(stage, skeleton, 12);
 * const toSkeletonSpace = sample?.skel;
 * ```
 */
export function sampleSkeleton(
  stage: Stage,
  { definition, animation, map }: AnimatedSkeleton,
  time: Time,
): SkeletonSample {
  const isAnimated = animation !== null && map !== null && map.kind !== 'null';
  const animated = isAnimated ? animationTransforms(stage, animation, time) : null;
  const local = localTransforms(definition, map, animated?.transforms ?? null);
  const skel = local === null ? null : skelTransforms(definition.parents, local);
  return {
    local,
    skel,
    skinning: skel === null ? null : skinningTransforms(definition, skel),
    restRelative: restRelativeTransforms(definition, map, local),
    weights: animation === null ? null : animationWeights(stage, animation, time),
    issues: animated?.issues ?? [],
  };
}
