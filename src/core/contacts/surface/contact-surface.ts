/** Finds what of a character can touch the ground: soles of its feet, and the surface of every bone. */
import { BONE, BONE_COUNT, BONES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import * as mat4 from '../../math/mat4.ts';
import { helperNames } from '../../retarget/helper-names.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import { extremePoints, FEW_DIRECTIONS, MANY_DIRECTIONS } from './extreme-points.ts';
import { jointPoints } from './joint-points.ts';
import { referenceMatrices } from './reference-matrices.ts';
import { countPoints, mainNode, type SkinPoints, selectPoints, skinPoint } from './skin-points.ts';

/** A side of a humanoid. */
export type Side = 'left' | 'right';

/** Both sides, in the order of soles. */
export const SIDES: readonly Side[] = ['left', 'right'];

/** The sole of a foot in the reference pose. */
export interface Sole {
  /** Point on the ground below the ankle, in the space of the foot node, xyz. */
  readonly heel: Float64Array;
  /** Toe joint, or the corresponding point of a foot without toes, in the space of the foot node, xyz. */
  readonly ball: Float64Array;
  /** Points of {@link ContactSurface.points} that belong to the foot: from this one … */
  readonly from: number;
  /** … to before this one. */
  readonly to: number;
  /** Outline on the ground, canonical frame, meters: x and z per corner, convex, counter-clockwise seen from above. */
  readonly outline: Float64Array;
  /** Height of the ankle above the lowest point of the foot, meters. */
  readonly ankleHeight: number;
  /** Height of the ball above the lowest point of the foot, meters. */
  readonly ballHeight: number;
}

/** What of a character can touch the ground, found once per character. */
export interface ContactSurface {
  /** Whether it comes from the skin, or from the joints alone. */
  readonly from: 'skin' | 'joints';
  /** Height of the ground, canonical frame, meters. */
  readonly floor: number;
  /** Points that can touch the ground, ordered by bone; feet and their toes last. */
  readonly points: SkinPoints;
  /** Humanoid bone of every point. */
  readonly bones: Int16Array;
  /** Points before this one belong to the trunk, head, thighs and knees. */
  readonly trunkEnd: number;
  /** Points from `trunkEnd` to before this one belong to the arms. */
  readonly armsEnd: number;
  /** The sole of each foot; null where the leg is incomplete. */
  readonly soles: Readonly<Record<Side, Sole | null>>;
}

/** A sole further than this from the ground of the humanoid, relative to the hips height, is not on it. */
const SOLE_TOLERANCE = 0.05;

const sideOf = (bone: number): number => (BONES[bone].startsWith('left') ? 0 : 1);
const isFoot = (bone: number): boolean => /(Foot|Toes)$/.test(BONES[bone]);
const isArm = (bone: number): boolean => /Arm|Hand|Thumb|Index|Middle|Ring|Little/.test(BONES[bone]);
/** Order of the parts: trunk, arms, feet. */
const partOf = (bone: number): number => (isFoot(bone) ? 2 : isArm(bone) ? 1 : 0);

/** Assigns every node the bone whose surface it forms; −1 for hair, skirts, weapons and other parts outside the bones. */
function surfaceBones({ skeleton, map }: Humanoid): Int16Array {
  const { parents } = skeleton;
  const bones = mapNodesToBones(map.nodes, parents.length);
  const names = helperNames(skeleton);
  const hasBoneBelow = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if ((bones[node] >= 0 || hasBoneBelow[node] === 1) && parents[node] >= 0) hasBoneBelow[parents[node]] = 1;
  }
  return Int16Array.from(bones, (bone, node) => {
    if (bone >= 0) return bone;
    const above = boneAtOrAbove(parents, bones, node);
    if (above < 0 || hasBoneBelow[node] === 1) return above;
    return isFoot(above) || /Hand|Thumb|Index|Middle|Ring|Little/.test(BONES[above]) || names.isTwist(node)
      ? above
      : -1;
  });
}

/** Tells whether a point of a shin is in its lower half, which is always close to the ground: the foot touches it first. */
function isBelowCalf({ map, reference: { positions } }: Humanoid, bone: number, height: number): boolean {
  if (!/LowerLeg$/.test(BONES[bone])) return false;
  const foot = BONE[`${sideOf(bone) === 0 ? 'left' : 'right'}Foot`];
  return map.nodes[foot] >= 0 && height < (positions[3 * bone + 1] + positions[3 * foot + 1]) / 2;
}

