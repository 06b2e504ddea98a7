/** Rotations from angles about coordinate axes, in any order, as in BVH channels and FBX. */
import type { Floats } from './floats.ts';

export const DEGREE: number = Math.PI / 180;
export const DEGREES_PER_RADIAN: number = 180 / Math.PI;

/** Order in which the rotation matrices are multiplied: `XYZ` is R = Rx · Ry · Rz, so about fixed axes z is applied first. */
export type EulerOrder = 'XYZ' | 'XZY' | 'YXZ' | 'YZX' | 'ZXY' | 'ZYX';

const ORDER_AXES: Readonly<Record<EulerOrder, readonly number[]>> = {
  XYZ: [0, 1, 2],
  XZY: [0, 2, 1],
  YXZ: [1, 0, 2],
  YZX: [1, 2, 0],
  ZXY: [2, 0, 1],
  ZYX: [2, 1, 0],
};

/**
 * Computes the product R₁ · R₂ · R₃ … of rotations about coordinate axes, the rule of BVH channels. Without axes it is the identity. `axes` are in
 * product order: 0 x, 1 y, 2 z. `angles` holds one angle per axis from offset i; `radiansPerUnit` is 1 for radians, {@link DEGREE} for degrees.
 */
export function fromAxisAngles(
  out: Floats,
  o: number,
  axes: ArrayLike<number>,
  angles: ArrayLike<number>,
  i = 0,
  radiansPerUnit = 1,
): void {
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  for (let k = 0; k < axes.length; k++) {
    const half = (angles[i + k] * radiansPerUnit) / 2;
    const s = Math.sin(half);
    const c = Math.cos(half);
    const qx = x;
    const qy = y;
    const qz = z;
    const qw = w;
    w = qw * c;
    x = qx * c;
    y = qy * c;
    z = qz * c;
    if (axes[k] === 0) {
      w -= qx * s;
      x += qw * s;
      y += qz * s;
      z -= qy * s;
    } else if (axes[k] === 1) {
      w -= qy * s;
      x -= qz * s;
      y += qw * s;
      z += qx * s;
    } else {
      w -= qz * s;
      x += qy * s;
      y -= qx * s;
      z += qw * s;
    }
  }
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

const angleScratch = new Float64Array(3);

/**
 * Computes the rotation of three Euler angles. The rotation matrices are multiplied in `order`. `radiansPerUnit` is 1 for radians, {@link DEGREE} for
 * degrees.
 */
export function fromEuler(
  out: Floats,
  o: number,
  x: number,
  y: number,
  z: number,
  order: EulerOrder,
  radiansPerUnit = 1,
): void {
  const axes = ORDER_AXES[order];
  for (let k = 0; k < 3; k++) angleScratch[k] = axes[k] === 0 ? x : axes[k] === 1 ? y : z;
  fromAxisAngles(out, o, axes, angleScratch, 0, radiansPerUnit);
}
