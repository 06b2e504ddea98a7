import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { attributeValue, mergeTimes, timeSamplesOf } from '../stage/attribute-values.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { numbersOf, readTokens } from './typed-values.ts';

/** A SkelAnimation prim. Its values are read from the stage when they are needed. Plain data. */
export interface SkelAnimation {
  /** Path of the prim. */
  readonly prim: string;
  /** Joint paths in the order of the values. */
  readonly joints: readonly string[];
  /** Blend shape names in the order of the weights. */
  readonly blendShapes: readonly string[];
}

/** Joint-local matrices, or the reason why they are missing. Both are null if the animation does not animate joints. */
interface ComposedTransforms {
  /** {@link MATRIX_STRIDE} floats per joint of the animation. */
  readonly transforms: Float64Array | null;
  /** Why the animation is invalid; null if it is valid or does not animate joints. */
  readonly reason: string | null;
}

/** The attributes that animate joints, in the order of {@link JointComponents}. */
export const JOINT_ATTRIBUTES = ['translations', 'rotations', 'scales'] as const;

export function readSkelAnimation(stage: Stage, prim: string): SkelAnimation {
  const tokens = (name: string): readonly string[] => readTokens(stage, prim, name) ?? [];
  return { prim, joints: tokens('joints'), blendShapes: tokens('blendShapes') };
}

/**
 * The translations, rotations and scales of an animation at a time, or the reason why they are invalid. Both are null if the animation does not
 * animate joints.
 */
export interface JointComponents {
  /** Translations (3 floats per joint), rotations (4 floats, xyzw) and scales (3 floats), in the order of the animation. */
  readonly components: readonly [translations: Vector, rotations: Vector, scales: Vector] | null;
  /** Why the values are invalid; null if they are valid or joints are not animated. */
  readonly reason: string | null;
}

type Vector = ArrayLike<number>;

/**
 * Validates the translations, rotations and scales of an animation. All three are required (UsdSkelAnimQuery); if one is missing or all are empty,
 * the animation does not animate joints. `translations`: 3 floats per joint; null without a value. `rotations`: 4 floats per joint, xyzw; null
 * without a value. `scales`: 3 floats per joint; null without a value.
 */
function checkComponents(
  jointCount: number,
  translations: Vector | null,
  rotations: Vector | null,
  scales: Vector | null,
): JointComponents {
  const notAnimated = { components: null, reason: null };
  if (translations === null || rotations === null || scales === null) return notAnimated;
  const count = translations.length / 3;
  if (rotations.length / 4 !== count || scales.length / 3 !== count) {
    const sizes = `${count} translations, ${rotations.length / 4} rotations and ${scales.length / 3} scales`;
    return { components: null, reason: `there are ${sizes}; author one of each per joint (${jointCount} joints)` };
  }
  if (count === jointCount && count > 0) return { components: [translations, rotations, scales], reason: null };
  if (count === 0) return notAnimated;
  return { components: null, reason: `there are ${count} transforms for ${jointCount} joints; author one per joint` };
}

/**
 * Composes joint-local matrices `S · R · T` (row vectors) from validated translations, rotations and scales. `translations`: 3 floats per joint;
 * null without a value. `rotations`: 4 floats per joint, xyzw; null without a value. `scales`: 3 floats per joint; null without a value.
 */
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

/** Scratch pose of one joint. */
const TRS = new Float64Array(POSE_STRIDE);

/**
 * Composes joint-local matrices `S · R · T` (row vectors). Does not allocate.
 *
 * @param out Receives {@link MATRIX_STRIDE} floats per joint; its length determines the number of joints.
 * @param translations 3 floats per joint.
 * @param rotations 4 floats per joint, xyzw.
 * @param scales 3 floats per joint.
 */
export function fillTransforms(
  out: Float64Array,
  translations: ArrayLike<number>,
  rotations: ArrayLike<number>,
  scales: ArrayLike<number>,
): void {
  for (let joint = 0; joint * MATRIX_STRIDE < out.length; joint++) {
    for (let c = 0; c < 3; c++) {
      TRS[c] = translations[3 * joint + c];
      TRS[PATH_OFFSET.scale + c] = scales[3 * joint + c];
    }
    for (let c = 0; c < 4; c++) TRS[PATH_OFFSET.rotation + c] = rotations[4 * joint + c];
    mat4.compose(out, joint * MATRIX_STRIDE, TRS, 0);
  }
}

/** Values of attributes that an animation does not author, in the order of {@link JOINT_ATTRIBUTES}; null for the others. */
export type MissingComponents = readonly (Vector | null)[];

const NOTHING_MISSING: MissingComponents = [null, null, null];

function readComponents(stage: Stage, prim: string, time: Time, missing: MissingComponents): (Vector | null)[] {
  return JOINT_ATTRIBUTES.map(
    (name, k) => missing[k] ?? numbersOf(attributeValue(stage, prim, name, time), name === 'rotations' ? 4 : 3),
  );
}

/** Reads and validates the translations, rotations and scales of an animation at a time. */
export function jointComponents(
  stage: Stage,
  { prim, joints }: SkelAnimation,
  time: Time,
  missing: MissingComponents = NOTHING_MISSING,
): JointComponents {
  const [translations, rotations, scales] = readComponents(stage, prim, time, missing);
  return checkComponents(joints.length, translations, rotations, scales);
}

interface AnimationTransforms {
  /** Joint-local matrices, {@link MATRIX_STRIDE} floats per joint of the animation; null if it does not animate joints. */
  readonly transforms: Float64Array | null;
  readonly issues: readonly Issue[];
}

/** Composes the joint-local matrices of an animation at a time. Invalid values are reported and count as no animation. */
export function animationTransforms(stage: Stage, animation: SkelAnimation, time: Time): AnimationTransforms {
  const { prim, joints } = animation;
  const [translations, rotations, scales] = readComponents(stage, prim, time, NOTHING_MISSING);
  const { transforms, reason } = composeTransforms(joints.length, translations, rotations, scales);
  if (reason === null) return { transforms, issues: [] };
  const at = time === 'default' ? '' : ` at ${time}`;
  const message = `SkelAnimation ${prim}${at}: ${reason}. The rest pose was used.`;
  return { transforms, issues: [issue('USD_ANIMATION_INVALID', message, { pointer: prim })] };
}

/** Reads the blend shape weights of an animation at a time. Returns weights in the order of the animation; null without. */
export function animationWeights(stage: Stage, animation: SkelAnimation, time: Time): ArrayLike<number> | null {
  return numbersOf(attributeValue(stage, animation.prim, 'blendShapeWeights', time), 1);
}

/** Lists the times at which a joint attribute of an animation has a sample. */
export function jointTimes(stage: Stage, { prim }: SkelAnimation): Float64Array {
  return mergeTimes(JOINT_ATTRIBUTES.map((name) => timeSamplesOf(stage, prim, name)));
}

/** Lists the times at which a joint attribute or the blend shape weights of an animation have a sample. */
export function animationTimes(stage: Stage, animation: SkelAnimation): Float64Array {
  return mergeTimes(
    [...JOINT_ATTRIBUTES, 'blendShapeWeights'].map((name) => timeSamplesOf(stage, animation.prim, name)),
  );
}
