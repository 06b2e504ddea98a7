/** Measures the radius map of a character from its meshes: rays from the axes of the bones to the furthest triangle. */
import { BONE_COUNT } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { boneAxes, radiiBone } from './bone-axes.ts';
import { type BoneRadii, COLUMNS, END_ROWS, MIDDLE_ROWS, type RadiusMap, ROWS } from './radius-map.ts';
import { countPoints, type SkinPoints, skinPoint } from './skin-points.ts';

/** Height of an end that no triangle closes, relative to the radius beside it. The neighboring bone continues there. */
const OPEN_END = 0.25;
/** Distance of rays from the border of the mesh of a bone, relative to its extent: at the border itself rounding decides whether a ray hits. */
const BORDER = 0.01;
/** Barycentric tolerance: rays through an edge hit both of its triangles. */
const EDGE = 1e-9;

/** Triangles of one bone relative to its joint: 9 floats each, and the range of each along the axis. */
interface BoneTriangles {
  readonly corners: Float64Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

const direction = new Float64Array(3);
const origin = new Float64Array(3);

/**
 * Distance along the ray from `origin` in `direction` to a triangle at `at`; −1 if it misses (Möller and Trumbore 1997, both sides). In single numbers,
 * since a character takes millions of these.
 */
function hitTriangle(corners: Float64Array, at: number): number {
  const [dx, dy, dz] = [direction[0], direction[1], direction[2]];
  const [ax, ay, az] = [corners[at], corners[at + 1], corners[at + 2]];
  const [ex, ey, ez] = [corners[at + 3] - ax, corners[at + 4] - ay, corners[at + 5] - az];
  const [fx, fy, fz] = [corners[at + 6] - ax, corners[at + 7] - ay, corners[at + 8] - az];
  const [px, py, pz] = [dy * fz - dz * fy, dz * fx - dx * fz, dx * fy - dy * fx];
  const determinant = ex * px + ey * py + ez * pz;
  if (determinant === 0) return -1;
  const [tx, ty, tz] = [origin[0] - ax, origin[1] - ay, origin[2] - az];
  const u = (tx * px + ty * py + tz * pz) / determinant;
  if (!(u >= -EDGE && u <= 1 + EDGE)) return -1;
  const [qx, qy, qz] = [ty * ez - tz * ey, tz * ex - tx * ez, tx * ey - ty * ex];
  const v = (dx * qx + dy * qy + dz * qz) / determinant;
  if (!(v >= -EDGE && u + v <= 1 + EDGE)) return -1;
  return (fx * qx + fy * qy + fz * qz) / determinant;
}

/** Distance to the furthest triangle along the ray; −1 without. Triangles that end before `low` or start after `high` along the axis are skipped. */
function furthestHit({ corners, lowest, highest }: BoneTriangles, low: number, high: number): number {
  let most = -1;
  for (let t = 0; t < lowest.length; t++) {
    if (lowest[t] <= high && highest[t] >= low) most = Math.max(most, hitTriangle(corners, 9 * t));
  }
  return most;
}

/** Sets the ray of a row and a column; returns its angle from the plane across the axis. */
function aimRay({ center, axes, from, to }: Omit<BoneRadii, 'radii' | 'bone'>, row: number, column: number): number {
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

/** Fills the gaps of a row between its hits; returns false for a row without hits. */
function fillRow(radii: Float64Array, row: number): boolean {
  const at = (column: number): number => radii[COLUMNS * row + ((column + COLUMNS) % COLUMNS)];
  const hits = Array.from({ length: COLUMNS }, (_, column) => column).filter((column) => at(column) >= 0);
  if (hits.length === 0) return false;
  const filled = Array.from({ length: COLUMNS }, (_, column) => {
    if (at(column) >= 0) return at(column);
    let [before, after] = [1, 1];
    while (at(column - before) < 0) before++;
    while (at(column + after) < 0) after++;
    return (at(column - before) * after + at(column + after) * before) / (before + after);
  });
  radii.set(filled, COLUMNS * row);
  return true;
}

/** Fills the gaps between the hits of all rows. */
function fillGaps(radii: Float64Array): boolean {
  const [first, last] = [END_ROWS, END_ROWS + MIDDLE_ROWS - 1];
  const known: number[] = [];
  for (let row = first; row <= last; row++) if (fillRow(radii, row)) known.push(row);
  if (known.length === 0) return false;
  for (let row = first; row <= last; row++) {
    if (known.includes(row)) continue;
    const nearest = known.reduce((best, one) => (Math.abs(one - row) < Math.abs(best - row) ? one : best));
    radii.copyWithin(COLUMNS * row, COLUMNS * nearest, COLUMNS * (nearest + 1));
  }
  for (const [beside, step] of [
    [first, -1],
    [last, 1],
  ]) {
    const tip = radii[COLUMNS * (beside + step * END_ROWS)];
    for (let k = 1; k <= END_ROWS; k++) {
      const angle = (k / END_ROWS) * (Math.PI / 2);
      for (let column = 0; column < COLUMNS; column++) {
        const at = COLUMNS * (beside + step * k) + column;
        if (radii[at] >= 0) continue;
        // An ellipse from the radius beside the end to its tip.
        const across = radii[COLUMNS * beside + column];
        const height = tip >= 0 ? tip : OPEN_END * across;
        radii[at] = across > 0 && height > 0 ? 1 / Math.hypot(Math.cos(angle) / across, Math.sin(angle) / height) : 0;
      }
    }
    // All directions meet in the tip.
    const tips = radii.subarray(COLUMNS * (beside + step * END_ROWS), COLUMNS * (beside + step * END_ROWS + 1));
    tips.fill(tips.reduce((sum, value) => sum + value, 0) / COLUMNS);
  }
  return true;
}

/** Collects the triangles of a bone: those with at least two corners of the bone, or with one where all corners belong to different bones. */
function collectTriangles(
  bone: number,
  owners: Int16Array,
  triangles: Int32Array,
  positions: Float64Array,
  joint: Float64Array,
  axes: Float64Array,
): BoneTriangles {
  const corners: number[] = [];
  const lowest: number[] = [];
  const highest: number[] = [];
  const corner = new Float64Array(3);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [owners[triangles[k]], owners[triangles[k + 1]], owners[triangles[k + 2]]];
    const own = Number(a === bone) + Number(b === bone) + Number(c === bone);
    if (own === 0 || (own === 1 && (a === b || b === c || a === c))) continue;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let n = k; n < k + 3; n++) {
      vec3.subtract(corner, 0, positions, 3 * triangles[n], joint, 0);
      const along = vec3.dot(corner, 0, axes, 0);
      [low, high] = [Math.min(low, along), Math.max(high, along)];
      corners.push(corner[0], corner[1], corner[2]);
    }
    lowest.push(low);
    highest.push(high);
  }
  return {
    corners: Float64Array.from(corners),
    lowest: Float64Array.from(lowest),
    highest: Float64Array.from(highest),
  };
}

