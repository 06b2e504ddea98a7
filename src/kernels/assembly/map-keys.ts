/**
 * Maps rotation keys in AssemblyScript (WebAssembly SIMD), in float32, the type of the keys. The twin is mapRotationKeys of the core, which computes in
 * float64. All arguments except counts are byte addresses; the module allocates nothing.
 */

/** Bytes of a 4×4 of f32. */
const MATRIX_BYTES: usize = 64;
/**
 * Numbers of a matrix up to this size count as zero: they are rounding errors of the plan. Their products with the rounding errors of keys would be
 * subnormal numbers, which processors multiply a hundred times more slowly.
 */
const ZERO: f64 = 1e-12;

/** Narrows two f64 to the lower two lanes of an f32x4. */
function narrowPair(at: usize): v128 {
  const pair = v128.load(at);
  return f32x4.demote_f64x2_zero(v128.and(pair, f64x2.gt(f64x2.abs(pair), f64x2.splat(ZERO))));
}

/** Narrows matrices of f64 to f32, in place. A pass of its own: within the loop over tracks it would cost registers in the loop over keys. */
function narrowMatrices(count: i32, matrices: usize): void {
  const end = matrices + <usize>count * MATRIX_BYTES;
  for (let from = matrices; matrices < end; matrices += 16, from += 32) {
    v128.store(matrices, v128.shuffle<f64>(narrowPair(from), narrowPair(from + 16), 0, 2));
  }
}

/** Multiplies a quaternion by the 4×4 with the columns x, y, z and w. */
function product(at: usize, x: v128, y: v128, z: v128, w: v128): v128 {
  const xy = f32x4.add(f32x4.mul(x, v128.load32_splat(at)), f32x4.mul(y, v128.load32_splat(at, 4)));
  const zw = f32x4.add(f32x4.mul(z, v128.load32_splat(at, 8)), f32x4.mul(w, v128.load32_splat(at, 12)));
  return f32x4.add(xy, zw);
}

/**
 * Multiplies the quaternions of tracks by a 4×4 per track, in place: half the memory stays in the cache.
 *
 * @param trackCount Number of tracks.
 * @param counts u32 per track: its number of quaternions.
 * @param matrices 16 f64 per track, column-major; replaced.
 * @param values Four f32 per quaternion, the tracks one after another; replaced by the products.
 */
export function mapRotations(trackCount: i32, counts: usize, matrices: usize, values: usize): void {
  narrowMatrices(trackCount, matrices);
  for (; trackCount > 0; trackCount--) {
    const x = v128.load(matrices);
    const y = v128.load(matrices, 16);
    const z = v128.load(matrices, 32);
    const w = v128.load(matrices, 48);
    const end = values + ((<usize>load<u32>(counts)) << 4);
    // Two at a time, and one that is left over: engines check for interrupts in every iteration.
    for (; values + 16 < end; values += 32) {
      const first = product(values, x, y, z, w);
      const second = product(values + 16, x, y, z, w);
      v128.store(values, first);
      v128.store(values, second, 16);
    }
    if (values < end) {
      v128.store(values, product(values, x, y, z, w));
      values += 16;
    }
    counts += 4;
    matrices += MATRIX_BYTES;
  }
}
