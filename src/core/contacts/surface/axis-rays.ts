/** Rays from the axis of a bone to the furthest triangle of its mesh. */
import * as vec3 from '../../math/vec3.ts';
import { type BoneRadii, COLUMNS, END_ROWS, MIDDLE_ROWS, ROWS } from './radius-map.ts';

/** Distance of rays from the border of the mesh of a bone, relative to its extent: at the border itself rounding decides whether a ray hits. */
const BORDER = 0.01;
/** Barycentric tolerance: rays through an edge hit both of its triangles. */
const EDGE = 1e-9;

/** Distance of rays from a triangle, relative to the extent of the bone, up to which they are tested: far above rounding. */
const RAY_MARGIN = 1e-6;

/** Triangles of one bone relative to its joint. */
interface BoneTriangles {
  /** 9 floats each. */
  readonly corners: Float64Array;
  /** Where each starts along the axis. */
  readonly lowest: Float64Array;
  /** Where each ends. */
  readonly highest: Float64Array;
  /** Where all of them start along the axis and the two directions perpendicular to it. */
  readonly lows: Float64Array;
  /** Where all of them end. */
  readonly highs: Float64Array;
}

/** Triangles that rays of a row may hit, and the columns of these rays as bits. */
interface RowTriangles {
  readonly triangles: Int32Array;
  readonly columns: Int32Array;
  count: number;
}

const direction = new Float64Array(3);
const origin = new Float64Array(3);

/**
 * Distance along the ray from `origin` in `direction` to a triangle at `at`; −1 if it misses (Möller and Trumbore 1997, both sides). In single numbers,
 * since a character takes millions of these.
 */
function hitTriangle(corners: Float64Array, at: number): number {
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  const ax = corners[at];
  const ay = corners[at + 1];
  const az = corners[at + 2];
  const ex = corners[at + 3] - ax;
  const ey = corners[at + 4] - ay;
  const ez = corners[at + 5] - az;
  const fx = corners[at + 6] - ax;
  const fy = corners[at + 7] - ay;
  const fz = corners[at + 8] - az;
  const px = dy * fz - dz * fy;
  const py = dz * fx - dx * fz;
  const pz = dx * fy - dy * fx;
  const determinant = ex * px + ey * py + ez * pz;
  if (determinant === 0) return -1;
  const tx = origin[0] - ax;
  const ty = origin[1] - ay;
  const tz = origin[2] - az;
  const u = (tx * px + ty * py + tz * pz) / determinant;
  if (!(u >= -EDGE && u <= 1 + EDGE)) return -1;
  const qx = ty * ez - tz * ey;
  const qy = tz * ex - tx * ez;
  const qz = tx * ey - ty * ex;
  const v = (dx * qx + dy * qy + dz * qz) / determinant;
  if (!(v >= -EDGE && u + v <= 1 + EDGE)) return -1;
  return (fx * qx + fy * qy + fz * qz) / determinant;
}

/** Distance to the furthest triangle along a ray in a column; negative without. */
function furthestHit({ triangles, columns, count }: RowTriangles, corners: Float64Array, column: number): number {
  let most = -1;
  for (let k = 0; k < count; k++) {
    if ((columns[k] & (1 << column)) !== 0) most = Math.max(most, hitTriangle(corners, 9 * triangles[k]));
  }
  return most;
}

/** Selects the triangles that neither end before `low` nor start after `high` along the axis. */
function selectRow(out: RowTriangles, triangles: BoneTriangles, columns: Int32Array, low: number, high: number): void {
  const { lowest, highest } = triangles;
  out.count = 0;
  for (let t = 0; t < lowest.length; t++) {
    if (!(lowest[t] <= high && highest[t] >= low)) continue;
    out.triangles[out.count] = t;
    out.columns[out.count++] = columns[t];
  }
}