/** Middle of the extent of the triangles along a direction. */
function extentAlong({ corners }: BoneTriangles, axes: Float64Array, i: number): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < corners.length; at += 3) {
    const along = vec3.dot(corners, at, axes, i);
    [low, high] = [Math.min(low, along), Math.max(high, along)];
  }
  return [low, high];
}

function measureBone(bone: number, triangles: BoneTriangles, axes: Float64Array): BoneRadii | null {
  if (triangles.lowest.length === 0) return null;
  const center = new Float64Array(3);
  for (const i of [3, 6]) {
    const [low, high] = extentAlong(triangles, axes, i);
    vec3.addScaled(center, 0, center, 0, axes, i, (low + high) / 2);
  }
  const [low, high] = extentAlong(triangles, axes, 0);
  const middle = (low + high) / 2;
  // How thick the bone is halfway, and which of its ends a triangle closes.
  let [sum, hits] = [0, 0];
  for (let column = 0; column < COLUMNS; column++) {
    aimRay({ center, axes, from: middle, to: middle }, END_ROWS, column);
    const radius = furthestHit(triangles, middle, middle);
    if (radius >= 0) [sum, hits] = [sum + radius, hits + 1];
  }
  const thickness = hits > 0 ? sum / hits : 0;
  const closedAt = (row: number): boolean => {
    aimRay({ center, axes, from: middle, to: middle }, row, 0);
    return furthestHit(triangles, low, high) >= 0;
  };
  const inset = Math.min(thickness, (high - low) / 2);
  const from = closedAt(0) ? low + inset : low;
  const to = closedAt(ROWS - 1) ? high - inset : high;
  const border = BORDER * (high - low);
  const rays = { center, axes, from: Math.max(from, low + border), to: Math.min(to, high - border) };
  const radii = new Float64Array(ROWS * COLUMNS);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const angle = aimRay(rays, row, column);
      const at = vec3.dot(origin, 0, axes, 0);
      radii[COLUMNS * row + column] = furthestHit(triangles, angle < 0 ? low : at, angle > 0 ? high : at);
    }
  }
  return fillGaps(radii) ? { bone, center, axes, from, to, radii } : null;
}

/**
 * Measures how far the skin is from the axes of the bones.
 *
 * @param humanoid The character.
 * @param points Its vertices, with triangles.
 * @param bones Bone of every point, −1 without.
 * @param matrices Matrices of all nodes in the reference pose, canonical frame.
 * @returns Radii of the bones that have triangles.
 */
export function measureRadii(
  { reference }: Humanoid,
  points: SkinPoints,
  bones: Int16Array,
  matrices: Float64Array,
): RadiusMap {
  const positions = new Float64Array(3 * countPoints(points));
  for (let point = 0; point < bones.length; point++) skinPoint(positions, 3 * point, points, point, matrices);
  const owners = bones.map(radiiBone);
  const present = new Set(owners);
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const axes = boneAxes(bone);
    if (axes === null || !present.has(bone)) return null;
    const joint = reference.positions.subarray(3 * bone, 3 * bone + 3);
    return measureBone(bone, collectTriangles(bone, owners, points.triangles, positions, joint, axes), axes);
  });
}
