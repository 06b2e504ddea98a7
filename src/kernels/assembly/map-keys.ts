/**
 * Maps rotation keys in AssemblyScript (WebAssembly SIMD), in float32, the type of the keys. The twin is mapRotationKeys of the core, which computes in
 * float64. All arguments except counts are byte addresses; the module allocates nothing.
 */

/** Bytes of a 4×4. */
const MATRIX_BYTES: usize = 64;

/**
 * Multiplies the quaternions of tracks by a 4×4 per track, in place: half the memory stays in the cache.
 *
 * @param trackCount Number of tracks.
 * @param counts u32 per track: its number of quaternions.
 * @param matrices 16 f32 per track, column-major.
 * @param values Four f32 per quaternion, the tracks one after another; replaced by the products.
 */
export function mapRotations(trackCount: i32, counts: usize, matrices: usize, values: usize): void {
  for (; trackCount > 0; trackCount--) {
    const x = v128.load(matrices);
    const y = v128.load(matrices, 16);
    const z = v128.load(matrices, 32);
    const w = v128.load(matrices, 48);
    for (const end = values + ((<usize>load<u32>(counts)) << 4); values < end; values += 16) {
      const xy = f32x4.add(f32x4.mul(x, v128.load32_splat(values)), f32x4.mul(y, v128.load32_splat(values, 4)));
      const zw = f32x4.add(f32x4.mul(z, v128.load32_splat(values, 8)), f32x4.mul(w, v128.load32_splat(values, 12)));
      v128.store(values, f32x4.add(xy, zw));
    }
    counts += 4;
    matrices += MATRIX_BYTES;
  }
}
