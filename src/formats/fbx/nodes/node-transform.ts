/**
 * Computes the local transform of an FBX node:
 *
 *     T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹
 *
 * (Autodesk FBX SDK, "Computing transformation matrices"): translation, rotation offset and pivot, pre-rotation,
 * rotation, post-rotation, scaling offset and pivot, scaling. It has no shear, so a translation, a rotation and a scale
 * represent it exactly.
 */

import { DEGREE, type EulerOrder, fromEuler } from '../../../core/math/euler.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import type { Vec3 } from '../../../core/math/vec3.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { boolProperty, type FbxProperties, numberProperty, vectorProperty } from '../document/object-properties.ts';

/**
 * How a node inherits the scale of its parents. `RrSs` and `RSrs` inherit all of it (they differ in shear only). `Rrs`
 * excludes the parent's own local scaling (Maya's segment scale compensate). The position is always scaled.
 */
type InheritType = 'RrSs' | 'RSrs' | 'Rrs';

/** The transform properties of a node. Lengths have the file's unit. */
export interface FbxTransform {
  /** `Lcl Translation`; animation replaces it. */
  readonly translation: Vec3;
  /** `Lcl Rotation`, degrees; animation replaces it. */
  readonly rotation: Vec3;
  /** `Lcl Scaling`; animation replaces it. */
  readonly scale: Vec3;
  /** Order of the matrix product. FBX names the axis that is applied first; its `XYZ` is `ZYX` here. */
  readonly order: EulerOrder;
  /** True for the spherical order, which is read as FBX's `XYZ`. */
  readonly isSpheric: boolean;
  /** Unit quaternion xyzw; the identity if RotationActive is off or RotationSpaceForLimitOnly is on. */
  readonly preRotation: Floats;
  /** Inverse of the post-rotation, unit quaternion xyzw; the identity as for the pre-rotation. */
  readonly postRotationInverse: Floats;
  /** Translation of the rotation pivot. */
  readonly rotationOffset: Vec3;
  /** Center of the rotation. */
  readonly rotationPivot: Vec3;
  /** Translation of the scaling pivot. */
  readonly scalingOffset: Vec3;
  /** Center of the scaling. */
  readonly scalingPivot: Vec3;
  readonly inheritType: InheritType;
}

/** `RotationOrder` 0…5 of FBX, as matrices are multiplied. */
const ORDERS: readonly EulerOrder[] = ['ZYX', 'YZX', 'XZY', 'ZXY', 'YXZ', 'XYZ'];
const SPHERIC = 6;
/** Pre- and post-rotation always have FBX's XYZ order. */
const FIXED_ORDER: EulerOrder = 'ZYX';
const INHERIT_TYPES: readonly InheritType[] = ['RrSs', 'RSrs', 'Rrs'];
const ZERO: Vec3 = [0, 0, 0];
const ONE: Vec3 = [1, 1, 1];

/**
 * Reads the transform of a node. Invalid properties (text, NaN, too few numbers) count as missing. `broken` receives the names of invalid
 * properties.
 */
export function readTransform(properties: FbxProperties, broken: Set<string>): FbxTransform {
  const vector = (name: string, otherwise: Vec3 = ZERO): Vec3 => vectorProperty(properties, name, otherwise, broken);
  // Order, pre- and post-rotation apply only if RotationActive is true (FbxNode::SetRotationActive), and to the limits
  // alone, which are not evaluated, if RotationSpaceForLimitOnly is (FbxNode::SetUseRotationSpaceForLimitOnly).
  const isActive =
    boolProperty(properties, 'RotationActive', false) && !boolProperty(properties, 'RotationSpaceForLimitOnly', false);
  const order = isActive ? numberProperty(properties, 'RotationOrder', 0) : 0;
  const rotation = (name: string): Float64Array => {
    const out = new Float64Array([0, 0, 0, 1]);
    const [x, y, z] = isActive ? vector(name) : ZERO;
    fromEuler(out, 0, x, y, z, FIXED_ORDER, DEGREE);
    return out;
  };
  const postRotationInverse = rotation('PostRotation');
  quat.conjugate(postRotationInverse, 0, postRotationInverse, 0);
  return {
    translation: vector('Lcl Translation'),
    rotation: vector('Lcl Rotation'),
    scale: vector('Lcl Scaling', ONE),
    order: ORDERS[order] ?? 'ZYX',
    isSpheric: order === SPHERIC,
    preRotation: rotation('PreRotation'),
    postRotationInverse,
    rotationOffset: vector('RotationOffset'),
    rotationPivot: vector('RotationPivot'),
    scalingOffset: vector('ScalingOffset'),
    scalingPivot: vector('ScalingPivot'),
    inheritType: INHERIT_TYPES[numberProperty(properties, 'InheritType', 0)] ?? 'RrSs',
  };
}

