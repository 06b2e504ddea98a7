/**
 * Measures how much hands and forearms are inside the trunk, the head and the thighs of a character. A vertex is inside where the generalized winding
 * number of the surface exceeds one half (Jacobson, Kavan, Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013); clusters of triangles far from the
 * vertex count as dipoles (Barill et al., Fast Winding Numbers for Soups and Clouds, 2018). Open meshes and shells inside each other are fine.
 */
import { countPoints, type SkinPoints, skinPoint } from '../deform/skin-points.ts';
import { BONE, BONES, isFingerBone, SIDES, type Side } from '../humanoid/bones.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { MeasuredBody } from './body.ts';
import { frameTimes, type MeasuredMotion, visitFrames } from './joint-frames.ts';

const CLUSTER = 24;
/** Distance from the center of a cluster, relative to its radius, from which on it counts as a dipole. */
const FAR = 2.5;
/** Floats per cluster: center, radius, area vector. */
const CLUSTER_STRIDE = 7;

/** Distance from the wrist, relative to the length of the arm, from which on a vertex of a hand belongs to a tool in it: the longest hands reach 0.58. */
const TOOL = 0.6;

/** Tells whether a bone belongs to the limbs that may be inside the others. */
const isMovingLimb = (bone: number): boolean =>
  bone >= 0 && (/(?:LowerArm|Hand)$/.test(BONES[bone]) || isFingerBone(BONES[bone]));
/** Tells whether a bone belongs to the parts that limbs may be inside of. */
const isSolidPart = (bone: number): boolean =>
  bone >= 0 && /^(?:hips|spine|chest|upperChest|neck|head|jaw|.*(?:Eye|Shoulder|UpperLeg))$/.test(BONES[bone]);

export interface SkinSampling {
  /** Samples per second; 15 by default. */
  readonly fps?: number;
  /** Greatest number of vertices that are tested; what they are and the default depend on the measure. */
  readonly mostVertices?: number;
}

/** How much hands and forearms are inside the rest of the character. */
export interface SelfPenetration {
  /** Percent of the vertices inside, mean over all frames. */
  readonly mean: number;
  /** The same in the worst frame. */
  readonly worst: number;
  /** Number of vertices of hands and forearms that were tested. */
  readonly vertices: number;
}

/** Length of an arm from shoulder to wrist in the standing pose; Infinity for an incomplete one. */
function armLength({ nodes, rest }: MeasuredBody, side: Side): number {
  const [upper, lower, hand] = [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]];
  if ([upper, lower, hand].some((bone) => nodes[bone] < 0)) return Number.POSITIVE_INFINITY;
  const at = (bone: number): number => MATRIX_STRIDE * nodes[bone] + 12;
  const along = (a: number, b: number): number => vec3.distance(rest, at(a), rest, at(b));
  return along(upper, lower) + along(lower, hand);
}

/** Lists the vertices of hands and forearms, without tools that are part of a hand. */
function limbVertices(body: MeasuredBody, skin: SkinPoints): number[] {
  const { nodes, rest, pointBones } = body;
  const position = new Float64Array(3);
  const reach = SIDES.map((side) => TOOL * armLength(body, side));
  return [...pointBones.keys()].filter((point) => {
    if (!isMovingLimb(pointBones[point])) return false;
    const name = BONES[pointBones[point]];
    if (name.endsWith('LowerArm')) return true;
    const k = SIDES.findIndex((side) => name.startsWith(side));
    const hand = nodes[BONE[`${SIDES[k]}Hand`]];
    if (hand < 0) return true;
    skinPoint(position, 0, skin, point, rest);
    return vec3.distance(position, 0, rest, MATRIX_STRIDE * hand + 12) <= reach[k];
  });
}

function solidTriangles({ triangles }: SkinPoints, bones: Int16Array): Int32Array {
  const out: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
    if (corners.filter((point) => isSolidPart(bones[point])).length >= 2) out.push(...corners);
  }
  return Int32Array.from(out);
}

/** Solid angle of a triangle seen from a point (Van Oosterom and Strackee 1983). */
function solidAngle(p: Float64Array, a: number, b: number, c: number, x: number, y: number, z: number): number {
  const ax = p[a] - x;
  const ay = p[a + 1] - y;
  const az = p[a + 2] - z;
  const bx = p[b] - x;
  const by = p[b + 1] - y;
  const bz = p[b + 2] - z;
  const cx = p[c] - x;
  const cy = p[c + 1] - y;
  const cz = p[c + 2] - z;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const scale =
    la * lb * lc +
    (ax * bx + ay * by + az * bz) * lc +
    (ax * cx + ay * cy + az * cz) * lb +
    (bx * cx + by * cy + bz * cz) * la;
  return 2 * Math.atan2(volume, scale);
}

/** A surface in one pose, in clusters of consecutive triangles. */
interface PosedSurface {
  readonly triangles: Int32Array;
  readonly positions: Float64Array;
  /** Per cluster: center, radius, sum of half cross products. */
  readonly clusters: Float64Array;
}

