import {
  mainNode,
  reflectSkinPoints,
  type SkinPoints,
  selectPoints,
  skinAllPoints,
  skinPoint,
} from '../../deform/skin-points.ts';
import { BONE, BONES, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import { straightHumanoid } from '../../humanoid/straight-humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { castRays, createLocalPoints, localTriangles } from './axis-rays.ts';
import { boneAxes } from './bone-axes.ts';
import { extremePoints, FEW_DIRECTIONS, MANY_DIRECTIONS } from './extreme-points.ts';
import { findCloth } from './find-cloth.ts';
import { type Footing, findPalm, findSole, type Sole } from './find-sole.ts';
import { estimateRadii, jointPoints } from './joint-points.ts';
import { groupTriangles, measureRadii } from './measure-radii.ts';
import { groupPoints, type PointGroups } from './point-groups.ts';
import { COLUMNS, END_ROWS, MIDDLE_ROWS, type RadiusMap } from './radius-map.ts';
import { referenceMatrices } from './reference-matrices.ts';
import { spreadPoints } from './spread-points.ts';
import { bonesOfPoints, groupByBone, isArmBone, isFootBone, isHandBone } from './surface-bones.ts';

/** Part of the rays from the axis of a bone that hit a mesh around it: three sticks along the axes of a joint are hit by a fifth. */
const SURROUNDED = 0.5;

/** Axes of bones without radii: feet, shoulders, and parts of the face. */
const UPRIGHT = Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 1);

/**
 * Leaves out rigid meshes without thickness, such as axes of joints and other sticks that a file draws beside its bones: they do not surround their
 * bone, and most rays from the axis through the middle of such a mesh miss it. It touches the ground, but nothing can be inside of it. Skinned meshes
 * are cut at the borders of their bones and cannot be judged like that. `positions`: position of every point in the reference pose, canonical frame:
 * xyz.
 */
export function leaveOutHelpers(
  { reference }: Humanoid,
  points: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): Int16Array {
  if (!points.rigid.includes(1)) return bones;
  const local = createLocalPoints(bones.length);
  const owners = bones.map((bone, point) => (points.rigid[point] === 1 ? bone : -1));
  const isHelper = groupTriangles(owners, points.triangles).map((group, bone) => {
    const axes = boneAxes(bone) ?? UPRIGHT;
    const joint = reference.positions.subarray(3 * bone, 3 * bone + 3);
    const hits = castRays(localTriangles(group, points.triangles, positions, joint, axes, local), axes);
    if (hits === null) return false;
    const around = hits.distances.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
    return around.filter((distance) => distance >= 0).length < SURROUNDED * around.length;
  });
  return bones.map((bone) => (bone >= 0 && isHelper[bone] ? -1 : bone));
}

/** What of a character can touch the ground, found once per character. */
export interface ContactSurface {
  /** Whether it comes from the skin, or from the joints alone. */
  readonly from: 'skin' | 'joints';
  /** Height of the ground, canonical frame, meters. */
  readonly floor: number;
  /** Height of the character above it in the reference pose, meters: to the top of its head and hair, where the highest joint may be half as high. */
  readonly height: number;
  /** Points that can touch the ground, ordered by bone; feet and their toes last. Nodes are those of the rig without its negative scales. */
  readonly points: SkinPoints;
  /** Humanoid bone of every point. */
  readonly bones: Int16Array;
  /** Points before this one belong to the pelvis, what a character sits on. */
  readonly pelvisEnd: number;
  /** Points before this one belong to pelvis, trunk, head, thighs and knees. */
  readonly trunkEnd: number;
  /** The same points in groups. */
  readonly trunk: PointGroups;
  /** Points from `trunkEnd` to before this one belong to the arms; those of the hands are last. */
  readonly armsEnd: number;
  /** The sole of each foot; null where the leg is incomplete or its foot has no skin, while the other one has. */
  readonly soles: Readonly<Record<Side, Sole | null>>;
  /** What each hand rests on; null where the arm is incomplete or its hand has no skin. */
  readonly palms: Readonly<Record<Side, Footing | null>>;
  /** How far the skin is from the axes of the bones. */
  readonly radii: RadiusMap;
  /** Points spread over the skin of the hands, per humanoid bone: offsets from its joint in the axes of the reference pose, xyz, meters. */
  readonly handSkin: readonly Float64Array[];
  /** Clothes: they touch nothing, and arms may touch them. */
  readonly cloth: {
    /** The outermost points. */
    readonly points: SkinPoints;
    /** Bone of each point. */
    readonly bones: Int16Array;
    /** Part of the area of body and clothes, 0…1. */
    readonly share: number;
  };
}

