/** Decides which nodes of a region rotate with which driver, and by which fraction. */
import { BONE, BONES, presentParent, SIDES } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { childBoneDriver, ownBoneDriver, type TwistCharacter, type TwistDriver } from './twist-drivers.ts';
import { isDescendantBone, nodesBetween, type TwistRegion, transformIn } from './twist-region.ts';

/** The next bone of each limb segment; its twist is distributed along the segment. */
const LIMB_NEXT: ReadonlyMap<number, number> = new Map(
  SIDES.flatMap((side): [number, number][] => [
    [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`]],
    [BONE[`${side}LowerArm`], BONE[`${side}Hand`]],
    [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`]],
    [BONE[`${side}LowerLeg`], BONE[`${side}Foot`]],
  ]),
);
/** First bones of the limbs. Twist joints beside them take less of the bone's own twist, the less the nearer to the torso. */
const LIMB_ROOTS: ReadonlySet<number> = new Set([
  BONE.leftUpperArm,
  BONE.rightUpperArm,
  BONE.leftUpperLeg,
  BONE.rightUpperLeg,
]);
/** Bones whose rotation can be distributed to the joints above them. */
const DISTRIBUTED = /^(?:spine|chest|upperChest|neck|head)$|(?:ThumbProximal|Intermediate|Distal)$/;
/** The palm is rigid: joints below a hand get no distributed rotation. */
const HANDS: ReadonlySet<number> = new Set([BONE.leftHand, BONE.rightHand]);

/** Joints within this distance, relative to the length of the segment, are at the same position. */
const SAME_POSITION = 0.01;
/** Joints farther than this from the line of a segment, relative to its length, are not on the segment. */
const BESIDE = 0.15;
/** Directions within this angle of the line of the segment, radians, are on it: float32 noise. */
const ON_LINE = 1e-5;
/** A numbered joint of the same name is a twist joint from here on, relative to the segment; before, it is a copy of the bone. */
const LEAST_PART = 0.05;

/** How a node rotates. */
export interface NodeTwist {
  /** The rotation it takes a fraction of; null if neither the node nor a node above it in the region rotates. */
  readonly driver: TwistDriver | null;
  /** Fraction of Δ, accumulated from the bone of the region down to the node. */
  readonly fraction: number;
  readonly depth: number;
}

/** A node that keeps its rest rotation. */
export const NO_TWIST: NodeTwist = { driver: null, fraction: 0, depth: 0 };

/** Returns the fractions of the joints between the bone of a region and `next`: equal steps per position, 0 at the bone, 1 at `next`. */
function evenFractions(character: TwistCharacter, region: TwistRegion, next: number): Map<number, number> {
  const node = character.target.map.nodes[next];
  const path = nodesBetween(region, character.target.skeleton.parents, node).filter(character.isUsable);
  const end = transformIn(region, node).position;
  const near = SAME_POSITION * vec3.length(end, 0);
  const steps = new Map<number, number>();
  let last = transformIn(region, region.boneNode).position;
  let step = 0;
  for (const joint of path) {
    const { position } = transformIn(region, joint);
    if (vec3.distance(position, 0, last, 0) > near) step++;
    last = position;
    steps.set(joint, step);
  }
  const count = vec3.distance(last, 0, end, 0) > near ? step + 1 : step;
  return new Map([...steps].map(([joint, steps]) => [joint, count > 0 ? steps / count : 0]));
}

/** Returns the position of a node along a segment, 0…1; null if the node is beside it. */
function alongSegment(position: Float64Array, end: Float64Array): number | null {
  const squared = vec3.dot(end, 0, end, 0);
  if (!(squared > 0)) return null;
  const along = vec3.dot(position, 0, end, 0) / squared;
  const foot = Float64Array.from(end, (x) => x * along);
  if (along < -SAME_POSITION || along > 1 + BESIDE) return null;
  if (vec3.distance(position, 0, foot, 0) > BESIDE * Math.sqrt(squared)) return null;
  return Math.min(1, Math.max(0, along));
}

/**
 * Returns the axis about which a joint between two bones rotates without moving the lower bone: from the joint to that bone. Null on the
 * line between the bones, where the axis of the segment applies.
 */
function axisBesideLine(position: Float64Array, end: Float64Array): Float64Array | null {
  const axis = new Float64Array(3);
  vec3.subtract(axis, 0, end, 0, position, 0);
  const length = vec3.length(end, 0);
  if (vec3.normalize(axis, 0, axis, 0) <= SAME_POSITION * length) return null;
  return vec3.angleBetween(axis, 0, end, 0) <= ON_LINE ? null : axis;
}

