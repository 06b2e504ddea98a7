/**
 * What the ruler knows of a character: which way it faces, how tall it is, where its ground is and which points of its skin form which bone. Everything
 * comes from the positions of its joints in the file and from its skin. The reference pose and the frame of a Humanoid are not used: they are what is judged.
 */
import { countPoints, mainNode, type SkinPoints, skinPoint } from '../deform/skin-points.ts';
import { BONE, BONE_COUNT, BONES, type BoneName, isFingerBone, SIDES, type Side } from '../humanoid/bones.ts';
import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import * as vec3 from '../math/vec3.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';

/** A character as the ruler takes it. A Humanoid with its map fits: `{ skeleton, nodes: map.nodes }`. */
interface MeasuredCharacter {
  /** The skeleton, as in the file. */
  readonly skeleton: Skeleton;
  /** Node of every bone, −1 where the bone is absent; 55 entries. */
  readonly nodes: Int32Array;
  /** Vertices and triangles, from `collectSkinPoints`; null without meshes. */
  readonly skin?: SkinPoints | null;
}

/** Points of the skin that can be the lowest of a bone: those that are outermost in one of many directions. */
interface Outline {
  /** Bone whose surface they form. */
  readonly bone: number;
  /** Indices of points of the skin. */
  readonly points: Int32Array;
}

/** A character that can be measured. Positions and heights in units of the file, in axes that face +Z with +Y up. */
export interface MeasuredBody {
  /** Its skeleton. */
  readonly skeleton: Skeleton;
  /** Node of every bone. */
  readonly nodes: Int32Array;
  /** Its skin; null without. */
  readonly skin: SkinPoints | null;
  /** Bone whose surface every point of the skin forms, −1 for hair, skirts and weapons; empty without a skin. */
  readonly pointBones: Int16Array;
  /** Rows of the rotation from the axes of the file: left, up, front; 9 numbers. */
  readonly axes: Float64Array;
  /** Model matrices of the pose of the file in which the character stands best: rest or bind pose. */
  readonly rest: Float64Array;
  /** Whether that pose stands upright with its arms and legs apart from each other, so that it says which way the character faces. */
  readonly isStanding: boolean;
  /** Height of the head joint above the lowest foot. */
  readonly height: number;
  /** Height of the ground above the origin. */
  readonly ground: number;
  /** Height of the middle of the hip joints above the ground, with straight legs. */
  readonly pelvisHeight: number;
  /** Length of thigh and shin. */
  readonly legLength: number;
  /** Outlines of the bones with a skin. */
  readonly outlines: readonly Outline[];
}

/** Angle from +Y up to which a character in the file stands upright, degrees: glTF and VRM have +Y up, and heads are forward of hips. */
const UPRIGHT = 60;
/** Angle from an axis of the file within which up is that axis, degrees: heads are forward of hips. */
const UP_SNAP = 30;
/** The same of left, degrees: joints of real rigs are off the axes of their file by noise. */
const LEFT_SNAP = 3;
/** By how much the limbs of a bind pose must be closer to a T-pose than those of the rest pose, degrees, to be taken instead. */
const BIND_MARGIN = 5;
/** Height of the lowest foot joint above the origin, relative to the height of the character, within which the ground is at the origin. */
const GROUND_RANGE = [-0.03, 0.2] as const;
/** Height of the pelvis of a body that does not stand, in lengths of its legs: ankles of characters are about a tenth of their leg above the sole. */
const LEG_TO_PELVIS = 1.1;
/** Most degrees that legs are from straight down, and shoulders from the direction of the hips, in a pose that stands. */
const STANDING = 50;

type Points = (bone: number) => Float64Array;

function pointsOf(matrices: ArrayLike<number>, nodes: Int32Array): Points {
  return (bone) => {
    const at = MATRIX_STRIDE * nodes[bone] + 12;
    return Float64Array.of(matrices[at], matrices[at + 1], matrices[at + 2]);
  };
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, k) => value - b[k]);
}

function unit(v: Float64Array): Float64Array {
  const length = Math.hypot(...v) || 1;
  return v.map((value) => value / length);
}

