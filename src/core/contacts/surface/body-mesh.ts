/**
 * Finds which part of the meshes is the body. Not clothes, pieces of mesh that lie over other pieces: capes, skirts, coats, plates, hair and helmets are what arms may
 * touch; the body is the innermost layer that faces outward. And not helpers beside the bones: axes of joints and other sticks that a file draws.
 */

import { type SkinPoints, skinPoint } from '../../deform/skin-points.ts';
import { BONE, BONES, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { weldRows } from '../../math/weld.ts';
import { castRays, copyTriangles } from './axis-rays.ts';
import { boneAxes } from './bone-axes.ts';
import { groupTriangles } from './measure-radii.ts';
import { COLUMNS, END_ROWS, MIDDLE_ROWS } from './radius-map.ts';
import { referenceMatrices } from './reference-matrices.ts';
import { isArmBone, isFootBone } from './surface-bones.ts';

/** Rays around an axis. */
const RAYS = 24;
/** Positions on an axis from which rays start. */
const LEVELS = 32;
/** Part of the rays through a piece that go through the body before, from which on it is cloth. Skirts are hit without a leg before them between the legs. */
const COVERED = 0.5;
/** Least distance of the body from the axis, relative to that of the cloth over it: what is closer is inside of the body, such as teeth, eyes and rods of robots. */
const INNER = 0.3;
/** Layers that face outward, relative to those that face inward, below which a piece is turned over: a thick cape has as many of both. */
const TURNED = 0.25;
/** Distance up to which points are one corner of a mesh, relative to the height: exporters split corners at seams. */
const SEAM = 1e-4;

/** Numbers the connected pieces of a mesh, by the first of their points: points that share a triangle or a position. */
function findPieces({ triangles }: SkinPoints, positions: Float64Array, height: number): Int32Array {
  const above = Int32Array.from({ length: positions.length / 3 }, (_, point) => point);
  const rootOf = (point: number): number => {
    let root = point;
    while (above[root] !== root) {
      above[root] = above[above[root]];
      root = above[root];
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    const [first, second] = [rootOf(a), rootOf(b)];
    above[Math.max(first, second)] = Math.min(first, second);
  };
  const { ids, firsts } = weldRows(
    Int32Array.from(positions, (value) => Math.round(value / (SEAM * height))),
    3,
  );
  for (let point = 0; point < above.length; point++) join(point, firsts[ids[point]]);
  for (let k = 0; k < triangles.length; k += 3) {
    join(triangles[k], triangles[k + 1]);
    join(triangles[k], triangles[k + 2]);
  }
  return above.map((_, point) => rootOf(point));
}

/** A line through the joints of a part of the body in the T-pose. */
interface Axis {
  /** Coordinate that it follows: x for arms, y for trunk, head and legs. */
  readonly along: 0 | 1;
  /** Joints by their position along it: xyz. */
  readonly joints: readonly Float64Array[];
  /** Its part that rays start from. */
  readonly from: number;
  readonly to: number;
  /** Tells whether the part has the surface of a bone. */
  readonly has: (bone: number) => boolean;
}

/** Lists the axes of a body: one from the floor through the trunk to the crown, one through each arm. */
function bodyAxes({ map, reference: { positions }, ground, height }: Humanoid): Axis[] {
  const jointsOf = (along: Axis['along'], names: readonly BoneName[]): Float64Array[] =>
    names
      .filter((name) => map.nodes[BONE[name]] >= 0)
      .map((name) => positions.slice(3 * BONE[name], 3 * BONE[name] + 3))
      .sort((a, b) => a[along] - b[along]);
  const trunk = jointsOf(1, ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head']);
  const arms = SIDES.flatMap((side): Axis[] => {
    const joints = jointsOf(0, [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`]);
    // Fingers lie beside each other.
    const has = (bone: number): boolean => /(?:Arm|Hand)$/.test(BONES[bone]) && BONES[bone].startsWith(side);
    return joints.length < 2 ? [] : [{ along: 0, joints, from: joints[0][0], to: joints[joints.length - 1][0], has }];
  });
  return [{ along: 1, joints: trunk, from: ground, to: ground + height, has: (bone) => !isArmBone(bone) }, ...arms];
}

/** Returns the position of an axis: before the first joint and after the last one it goes straight on. */
function axisAt({ along, joints }: Axis, level: number): Float64Array {
  const after = joints.findIndex((joint) => joint[along] >= level);
  if (after <= 0) return joints[after < 0 ? joints.length - 1 : 0];
  const [a, b] = [joints[after - 1], joints[after]];
  const t = (level - a[along]) / (b[along] - a[along]);
  return a.map((value, c) => value + t * (b[c] - value));
}

/** A layer of mesh that a ray goes through. */
interface Layer {
  /** Distance from the axis, meters. */
  readonly distance: number;
  readonly piece: number;
  readonly isOutward: boolean;
}

/** Casts rays around an axis, perpendicular to it, through all triangles of its part of the body. */
function castAround(
  axis: Axis,
  triangles: Int32Array,
  positions: Float64Array,
  bones: Int16Array,
  pieces: Int32Array,
): Layer[][] {
  const { along, has, from, to } = axis;
  // Two coordinates across the axis, so that along, u and v are a right-handed system.
  const [u, v] = [(along + 1) % 3, (along + 2) % 3];
  const isOfPart = (point: number): boolean => bones[point] >= 0 && has(bones[point]);
  const chosen: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    if (!isOfPart(triangles[k]) || !isOfPart(triangles[k + 1]) || !isOfPart(triangles[k + 2])) continue;
    chosen.push(k);
  }
  const step = (to - from) / LEVELS;
  const centers = Array.from({ length: LEVELS }, (_, row) => axisAt(axis, from + (row + 0.5) * step));
  const rays = Array.from({ length: LEVELS * RAYS }, (): Layer[] => []);
  /** The two points at which a row cuts a triangle. */
  const cut = new Float64Array(4);
  for (const k of chosen) {
    const corners = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [a, b, c] = corners;
    const lowest = Math.min(positions[a + along], positions[b + along], positions[c + along]);
    const highest = Math.max(positions[a + along], positions[b + along], positions[c + along]);
    const first = Math.max(0, Math.ceil((lowest - from) / step - 0.5));
    const last = Math.min(LEVELS - 1, Math.floor((highest - from) / step - 0.5));
    for (let row = first; row <= last; row++) {
      const level = from + (row + 0.5) * step;
      const center = centers[row];
      let ends = 0;
      for (let n = 0; n < 3 && ends < 4; n++) {
        const [p, q] = [corners[n], corners[(n + 1) % 3]];
        const [before, after] = [positions[p + along] - level, positions[q + along] - level];
        if (before >= 0 === after >= 0) continue;
        const t = before / (before - after);
        // The edge that goes down comes first: then what faces outward lies counterclockwise.
        const end = before >= 0 ? 0 : 2;
        cut[end] = positions[p + u] + t * (positions[q + u] - positions[p + u]) - center[u];
        cut[end + 1] = positions[p + v] + t * (positions[q + v] - positions[p + v]) - center[v];
        ends += 2;
      }
      if (ends === 4) addLayers(rays, RAYS * row, cut, pieces[triangles[k]]);
    }
  }
  return rays;
}

/** Selects the layers of each ray that face outward, nearest first; of pieces that face inward as good as everywhere, whose triangles are turned over, all. */
function outwardLayers(rays: readonly (readonly Layer[])[]): Layer[][] {
  const outward = new Map<number, number>();
  for (const { piece, isOutward } of rays.flat())
    outward.set(piece, (outward.get(piece) ?? 0) + (isOutward ? 1 : -TURNED));
  const faces = ({ piece, isOutward }: Layer): boolean => isOutward || (outward.get(piece) ?? 0) < 0;
  return rays.map((ray) => ray.filter(faces).sort((a, b) => a.distance - b.distance));
}

/** Adds a piece to the rays of a row that cross the line from one point to the other: those between their directions. */
function addLayers(rays: Layer[][], row: number, [ax, ay, bx, by]: Float64Array, piece: number): void {
  const across = ax * by - ay * bx;
  if (across === 0) return;
  // Seen from the axis the line goes clockwise where the triangle faces inward.
  const isOutward = across > 0;
  const start = (Math.atan2(isOutward ? ay : by, isOutward ? ax : bx) / (2 * Math.PI)) * RAYS;
  const sweep = (Math.atan2(Math.abs(across), ax * bx + ay * by) / (2 * Math.PI)) * RAYS;
  for (let column = Math.ceil(start); column <= start + sweep; column++) {
    const angle = (2 * Math.PI * column) / RAYS;
    const distance = across / (Math.cos(angle) * (by - ay) - Math.sin(angle) * (bx - ax));
    rays[row + ((column + RAYS) % RAYS)].push({ distance, piece, isOutward });
  }
}

/** Finds the pieces that are cloth: again and again that which is covered most, until none lies over what is left. */
function findCloth(rays: readonly (readonly Layer[])[]): Set<number> {
  const cloth = new Set<number>();
  for (;;) {
    const counts = new Map<number, { all: number; covered: number }>();
    for (const ray of rays) {
      const left = ray.filter(({ piece }) => !cloth.has(piece));
      for (const [n, { distance, piece }] of left.entries()) {
        const count = counts.get(piece) ?? { all: 0, covered: 0 };
        count.all++;
        const isBelow = (layer: Layer): boolean => layer.piece !== piece && layer.distance >= INNER * distance;
        if (left.slice(0, n).some(isBelow)) count.covered++;
        counts.set(piece, count);
      }
    }
    let [most, found] = [COVERED, -1];
    for (const [piece, { all, covered }] of counts) if (covered > most * all) [most, found] = [covered / all, piece];
    if (found < 0) return cloth;
    cloth.add(found);
  }
}

/**
 * Leaves out clothes: pieces of mesh most of which lie over the body, as seen from its axes. Shoes are soles, and stay.
 *
 * @param bones Bone whose surface every point forms, −1 for none.
 * @param positions Position of every point in the reference pose, canonical frame: xyz.
 * @returns The bones without those of clothes.
 */
export function leaveOutCloth(
  humanoid: Humanoid,
  skin: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): Int16Array {
  const pieces = findPieces(skin, positions, humanoid.height);
  const out = bones.slice();
  // A jacket lies over the arms, and is the trunk where there is no body under it.
  for (const axis of bodyAxes(humanoid)) {
    const cloth = findCloth(outwardLayers(castAround(axis, skin.triangles, positions, bones, pieces)));
    for (let point = 0; point < bones.length; point++) {
      const bone = bones[point];
      if (bone >= 0 && axis.has(bone) && !isFootBone(bone) && cloth.has(pieces[point])) out[point] = -1;
    }
  }
  return out;
}

/** Part of the rays from the axis of a bone that hit a mesh around it: three sticks along the axes of a joint are hit by a fifth. */
const SURROUNDED = 0.5;

/** Axes of bones without radii: feet, shoulders, and parts of the face. */
const UPRIGHT = Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 1);

/**
 * Leaves out rigid meshes that do not surround their bone: most rays from the axis through the middle of such a mesh miss it. It touches the ground, but nothing can
 * be inside of it. Skinned meshes are cut at the borders of their bones and cannot be judged like that.
 */
export function leaveOutHelpers(humanoid: Humanoid, points: SkinPoints, bones: Int16Array): Int16Array {
  if (!points.rigid.includes(1)) return bones;
  const matrices = referenceMatrices(humanoid);
  const positions = new Float64Array(3 * bones.length);
  const owners = bones.map((bone, point) => (points.rigid[point] === 1 ? bone : -1));
  for (const [point, bone] of owners.entries()) if (bone >= 0) skinPoint(positions, 3 * point, points, point, matrices);
  const isHelper = groupTriangles(owners, points.triangles).map((group, bone) => {
    const axes = boneAxes(bone) ?? UPRIGHT;
    const joint = humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3);
    const hits = castRays(copyTriangles(group, points.triangles, positions, joint, axes), axes);
    if (hits === null) return false;
    const around = hits.distances.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
    return around.filter((distance) => distance >= 0).length < SURROUNDED * around.length;
  });
  return bones.map((bone) => (bone >= 0 && isHelper[bone] ? -1 : bone));
}
