/**
 * Measures how much hands and forearms are inside the trunk, the head and the thighs of a character. A vertex is inside where the generalized winding
 * number of the surface exceeds one half (Jacobson, Kavan, Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013); clusters of triangles far from the
 * vertex count as dipoles (Barill et al., Fast Winding Numbers for Soups and Clouds, 2018). Open meshes and shells inside each other are fine.
 */
import type { Clip } from '../animation/clip.ts';
import { referenceMatrices } from '../contacts/surface/reference-matrices.ts';
import { countPoints, type SkinPoints, skinPoint } from '../contacts/surface/skin-points.ts';
import { bonesOfPoints } from '../contacts/surface/surface-bones.ts';
import { BONE, BONES, isFingerBone, SIDES, type Side } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as vec3 from '../math/vec3.ts';
import { createMotionSampler, sampleMotion } from './motion-sampler.ts';

/** Triangles in a cluster. */
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

/** A character with all vertices of its meshes, and its clip. */
export interface SkinnedMotion {
  /** The character. */
  readonly humanoid: Humanoid;
  /** Its vertices and triangles, from `collectSkinPoints`. */
  readonly skin: SkinPoints;
  /** Its clip. */
  readonly clip: Clip;
}

/** Options of {@link measureSelfPenetration}. */
export interface SelfPenetrationOptions {
  /** Samples per second; 15 by default. */
  readonly fps?: number;
  /** Greatest number of vertices that are tested, spread over hands and forearms; all by default. */
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

/** Length of an arm from shoulder to wrist; Infinity for an incomplete one. */
function armLength({ map, reference: { positions } }: Humanoid, side: Side): number {
  const [upper, lower, hand] = [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]];
  if ([upper, lower, hand].some((bone) => map.nodes[bone] < 0)) return Number.POSITIVE_INFINITY;
  const along = (a: number, b: number): number => vec3.distance(positions, 3 * a, positions, 3 * b);
  return along(upper, lower) + along(lower, hand);
}

/** Lists the vertices of hands and forearms, without tools that are part of a hand. */
function limbVertices(humanoid: Humanoid, skin: SkinPoints, bones: Int16Array): number[] {
  const matrices = referenceMatrices(humanoid);
  const position = new Float64Array(3);
  const reach = SIDES.map((side) => TOOL * armLength(humanoid, side));
  return [...bones.keys()].filter((point) => {
    if (!isMovingLimb(bones[point])) return false;
    const name = BONES[bones[point]];
    if (name.endsWith('LowerArm')) return true;
    const k = SIDES.findIndex((side) => name.startsWith(side));
    skinPoint(position, 0, skin, point, matrices);
    return vec3.distance(position, 0, humanoid.reference.positions, 3 * BONE[`${SIDES[k]}Hand`]) <= reach[k];
  });
}

/** Lists the triangles whose corners mostly belong to solid parts. */
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

/** Computes centers, radii and area vectors of the clusters. */
function updateClusters({ triangles, positions, clusters }: PosedSurface): void {
  const count = triangles.length / 3;
  for (let k = 0; k * CLUSTER < count; k++) {
    const [first, end] = [3 * k * CLUSTER, 3 * Math.min(count, (k + 1) * CLUSTER)];
    const at = CLUSTER_STRIDE * k;
    clusters.fill(0, at, at + CLUSTER_STRIDE);
    for (let n = first; n < end; n++) {
      for (let i = 0; i < 3; i++) clusters[at + i] += positions[3 * triangles[n] + i] / (end - first);
    }
    for (let n = first; n < end; n++) {
      const [dx, dy, dz] = [0, 1, 2].map((i) => positions[3 * triangles[n] + i] - clusters[at + i]);
      clusters[at + 3] = Math.max(clusters[at + 3], Math.hypot(dx, dy, dz));
    }
    for (let n = first; n < end; n += 3) {
      const [a, b, c] = [3 * triangles[n], 3 * triangles[n + 1], 3 * triangles[n + 2]];
      const u = [0, 1, 2].map((i) => positions[b + i] - positions[a + i]);
      const v = [0, 1, 2].map((i) => positions[c + i] - positions[a + i]);
      clusters[at + 4] += (u[1] * v[2] - u[2] * v[1]) / 2;
      clusters[at + 5] += (u[2] * v[0] - u[0] * v[2]) / 2;
      clusters[at + 6] += (u[0] * v[1] - u[1] * v[0]) / 2;
    }
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
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance > FAR * clusters[at + 3]) {
      sum += (clusters[at + 4] * dx + clusters[at + 5] * dy + clusters[at + 6] * dz) / distance ** 3;
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
function boundsOf(points: Iterable<number>, positions: Float64Array): number[] {
  const out = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (let i = 0; i < 3; i++) {
      out[i] = Math.min(out[i], positions[3 * point + i]);
      out[i + 3] = Math.max(out[i + 3], positions[3 * point + i]);
    }
  }
  return out;
}

/**
 * Measures how much hands and forearms are inside the trunk, the head and the thighs. Tools that are part of a hand do not count.
 *
 * @param motion The character and its motion.
 * @param options Sampling rate.
 * @returns The measure; null for a character without triangles of these parts.
 */
export function measureSelfPenetration(
  { humanoid, skin, clip }: SkinnedMotion,
  { fps = 15, mostVertices = Number.POSITIVE_INFINITY }: SelfPenetrationOptions = {},
): SelfPenetration | null {
  const bones = bonesOfPoints(humanoid, skin);
  const limbs = limbVertices(humanoid, skin, bones);
  const every = Math.max(1, Math.ceil(limbs.length / mostVertices));
  const tested = limbs.filter((_, k) => k % every === 0);
  const triangles = solidTriangles(skin, bones);
  if (tested.length === 0 || triangles.length === 0) return null;
  const positions = new Float64Array(3 * countPoints(skin));
  const clusters = new Float64Array(CLUSTER_STRIDE * Math.ceil(triangles.length / 3 / CLUSTER));
  const surface: PosedSurface = { triangles, positions, clusters };
  const corners = new Set(triangles);
  const sampler = createMotionSampler(humanoid, clip);
  const count = Math.max(1, Math.floor(clip.duration * fps)) + 1;
  let [sum, worst] = [0, 0];
  for (let frame = 0; frame < count; frame++) {
    sampleMotion(sampler, frame / fps);
    for (const point of corners) skinPoint(positions, 3 * point, skin, point, sampler.matrices);
    for (const point of tested) skinPoint(positions, 3 * point, skin, point, sampler.matrices);
    updateClusters(surface);
    const bounds = boundsOf(corners, positions);
    let inside = 0;
    for (const point of tested) {
      const [x, y, z] = positions.subarray(3 * point, 3 * point + 3);
      const isNear = [x, y, z].every((value, i) => value >= bounds[i] && value <= bounds[i + 3]);
      if (isNear && Math.abs(windingNumber(surface, x, y, z)) > 0.5) inside++;
    }
    sum += inside;
    worst = Math.max(worst, inside);
  }
  const percent = 100 / tested.length;
  return { mean: (sum / count) * percent, worst: worst * percent, vertices: tested.length };
}