function degreesBetween(a: Float64Array, b: Float64Array): number {
  return vec3.angleBetween(a, 0, b, 0) * DEGREES_PER_RADIAN;
}

/** Returns the axis of the file within some degrees of a direction; otherwise the direction. */
function snapped(v: Float64Array, degrees: number): Float64Array {
  const most = Math.max(...v.map(Math.abs));
  const axis = v.map((value) => (Math.abs(value) === most ? Math.sign(value) : 0));
  return degreesBetween(v, axis) < degrees ? axis : v;
}

/** The part of a direction across another, unit length. */
function across(v: Float64Array, axis: Float64Array): Float64Array {
  const along = vec3.dot(v, 0, axis, 0);
  return unit(v.map((value, k) => value - along * axis[k]));
}

const UP_BONES: readonly BoneName[] = ['head', 'neck', 'upperChest', 'chest', 'spine', 'leftUpperArm'];
const has = (nodes: Int32Array, name: BoneName): boolean => nodes[BONE[name]] >= 0;

/** Direction from hips to head and from right to left; null where joints for it are missing or coincide. */
function trunkDirections(nodes: Int32Array, point: Points): { up: Float64Array; left: Float64Array } | null {
  const top = UP_BONES.find((name) => has(nodes, name));
  const pairs = (['UpperLeg', 'UpperArm'] as const).filter((part) =>
    SIDES.every((side) => has(nodes, `${side}${part}`)),
  );
  if (top === undefined || pairs[0] !== 'UpperLeg') return null;
  const hips = point(BONE.leftUpperLeg).map((value, k) => (value + point(BONE.rightUpperLeg)[k]) / 2);
  const left = new Float64Array(3);
  for (const part of pairs) {
    const line = unit(minus(point(BONE[`left${part}`]), point(BONE[`right${part}`])));
    for (let c = 0; c < 3; c++) left[c] += line[c];
  }
  const up = minus(point(BONE[top]), hips);
  return Math.hypot(...up) > 0 && Math.hypot(...left) > 0 ? { up: unit(up), left: unit(left) } : null;
}

/** Segments of arms and legs with their direction in a T-pose: along left for arms, down for legs. */
const POSED = SIDES.flatMap((side) => {
  const sign = side === 'left' ? 1 : -1;
  return (
    [
      ['UpperArm', 'LowerArm', sign],
      ['LowerArm', 'Hand', sign],
      ['UpperLeg', 'LowerLeg', 0],
      ['LowerLeg', 'Foot', 0],
    ] as const
  ).map(([from, to, arm]) => ({ from: BONE[`${side}${from}`], to: BONE[`${side}${to}`], arm }));
});

/** Mean angle of arms and legs from a T-pose, degrees; 0 where joints for it are missing. */
function distanceFromTPose(nodes: Int32Array, point: Points): number {
  const trunk = trunkDirections(nodes, point);
  const limbs = POSED.filter(({ from, to }) => nodes[from] >= 0 && nodes[to] >= 0);
  if (trunk === null || limbs.length === 0) return 0;
  const { left } = trunk;
  const up = across(trunk.up, left);
  const angles = limbs.map(({ from, to, arm }) => {
    const expected = arm === 0 ? up.map((v) => -v) : left.map((v) => arm * v);
    return degreesBetween(minus(point(to), point(from)), expected);
  });
  return angles.reduce((sum, angle) => sum + angle, 0) / angles.length;
}

/** Chooses between rest pose and bind pose. */
function standingPose({ skeleton, nodes }: MeasuredCharacter): Float64Array {
  const rest = modelMatrices(skeleton.parents, skeleton.rest);
  if (skeleton.bind === null) return rest;
  const [ofRest, ofBind] = [rest, skeleton.bind].map((pose) => distanceFromTPose(nodes, pointsOf(pose, nodes)));
  return ofRest <= ofBind + BIND_MARGIN ? rest : Float64Array.from(skeleton.bind);
}

