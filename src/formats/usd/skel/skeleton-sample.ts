/** A skeleton with the animation that moves it, and what both come to at a time. */

import type { Issue } from '../../../core/report/issue.ts';
import { type OrderMap, planOrderMap } from '../../../core/skeleton/order-map.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { localTransforms, restRelativeTransforms, skelTransforms, skinningTransforms } from './joint-transforms.ts';
import { animationTransforms, animationWeights, readSkelAnimation, type SkelAnimation } from './skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from './skeleton-definition.ts';

/** A valid skeleton and its animation. Plain data. */
export interface AnimatedSkeleton {
  readonly prim: string;
  readonly definition: SkeletonDefinition;
  readonly animation: SkelAnimation | null;
  /** From the joint order of the animation to that of the skeleton; null without an animation. */
  readonly map: OrderMap | null;
}

/** A skeleton at a time; matrices are 16 floats a joint, null where a pose that they need is missing. */
export interface SkeletonSample {
  /** Joint to parent joint. */
  readonly local: Float64Array | null;
  /** Joint to skeleton. */
  readonly skel: Float64Array | null;
  /** Bind pose to skeleton. */
  readonly skinning: Float64Array | null;
  readonly restRelative: Float64Array | null;
  /** Weights in the order of the blend shapes of the animation; null without. */
  readonly weights: ArrayLike<number> | null;
}

/** A Skeleton prim with a SkelAnimation prim or none; null where the skeleton is not valid, which `issues` tell of. */
export function readAnimatedSkeleton(
  stage: Stage,
  skeleton: string,
  animationPrim: string | null,
  issues: Issue[],
): AnimatedSkeleton | null {
  const definition = readSkeleton(stage, skeleton, issues);
  if (definition === null) return null;
  const animation = animationPrim === null ? null : readSkelAnimation(stage, animationPrim);
  const map = animation === null ? null : planOrderMap(animation.joints, definition.joints);
  return { prim: skeleton, definition, animation, map };
}

/** A skeleton at a time. */
export function sampleSkeleton(
  stage: Stage,
  { definition, animation, map }: AnimatedSkeleton,
  time: Time,
  issues: Issue[],
): SkeletonSample {
  const moves = animation !== null && map !== null && map.kind !== 'null';
  const animated = moves ? animationTransforms(stage, animation, time, issues) : null;
  const local = localTransforms(definition, map, animated);
  const skel = local === null ? null : skelTransforms(definition.parents, local);
  return {
    local,
    skel,
    skinning: skel === null ? null : skinningTransforms(definition, skel),
    restRelative: restRelativeTransforms(definition, map, local),
    weights: animation === null ? null : animationWeights(stage, animation, time),
  };
}