function updateClusters({ triangles, positions, clusters }: PosedSurface): void {
  const count = triangles.length / 3;
  for (let k = 0; k * CLUSTER < count; k++) {
    const [first, end] = [3 * k * CLUSTER, 3 * Math.min(count, (k + 1) * CLUSTER)];
    const at = CLUSTER_STRIDE * k;
    let [x, y, z] = [0, 0, 0];
    let [areaX, areaY, areaZ] = [0, 0, 0];
    for (let n = first; n < end; n += 3) {
      const [a, b, c] = [3 * triangles[n], 3 * triangles[n + 1], 3 * triangles[n + 2]];
      x += positions[a] + positions[b] + positions[c];
      y += positions[a + 1] + positions[b + 1] + positions[c + 1];
      z += positions[a + 2] + positions[b + 2] + positions[c + 2];
      const ux = positions[b] - positions[a];
      const uy = positions[b + 1] - positions[a + 1];
      const uz = positions[b + 2] - positions[a + 2];
      const vx = positions[c] - positions[a];
      const vy = positions[c + 1] - positions[a + 1];
      const vz = positions[c + 2] - positions[a + 2];
      areaX += (uy * vz - uz * vy) / 2;
      areaY += (uz * vx - ux * vz) / 2;
      areaZ += (ux * vy - uy * vx) / 2;
    }
    x /= end - first;
    y /= end - first;
    z /= end - first;
    let furthest = 0;
    for (let n = first; n < end; n++) {
      const p = 3 * triangles[n];
      furthest = Math.max(
        furthest,
        (positions[p] - x) ** 2 + (positions[p + 1] - y) ** 2 + (positions[p + 2] - z) ** 2,
      );
    }
    clusters[at] = x;
    clusters[at + 1] = y;
    clusters[at + 2] = z;
    clusters[at + 3] = Math.sqrt(furthest);
    clusters[at + 4] = areaX;
    clusters[at + 5] = areaY;
    clusters[at + 6] = areaZ;
  }
}

/** Winding number of the surface around a point; 1 inside a closed surface. */
function windingNumber({ triangles, positions, clusters }: PosedSurface, x: number, y: number, z: number): number {
  let sum = 0;
  const count = triangles.length / 3;
  for (let k = 0; k * CLUSTER < count; k++) {
    const at = CLUSTER_STRIDE * k;
    const dx = clusters[at] - x;
    const dy = clusters[at + 1] - y;
    const dz = clusters[at + 2] - z;
    const squared = dx * dx + dy * dy + dz * dz;
    const near = FAR * clusters[at + 3];
    if (squared > near * near) {
      sum += (clusters[at + 4] * dx + clusters[at + 5] * dy + clusters[at + 6] * dz) / (squared * Math.sqrt(squared));
      continue;
    }
    const end = 3 * Math.min(count, (k + 1) * CLUSTER);
    for (let n = 3 * k * CLUSTER; n < end; n += 3) {
      sum += solidAngle(positions, 3 * triangles[n], 3 * triangles[n + 1], 3 * triangles[n + 2], x, y, z);
    }
  }
  return sum / (4 * Math.PI);
}

/** Bounds of the points of a surface: lowest xyz, highest xyz. */
function boundsOf(points: Int32Array, positions: Float64Array): Float64Array {
  const out = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let k = 0; k < points.length; k++) {
    for (let i = 0; i < 3; i++) {
      const value = positions[3 * points[k] + i];
      if (value < out[i]) out[i] = value;
      if (value > out[i + 3]) out[i + 3] = value;
    }
  }
  return out;
}

function isWithin(bounds: Float64Array, x: number, y: number, z: number): boolean {
  return x >= bounds[0] && y >= bounds[1] && z >= bounds[2] && x <= bounds[3] && y <= bounds[4] && z <= bounds[5];
}

/**
 * Measures how much hands and forearms are inside the trunk, the head and the thighs. Tools that are part of a hand do not count. At
 * most `mostVertices` vertices of hands and forearms together are tested; all by default. Returns the measure; null for a character without triangles of these parts.
 */
export function measureSelfPenetration(
  motion: MeasuredMotion,
  { fps = 15, mostVertices = Number.POSITIVE_INFINITY }: SkinSampling = {},
): SelfPenetration | null {
  const { body, clip } = motion;
  const { skin, pointBones } = body;
  if (skin === null) return null;
  const limbs = limbVertices(body, skin);
  const every = Math.max(1, Math.ceil(limbs.length / mostVertices));
  const tested = limbs.filter((_, k) => k % every === 0);
  const triangles = solidTriangles(skin, pointBones);
  if (tested.length === 0 || triangles.length === 0) return null;
  const positions = new Float64Array(3 * countPoints(skin));
  const clusters = new Float64Array(CLUSTER_STRIDE * Math.ceil(triangles.length / 3 / CLUSTER));
  const surface: PosedSurface = { triangles, positions, clusters };
  const corners = Int32Array.from(new Set(triangles));
  const times = frameTimes(clip.duration, fps);
  let [sum, worst] = [0, 0];
  visitFrames(motion, times, (_, matrices) => {
    for (const point of corners) skinPoint(positions, 3 * point, skin, point, matrices);
    for (const point of tested) skinPoint(positions, 3 * point, skin, point, matrices);
    const bounds = boundsOf(corners, positions);
    let inside = 0;
    let isUpdated = false;
    for (const point of tested) {
      const [x, y, z] = [positions[3 * point], positions[3 * point + 1], positions[3 * point + 2]];
      if (!isWithin(bounds, x, y, z)) continue;
      if (!isUpdated) updateClusters(surface);
      isUpdated = true;
      if (Math.abs(windingNumber(surface, x, y, z)) > 0.5) inside++;
    }
    sum += inside;
    worst = Math.max(worst, inside);
  });
  const percent = 100 / tested.length;
  return { mean: (sum / times.length) * percent, worst: worst * percent, vertices: tested.length };
}
