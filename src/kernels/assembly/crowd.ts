/**
 * Crowds in AssemblyScript (WebAssembly SIMD): transforms of characters of different proportions from the deltas of their moment, as crowd-rows.ts of the
 * core. All arguments except counts are byte addresses; the module allocates nothing. Four characters are computed together: they share the table.
 */
import { combine } from './lanes';

/** Bytes per bone of a table: three columns. */
const TABLE_BYTES: usize = 48;
/** Bytes of the joint position of a bone. */
const POSITION_BYTES: usize = 12;
/** Bytes of the links of a bone: offset of the row above, offset of its own row. */
const LINK_BYTES: usize = 8;

/**
 * Computes the differences of the deltas of neighboring bones, and the deltas as rows.
 *
 * @param table Receives 48 bytes per bone: columns of D(a) − D(b), a the bone above b.
 * @param rows Receives 48 bytes per bone: rows of D(b), each with 0 at the end. 0 for none.
 * @param count Number of bones.
 * @param links u32 per bone: byte offset in `deltas` of the bone above, then of the bone.
 * @param deltas Matrices of the deltas.
 */
export function fillTable(table: usize, rows: usize, count: i32, links: usize, deltas: usize): void {
  const zero = f32x4.splat(0);
  for (const end = links + <usize>count * LINK_BYTES; links < end; links += LINK_BYTES) {
    const above = deltas + load<u32>(links);
    const own = deltas + load<u32>(links, 4);
    const x = v128.load(own);
    const y = v128.load(own, 16);
    const z = v128.load(own, 32);
    v128.store(table, f32x4.sub(v128.load(above), x));
    v128.store(table, f32x4.sub(v128.load(above, 16), y), 16);
    v128.store(table, f32x4.sub(v128.load(above, 32), z), 32);
    table += TABLE_BYTES;
    if (rows) {
      const xy = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
      const z0 = v128.shuffle<f32>(z, zero, 0, 4, 1, 5);
      v128.store(rows, v128.shuffle<f32>(xy, z0, 0, 1, 4, 5));
      v128.store(rows, v128.shuffle<f32>(xy, z0, 2, 3, 6, 7), 16);
      const xy2 = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
      const z2 = v128.shuffle<f32>(z, zero, 2, 6, 3, 7);
      v128.store(rows, v128.shuffle<f32>(xy2, z2, 0, 1, 4, 5), 32);
      rows += TABLE_BYTES;
    }
  }
}

/** Returns the translation that the hips start from: their offset times the scale of the character, and 1. */
function startOf(target: usize, offset: v128): v128 {
  return f32x4.replace_lane(f32x4.mul(v128.load_splat<f32>(target), offset), 3, 1);
}

/**
 * Computes the translations of characters with one topology at one moment.
 *
 * @param table From {@link fillTable}.
 * @param count Number of bones.
 * @param links u32 per bone: byte offset of the row above in a character, then of its own row. The first bone has none above.
 * @param offset Address of the hips offset, xyz.
 * @param order u32 per character: its index.
 * @param characters Number of characters; `order` is readable up to the next multiple of four.
 * @param targets u32 per index: address of the target: hips scale, then xyz per bone.
 * @param out Receives the rows of index 0: x, y, z, 1.
 * @param bytes Bytes per character.
 */
export function translate(
  table: usize,
  count: i32,
  links: usize,
  offset: usize,
  order: usize,
  characters: i32,
  targets: usize,
  out: usize,
  bytes: usize,
): void {
  const moved = v128.load(offset);
  const lastLink = links + <usize>count * LINK_BYTES;
  for (let i = 0; i < characters; i += 4) {
    const i0: usize = load<u32>(order);
    const i1: usize = i + 1 < characters ? load<u32>(order, 4) : i0;
    const i2: usize = i + 2 < characters ? load<u32>(order, 8) : i0;
    const i3: usize = i + 3 < characters ? load<u32>(order, 12) : i0;
    order += 16;
    let t0: usize = load<u32>(targets + (i0 << 2));
    let t1: usize = load<u32>(targets + (i1 << 2));
    let t2: usize = load<u32>(targets + (i2 << 2));
    let t3: usize = load<u32>(targets + (i3 << 2));
    const o0 = out + i0 * bytes;
    const o1 = out + i1 * bytes;
    const o2 = out + i2 * bytes;
    const o3 = out + i3 * bytes;
    let x0 = startOf(t0, moved);
    let x1 = startOf(t1, moved);
    let x2 = startOf(t2, moved);
    let x3 = startOf(t3, moved);
    t0 += 4;
    t1 += 4;
    t2 += 4;
    t3 += 4;
    let column = table;
    let own: usize = load<u32>(links, 4);
    let link = links;
    for (;;) {
      const cx = v128.load(column);
      const cy = v128.load(column, 16);
      const cz = v128.load(column, 32);
      v128.store(o0 + own, f32x4.add(x0, combine(t0, cx, cy, cz)));
      v128.store(o1 + own, f32x4.add(x1, combine(t1, cx, cy, cz)));
      v128.store(o2 + own, f32x4.add(x2, combine(t2, cx, cy, cz)));
      v128.store(o3 + own, f32x4.add(x3, combine(t3, cx, cy, cz)));
      link += LINK_BYTES;
      if (link === lastLink) break;
      column += TABLE_BYTES;
      t0 += POSITION_BYTES;
      t1 += POSITION_BYTES;
      t2 += POSITION_BYTES;
      t3 += POSITION_BYTES;
      const above: usize = load<u32>(link);
      own = load<u32>(link, 4);
      x0 = v128.load(o0 + above);
      x1 = v128.load(o1 + above);
      x2 = v128.load(o2 + above);
      x3 = v128.load(o3 + above);
    }
  }
}