/** Convex hull of points in the plane (Andrew's monotone chain). */
function convexHull(points: readonly (readonly [number, number])[]): number[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
    const hull: (readonly [number, number])[] = [];
    for (const p of list) {
      while (hull.length > 1) {
        const [a, b] = [hull[hull.length - 2], hull[hull.length - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())].flat();
}

function findSole(
  { map, reference }: Humanoid,
  side: Side,
  floor: number,
  matrices: Float64Array,
  points: SkinPoints,
  range: readonly [number, number],
): Sole | null {
  const [foot, toes] = [BONE[`${side}Foot`], BONE[`${side}Toes`]];
  const legs = [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], foot];
  if (legs.some((bone) => map.nodes[bone] < 0)) return null;
  const { positions } = reference;
  const posed = new Float64Array(3 * (range[1] - range[0]));
  let low = floor;
  for (let p = range[0]; p < range[1]; p++) {
    skinPoint(posed, 3 * (p - range[0]), points, p, matrices);
    const height = posed[3 * (p - range[0]) + 1] - points.radii[p];
    low = p === range[0] ? height : Math.min(low, height);
  }
  const ankle = positions.subarray(3 * foot, 3 * foot + 3);
  const thickness = ankle[1] - low;
  const corners: (readonly [number, number])[] = [];
  let front = ankle[2];
  for (let at = 0; at < posed.length; at += 3) {
    if (posed[at + 1] > low + 0.3 * thickness) continue;
    corners.push([posed[at], posed[at + 2]]);
    front = Math.max(front, posed[at + 2]);
  }
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * map.nodes[foot]);
  const heel = Float64Array.of(ankle[0], low, ankle[2]);
  // The ball of a foot is at about two thirds of the way from the ankle to the tip of the toes.
  const ball =
    map.nodes[toes] >= 0
      ? positions.slice(3 * toes, 3 * toes + 3)
      : Float64Array.of(ankle[0], low + 0.3 * thickness, ankle[2] + 0.65 * (front - ankle[2]));
  const ballHeight = ball[1] - low;
  mat4.transformPoint(heel, 0, inverse, 0, heel, 0);
  mat4.transformPoint(ball, 0, inverse, 0, ball, 0);
  const outline = Float64Array.from(convexHull(corners));
  return { heel, ball, from: range[0], to: range[1], outline, ankleHeight: thickness, ballHeight };
}

/** The ground of a humanoid; where it was put at the lowest foot joint, the soles are below it. */
function findFloor({ ground, hipsHeight, reference, map }: Humanoid, lowest: number): number {
  const feet = ['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const;
  const joints = feet
    .filter((name) => map.nodes[BONE[name]] >= 0)
    .map((name) => reference.positions[3 * BONE[name] + 1]);
  const isAtJoint = ground !== 0 && joints.some((height) => Math.abs(height - ground) < 1e-6 * hipsHeight);
  return isAtJoint && lowest < ground && lowest > ground - 4 * SOLE_TOLERANCE * hipsHeight ? lowest : ground;
}

/**
 * Describes the surface of a character: the points of its skin that can touch the ground, and the soles of its feet in the reference pose.
 *
 * @param humanoid The character.
 * @param skin Vertices of its meshes; null without meshes: then soles and thickness are estimated from the joints.
 * @returns The surface. It belongs to this humanoid.
 */
export function describeContactSurface(humanoid: Humanoid, skin: SkinPoints | null): ContactSurface {
  const matrices = referenceMatrices(humanoid);
  const { parents } = humanoid.skeleton;
  const surface = surfaceBones(humanoid);
  const bonesOfNodes = mapNodesToBones(humanoid.map.nodes, parents.length);
  const all = skin ?? jointPoints(humanoid, matrices);
  const groups: number[][] = Array.from({ length: BONE_COUNT }, () => []);
  const rigidGroups: number[][] = Array.from({ length: BONE_COUNT }, () => []);
  const position = new Float64Array(3);
  for (let point = 0; point < countPoints(all); point++) {
    const node = mainNode(all, point);
    const isRigid = all.rigid[point] === 1;
    const bone = isRigid ? boneAtOrAbove(parents, bonesOfNodes, node) : surface[node];
    if (bone < 0) continue;
    skinPoint(position, 0, all, point, matrices);
    if (!isBelowCalf(humanoid, bone, position[1])) (isRigid ? rigidGroups : groups)[bone].push(point);
  }
  // A rigid mesh at a bone with skinned vertices is a weapon or another accessory; at a bone without, it is the surface itself.
  for (const [bone, group] of groups.entries()) if (group.length === 0) groups[bone] = rigidGroups[bone];
  if (
    skin !== null &&
    !SIDES.some((side) => groups[BONE[`${side}Foot`]].length + groups[BONE[`${side}Toes`]].length > 0)
  )
    return describeContactSurface(humanoid, null);
  const order = BONES.map((_, bone) => bone).sort(
    (a, b) => partOf(a) - partOf(b) || (isFoot(a) ? sideOf(a) - sideOf(b) : 0) || a - b,
  );
  const chosen: number[] = [];
  const bones: number[] = [];
  let trunkEnd = 0;
  let armsEnd = 0;
  const ranges: [number, number][] = [
    [0, 0],
    [0, 0],
  ];
  for (const bone of order) {
    const group = groups[bone];
    const posed = new Float64Array(3 * group.length);
    for (const [k, point] of group.entries()) skinPoint(posed, 3 * k, all, point, matrices);
    const extremes =
      skin === null ? [...group.keys()] : extremePoints(posed, isFoot(bone) ? MANY_DIRECTIONS : FEW_DIRECTIONS);
    const start = chosen.length;
    for (const k of extremes) {
      chosen.push(group[k]);
      bones.push(bone);
    }
    if (partOf(bone) === 0) trunkEnd = chosen.length;
    if (partOf(bone) < 2) armsEnd = chosen.length;
    else if (/Foot$/.test(BONES[bone])) ranges[sideOf(bone)] = [start, chosen.length];
    else ranges[sideOf(bone)][1] = chosen.length;
  }
  const points = selectPoints(all, chosen);
  let lowest = Number.POSITIVE_INFINITY;
  for (let p = armsEnd; p < chosen.length; p++) {
    skinPoint(position, 0, points, p, matrices);
    lowest = Math.min(lowest, position[1] - points.radii[p]);
  }
  const floor = findFloor(humanoid, lowest);
  const [left, right] = SIDES.map((side, s) => findSole(humanoid, side, floor, matrices, points, ranges[s]));
  const from = skin === null ? 'joints' : 'skin';
  return { from, floor, points, bones: Int16Array.from(bones), trunkEnd, armsEnd, soles: { left, right } };
}
