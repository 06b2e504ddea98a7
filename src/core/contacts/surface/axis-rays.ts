import * as vec3 from '../../math/vec3.ts';
import { type BoneRadii, COLUMNS, END_ROWS, MIDDLE_ROWS, ROWS } from './radius-map.ts';

/** Distance of rays from the border of the mesh of a bone, relative to its extent: at the border itself rounding decides whether a ray hits. */
const BORDER = 0.01;
/** Barycentric tolerance: rays through an edge hit both of its triangles. */
const EDGE = 1e-9;

/** Distance of rays from a triangle, relative to the extent of the bone, up to which they are tested: far above rounding. */
const RAY_MARGIN = 1e-6;

/** Points relative to the joint of a bone, in coordinates along its axis and the two directions perpendicular to it; reused from bone to bone. */
interface LocalPoints {
  /** 3 floats per point of the character. */
  readonly coordinates: Float64Array;
  /** Number of the group of triangles for which those of a point were found last; 0 for none. */
  readonly groups: Int32Array;
  /** Number of the last group. */
  group: number;
}

interface BoneTriangles {
  /** Three points each, as indices of their first coordinate. */
  readonly corners: Int32Array;
  /** As {@link LocalPoints.coordinates}. */
  readonly coordinates: Float64Array;
  /** Where all of them start along the axis and the two directions. */
  readonly lows: Float64Array;
  /** Where all of them end. */
  readonly highs: Float64Array;
}

/** Columns from one direction to the opposite one. */
const OPPOSITE = COLUMNS / 2;
const COSINES = Float64Array.from({ length: COLUMNS }, (_, column) => Math.cos((2 * Math.PI * column) / COLUMNS));
const SINES = Float64Array.from({ length: COLUMNS }, (_, column) => Math.sin((2 * Math.PI * column) / COLUMNS));

/** Direction of every ray by row and column, as {@link LocalPoints.coordinates}: 3 floats each. All rays of a tip go along the axis. */
const DIRECTIONS = new Float64Array(3 * ROWS * COLUMNS);
for (let row = 0; row < ROWS; row++) {
  const end = Math.max(0, row - (END_ROWS + MIDDLE_ROWS - 1)) - Math.max(0, END_ROWS - row);
  const isTip = Math.abs(end) === END_ROWS;
  const angle = (end / END_ROWS) * (Math.PI / 2);
  for (let column = 0; column < COLUMNS; column++) {
    const outward = isTip ? 0 : Math.cos(angle);
    const along = isTip ? Math.sign(end) : Math.sin(angle);
    DIRECTIONS.set([along, outward * COSINES[column], outward * SINES[column]], 3 * (COLUMNS * row + column));
  }
}

/** A row of rays across the axis, the row of the rays along it, and the first row of the last end. */
const [ACROSS, ALONG, LAST_END] = [END_ROWS, ROWS - 1, END_ROWS + MIDDLE_ROWS];

const origin = new Float64Array(3);

/**
 * Distance along ray `ray` from `origin` to the triangle whose corners start at `k`; −1 if it misses (Möller and Trumbore 1997, both sides). In single numbers,
 * since a character takes a hundred thousand of these.
 */
function hitTriangle({ corners, coordinates }: BoneTriangles, k: number, ray: number): number {
  const a = corners[k];
  const b = corners[k + 1];
  const c = corners[k + 2];
  const dx = DIRECTIONS[3 * ray];
  const dy = DIRECTIONS[3 * ray + 1];
  const dz = DIRECTIONS[3 * ray + 2];
  const ax = coordinates[a];
  const ay = coordinates[a + 1];
  const az = coordinates[a + 2];
  const ex = coordinates[b] - ax;
  const ey = coordinates[b + 1] - ay;
  const ez = coordinates[b + 2] - az;
  const fx = coordinates[c] - ax;
  const fy = coordinates[c + 1] - ay;
  const fz = coordinates[c + 2] - az;
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

/** Finds the columns whose half planes from the axis a triangle may cross, as bits. Rays of other columns miss it. */
function findColumns({ corners, coordinates }: BoneTriangles, k: number, margin: number): number {
  const ax = coordinates[corners[k] + 1] - origin[1];
  const ay = coordinates[corners[k] + 2] - origin[2];
  const bx = coordinates[corners[k + 1] + 1] - origin[1];
  const by = coordinates[corners[k + 1] + 2] - origin[2];
  const cx = coordinates[corners[k + 2] + 1] - origin[1];
  const cy = coordinates[corners[k + 2] + 2] - origin[2];
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
  return columns;
}

/** Raises the distances of a row to those of a triangle, in the columns whose bits are set. */
function hitRow(distances: Float64Array, row: number, mesh: BoneTriangles, k: number, columns: number): void {
  for (let column = 0; column < COLUMNS; column++) {
    if ((columns & (1 << column)) === 0) continue;
    const ray = COLUMNS * row + column;
    const distance = hitTriangle(mesh, k, ray);
    if (distance > distances[ray]) distances[ray] = distance;
  }
}

export function createLocalPoints(count: number): LocalPoints {
  return { coordinates: new Float64Array(3 * count), groups: new Int32Array(count), group: 0 };
}

/** Converts triangles to the axes of a bone. `group`: first corners of the triangles. `points` receives their points. */
export function localTriangles(
  group: readonly number[],
  triangles: Int32Array,
  positions: Float64Array,
  joint: Float64Array,
  axes: Float64Array,
  points: LocalPoints,
): BoneTriangles {
  const { coordinates, groups } = points;
  const number = ++points.group;
  const corners = new Int32Array(3 * group.length);
  const lows = new Float64Array(3).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(3).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < corners.length; k++) {
    const point = triangles[group[Math.floor(k / 3)] + (k % 3)];
    const at = 3 * point;
    corners[k] = at;
    if (groups[point] === number) continue;
    groups[point] = number;
    const x = positions[at] - joint[0];
    const y = positions[at + 1] - joint[1];
    const z = positions[at + 2] - joint[2];
    for (let i = 0; i < 3; i++) {
      const value = x * axes[3 * i] + y * axes[3 * i + 1] + z * axes[3 * i + 2];
      coordinates[at + i] = value;
      if (value < lows[i]) lows[i] = value;
      if (value > highs[i]) highs[i] = value;
    }
  }
  return { corners, coordinates, lows, highs };
}