/** Rows left, up, front. */
function rowsOf(up: Float64Array, left: Float64Array): Float64Array {
  const front = new Float64Array(3);
  vec3.cross(front, 0, left, 0, up, 0);
  return Float64Array.of(...left, ...up, ...front);
}

function axesOf(nodes: Int32Array, point: Points): Float64Array {
  const trunk = trunkDirections(nodes, point);
  if (trunk === null) return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const y = Float64Array.of(0, 1, 0);
  const up = degreesBetween(trunk.up, y) < UPRIGHT ? y : snapped(trunk.up, UP_SNAP);
  const left = across(snapped(across(trunk.left, up), LEFT_SNAP), up);
  return rowsOf(up, left);
}

/** Rotates a position or direction from the axes of the file. `out` receives xyz at `o`. */
export function toAxes(out: Float64Array, o: number, axes: Float64Array, v: ArrayLike<number>, i: number): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  out[o] = axes[0] * x + axes[1] * y + axes[2] * z;
  out[o + 1] = axes[3] * x + axes[4] * y + axes[5] * z;
  out[o + 2] = axes[6] * x + axes[7] * y + axes[8] * z;
}

/** Finds the joint of a foot that touches the ground: toes, else ankle. */
export function footBone(nodes: Int32Array, side: Side): number {
  const toes = BONE[`${side}Toes`];
  return nodes[toes] >= 0 ? toes : BONE[`${side}Foot`];
}

export function standingHeight({ axes, rest, nodes, ground }: MeasuredBody, bone: number): number {
  const out = new Float64Array(3);
  toAxes(out, 0, axes, rest, MATRIX_STRIDE * nodes[bone] + 12);
  return out[1] - ground;
}

const LIMB = /(?:Arm|Leg|Hand|Foot|Toes)$/;

/** Bone whose surface a node moves, −1 for none: hair, skirts and capes are below head, hips and chest, twist joints are below limbs. */
function bonesOfNodes({ parents }: Skeleton, nodes: Int32Array): Int16Array {
  const bones = new Int16Array(parents.length).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (nodes[bone] >= 0) bones[nodes[bone]] = bone;
  const leadsToBone = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if ((bones[node] >= 0 || leadsToBone[node] === 1) && parents[node] >= 0) leadsToBone[parents[node]] = 1;
  }
  for (let node = 0; node < parents.length; node++) {
    const above = parents[node] < 0 ? -1 : bones[parents[node]];
    if (bones[node] >= 0 || above < 0) continue;
    const isLimb = LIMB.test(BONES[above]) || isFingerBone(BONES[above]);
    if (leadsToBone[node] === 1 || isLimb) bones[node] = above;
  }
  return bones;
}

/** Bone of every point. A rigid mesh at a bone that has skinned vertices is a weapon or a helmet. */
function bonesOfPoints(skeleton: Skeleton, nodes: Int32Array, skin: SkinPoints): Int16Array {
  const ofNodes = bonesOfNodes(skeleton, nodes);
  const bones = Int16Array.from({ length: countPoints(skin) }, (_, point) => ofNodes[mainNode(skin, point)]);
  const isSkinned = new Uint8Array(BONE_COUNT);
  bones.forEach((bone, point) => {
    if (bone >= 0 && skin.rigid[point] === 0) isSkinned[bone] = 1;
  });
  return bones.map((bone, point) => (bone >= 0 && skin.rigid[point] === 1 && isSkinned[bone] === 1 ? -1 : bone));
}

/** Directions all around, evenly spaced along a spiral. */
const DIRECTIONS = Array.from({ length: 96 }, (_, k) => {
  const z = 1 - (2 * k + 1) / 96;
  const angle = k * Math.PI * (3 - Math.sqrt(5));
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z] as const;
});