/**
 * Finds the child bone that a node duplicates: both are at the same position, and the bones below the node are descendants of that bone, or
 * the two have similar names. Returns −1 without one.
 */
function duplicatedBone(
  { target, names }: TwistCharacter,
  region: TwistRegion,
  node: number,
  bonesBelow: readonly number[],
): number {
  const { nodes } = target.map;
  const { position } = transformIn(region, node);
  for (const bone of region.childBones) {
    const other = transformIn(region, nodes[bone]).position;
    if (!(vec3.distance(position, 0, other, 0) <= SAME_POSITION * vec3.length(other, 0))) continue;
    if (!(vec3.length(other, 0) > 0) || presentParent(bone, nodes) !== region.bone) continue;
    const belong = bonesBelow.length > 0 ? bonesBelow.every((below) => isDescendantBone(below, bone)) : null;
    if (belong ?? (names.areAlike(node, nodes[bone]) && !names.isTwist(node))) return bone;
  }
  return -1;
}

/** Tells whether a node beside a limb is a twist joint: by its name, or as a numbered part of the limb some way along it. */
function isTwistJoint(
  { target, names }: TwistCharacter,
  { boneNode }: TwistRegion,
  node: number,
  along: number,
): boolean {
  if (names.isTwist(node)) return true;
  return target.skeleton.joints[node] === 1 && along > LEAST_PART && names.areAlike(node, boneNode);
}

export function assignTwists(
  character: TwistCharacter,
  region: TwistRegion,
  twist: boolean,
  distribute: boolean,
): Map<number, NodeTwist> {
  const { target, isUsable } = character;
  const { parents } = target.skeleton;
  const { nodes } = target.map;
  const isChild = (bone: number | undefined): bone is number => bone !== undefined && region.childBones.includes(bone);
  const pathTo = (bone: number): number[] => nodesBetween(region, parents, nodes[bone]);
  const paths = new Map(region.childBones.map((bone) => [bone, new Set(pathTo(bone))]));
  const bonesBelow = (node: number): number[] => region.childBones.filter((bone) => paths.get(bone)?.has(node));

  const limbNext = LIMB_NEXT.get(region.bone);
  const limb = twist && isChild(limbNext) ? limbNext : null;
  const end = limb === null ? null : transformIn(region, nodes[limb]).position;
  const axis = new Float64Array(3);
  const hasAxis = end !== null && vec3.normalize(axis, 0, end, 0) > 0;
  const distributes = distribute && !HANDS.has(region.bone);
  const next = region.childBones.find(
    (bone) => distributes && DISTRIBUTED.test(BONES[bone]) && presentParent(bone, nodes) === region.bone,
  );
  const even = next === undefined ? null : evenFractions(character, region, next);
  const nextDriver = next === undefined ? null : childBoneDriver(character, region, next, null);
  const limbDriver = limb !== null && hasAxis ? childBoneDriver(character, region, limb, axis) : null;
  const boneAbove = presentParent(region.bone, nodes);
  const isRoot = limbDriver !== null && LIMB_ROOTS.has(region.bone) && boneAbove >= 0;
  const ownDriver = isRoot ? ownBoneDriver(character, region, axis) : null;

  const twists = new Map<number, NodeTwist>();
  for (const node of region.nodes) {
    const above = twists.get(parents[node]) ?? NO_TWIST;
    const rotated = (driver: TwistDriver, fraction: number): NodeTwist => {
      if (above.driver !== null && above.driver !== driver) return above;
      return fraction === above.fraction ? above : { driver, fraction, depth: above.depth + 1 };
    };
    const assign = (): NodeTwist => {
      if (!isUsable(node)) return above;
      const evenly = even?.get(node);
      if (evenly !== undefined && nextDriver !== null) return rotated(nextDriver, evenly);
      const below = bonesBelow(node);
      if (limb === null || !below.includes(limb)) {
        const duplicated = duplicatedBone(character, region, node, below);
        if (duplicated >= 0) return rotated(childBoneDriver(character, region, duplicated, null), 1);
      }
      if (limbDriver === null || limb === null || end === null) return above;
      const along = alongSegment(transformIn(region, node).position, end);
      if (along === null) return above;
      if (below.includes(limb)) {
        const ownAxis = axisBesideLine(transformIn(region, node).position, end);
        const driver = ownAxis === null ? limbDriver : childBoneDriver(character, region, limb, ownAxis);
        return rotated(driver, Math.max(above.fraction, along));
      }
      if (below.length > 0 || !isTwistJoint(character, region, node, along)) return above;
      return ownDriver === null ? rotated(limbDriver, along) : rotated(ownDriver, along - 1);
    };
    const assigned = assign();
    if (assigned !== NO_TWIST) twists.set(node, assigned);
  }
  return twists;
}
