/** The part of a skeleton that contacts need, posed frame by frame: no allocation, no exception. */
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { Floats } from '../../math/floats.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';

/** Floats per matrix: three rows of four. */
const ROW_STRIDE = 4;
export const ROWS_STRIDE = 3 * ROW_STRIDE;

/**
 * Some nodes of a skeleton with all their ancestors, in model space: canonical frame, meters. Entry 0 is the frame of the file; the nodes follow,
 * parents first.
 */
export interface PartialPose {
  /** Node of every entry; −1 for entry 0. */
  readonly nodes: Int32Array;
  /** Entry of the parent of every entry. */
  readonly parents: Int32Array;
  /** Three rows of four floats per entry: node space → canonical frame, meters. */
  readonly matrices: Float64Array;
  /** One divided by the scale of every entry, per meter; 0 where its axes have different scales. */
  readonly inverseScales: Float64Array;
}

/** Selects nodes of a skeleton. */
export function createPartialPose(humanoid: Humanoid, groups: readonly (readonly number[])[]): PartialPose {
  const { parents } = humanoid.skeleton;
  const nodes: number[] = [-1];
  for (const group of groups) {
    const added = new Set<number>();
    for (const one of group)
      for (let node = one; node >= 0 && !nodes.includes(node); node = parents[node]) added.add(node);
    nodes.push(...[...added].sort((a, b) => a - b));
  }
  const matrices = new Float64Array(ROWS_STRIDE * nodes.length);
  const [x, y, z, w] = humanoid.frame;
  const unit = humanoid.metersPerUnit;
  matrices.set([unit * (1 - 2 * (y * y + z * z)), unit * 2 * (x * y - w * z), unit * 2 * (x * z + w * y), 0], 0);
  matrices.set(
    [unit * 2 * (x * y + w * z), unit * (1 - 2 * (x * x + z * z)), unit * 2 * (y * z - w * x), 0],
    ROW_STRIDE,
  );
  matrices.set(
    [unit * 2 * (x * z - w * y), unit * 2 * (y * z + w * x), unit * (1 - 2 * (x * x + y * y)), 0],
    2 * ROW_STRIDE,
  );
  return {
    nodes: Int32Array.from(nodes),
    parents: Int32Array.from(nodes, (node) => (node < 0 || parents[node] < 0 ? 0 : nodes.indexOf(parents[node]))),
    matrices,
    inverseScales: Float64Array.from(nodes, () => 1 / unit),
  };
}

/** Poses consecutive entries. `local`: local pose, 10 floats per node of the skeleton. */
export function poseEntries(
  { nodes, parents, matrices, inverseScales }: PartialPose,
  local: Floats,
  from: number,
  to: number,
): void {
  for (let entry = from; entry < to; entry++) {
    const at = POSE_STRIDE * nodes[entry];
    const x = local[at + PATH_OFFSET.rotation];
    const y = local[at + PATH_OFFSET.rotation + 1];
    const z = local[at + PATH_OFFSET.rotation + 2];
    const w = local[at + PATH_OFFSET.rotation + 3];
    const sx = local[at + PATH_OFFSET.scale];
    const sy = local[at + PATH_OFFSET.scale + 1];
    const sz = local[at + PATH_OFFSET.scale + 2];
    const tx = local[at];
    const ty = local[at + 1];
    const tz = local[at + 2];
    const x2 = x + x;
    const y2 = y + y;
    const z2 = z + z;
    const xx = x * x2;
    const yy = y * y2;
    const zz = z * z2;
    const xy = x * y2;
    const xz = x * z2;
    const yz = y * z2;
    const wx = w * x2;
    const wy = w * y2;
    const wz = w * z2;
    // The columns of the local matrix.
    let ax = 1 - yy - zz;
    let ay = xy + wz;
    let az = xz - wy;
    let bx = xy - wz;
    let by = 1 - xx - zz;
    let bz = yz + wx;
    let cx = xz + wy;
    let cy = yz - wx;
    let cz = 1 - xx - yy;
    let inverseScale = inverseScales[parents[entry]];
    if (sx !== 1 || sy !== 1 || sz !== 1) {
      inverseScale = sx === sy && sy === sz ? inverseScale / sx : 0;
      ax *= sx;
      ay *= sx;
      az *= sx;
      bx *= sy;
      by *= sy;
      bz *= sy;
      cx *= sz;
      cy *= sz;
      cz *= sz;
    }
    inverseScales[entry] = inverseScale;
    const p = ROWS_STRIDE * parents[entry];
    const o = ROWS_STRIDE * entry;
    const p0 = matrices[p];
    const q0 = matrices[p + 1];
    const r0 = matrices[p + 2];
    matrices[o] = p0 * ax + q0 * ay + r0 * az;
    matrices[o + 1] = p0 * bx + q0 * by + r0 * bz;
    matrices[o + 2] = p0 * cx + q0 * cy + r0 * cz;
    matrices[o + 3] = p0 * tx + q0 * ty + r0 * tz + matrices[p + 3];
    const p1 = matrices[p + 4];
    const q1 = matrices[p + 5];
    const r1 = matrices[p + 6];
    matrices[o + 4] = p1 * ax + q1 * ay + r1 * az;
    matrices[o + 5] = p1 * bx + q1 * by + r1 * bz;
    matrices[o + 6] = p1 * cx + q1 * cy + r1 * cz;
    matrices[o + 7] = p1 * tx + q1 * ty + r1 * tz + matrices[p + 7];
    const p2 = matrices[p + 8];
    const q2 = matrices[p + 9];
    const r2 = matrices[p + 10];
    matrices[o + 8] = p2 * ax + q2 * ay + r2 * az;
    matrices[o + 9] = p2 * bx + q2 * by + r2 * bz;
    matrices[o + 10] = p2 * cx + q2 * cy + r2 * cz;
    matrices[o + 11] = p2 * tx + q2 * ty + r2 * tz + matrices[p + 11];
  }
}

