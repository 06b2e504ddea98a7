/**
 * Maps rotation keys in AssemblyScript (WebAssembly SIMD), in float64 and in the order of mapRotationKeys of the core, so that the results are the same to
 * the last bit. All arguments except counts are byte addresses; the module allocates nothing.
 */

/** Bytes of a 4×4 in float64. */
const MATRIX_BYTES: usize = 128;

/**
 * Multiplies the quaternions of tracks by a 4×4 per track.
 *
 * @param trackCount Number of tracks.
 * @param counts u32 per track: its number of quaternions.
 * @param matrices 16 f64 per track, column-major.
 * @param values Four f32 per quaternion, the tracks one after another.
 * @param out Receives as many.
 */
export function mapRotations(trackCount: i32, counts: usize, matrices: usize, values: usize, out: usize): void {
  for (; trackCount > 0; trackCount--) {
    const xLow = v128.load(matrices);
    const xHigh = v128.load(matrices, 16);
    const yLow = v128.load(matrices, 32);
    const yHigh = v128.load(matrices, 48);
    const zLow = v128.load(matrices, 64);
    const zHigh = v128.load(matrices, 80);
    const wLow = v128.load(matrices, 96);
    const wHigh = v128.load(matrices, 112);
    for (const end = values + ((<usize>load<u32>(counts)) << 4); values < end; values += 16) {
      const q = v128.load(values);
      const xy = f64x2.promote_low_f32x4(q);
      const zw = f64x2.promote_low_f32x4(v128.shuffle<f32>(q, q, 2, 3, 2, 3));
      const x = v128.shuffle<f64>(xy, xy, 0, 0);
      const y = v128.shuffle<f64>(xy, xy, 1, 1);
      const z = v128.shuffle<f64>(zw, zw, 0, 0);
      const w = v128.shuffle<f64>(zw, zw, 1, 1);
      const low = f64x2.add(
        f64x2.add(f64x2.add(f64x2.mul(xLow, x), f64x2.mul(yLow, y)), f64x2.mul(zLow, z)),
        f64x2.mul(wLow, w),
      );
      const high = f64x2.add(
        f64x2.add(f64x2.add(f64x2.mul(xHigh, x), f64x2.mul(yHigh, y)), f64x2.mul(zHigh, z)),
        f64x2.mul(wHigh, w),
      );
      v128.store(out, v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5));
      out += 16;
    }
    counts += 4;
    matrices += MATRIX_BYTES;
  }
}
