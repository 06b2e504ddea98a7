/** Animations of UsdSkel: translations, rotations and scales of joints in an order of their own, and weights of blend shapes. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../stage/values.ts';
import { numbersOf, readTokens } from './stage-reading.ts';

/** A SkelAnimation prim. Its values are read from the stage at the times that are asked for. Plain data. */
export interface SkelAnimation {
  readonly prim: string;
  /** Joints in the order of the values. */
  readonly joints: readonly string[];
  /** Blend shapes in the order of the weights. */
  readonly blendShapes: readonly string[];
}

/** Joint-local matrices, or why there are none; neither: nothing is animated, silently. */
export interface ComposedTransforms {
  /** {@link MATRIX_STRIDE} floats a joint of the animation. */
  readonly transforms: Float64Array | null;
  readonly reason: string | null;
}

const JOINT_ATTRIBUTES = ['translations', 'rotations', 'scales'] as const;

/** The joints and blend shapes of a SkelAnimation prim. */
export function readSkelAnimation(stage: Stage, prim: string): SkelAnimation {
  const tokens = (name: string): readonly string[] => readTokens(stage, prim, name) ?? [];
  return { prim, joints: tokens('joints'), blendShapes: tokens('blendShapes') };
}

/**
 * Joint-local matrices `S · R · T` (row vectors) of the three vectors of an animation of `jointCount` joints: 3 floats, 4 (xyzw) and 3 a
 * joint. All three must be there (UsdSkelAnimQuery), else nothing is animated; so it is where all are empty.
 */
export function composeTransforms(
  jointCount: number,
  translations: ArrayLike<number> | null,
  rotations: ArrayLike<number> | null,
  scales: ArrayLike<number> | null,
): ComposedTransforms {
  const nothing = { transforms: null, reason: null };
  if (translations === null || rotations === null || scales === null) return nothing;
  const count = translations.length / 3;
  if (rotations.length / 4 !== count || scales.length / 3 !== count) {
    const sizes = `${count} translations, ${rotations.length / 4} rotations and ${scales.length / 3} scales`;
    return { transforms: null, reason: `there are ${sizes}; give one of each for each of the ${jointCount} joints` };
  }
  if (count !== jointCount) {
    return count === 0
      ? nothing
      : { transforms: null, reason: `there are ${count} transforms for ${jointCount} joints` };
  }
  const transforms = new Float64Array(count * MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  for (let joint = 0; joint < count; joint++) {
    for (let c = 0; c < 3; c++) {
      trs[c] = translations[3 * joint + c];
      trs[7 + c] = scales[3 * joint + c];
    }
    for (let c = 0; c < 4; c++) trs[3 + c] = rotations[4 * joint + c];
    mat4.compose(transforms, joint * MATRIX_STRIDE, trs, 0);
  }
  return { transforms, reason: null };
}

/** Joint-local matrices of an animation at a time, in its own order; null where it animates no joints. */
export function animationTransforms(
  stage: Stage,
  animation: SkelAnimation,
  time: Time,
  issues: Issue[],
): Float64Array | null {
  const { prim, joints } = animation;
  const [translations, rotations, scales] = JOINT_ATTRIBUTES.map((name) =>
    numbersOf(attributeValue(stage, prim, name, time), name === 'rotations' ? 4 : 3),
  );
  const { transforms, reason } = composeTransforms(joints.length, translations, rotations, scales);
  if (reason !== null) {
    const at = time === 'default' ? '' : ` at ${time}`;
    issues.push(
      issue('USD_ANIMATION_INVALID', `SkelAnimation ${prim}${at}: ${reason}; the rest pose was taken.`, {
        pointer: prim,
      }),
    );
  }
  return transforms;
}

/** Weights of the blend shapes of an animation at a time, in its own order; null without. */
export function animationWeights(stage: Stage, animation: SkelAnimation, time: Time): ArrayLike<number> | null {
  return numbersOf(attributeValue(stage, animation.prim, 'blendShapeWeights', time), 1);
}

/** Times at which anything of an animation has a sample, rising. */
export function animationTimes(stage: Stage, animation: SkelAnimation): Float64Array {
  const times = new Set<number>();
  for (const name of [...JOINT_ATTRIBUTES, 'blendShapeWeights']) {
    for (const time of Array.from(timeSamplesOf(stage, animation.prim, name))) times.add(time);
  }
  return Float64Array.from(times).sort();
}