interface RayHits extends Pick<BoneRadii, 'center' | 'axes' | 'from' | 'to'> {
  /** As {@link BoneRadii.radii}, negative where a ray misses all triangles. */
  readonly distances: Float64Array;
}

/** Tells whether a triangle may cross the axis through `origin`. */
function mayCrossAxis({ corners, coordinates }: BoneTriangles, k: number, margin: number): boolean {
  for (let i = 1; i < 3; i++) {
    const a = coordinates[corners[k] + i] - origin[i];
    const b = coordinates[corners[k + 1] + i] - origin[i];
    const c = coordinates[corners[k + 2] + i] - origin[i];
    if ((a > margin && b > margin && c > margin) || (a < -margin && b < -margin && c < -margin)) return false;
  }
  return true;
}

/** Finds where the rounded ends of a bone start: an end that a triangle closes is as long as the bone is thick halfway. */
function findEnds(mesh: BoneTriangles, margin: number): [number, number] {
  const { corners, coordinates, lows, highs } = mesh;
  const [low, high] = [lows[0], highs[0]];
  const half = (high - low) / 2;
  const distances = new Float64Array(ROWS * COLUMNS).fill(-1);
  let [closesLow, closesHigh] = [false, false];
  for (let k = 0; k < corners.length; k += 3) {
    const a = coordinates[corners[k]];
    const b = coordinates[corners[k + 1]];
    const c = coordinates[corners[k + 2]];
    if (Math.min(a, b, c) <= low + half && Math.max(a, b, c) >= low + half) {
      origin[0] = low + half;
      hitRow(distances, ACROSS, mesh, k, findColumns(mesh, k, margin));
    }
    if (!mayCrossAxis(mesh, k, margin)) continue;
    origin[0] = low;
    const distance = hitTriangle(mesh, k, COLUMNS * ALONG);
    if (distance >= 0 && distance <= half) closesLow = true;
    if (distance >= half) closesHigh = true;
  }
  let [sum, hits] = [0, 0];
  for (let ray = COLUMNS * ACROSS; ray < COLUMNS * (ACROSS + 1); ray++) {
    if (distances[ray] >= 0) [sum, hits] = [sum + distances[ray], hits + 1];
  }
  const inset = hits > 0 ? Math.min(sum / hits, half) : 0;
  return [closesLow ? low + inset : low, closesHigh ? high - inset : high];
}

/**
 * Casts rays from the axis through the middle of the triangles of a bone, to the furthest triangle each. Returns what the rays hit; null without
 * triangles.
 */
export function castRays(mesh: BoneTriangles, axes: Float64Array): RayHits | null {
  const { corners, coordinates, lows, highs } = mesh;
  if (corners.length === 0) return null;
  const center = new Float64Array(3);
  let extent = 0;
  for (const i of [1, 2]) {
    origin[i] = (lows[i] + highs[i]) / 2;
    vec3.addScaled(center, 0, center, 0, axes, 3 * i, origin[i]);
    extent = Math.max(extent, highs[i] - lows[i]);
  }
  const margin = RAY_MARGIN * extent;
  const [from, to] = findEnds(mesh, margin);
  const border = BORDER * (highs[0] - lows[0]);
  const start = Math.max(from, lows[0] + border);
  const end = Math.min(to, highs[0] - border);
  const step = Math.max(0, end - start) / (MIDDLE_ROWS - 1);
  const distances = new Float64Array(ROWS * COLUMNS).fill(-1);
  for (let k = 0; k < corners.length; k += 3) {
    const a = coordinates[corners[k]];
    const b = coordinates[corners[k + 1]];
    const c = coordinates[corners[k + 2]];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    // Rows of rays that may hit the triangle: those of an end as well where it reaches beyond it.
    let first = 0;
    if (low > start) first = Math.min(LAST_END, END_ROWS + Math.ceil((low - start) / step));
    let last = ROWS - 1;
    if (high < end) last = Math.max(END_ROWS - 1, END_ROWS + Math.floor((high - start) / step));
    if (first > last) continue;
    const columns = findColumns(mesh, k, margin);
    if (columns === 0) continue;
    for (let row = first; row <= last; row++) {
      origin[0] = Math.min(end, Math.max(start, start + step * (row - END_ROWS)));
      hitRow(distances, row, mesh, k, columns);
    }
  }
  return { center, axes, from, to, distances };
}