/** Columns from one direction to the opposite one. */
const OPPOSITE = COLUMNS / 2;
const COSINES = Float64Array.from({ length: OPPOSITE }, (_, column) => Math.cos((2 * Math.PI * column) / COLUMNS));
const SINES = Float64Array.from({ length: OPPOSITE }, (_, column) => Math.sin((2 * Math.PI * column) / COLUMNS));

/** Finds the columns whose half planes from the axis each triangle may cross, as bits. Rays of other columns miss it. */
function findColumns({ corners }: BoneTriangles, center: Float64Array, axes: Float64Array, margin: number): Int32Array {
  const found = new Int32Array(corners.length / 9);
  const beside = new Float64Array(6);
  for (let t = 0; t < found.length; t++) {
    for (let n = 0; n < 3; n++) {
      const at = 9 * t + 3 * n;
      const x = corners[at] - center[0];
      const y = corners[at + 1] - center[1];
      const z = corners[at + 2] - center[2];
      beside[2 * n] = x * axes[3] + y * axes[4] + z * axes[5];
      beside[2 * n + 1] = x * axes[6] + y * axes[7] + z * axes[8];
    }
    const ax = beside[0];
    const ay = beside[1];
    const bx = beside[2];
    const by = beside[3];
    const cx = beside[4];
    const cy = beside[5];
    let columns = 0;
    for (let column = 0; column < OPPOSITE; column++) {
      const cosine = COSINES[column];
      const sine = SINES[column];
      const a = ay * cosine - ax * sine;
      const b = by * cosine - bx * sine;
      const c = cy * cosine - cx * sine;
      if ((a > margin && b > margin && c > margin) || (a < -margin && b < -margin && c < -margin)) continue;
      // The triangle crosses the plane of two opposite columns.
      const p = ax * cosine + ay * sine;
      const q = bx * cosine + by * sine;
      const r = cx * cosine + cy * sine;
      if (p >= -margin || q >= -margin || r >= -margin) columns |= 1 << column;
      if (p <= margin || q <= margin || r <= margin) columns |= 1 << (column + OPPOSITE);
    }
    found[t] = columns;
  }
  return found;
}

/** Sets the ray of a row and a column; returns its angle from the plane across the axis. */
function aimRay(
  { center, axes, from, to }: Pick<BoneRadii, 'center' | 'axes' | 'from' | 'to'>,
  row: number,
  column: number,
): number {
  const below = Math.max(0, END_ROWS - row);
  const above = Math.max(0, row - (END_ROWS + MIDDLE_ROWS - 1));
  const angle = ((above - below) / END_ROWS) * (Math.PI / 2);
  const along = Math.min(1, Math.max(0, (row - END_ROWS) / (MIDDLE_ROWS - 1)));
  const around = (2 * Math.PI * column) / COLUMNS;
  const isTip = row === 0 || row === ROWS - 1;
  const outward = isTip ? 0 : Math.cos(angle);
  vec3.addScaled(origin, 0, center, 0, axes, 0, from + (to - from) * along);
  vec3.scale(direction, 0, axes, 0, isTip ? Math.sign(angle) : Math.sin(angle));
  vec3.addScaled(direction, 0, direction, 0, axes, 3, outward * Math.cos(around));
  vec3.addScaled(direction, 0, direction, 0, axes, 6, outward * Math.sin(around));
  return angle;
}

