/**
 * Linear blend skinning in AssemblyScript (WebAssembly SIMD). All arguments except the number of bundles are byte addresses; the module allocates
 * nothing. Matrix columns are vectors of four floats; the fourth is ignored.
 */

export { skinGroups } from './skin-groups';

/** Bytes per matrix column. */
const COLUMN: usize = 16;

function weighted2(a: usize, wa: v128, b: usize, wb: v128): v128 {
  return f32x4.add(f32x4.mul(wa, v128.load(a)), f32x4.mul(wb, v128.load(b)));
}

function weighted4(a: usize, wa: v128, b: usize, wb: v128, c: usize, wc: v128, d: usize, wd: v128): v128 {
  return f32x4.add(weighted2(a, wa, b, wb), weighted2(c, wc, d, wd));
}

/** Computes `x · a + y · b + z · c` for the three floats at `at`. */
function combined(at: usize, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(v128.load_splat<f32>(at), a), f32x4.mul(v128.load_splat<f32>(at, 4), b)),
    f32x4.mul(v128.load_splat<f32>(at, 8), c),
  );
}

/** Stores the first three floats of a vector at `at`, without writing behind them. */
function store3(at: usize, value: v128): void {
  v128.store_lane<f64>(at, value, 0);
  v128.store_lane<f32>(at, value, 2, 8);
}

/** Normalizes the first three floats of a vector; a zero vector stays zero. */
function ofLengthOne(value: v128): v128 {
  const squares = f32x4.mul(value, value);
  const square = f32x4.add(
    f32x4.add(v128.shuffle<f32>(squares, squares, 0, 0, 0, 0), v128.shuffle<f32>(squares, squares, 1, 1, 1, 1)),
    v128.shuffle<f32>(squares, squares, 2, 2, 2, 2),
  );
  return v128.and(f32x4.div(value, f32x4.sqrt(square)), f32x4.gt(square, f32x4.splat(0)));
}

/**
 * Transforms points and directions by the blended matrices of their bundles. Address 0 for `points` or `directions` skips them.
 *
 * @param bundleCount Number of bundles.
 * @param starts First influence of every bundle, as in SkinPlan: bundleCount + 1 i32.
 * @param joints Byte offset from `matrices` to the matrix of every influence: one u32 per influence.
 * @param weights Weight of every influence: one f32 per influence.
 * @param vertexStarts First entry of `vertices` for every bundle: bundleCount + 1 i32.
 * @param vertices Byte offset of every vertex in points and directions: one u32 per vertex.
 * @param matrices 16 f32 per joint, column-major, aligned to 16 bytes.
 * @param points 3 f32 per vertex; 0 without.
 * @param outPoints Receives 3 f32 per vertex; may be `points`.
 * @param directions 3 f32 per vertex; 0 without.
 * @param outDirections Receives 3 f32 per vertex, unit length; may be `directions`.
 */
export function skinBundles(
  bundleCount: i32,
  starts: usize,
  joints: usize,
  weights: usize,
  vertexStarts: usize,
  vertices: usize,
  matrices: usize,
  points: usize,
  outPoints: usize,
  directions: usize,
  outDirections: usize,
): void {
  let i = load<i32>(starts);
  let v = load<i32>(vertexStarts);
  for (let bundle = 1; bundle <= bundleCount; bundle++) {
    const end = load<i32>(starts + ((<usize>bundle) << 2));
    const count = end - i;
    let joint = joints + ((<usize>i) << 2);
    let weight = weights + ((<usize>i) << 2);
    i = end;
    let x: v128;
    let y: v128;
    let z: v128;
    let w: v128;
    if (count === 4) {
      const a = matrices + load<u32>(joint);
      const b = matrices + load<u32>(joint, 4);
      const c = matrices + load<u32>(joint, 8);
      const d = matrices + load<u32>(joint, 12);
      const wa = v128.load_splat<f32>(weight);
      const wb = v128.load_splat<f32>(weight, 4);
      const wc = v128.load_splat<f32>(weight, 8);
      const wd = v128.load_splat<f32>(weight, 12);
      x = weighted4(a, wa, b, wb, c, wc, d, wd);
      y = weighted4(a + COLUMN, wa, b + COLUMN, wb, c + COLUMN, wc, d + COLUMN, wd);
      z = weighted4(a + 2 * COLUMN, wa, b + 2 * COLUMN, wb, c + 2 * COLUMN, wc, d + 2 * COLUMN, wd);
      w = weighted4(a + 3 * COLUMN, wa, b + 3 * COLUMN, wb, c + 3 * COLUMN, wc, d + 3 * COLUMN, wd);
    } else if (count === 2) {
      const a = matrices + load<u32>(joint);
      const b = matrices + load<u32>(joint, 4);
      const wa = v128.load_splat<f32>(weight);
      const wb = v128.load_splat<f32>(weight, 4);
      x = weighted2(a, wa, b, wb);
      y = weighted2(a + COLUMN, wa, b + COLUMN, wb);
      z = weighted2(a + 2 * COLUMN, wa, b + 2 * COLUMN, wb);
      w = weighted2(a + 3 * COLUMN, wa, b + 3 * COLUMN, wb);
    } else {
      x = y = z = w = f32x4.splat(0);
      for (const stop = joint + ((<usize>count) << 2); joint < stop; joint += 4, weight += 4) {
        const a = matrices + load<u32>(joint);
        const wa = v128.load_splat<f32>(weight);
        x = f32x4.add(x, f32x4.mul(wa, v128.load(a)));
        y = f32x4.add(y, f32x4.mul(wa, v128.load(a, 16)));
        z = f32x4.add(z, f32x4.mul(wa, v128.load(a, 32)));
        w = f32x4.add(w, f32x4.mul(wa, v128.load(a, 48)));
      }
    }
    for (const stop = load<i32>(vertexStarts + ((<usize>bundle) << 2)); v < stop; v++) {
      const at: usize = load<u32>(vertices + ((<usize>v) << 2));
      if (points) store3(outPoints + at, f32x4.add(combined(points + at, x, y, z), w));
      if (directions) store3(outDirections + at, ofLengthOne(combined(directions + at, x, y, z)));
    }
  }
}