export interface SurfacedHumanoid {
  readonly humanoid: Humanoid;
  readonly surface: ContactSurface;
}

/** A sole further than this from the ground of the humanoid, relative to the hips height, is not on it. */
const SOLE_TOLERANCE = 0.05;

/** The ground of a humanoid; where it was put at the lowest foot joint, the soles are below it. */
function findFloor({ ground, hipsHeight, reference, map }: Humanoid, lowest: number): number {
  const feet = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const;
  const joints = feet
    .filter((name) => map.nodes[BONE[name]] >= 0)
    .map((name) => reference.positions[3 * BONE[name] + 1]);
  const isAtJoint = ground !== 0 && joints.some((height) => Math.abs(height - ground) < 1e-6 * hipsHeight);
  return isAtJoint && lowest < ground && lowest > ground - 4 * SOLE_TOLERANCE * hipsHeight ? lowest : ground;
}

/** Returns the bones of points; −1 for those of cloth. */
function withoutCloth(bones: Int16Array, cloth: Uint8Array): Int16Array {
  const body = bones.slice();
  for (let point = 0; point < body.length; point++) if (cloth[point] === 1) body[point] = -1;
  return body;
}

function bodyTriangles(triangles: Int32Array, cloth: Uint8Array): Int32Array {
  if (!cloth.includes(1)) return triangles;
  const body = new Int32Array(triangles.length);
  let end = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const a = triangles[k];
    const b = triangles[k + 1];
    const c = triangles[k + 2];
    if (cloth[a] + cloth[b] + cloth[c] > 0) continue;
    body[end++] = a;
    body[end++] = b;
    body[end++] = c;
  }
  return body.subarray(0, end);
}

function describeCloth(
  all: SkinPoints,
  cloth: Uint8Array,
  owners: Int16Array,
  positions: Float64Array,
): ContactSurface['cloth'] {
  if (!cloth.includes(1)) return { points: selectPoints(all, []), bones: new Int16Array(0), share: 0 };
  const groups = BONES.map((): number[] => []);
  const { triangles } = all;
  for (let point = 0; point < cloth.length; point++) if (cloth[point] === 1) groups[owners[point]].push(point);
  const chosen = groups.map((group) => extremePoints(positions, FEW_DIRECTIONS, group));
  const bones = Int16Array.from(chosen.flatMap((group, bone) => group.map(() => bone)));
  const areas = new Float64Array(2);
  const edges = new Float64Array(9);
  for (let k = 0; k < triangles.length; k += 3) {
    if (owners[triangles[k]] < 0) continue;
    vec3.subtract(edges, 0, positions, 3 * triangles[k + 1], positions, 3 * triangles[k]);
    vec3.subtract(edges, 3, positions, 3 * triangles[k + 2], positions, 3 * triangles[k]);
    vec3.cross(edges, 6, edges, 0, edges, 3);
    areas[cloth[triangles[k]]] += vec3.length(edges, 6);
  }
  const share = areas[1] > 0 ? areas[1] / (areas[0] + areas[1]) : 0;
  return { points: selectPoints(all, chosen.flat()), bones, share };
}

/** Order of the parts of a surface: pelvis, trunk, arms, left hand, right hand, left foot, right foot. */
const partOf = (bone: number): number => {
  if (bone === BONE.hips) return 0;
  const isLeft = BONES[bone].startsWith('left');
  if (isFootBone(bone)) return isLeft ? 5 : 6;
  if (isHandBone(bone)) return isLeft ? 3 : 4;
  return isArmBone(bone) ? 2 : 1;
};
const PART_COUNT = 7;
const BONES_BY_PART = BONES.map((_, bone) => bone).sort((a, b) => partOf(a) - partOf(b) || a - b);

/**
 * Greatest distance between the points on a triangle of a hand, relative to the height. On the 53 pairs of docs/contacts.md 78.0 and 67.8 % of the
 * touching frames are kept and clean. With 0.04, gaps of the blocky hands of the KayKit Knight were up to 2 % of the height wider (with one point per cell).
 */
const HAND_SPACING = 0.02;

/** Number of directions in which the furthest point of a bone belongs to the surface. */
const directionCount = (bone: number): number =>
  isFootBone(bone) || bone === BONE.hips ? MANY_DIRECTIONS : FEW_DIRECTIONS;

/**
 * Describes the surface of a character: the points of its skin that can touch the ground, and the soles of its feet in the reference pose.
 *
 * @param humanoid The character.
 * @param skin Vertices of its meshes; null without meshes: then soles and thickness are estimated from the joints, and so they are where no foot has
 * vertices.
 * @returns The surface. It belongs to this humanoid.
 */
