import { PATH_WIDTH, TRACK_PATHS } from '../../../core/animation/clip.ts';
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

/** Values of attributes that an animation does not author, in the order of {@link JOINT_ATTRIBUTES}; null for the others. */
export type MissingComponents = readonly (Vector | null)[];

const NOTHING_MISSING: MissingComponents = [null, null, null];

/**
 * Reads and validates the translations, rotations and scales of an animation at a time. All three are required (UsdSkelAnimQuery); if one is missing
 * or all are empty, the animation does not animate joints.
 */
export function jointComponents(
  stage: Stage,
  { prim, joints }: SkelAnimation,
  time: Time,
  missing: MissingComponents = NOTHING_MISSING,
): JointComponents {
  const [translations, rotations, scales] = JOINT_ATTRIBUTES.map(
    (name, k) => missing[k] ?? numbersOf(attributeValue(stage, prim, name, time), name === 'rotations' ? 4 : 3),
  );
  const notAnimated = { components: null, reason: null };
  if (translations === null || rotations === null || scales === null) return notAnimated;
  const count = translations.length / 3;
  if (rotations.length / 4 !== count || scales.length / 3 !== count) {
    const sizes = `${count} translations, ${rotations.length / 4} rotations and ${scales.length / 3} scales`;
    return { components: null, reason: `there are ${sizes}; author one of each per joint (${joints.length} joints)` };
  }
  if (count === joints.length && count > 0) return { components: [translations, rotations, scales], reason: null };
  if (count === 0) return notAnimated;
  return {
    components: null,
    reason: `there are ${count} transforms for ${joints.length} joints; author one per joint`,
  };
}

/**
 * Composes the joint-local matrices `S · R · T` (row vectors) of an animation at a time, {@link MATRIX_STRIDE} floats per joint of the animation; null
 * if it does not animate joints. Invalid values are reported and count as no animation.
 */
export function animationTransforms(
  stage: Stage,
  animation: SkelAnimation,
  time: Time,
): { transforms: Float64Array | null; issues: readonly Issue[] } {
  const { prim, joints } = animation;
  const { components, reason } = jointComponents(stage, animation, time);
  if (reason !== null) {
    const at = time === 'default' ? '' : ` at ${time}`;
    const message = `SkelAnimation ${prim}${at}: ${reason}. The rest pose was used.`;
    return { transforms: null, issues: [issue('USD_ANIMATION_INVALID', message, { pointer: prim })] };
  }
  if (components === null) return { transforms: null, issues: [] };
  const transforms = new Float64Array(joints.length * MATRIX_STRIDE);
  const pose = new Float64Array(POSE_STRIDE);
  for (let joint = 0; joint < joints.length; joint++) {
    for (const [k, path] of TRACK_PATHS.entries()) {
      const width = PATH_WIDTH[path];
      for (let c = 0; c < width; c++) pose[PATH_OFFSET[path] + c] = components[k][width * joint + c];
    }
    mat4.compose(transforms, joint * MATRIX_STRIDE, pose, 0);
  }
  return { transforms, issues: [] };
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
