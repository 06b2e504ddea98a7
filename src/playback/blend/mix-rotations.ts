/** Slerp of many rotations in one loop. A call of `quat.slerp` per node would box its number `t`. */
import type { Floats } from '../../core/math/floats.ts';

/** Cosine above which slerp uses lerp: at an angle of 3e-4 between the quaternions the two differ by less than a float32 rounding. */
const COS_LERP = 1 - 5e-8;

/**
 * Interpolates rotations spherically along the shorter arc, as `quat.slerp`: `out := slerp(out, b, mixes)`. Both have `stride` floats per node with
 * a quaternion at `offset`; `mixes` has one position per node, and nodes whose mix is 0 stay.
 */
export function mixRotations(out: Floats, b: Floats, stride: number, offset: number, mixes: Float64Array): void {
  for (let node = 0, i = offset; node < mixes.length; node++, i += stride) {
    const t = mixes[node];
    if (t === 0) continue;
    const ax = out[i];
    const ay = out[i + 1];
    const az = out[i + 2];
    const aw = out[i + 3];
    const bx = b[i];
    const by = b[i + 1];
    const bz = b[i + 2];
    const bw = b[i + 3];
    const dot = ax * bx + ay * by + az * bz + aw * bw;
    const cos = Math.min(Math.abs(dot), 1);
    let aWeight = 1 - t;
    let bWeight = t;
    if (cos < COS_LERP) {
      const sin = Math.sqrt((1 - cos) * (1 + cos));
      const angle = Math.atan2(sin, cos);
      aWeight = Math.sin(angle * (1 - t)) / sin;
      bWeight = Math.sin(angle * t) / sin;
    }
    if (dot < 0) bWeight = -bWeight;
    const x = aWeight * ax + bWeight * bx;
    const y = aWeight * ay + bWeight * by;
    const z = aWeight * az + bWeight * bz;
    const w = aWeight * aw + bWeight * bw;
    const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    out[i] = x * factor;
    out[i + 1] = y * factor;
    out[i + 2] = z * factor;
    out[i + 3] = w * factor;
  }
}
