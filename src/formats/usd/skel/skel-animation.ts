/** Animations of UsdSkel: translations, rotations and scales of joints in an order of their own, and weights of blend shapes. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue, timeSamplesOf, unitedTimes } from '../stage/values.ts';
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

/** The attributes that move joints, in the order of {@link JointComponents}. */
export const JOINT_ATTRIBUTES = ['translations', 'rotations', 'scales'] as const;

/** The joints and blend shapes of a SkelAnimation prim. */
export function readSkelAnimation(stage: Stage, prim: string): SkelAnimation {
  const tokens = (name: string): readonly string[] => readTokens(stage, prim, name) ?? [];
  return { prim, joints: tokens('joints'), blendShapes: tokens('blendShapes') };
}

/** The three vectors of an animation at a time, or why they do not count; neither: nothing is animated, silently. */
export interface JointComponents {
  /** 3 floats, 4 (xyzw) and 3 a joint of the animation. */
  readonly components: readonly [translations: Vector, rotations: Vector, scales: Vector] | null;
  readonly reason: string | null;
}

type Vector = ArrayLike<number>;

/**
 * Whether the three vectors of an animation of `jointCount` joints count. All three must be there (UsdSkelAnimQuery), else nothing is animated; so it is where
 * all are empty.
 */
export function checkComponents(
  jointCount: number,
  translations: Vector | null,
  rotations: Vector | null,
  scales: Vector | null,
): JointComponents {
  const nothing = { components: null, reason: null };
  if (translations === null || rotations === null || scales === null) return nothing;
  const count = translations.length / 3;
  if (rotations.length / 4 !== count || scales.length / 3 !== count) {
    const sizes = `${count} translations, ${rotations.length / 4} rotations and ${scales.length / 3} scales`;
    return { components: null, reason: `there are ${sizes}; give one of each for each of the ${jointCount} joints` };
  }
  if (count === jointCount && count > 0) return { components: [translations, rotations, scales], reason: null };
  if (count === 0) return nothing;
  return { components: null, reason: `there are ${count} transforms for ${jointCount} joints` };
}

/** Joint-local matrices `S · R · T` (row vectors) of the three vectors of an animation of `jointCount` joints, as far as they count. */
export function composeTransforms(
  jointCount: number,
  translations: Vector | null,
  rotations: Vector | null,
  scales: Vector | null,
): ComposedTransforms {
  const { components, reason } = checkComponents(jointCount, translations, rotations, scales);
  if (components === null) return { transforms: null, reason };
  const transforms = new Float64Array(jointCount * MATRIX_STRIDE);
  fillTransforms(transforms, ...components);
  return { transforms, reason: null };
}

const TRS = new Float64Array(POSE_STRIDE);

/** Joint-local matrices `S · R · T` (row vectors) of as many translations, rotations and scales, into `out`. No allocation. */
export function fillTransforms(
  out: Float64Array,
  translations: ArrayLike<number>,
  rotations: ArrayLike<number>,
  scales: ArrayLike<number>,
): void {
  for (let joint = 0; joint * MATRIX_STRIDE < out.length; joint++) {
    for (let c = 0; c < 3; c++) {
      TRS[c] = translations[3 * joint + c];
      TRS[7 + c] = scales[3 * joint + c];
    }
    for (let c = 0; c < 4; c++) TRS[3 + c] = rotations[4 * joint + c];
    mat4.compose(out, joint * MATRIX_STRIDE, TRS, 0);
  }
}

function readVectors(stage: Stage, prim: string, time: Time): (Vector | null)[] {
  return JOINT_ATTRIBUTES.map((name) =>
    numbersOf(attributeValue(stage, prim, name, time), name === 'rotations' ? 4 : 3),
  );
}

/** The three vectors of an animation at a time, as far as they count. */
export function jointComponents(stage: Stage, { prim, joints }: SkelAnimation, time: Time): JointComponents {
  const [translations, rotations, scales] = readVectors(stage, prim, time);
  return checkComponents(joints.length, translations, rotations, scales);
}

/** Joint-local matrices of an animation at a time, in its own order; null where it animates no joints. */
export function animationTransforms(
  stage: Stage,
  animation: SkelAnimation,
  time: Time,
  issues: Issue[],
): Float64Array | null {
  const { prim, joints } = animation;
  const [translations, rotations, scales] = readVectors(stage, prim, time);
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

/** Times at which joints of an animation have a sample, rising. Do not write into them: they may be the layer's own. */
export function jointTimes(stage: Stage, { prim }: SkelAnimation): Float64Array {
  return unitedTimes(JOINT_ATTRIBUTES.map((name) => timeSamplesOf(stage, prim, name)));
}

/** Times at which anything of an animation has a sample, rising. Do not write into them: they may be the layer's own. */
export function animationTimes(stage: Stage, animation: SkelAnimation): Float64Array {
  return unitedTimes(
    [...JOINT_ATTRIBUTES, 'blendShapeWeights'].map((name) => timeSamplesOf(stage, animation.prim, name)),
  );
}
