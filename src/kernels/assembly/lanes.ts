/** Operations on four floats at a time that several kernels use. Quaternions and vectors are in memory as x, y, z, w. */

/**
 * Multiplies two quaternions.
 *
 * @param p Address of the first one.
 * @param q The second one.
 * @returns The product.
 */
export function multiplyQuaternion(p: usize, q: v128): v128 {
  const signX = i32x4(0, <i32>0x80000000, 0, <i32>0x80000000);
  const signY = i32x4(0, 0, <i32>0x80000000, <i32>0x80000000);
  const signZ = i32x4(<i32>0x80000000, 0, 0, <i32>0x80000000);
  const x = v128.xor(v128.shuffle<f32>(q, q, 3, 2, 1, 0), signX);
  const y = v128.xor(v128.shuffle<f32>(q, q, 2, 3, 0, 1), signY);
  const z = v128.xor(v128.shuffle<f32>(q, q, 1, 0, 3, 2), signZ);
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load_splat<f32>(p, 12), q), f32x4.mul(v128.load_splat<f32>(p), x)),
    f32x4.add(f32x4.mul(v128.load_splat<f32>(p, 4), y), f32x4.mul(v128.load_splat<f32>(p, 8), z)),
  );
}

/**
 * Computes `x · a + y · b + z · c`.
 *
 * @param at Address of x, y and z.
 * @param a First column.
 * @param b Second column.
 * @param c Third column.
 * @returns The sum.
 */
export function combine(at: usize, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load_splat<f32>(at), a), f32x4.mul(v128.load_splat<f32>(at, 4), b)),
    f32x4.mul(v128.load_splat<f32>(at, 8), c),
  );
}

/**
 * Interpolates linearly between two vectors.
 *
 * @param a Address of the first one.
 * @param b Address of the second one.
 * @param t Fraction of the way, in all lanes.
 * @returns The vector between them.
 */
export function mix(a: usize, b: usize, t: v128): v128 {
  const start = v128.load(a);
  return f32x4.add(start, f32x4.mul(t, f32x4.sub(v128.load(b), start)));
}