export function describeContactSurface(humanoid: Humanoid, skin: SkinPoints | null): ContactSurface {
  const straight = straightHumanoid(humanoid);
  return describeStraight(straight.humanoid, skin === null ? null : reflectSkinPoints(skin, straight.signs));
}

/** Finds the highest point of head and hair, canonical frame, meters; −Infinity without any. */
function topOfHead({ map, skeleton }: Humanoid, all: SkinPoints, owners: Int16Array, positions: Float64Array): number {
  const bonesOfNodes = mapNodesToBones(map.nodes, skeleton.parents.length);
  let top = Number.NEGATIVE_INFINITY;
  for (let point = 0; point < owners.length; point++) {
    const isAccessory = owners[point] < 0 && all.rigid[point] === 1;
    // Joints of hair are no bones, and some programs leave them out.
    const bone = isAccessory ? -1 : boneAtOrAbove(skeleton.parents, bonesOfNodes, mainNode(all, point));
    if (bone === BONE.head || bone === BONE.neck) top = Math.max(top, positions[3 * point + 1] + all.radii[point]);
  }
  return top;
}

function describeStraight(humanoid: Humanoid, skin: SkinPoints | null): ContactSurface {
  const matrices = referenceMatrices(humanoid);
  const all = skin ?? jointPoints(humanoid, matrices);
  const owners = bonesOfPoints(humanoid, all);
  const positions = skinAllPoints(all, matrices);
  const cloth = findCloth(humanoid, all, owners, positions);
  const bonesOfAll = cloth.includes(1) ? withoutCloth(owners, cloth) : owners;
  const groups = groupByBone(humanoid, bonesOfAll, positions);
  if (skin !== null && !groups.some((group, bone) => isFootBone(bone) && group.length > 0))
    return describeStraight(humanoid, null);
  const chosen: number[] = [];
  const bones: number[] = [];
  /** Number of points up to the end of each part. */
  const ends = new Int32Array(PART_COUNT);
  for (const bone of BONES_BY_PART) {
    const group = groups[bone];
    const extremes = skin === null ? group : extremePoints(positions, directionCount(bone), group);
    for (const point of extremes) {
      chosen.push(point);
      bones.push(bone);
    }
    ends.fill(chosen.length, partOf(bone));
  }
  const [pelvisEnd, trunkEnd, wristsEnd, leftHandEnd, armsEnd, leftEnd, rightEnd] = ends;
  const points = selectPoints(all, chosen);
  const position = new Float64Array(3);
  let lowest = Number.POSITIVE_INFINITY;
  for (let p = armsEnd; p < chosen.length; p++) {
    skinPoint(position, 0, points, p, matrices);
    lowest = Math.min(lowest, position[1] - points.radii[p]);
  }
  const floor = findFloor(humanoid, lowest);
  const soleOf = (side: Side, from: number, to: number): Sole | null =>
    from < to ? findSole(humanoid, side, floor, matrices, points, [from, to]) : null;
  const soles = { left: soleOf('left', armsEnd, leftEnd), right: soleOf('right', leftEnd, rightEnd) };
  const palmOf = (side: Side, from: number, to: number): Footing | null =>
    from < to ? findPalm(humanoid, side, matrices, points, [from, to]) : null;
  const palms = { left: palmOf('left', wristsEnd, leftHandEnd), right: palmOf('right', leftHandEnd, armsEnd) };
  const from = skin === null ? 'joints' : 'skin';
  const body = { ...all, triangles: bodyTriangles(all.triangles, cloth) };
  const radii =
    skin === null
      ? estimateRadii(humanoid)
      : measureRadii(humanoid, body, leaveOutHelpers(humanoid, skin, bonesOfAll, positions), positions);
  const trunk = groupPoints(points, bones, trunkEnd);
  const height =
    skin === null ? humanoid.height : Math.max(humanoid.height, topOfHead(humanoid, skin, owners, positions) - floor);
  const faces = groupTriangles(bonesOfAll, body.triangles);
  const handSkin = BONES.map((_, bone) => {
    const joint = humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3);
    const side = BONES[bone].startsWith('left') ? 1 : -1;
    return skin !== null && isHandBone(bone)
      ? spreadPoints(positions, groups[bone], body.triangles, faces[bone], joint, side, HAND_SPACING * height)
      : new Float64Array(0);
  });
  return {
    from,
    floor,
    height,
    handSkin,
    points,
    bones: Int16Array.from(bones),
    pelvisEnd,
    trunkEnd,
    trunk,
    armsEnd,
    soles,
    palms,
    radii,
    cloth: describeCloth(all, cloth, owners, positions),
  };
}