function outlinesOf(skin: SkinPoints, pointBones: Int16Array, rest: Float64Array): Outline[] {
  const best = new Map<number, { far: Float64Array; points: Int32Array }>();
  const p = new Float64Array(3);
  for (let point = 0; point < pointBones.length; point++) {
    const bone = pointBones[point];
    if (bone < 0) continue;
    let outline = best.get(bone);
    if (outline === undefined) {
      outline = { far: new Float64Array(DIRECTIONS.length).fill(-Infinity), points: new Int32Array(DIRECTIONS.length) };
      best.set(bone, outline);
    }
    skinPoint(p, 0, skin, point, rest);
    for (let k = 0; k < DIRECTIONS.length; k++) {
      const [x, y, z] = DIRECTIONS[k];
      const far = x * p[0] + y * p[1] + z * p[2];
      if (far > outline.far[k]) {
        outline.far[k] = far;
        outline.points[k] = point;
      }
    }
  }
  return [...best].map(([bone, { points }]) => ({ bone, points: Int32Array.from(new Set(points)) }));
}

/**
 * Describes a character for the ruler.
 *
 * @param character Skeleton, bones and skin.
 * @returns The body, which measures of all its clips share.
 * @experimental
 */
export function describeBody(character: MeasuredCharacter): MeasuredBody {
  const { skeleton, nodes } = character;
  const skin = character.skin ?? null;
  const rest = standingPose(character);
  const point = pointsOf(rest, nodes);
  const axes = axesOf(nodes, point);
  const at = (bone: number): Float64Array => {
    const out = new Float64Array(3);
    toAxes(out, 0, axes, point(bone), 0);
    return out;
  };
  const present = BONES.map((_, bone) => bone).filter((bone) => nodes[bone] >= 0);
  const highest = UP_BONES.find((name) => has(nodes, name));
  const top = highest === undefined ? 0 : at(BONE[highest])[1];
  const feet = SIDES.map((side) => footBone(nodes, side)).filter((bone) => nodes[bone] >= 0);
  const low = Math.min(...(feet.length > 0 ? feet : present).map((bone) => at(bone)[1]));
  const isStanding = isStandingIn(nodes, point, axes);
  const ground = low > GROUND_RANGE[0] * (top - low) && low < GROUND_RANGE[1] * (top - low) ? 0 : low;
  const length = (a: number, b: number): number => Math.hypot(...minus(at(a), at(b)));
  const legs = SIDES.flatMap((side) => {
    const [hip, knee, ankle] = (['UpperLeg', 'LowerLeg', 'Foot'] as const).map((part) => BONE[`${side}${part}`]);
    if ([hip, knee, ankle].some((bone) => nodes[bone] < 0)) return [];
    return [{ length: length(hip, knee) + length(knee, ankle), ankle: at(ankle)[1] - ground }];
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const legLength = legs.length > 0 ? mean(legs.map((leg) => leg.length)) : (top - low) / 2;
  const standing = legs.length > 0 ? legLength + mean(legs.map(({ ankle }) => ankle)) : legLength;
  const pelvisHeight = isStanding ? standing : LEG_TO_PELVIS * legLength;
  const height =
    isStanding || highest === undefined
      ? top - low
      : pelvisHeight + length(nodes[BONE.leftUpperLeg] < 0 ? BONE.hips : BONE.leftUpperLeg, BONE[highest]);
  const pointBones = skin === null ? new Int16Array(0) : bonesOfPoints(skeleton, nodes, skin);
  return {
    skeleton,
    nodes,
    skin,
    pointBones,
    axes,
    rest,
    isStanding,
    height: Math.max(height, 1e-9),
    ground,
    pelvisHeight,
    legLength,
    outlines: skin === null ? [] : outlinesOf(skin, pointBones, rest),
  };
}

/** Tells whether legs point down, and hips and shoulders the same way. */
function isStandingIn(nodes: Int32Array, point: Points, axes: Float64Array): boolean {
  const trunk = trunkDirections(nodes, point);
  if (trunk === null) return false;
  const [left, up] = [axes.slice(0, 3), axes.slice(3, 6)];
  const down = up.map((v) => -v);
  const legs = POSED.filter(({ from, to, arm }) => arm === 0 && nodes[from] >= 0 && nodes[to] >= 0);
  return (
    degreesBetween(trunk.up, up) < STANDING &&
    degreesBetween(across(trunk.left, up), left) < STANDING &&
    legs.every(({ from, to }) => degreesBetween(minus(point(to), point(from)), down) < STANDING)
  );
}