/** Stores a 3×4 matrix: rows with 0 at the end, and the translation as their last elements. */
function storeMatrix(out: usize, x: v128, y: v128, z: v128, translation: v128): void {
  v128.store(out, v128.shuffle<f32>(x, translation, 0, 1, 2, 4));
  v128.store(out, v128.shuffle<f32>(y, translation, 0, 1, 2, 5), 16);
  v128.store(out, v128.shuffle<f32>(z, translation, 0, 1, 2, 6), 32);
}

/**
 * Writes complete matrices of characters with one topology at one moment.
 *
 * @param table From {@link fillTable}.
 * @param rows From {@link fillTable}.
 * @param count Number of bones.
 * @param links As in {@link translate}, for rows of 16 bytes.
 * @param offset Address of the hips offset, xyz.
 * @param order u32 per character: its index.
 * @param characters Number of characters.
 * @param targets u32 per index: address of the target.
 * @param out Receives the matrices of index 0: three rows of four floats each.
 * @param bytes Bytes per character.
 * @param scratch Scratch memory for two characters: 16 bytes per row each.
 * @param scratchBytes Bytes per character in `scratch`.
 */
export function writeMatrices(
  table: usize,
  rows: usize,
  count: i32,
  links: usize,
  offset: usize,
  order: usize,
  characters: i32,
  targets: usize,
  out: usize,
  bytes: usize,
  scratch: usize,
  scratchBytes: usize,
): void {
  const moved = v128.load(offset);
  const lastLink = links + <usize>count * LINK_BYTES;
  const s0 = scratch;
  const s1 = scratch + scratchBytes;
  for (let i = 0; i < characters; i += 2) {
    const i0: usize = load<u32>(order);
    const i1: usize = i + 1 < characters ? load<u32>(order, 4) : i0;
    order += 8;
    let t0: usize = load<u32>(targets + (i0 << 2));
    let t1: usize = load<u32>(targets + (i1 << 2));
    const o0 = out + i0 * bytes;
    const o1 = out + i1 * bytes;
    let x0 = startOf(t0, moved);
    let x1 = startOf(t1, moved);
    t0 += 4;
    t1 += 4;
    let column = table;
    let row = rows;
    let own: usize = load<u32>(links, 4);
    let link = links;
    for (;;) {
      const cx = v128.load(column);
      const cy = v128.load(column, 16);
      const cz = v128.load(column, 32);
      x0 = f32x4.add(x0, combine(t0, cx, cy, cz));
      x1 = f32x4.add(x1, combine(t1, cx, cy, cz));
      v128.store(s0 + own, x0);
      v128.store(s1 + own, x1);
      const rx = v128.load(row);
      const ry = v128.load(row, 16);
      const rz = v128.load(row, 32);
      const at = own * 3;
      storeMatrix(o0 + at, rx, ry, rz, x0);
      storeMatrix(o1 + at, rx, ry, rz, x1);
      link += LINK_BYTES;
      if (link === lastLink) break;
      column += TABLE_BYTES;
      row += TABLE_BYTES;
      t0 += POSITION_BYTES;
      t1 += POSITION_BYTES;
      const above: usize = load<u32>(link);
      own = load<u32>(link, 4);
      x0 = v128.load(s0 + above);
      x1 = v128.load(s1 + above);
    }
  }
}
