/**
 * Linear blend skinning of vertices in groups of four that share four joints, so that every lane of a vector has a vertex (AssemblyScript, WebAssembly
 * SIMD). A block of groups goes through three short loops: what one step waits for is computed while the steps of other groups go on, and registers
 * suffice.
 */

/** Bytes per group: the addresses of the matrices of 4 joints, 4 × 4 weights, and the byte offsets of 4 vertices. */
const GROUP: usize = 96;
/** Offset of the vertices in a group. */
const VERTICES: usize = 80;
/** Groups per block. */
const BLOCK: usize = 16;
/** Address of the blended matrices of a block; the first 3072 bytes of the memory are reserved for them. */
const BLENDED: usize = 0;
/** Bytes per group in them: 12 elements, column by column, each for four vertices. */
const BLENDED_GROUP: usize = 192;

/** Blends the matrices of four joints with the weights of four vertices, for every group. */
function blendGroups(groups: usize, end: usize): void {
  for (let to = BLENDED; groups < end; groups += GROUP, to += BLENDED_GROUP) {
    const a: usize = load<u32>(groups);
    const b: usize = load<u32>(groups, 4);
    const c: usize = load<u32>(groups, 8);
    const d: usize = load<u32>(groups, 12);
    const wa = v128.load(groups, 16);
    const wb = v128.load(groups, 32);
    const wc = v128.load(groups, 48);
    const wd = v128.load(groups, 64);
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a)), f32x4.mul(wb, v128.load_splat<f32>(b))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c)), f32x4.mul(wd, v128.load_splat<f32>(d))),
      ),
      0,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 4)), f32x4.mul(wb, v128.load_splat<f32>(b, 4))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 4)), f32x4.mul(wd, v128.load_splat<f32>(d, 4))),
      ),
      16,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 8)), f32x4.mul(wb, v128.load_splat<f32>(b, 8))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 8)), f32x4.mul(wd, v128.load_splat<f32>(d, 8))),
      ),
      32,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 16)), f32x4.mul(wb, v128.load_splat<f32>(b, 16))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 16)), f32x4.mul(wd, v128.load_splat<f32>(d, 16))),
      ),
      48,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 20)), f32x4.mul(wb, v128.load_splat<f32>(b, 20))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 20)), f32x4.mul(wd, v128.load_splat<f32>(d, 20))),
      ),
      64,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 24)), f32x4.mul(wb, v128.load_splat<f32>(b, 24))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 24)), f32x4.mul(wd, v128.load_splat<f32>(d, 24))),
      ),
      80,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 32)), f32x4.mul(wb, v128.load_splat<f32>(b, 32))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 32)), f32x4.mul(wd, v128.load_splat<f32>(d, 32))),
      ),
      96,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 36)), f32x4.mul(wb, v128.load_splat<f32>(b, 36))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 36)), f32x4.mul(wd, v128.load_splat<f32>(d, 36))),
      ),
      112,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 40)), f32x4.mul(wb, v128.load_splat<f32>(b, 40))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 40)), f32x4.mul(wd, v128.load_splat<f32>(d, 40))),
      ),
      128,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 48)), f32x4.mul(wb, v128.load_splat<f32>(b, 48))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 48)), f32x4.mul(wd, v128.load_splat<f32>(d, 48))),
      ),
      144,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 52)), f32x4.mul(wb, v128.load_splat<f32>(b, 52))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 52)), f32x4.mul(wd, v128.load_splat<f32>(d, 52))),
      ),
      160,
    );
    v128.store(
      to,
      f32x4.add(
        f32x4.add(f32x4.mul(wa, v128.load_splat<f32>(a, 56)), f32x4.mul(wb, v128.load_splat<f32>(b, 56))),
        f32x4.add(f32x4.mul(wc, v128.load_splat<f32>(c, 56)), f32x4.mul(wd, v128.load_splat<f32>(d, 56))),
      ),
      176,
    );
  }
}

/** Stores four vectors, whose components are in the lanes of `x`, `y` and `z`, at the byte offsets from `out` that are at `offsets`. */
function storeVectors(out: usize, offsets: usize, x: v128, y: v128, z: v128): void {
  const first = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
  const second = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
  let at = out + load<u32>(offsets);
  v128.store_lane<f64>(at, first, 0);
  v128.store_lane<f32>(at, z, 0, 8);
  at = out + load<u32>(offsets, 4);
  v128.store_lane<f64>(at, first, 1);
  v128.store_lane<f32>(at, z, 1, 8);
  at = out + load<u32>(offsets, 8);
  v128.store_lane<f64>(at, second, 0);
  v128.store_lane<f32>(at, z, 2, 8);
  at = out + load<u32>(offsets, 12);
  v128.store_lane<f64>(at, second, 1);
  v128.store_lane<f32>(at, z, 3, 8);
}

