/**
 * Morph targets in AssemblyScript (WebAssembly SIMD). All arguments except counts are byte addresses; the module allocates nothing. Lists of floats are
 * padded to multiples of sixteen.
 */

/**
 * Adds dense targets to a mesh: all targets of sixteen floats at a time, so that every float of the mesh is read and written once.
 *
 * @param floatCount Number of floats, a multiple of sixteen.
 * @param base The mesh.
 * @param targetCount Number of targets with a weight.
 * @param targets u32 per target: address of its offsets.
 * @param weights f32 per target.
 * @param out Receives the sum.
 */
export function addDense(
  floatCount: i32,
  base: usize,
  targetCount: i32,
  targets: usize,
  weights: usize,
  out: usize,
): void {
  const bytes = (<usize>targetCount) << 2;
  const end = (<usize>floatCount) << 2;
  for (let at: usize = 0; at < end; at += 64) {
    let a = v128.load(base + at);
    let b = v128.load(base + at, 16);
    let c = v128.load(base + at, 32);
    let d = v128.load(base + at, 48);
    for (let t: usize = 0; t < bytes; t += 4) {
      const weight = v128.load_splat<f32>(weights + t);
      const offsets = <usize>load<u32>(targets + t) + at;
      a = f32x4.add(a, f32x4.mul(weight, v128.load(offsets)));
      b = f32x4.add(b, f32x4.mul(weight, v128.load(offsets, 16)));
      c = f32x4.add(c, f32x4.mul(weight, v128.load(offsets, 32)));
      d = f32x4.add(d, f32x4.mul(weight, v128.load(offsets, 48)));
    }
    v128.store(out + at, a);
    v128.store(out + at, b, 16);
    v128.store(out + at, c, 32);
    v128.store(out + at, d, 48);
  }
}

/**
 * Adds a sparse target to a mesh.
 *
 * @param count Number of vertices that have offsets.
 * @param vertices u32 per vertex: byte offset in `out`.
 * @param offsets Three f32 per vertex.
 * @param weight The weight.
 * @param out The mesh.
 */
export function addSparse(count: i32, vertices: usize, offsets: usize, weight: f32, out: usize): void {
  const factor = f32x4.splat(weight);
  for (const end = vertices + ((<usize>count) << 2); vertices < end; vertices += 4) {
    const at = out + load<u32>(vertices);
    // The fourth float belongs to the next vertex and stays as it is.
    const sum = f32x4.add(v128.load(at), f32x4.mul(factor, v128.load(offsets)));
    v128.store_lane<f64>(at, sum, 0);
    v128.store_lane<f32>(at, sum, 2, 8);
    offsets += 12;
  }
}
