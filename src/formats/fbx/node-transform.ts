/**
 * The local transform of an FBX node:
 *
 *     T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹
 *
 * (Autodesk FBX SDK, "Computing transformation matrices"): translation, rotation offset and pivot, pre-rotation, rotation,
 * post-rotation, scaling offset and pivot, scaling. It has no shear, so it always is a translation, a rotation and a scale.
 */
import { DEGREE, type EulerOrder, fromEuler } from '../../core/math/euler.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { boolProperty, type FbxProperties, numberProperty, vectorProperty } from './properties.ts';

/**
 * What of its parent's scale a node takes over: `RrSs` and `RSrs` all of it (they differ in shear only), `Rrs` all but the
 * parent's own local scaling (Maya's segment scale compensate). The position is always scaled.
 */
export type InheritType = 'RrSs' | 'RSrs' | 'Rrs';

type Vector = readonly [number, number, number];

/** What a node says about its local transform. Lengths in the file's unit, angles in degrees. */
export interface FbxTransform {
  /** `Lcl Translation`, `Lcl Rotation`, `Lcl Scaling`: what animation replaces. */
  readonly translation: Vector;
  readonly rotation: Vector;
  readonly scale: Vector;
  /** How the rotation is multiplied, as matrices: FBX names the axis first that turns first, so its `XYZ` is `ZYX` here. */
  readonly order: EulerOrder;
  /** Whether the file asks for a spherical order, which is read as FBX's `XYZ`. */
  readonly isSpheric: boolean;
  /** Unit quaternions xyzw; the identity when the node's RotationActive is off. */
  readonly preRotation: Floats;
  readonly postRotationInverse: Floats;
  readonly rotationOffset: Vector;
  readonly rotationPivot: Vector;
  readonly scalingOffset: Vector;
  readonly scalingPivot: Vector;
  readonly inheritType: InheritType;
}

/** `RotationOrder` 0…5 of FBX, as matrices are multiplied. */
const ORDERS: readonly EulerOrder[] = ['ZYX', 'YZX', 'XZY', 'ZXY', 'YXZ', 'XYZ'];
const SPHERIC = 6;
/** Pre- and post-rotation are always in FBX's XYZ order. */
const FIXED_ORDER: EulerOrder = 'ZYX';
const INHERIT_TYPES: readonly InheritType[] = ['RrSs', 'RSrs', 'Rrs'];
const ZERO: Vector = [0, 0, 0];
const ONE: Vector = [1, 1, 1];

/**
 * Reads the transform of a node. Properties that are broken (text, NaN, too few numbers) count as not there; their names
 * go to `broken`.
 */
export function readTransform(properties: FbxProperties, broken: Set<string>): FbxTransform {
  const vector = (name: string, otherwise: Vector = ZERO): Vector =>
    vectorProperty(properties, name, otherwise, broken);
  // Order, pre- and post-rotation hold only where this is on (FbxNode::SetRotationActive).
  const isActive = boolProperty(properties, 'RotationActive', false);
  const order = isActive ? numberProperty(properties, 'RotationOrder', 0) : 0;
  const turn = (name: string): Float64Array => {
    const out = new Float64Array([0, 0, 0, 1]);
    const [x, y, z] = isActive ? vector(name) : ZERO;
    fromEuler(out, 0, x, y, z, FIXED_ORDER, DEGREE);
    return out;
  };
  const postRotationInverse = turn('PostRotation');
  quat.conjugate(postRotationInverse, 0, postRotationInverse, 0);
  return {
    translation: vector('Lcl Translation'),
    rotation: vector('Lcl Rotation'),
    scale: vector('Lcl Scaling', ONE),
    order: ORDERS[order] ?? 'ZYX',
    isSpheric: order === SPHERIC,
    preRotation: turn('PreRotation'),
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

/**
 * The local transform for given values of translation, rotation (degrees about x, y, z) and scale, as ten floats:
 * translation xyz, rotation xyzw, scale xyz. Inheritance of scale is not in it: see {@link compensateScale}.
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
  fromEuler(turned, 0, rotationDegrees[0], rotationDegrees[1], rotationDegrees[2], transform.order, DEGREE);
  quat.multiply(turned, 0, transform.preRotation, 0, turned, 0);
  quat.multiply(turned, 0, turned, 0, transform.postRotationInverse, 0);
  quat.normalize(turned, 0, turned, 0);
  // Where the origin comes to lie, from right to left.
  for (let c = 0; c < 3; c++) {
    lever[c] = scalingPivot[c] - scale[c] * scalingPivot[c] + scalingOffset[c] - rotationPivot[c];
  }
  vec3.rotate(lever, 0, turned, 0, lever, 0);
  for (let c = 0; c < 3; c++) {
    out[o + c] = translation[c] + rotationOffset[c] + rotationPivot[c] + lever[c];
    out[o + 7 + c] = scale[c];
  }
  quat.copy(out, o + 3, turned, 0);
}

/** Part by which the axes of a scale may differ and still count as alike: what nobody sees. */
const SAME_SCALE = 1e-3;

/** Whether a scale (3 floats) is nearly the same along all axes. */
export function isUniform(scale: ArrayLike<number>, i: number): boolean {
  const x = scale[i];
  const y = scale[i + 1];
  const z = scale[i + 2];
  const limit = SAME_SCALE * Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return Math.abs(x - y) <= limit && Math.abs(x - z) <= limit;
}

/** Scales below are nothing: one divided by them is past float32. */
const SMALLEST_SCALE = 1e-38;
const matrix = new Float64Array(16);

/**
 * Takes the parent's own scaling (its `Lcl Scaling` at that time, 3 floats) out of the local pose of a node of inherit
 * type `Rrs`, in place: `T · Sp⁻¹ · R · S` as translation, rotation, scale, so that it composes like any other. True
 * where the parent scales all axes alike, which is exact; else the nearest without shear, and false. Of a parent scaled
 * to nothing nothing is taken out.
 */
export function compensateScale(out: Floats, o: number, parentScale: ArrayLike<number>, i: number): boolean {
  const x = parentScale[i];
  const y = parentScale[i + 1];
  const z = parentScale[i + 2];
  if (!(Math.min(Math.abs(x), Math.abs(y), Math.abs(z)) >= SMALLEST_SCALE)) return false;
  if (x === y && x === z) {
    for (let c = 7; c < POSE_STRIDE; c++) out[o + c] = out[o + c] / x;
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