/** Transforms the points of the vertices by the blended matrices. */
function transformPoints(groups: usize, end: usize, points: usize, out: usize): void {
  for (let matrix = BLENDED; groups < end; groups += GROUP, matrix += BLENDED_GROUP) {
    const p = v128.load(points + load<u32>(groups, 80));
    const q = v128.load(points + load<u32>(groups, 84));
    const r = v128.load(points + load<u32>(groups, 88));
    const s = v128.load(points + load<u32>(groups, 92));
    const pq = v128.shuffle<f32>(p, q, 0, 4, 1, 5);
    const rs = v128.shuffle<f32>(r, s, 0, 4, 1, 5);
    const x = v128.shuffle<f32>(pq, rs, 0, 1, 4, 5);
    const y = v128.shuffle<f32>(pq, rs, 2, 3, 6, 7);
    const z = v128.shuffle<f32>(v128.shuffle<f32>(p, q, 2, 6, 3, 7), v128.shuffle<f32>(r, s, 2, 6, 3, 7), 0, 1, 4, 5);
    storeVectors(
      out,
      groups + VERTICES,
      f32x4.add(
        f32x4.add(f32x4.mul(v128.load(matrix), x), f32x4.mul(v128.load(matrix, 48), y)),
        f32x4.add(f32x4.mul(v128.load(matrix, 96), z), v128.load(matrix, 144)),
      ),
      f32x4.add(
        f32x4.add(f32x4.mul(v128.load(matrix, 16), x), f32x4.mul(v128.load(matrix, 64), y)),
        f32x4.add(f32x4.mul(v128.load(matrix, 112), z), v128.load(matrix, 160)),
      ),
      f32x4.add(
        f32x4.add(f32x4.mul(v128.load(matrix, 32), x), f32x4.mul(v128.load(matrix, 80), y)),
        f32x4.add(f32x4.mul(v128.load(matrix, 128), z), v128.load(matrix, 176)),
      ),
    );
  }
}

/**
 * Transforms the directions of the vertices by the blended matrices and normalizes them; zero vectors stay zero. Vectors of x, y and z are loaded as in
 * transformPoints: a function returns one vector only.
 */
function transformDirections(groups: usize, end: usize, directions: usize, out: usize): void {
  for (let matrix = BLENDED; groups < end; groups += GROUP, matrix += BLENDED_GROUP) {
    const p = v128.load(directions + load<u32>(groups, 80));
    const q = v128.load(directions + load<u32>(groups, 84));
    const r = v128.load(directions + load<u32>(groups, 88));
    const s = v128.load(directions + load<u32>(groups, 92));
    const pq = v128.shuffle<f32>(p, q, 0, 4, 1, 5);
    const rs = v128.shuffle<f32>(r, s, 0, 4, 1, 5);
    const x = v128.shuffle<f32>(pq, rs, 0, 1, 4, 5);
    const y = v128.shuffle<f32>(pq, rs, 2, 3, 6, 7);
    const z = v128.shuffle<f32>(v128.shuffle<f32>(p, q, 2, 6, 3, 7), v128.shuffle<f32>(r, s, 2, 6, 3, 7), 0, 1, 4, 5);
    const u = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(matrix), x), f32x4.mul(v128.load(matrix, 48), y)),
      f32x4.mul(v128.load(matrix, 96), z),
    );
    const v = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(matrix, 16), x), f32x4.mul(v128.load(matrix, 64), y)),
      f32x4.mul(v128.load(matrix, 112), z),
    );
    const w = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(matrix, 32), x), f32x4.mul(v128.load(matrix, 80), y)),
      f32x4.mul(v128.load(matrix, 128), z),
    );
    const square = f32x4.add(f32x4.add(f32x4.mul(u, u), f32x4.mul(v, v)), f32x4.mul(w, w));
    const scale = v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(square)), f32x4.gt(square, f32x4.splat(0)));
    storeVectors(out, groups + VERTICES, f32x4.mul(u, scale), f32x4.mul(v, scale), f32x4.mul(w, scale));
  }
}

/**
 * Skins vertices in groups. Address 0 for `points` or `directions` skips them.
 *
 * @param groups 96 bytes per group, aligned to 16 bytes: the addresses of the matrices of four joints (u32; 16 f32 each, column-major), the weights of
 * the first joint for the four vertices, those of the second, third and fourth (f32), and the byte offsets of the four vertices in points and
 * directions (u32). A vertex may be in a group several times.
 * @param stop End of the groups.
 * @param points 3 f32 per vertex, and 4 readable bytes behind them; 0 without.
 * @param outPoints Receives 3 f32 per vertex; may be `points`.
 * @param directions 3 f32 per vertex, and 4 readable bytes behind them; 0 without.
 * @param outDirections Receives 3 f32 per vertex, unit length; may be `directions`.
 */
export function skinGroups(
  groups: usize,
  stop: usize,
  points: usize,
  outPoints: usize,
  directions: usize,
  outDirections: usize,
): void {
  for (; groups < stop; groups += BLOCK * GROUP) {
    const end = groups + BLOCK * GROUP < stop ? groups + BLOCK * GROUP : stop;
    blendGroups(groups, end);
    if (points) transformPoints(groups, end, points, outPoints);
    if (directions) transformDirections(groups, end, directions, outDirections);
  }
}