/** Transforms a point from the space of an entry to the canonical frame. `out` receives xyz at `o`, meters. */
export function entryPoint(
  out: Float64Array,
  o: number,
  matrices: Float64Array,
  entry: number,
  point: Float64Array,
  i: number,
): void {
  const m = ROWS_STRIDE * entry;
  const x = point[i];
  const y = point[i + 1];
  const z = point[i + 2];
  out[o] = matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3];
  out[o + 1] = matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7];
  out[o + 2] = matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11];
}

/** Computes the position of an entry. `out` receives xyz at `o`, canonical frame, meters. */
export function entryPosition(out: Float64Array, o: number, matrices: Float64Array, entry: number): void {
  const m = ROWS_STRIDE * entry;
  out[o] = matrices[m + 3];
  out[o + 1] = matrices[m + 7];
  out[o + 2] = matrices[m + 11];
}

/** Sets `inverses`: one divided by the scale of each axis of an entry; 0 for an axis without length. */
function findInverseScales({ matrices, inverseScales }: PartialPose, entry: number): void {
  const known = inverseScales[entry];
  if (known > 0 && known < Number.MAX_VALUE) {
    inverses[0] = known;
    inverses[1] = known;
    inverses[2] = known;
    return;
  }
  const m = ROWS_STRIDE * entry;
  for (let c = 0; c < 3; c++) {
    const x = matrices[m + c];
    const y = matrices[m + ROW_STRIDE + c];
    const z = matrices[m + 2 * ROW_STRIDE + c];
    const squared = x * x + y * y + z * z;
    inverses[c] = squared > 0 ? 1 / Math.sqrt(squared) : 0;
  }
}

const inverses = new Float64Array(3);

/** Rotates a direction from the canonical frame to the axes of an entry. Its scale is ignored. `out` receives xyz at `o`; may be `v`. */
export function toEntryAxes(
  out: Float64Array,
  o: number,
  pose: PartialPose,
  entry: number,
  v: Float64Array,
  i: number,
): void {
  findInverseScales(pose, entry);
  const { matrices } = pose;
  const m = ROWS_STRIDE * entry;
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  out[o] = (matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z) * inverses[0];
  out[o + 1] = (matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z) * inverses[1];
  out[o + 2] = (matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z) * inverses[2];
}

/** Rotates a direction from the axes of an entry to the canonical frame. Its scale is ignored. `out` receives xyz at `o`; may be `v`. */
export function fromEntryAxes(
  out: Float64Array,
  o: number,
  pose: PartialPose,
  entry: number,
  v: Float64Array,
  i: number,
): void {
  findInverseScales(pose, entry);
  const { matrices } = pose;
  const m = ROWS_STRIDE * entry;
  const x = v[i] * inverses[0];
  const y = v[i + 1] * inverses[1];
  const z = v[i + 2] * inverses[2];
  out[o] = matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z;
  out[o + 1] = matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z;
  out[o + 2] = matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z;
}