/** Copies triangles relative to a joint. */
export function copyTriangles(
  group: readonly number[],
  triangles: Int32Array,
  positions: Float64Array,
  joint: Float64Array,
  axes: Float64Array,
): BoneTriangles {
  const corners = new Float64Array(9 * group.length);
  const lowest = new Float64Array(group.length).fill(Number.POSITIVE_INFINITY);
  const highest = new Float64Array(group.length).fill(Number.NEGATIVE_INFINITY);
  const lows = new Float64Array(3).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(3).fill(Number.NEGATIVE_INFINITY);
  for (let t = 0; t < group.length; t++) {
    for (let n = 0; n < 3; n++) {
      const from = 3 * triangles[group[t] + n];
      const x = positions[from] - joint[0];
      const y = positions[from + 1] - joint[1];
      const z = positions[from + 2] - joint[2];
      const at = 9 * t + 3 * n;
      corners[at] = x;
      corners[at + 1] = y;
      corners[at + 2] = z;
      for (let i = 0; i < 3; i++) {
        const along = x * axes[3 * i] + y * axes[3 * i + 1] + z * axes[3 * i + 2];
        if (along < lows[i]) lows[i] = along;
        if (along > highs[i]) highs[i] = along;
        if (i > 0) continue;
        if (along < lowest[t]) lowest[t] = along;
        if (along > highest[t]) highest[t] = along;
      }
    }
  }
  return { corners, lowest, highest, lows, highs };
}

/** Where the rays of a bone start, and what they hit. */
interface RayHits extends Pick<BoneRadii, 'center' | 'axes' | 'from' | 'to'> {
  /** As {@link BoneRadii.radii}, negative where a ray misses all triangles. */
  readonly distances: Float64Array;
}

/**
 * Casts rays from the axis through the middle of the triangles of a bone, to the furthest triangle each.
 *
 * @returns What the rays hit; null without triangles.
 */
export function castRays(triangles: BoneTriangles, axes: Float64Array): RayHits | null {
  const size = triangles.lowest.length;
  if (size === 0) return null;
  const { corners, lows, highs } = triangles;
  const center = new Float64Array(3);
  let extent = 0;
  for (const i of [1, 2]) {
    vec3.addScaled(center, 0, center, 0, axes, 3 * i, (lows[i] + highs[i]) / 2);
    extent = Math.max(extent, highs[i] - lows[i]);
  }
  const columns = findColumns(triangles, center, axes, RAY_MARGIN * extent);
  const selected: RowTriangles = { triangles: new Int32Array(size), columns: new Int32Array(size), count: 0 };
  const [low, high] = [lows[0], highs[0]];
  const middle = (low + high) / 2;
  // How thick the bone is halfway, and which of its ends a triangle closes.
  let [sum, hits] = [0, 0];
  selectRow(selected, triangles, columns, middle, middle);
  for (let column = 0; column < COLUMNS; column++) {
    aimRay({ center, axes, from: middle, to: middle }, END_ROWS, column);
    const radius = furthestHit(selected, corners, column);
    if (radius >= 0) [sum, hits] = [sum + radius, hits + 1];
  }
  const thickness = hits > 0 ? sum / hits : 0;
  selectRow(selected, triangles, columns, low, high);
  const closedAt = (row: number): boolean => {
    aimRay({ center, axes, from: middle, to: middle }, row, 0);
    return furthestHit(selected, corners, 0) >= 0;
  };
  const inset = Math.min(thickness, (high - low) / 2);
  const from = closedAt(0) ? low + inset : low;
  const to = closedAt(ROWS - 1) ? high - inset : high;
  const border = BORDER * (high - low);
  const rays = { center, axes, from: Math.max(from, low + border), to: Math.min(to, high - border) };
  const distances = new Float64Array(ROWS * COLUMNS);
  for (let row = 0; row < ROWS; row++) {
    // All rays of a row start at the same position; those of a tip are the same.
    const angle = aimRay(rays, row, 0);
    const at = vec3.dot(origin, 0, axes, 0);
    selectRow(selected, triangles, columns, angle < 0 ? low : at, angle > 0 ? high : at);
    const isTip = row === 0 || row === ROWS - 1;
    for (let column = 0; column < COLUMNS; column++) {
      aimRay(rays, row, column);
      const index = COLUMNS * row + column;
      distances[index] = isTip && column > 0 ? distances[index - 1] : furthestHit(selected, corners, column);
    }
  }
  return { center, axes, from, to, distances };
}