const turned = new Float64Array(4);
const lever = new Float64Array(3);

/** Writes the local rotation of a node, with pre- and post-rotation. `out` receives a unit quaternion, xyzw. */
export function localRotation(out: Floats, o: number, transform: FbxTransform, degrees: ArrayLike<number>): void {
  fromEuler(out, o, degrees[0], degrees[1], degrees[2], transform.order, DEGREE);
  quat.multiply(out, o, transform.preRotation, 0, out, o);
  quat.multiply(out, o, out, o, transform.postRotationInverse, 0);
  quat.normalize(out, o, out, o);
}

/**
 * Writes the local transform of a node for the given translation, rotation and scale. Scale inheritance is not applied: see {@link compensateScale}.
 * `rotationDegrees` are those of `Lcl Rotation`, about x, y and z.
 */
export function localPose(
  out: Floats,
  o: number,
  transform: FbxTransform,
  translation: ArrayLike<number>,
  rotationDegrees: ArrayLike<number>,
  scale: ArrayLike<number>,
): void {
  const { rotationOffset, rotationPivot, scalingOffset, scalingPivot } = transform;
  localRotation(turned, 0, transform, rotationDegrees);
  // The position of the origin after all pivots, from right to left in the product.
  for (let c = 0; c < 3; c++) {
    lever[c] = scalingPivot[c] - scale[c] * scalingPivot[c] + scalingOffset[c] - rotationPivot[c];
  }
  vec3.rotate(lever, 0, turned, 0, lever, 0);
  for (let c = 0; c < 3; c++) {
    out[o + c] = translation[c] + rotationOffset[c] + rotationPivot[c] + lever[c];
    out[o + PATH_OFFSET.scale + c] = scale[c];
  }
  quat.copy(out, o + PATH_OFFSET.rotation, turned, 0);
}

/** Relative difference of the axes up to which a scale counts as uniform: too small to be visible. */
const SAME_SCALE = 1e-3;

/** Checks whether a scale is nearly the same along all axes. */
export function isUniform(scale: ArrayLike<number>, i: number): boolean {
  const x = scale[i];
  const y = scale[i + 1];
  const z = scale[i + 2];
  const limit = SAME_SCALE * Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return Math.abs(x - y) <= limit && Math.abs(x - z) <= limit;
}

/** Scales below count as 0, because their reciprocal exceeds float32. */
const MIN_SCALE = 1e-38;
const matrix = new Float64Array(MATRIX_STRIDE);

/**
 * Removes the parent's own scaling from the local pose of a node with inherit type `Rrs`, in place: `T · Sp⁻¹ · R · S` as translation, rotation and
 * scale, so that the node composes like any other. A parent scale of 0 is not removed.
 */
export function compensateScale(out: Floats, o: number, parentScale: ArrayLike<number>, i: number): boolean {
  const x = parentScale[i];
  const y = parentScale[i + 1];
  const z = parentScale[i + 2];
  if (!(Math.min(Math.abs(x), Math.abs(y), Math.abs(z)) >= MIN_SCALE)) return false;
  if (x === y && x === z) {
    for (let c = PATH_OFFSET.scale; c < POSE_STRIDE; c++) out[o + c] = out[o + c] / x;
    return true;
  }
  mat4.compose(matrix, 0, out, o);
  for (let column = 0; column < 12; column += 4) {
    matrix[column] = matrix[column] / x;
    matrix[column + 1] = matrix[column + 1] / y;
    matrix[column + 2] = matrix[column + 2] / z;
  }
  mat4.decompose(out, o, matrix, 0);
  return isUniform(parentScale, i);
}

/**
 * Multiplies the local pose of a node with inherit type `Rrs` by its parent's own scaling, in place: the inverse of {@link compensateScale}, exact
 * for a uniform scale.
 */
export function restoreParentScale(pose: Floats, o: number, parentScale: ArrayLike<number>, i: number): void {
  const x = parentScale[i];
  const y = parentScale[i + 1];
  const z = parentScale[i + 2];
  if (!(Math.min(Math.abs(x), Math.abs(y), Math.abs(z)) >= MIN_SCALE)) return;
  if (x === y && x === z) {
    for (let c = PATH_OFFSET.scale; c < POSE_STRIDE; c++) pose[o + c] *= x;
    return;
  }
  mat4.compose(matrix, 0, pose, o);
  for (let column = 0; column < 12; column += 4) {
    matrix[column] *= x;
    matrix[column + 1] *= y;
    matrix[column + 2] *= z;
  }
  mat4.decompose(pose, o, matrix, 0);
}
