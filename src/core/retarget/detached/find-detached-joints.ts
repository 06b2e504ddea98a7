/**
 * Finds skin joints that belong to a bone but are outside the bone hierarchy. Rigs made for programs that constrain such joints have
 * them: a deforming spine beside the control bones, copies of the limbs below the root.
 */
import { BONE_COUNT, presentParent } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import { bindModelPose, type ModelPose, toModelPose } from '../../humanoid/t-pose/model-pose.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { HelperNames } from '../helper-names.ts';

/** A joint without a bone above it belongs to the nearest segment within this distance, or to that of the nearest such joint, relative to the height of the character. */
const NEAR = 0.1;
/** A joint within this distance of another one coincides with it, relative to the height of the character. */
export const SAME_POSITION = 0.005;
/** A joint this near to the model origin, relative to the height of the character, is a root and belongs to no foot. */
export const AT_ORIGIN = 0.01;
/** From here on along a segment a joint belongs to the next bone. */
const SEGMENT_END = 0.95;
/** Greatest difference that counts as noise, radians or relative to the length: inverse bind matrices are float32. */
const NOISE = 1e-4;

/** A detached joint and what it moves with. */
export interface DetachedJoint {
  readonly node: number;
  readonly bone: number;
  /** Node that it keeps its transform relative to: that of the bone, or one below the bone that it duplicates. */
  readonly anchor: number;
  /** Whether it is a copy of its anchor: where that is in the bind pose, as the joints of clothes with a skeleton of their own are. */
  readonly isCopy: boolean;
}

/** Returns the pose in which joints and bones match: the bind pose; without bind matrices the base pose, else the rest pose. */
export function bindOrBasePose(humanoid: Humanoid): ModelPose {
  const { skeleton, basePose } = humanoid;
  const base = (): ModelPose => toModelPose('shape', skeleton.parents, Float64Array.from(basePose ?? skeleton.rest));
  return bindModelPose(skeleton) ?? base();
}

/** A line from one bone to the next below it; its first part belongs to `bone`. */
interface Segment {
  readonly bone: number;
  readonly from: number;
  readonly to: number;
}

function listSegments({ map }: Humanoid): Segment[] {
  const segments: Segment[] = [];
  const ends = new Set<number>();
  for (let bone = BONE_COUNT - 1; bone >= 0; bone--) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    if (!ends.has(bone)) segments.push({ bone, from: node, to: node });
    const above = presentParent(bone, map.nodes);
    if (above < 0) continue;
    ends.add(above);
    segments.push({ bone: above, from: map.nodes[above], to: node });
  }
  return segments;
}

/** Returns the distance of a node from a segment; infinite beyond its end, where the next segment begins. */
function distanceFrom({ positions }: ModelPose, node: number, { from, to }: Segment): number {
  const line = new Float64Array(3);
  const toNode = new Float64Array(3);
  vec3.subtract(line, 0, positions, 3 * to, positions, 3 * from);
  vec3.subtract(toNode, 0, positions, 3 * node, positions, 3 * from);
  const squared = vec3.dot(line, 0, line, 0);
  const along = squared > 0 ? vec3.dot(toNode, 0, line, 0) / squared : 0;
  if (along > SEGMENT_END) return Number.POSITIVE_INFINITY;
  vec3.addScaled(toNode, 0, toNode, 0, line, 0, -Math.max(0, along));
  return vec3.length(toNode, 0);
}

function nearestBone(pose: ModelPose, node: number, segments: readonly Segment[], limit: number): number {
  let nearest = limit;
  let bone = -1;
  for (const segment of segments) {
    const distance = distanceFrom(pose, node, segment);
    if (!(distance < nearest)) continue;
    nearest = distance;
    bone = segment.bone;
  }
  return bone;
}

/**
 * Finds the bone of each of some nodes: that of the nearest segment within a distance. Without one, and where no node above has one, it is that of the nearest
 * node within the distance that has, as the forehead of a face is far from the joint of the head. Returns one bone per node of the skeleton, −1 for others and for those far from all.
 */
function nearestBones(
  pose: ModelPose,
  nodes: readonly number[],
  segments: readonly Segment[],
  limit: number,
  parents: Int32Array,
): Int16Array {
  const bones = new Int16Array(parents.length).fill(-1);
  for (const node of nodes) bones[node] = nearestBone(pose, node, segments, limit);
  const placed = nodes.filter((node) => bones[node] >= 0);
  for (const node of nodes) {
    if (bones[node] < 0 && boneAtOrAbove(parents, bones, node) < 0)
      bones[node] = bones[nearestNode(pose, node, placed, limit)] ?? -1;
  }
  return bones;
}

/** Returns the nearest of some nodes within a distance, −1 without one. */
function nearestNode({ positions }: ModelPose, node: number, others: readonly number[], limit: number): number {
  let least = limit;
  let nearest = -1;
  for (const other of others) {
    const distance = vec3.distance(positions, 3 * node, positions, 3 * other);
    if (!(distance < least)) continue;
    least = distance;
    nearest = other;
  }
  return nearest;
}

/** Counts the numbers that two names begin with in common: one of `Palm2.001` and `Palm2`. */
function countSharedNumbers(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => (name.match(/\d+/g) ?? []).map(Number));
  const end = one.findIndex((number, k) => number !== other[k]);
  return end < 0 ? one.length : end;
}

/**
 * Returns the node that a node outside the bones coincides with, as the joints of clothes with a skeleton of their own do: the bone, or the node of a similar
 * name below a bone. −1 without one.
 */
function coincidentNode(
  { positions, rotations }: ModelPose,
  { map, skeleton: { names } }: Humanoid,
  node: number,
  limit: number,
  namesakes: readonly number[],
): number {
  const isNear = (other: number): boolean => vec3.distance(positions, 3 * node, positions, 3 * other) <= limit;
  const near = namesakes.filter(isNear);
  // Joints that differ in a number start at one place too, as all metacarpals do at the wrist.
  const isParallel = (other: number): boolean => quat.angleBetween(rotations, 4 * node, rotations, 4 * other) <= NOISE;
  const shared = near.map((other) => countSharedNumbers(names[node], names[other]));
  const alike = near.filter((_, k) => shared[k] === Math.max(...shared));
  if (alike.length > 0) return alike.find(isParallel) ?? alike[0];
  let nearest = -1;
  let least = limit;
  for (const joint of map.nodes) {
    if (joint < 0) continue;
    const distance = vec3.distance(positions, 3 * node, positions, 3 * joint);
    if (distance > least || (distance === least && nearest >= 0)) continue;
    least = distance;
    nearest = joint;
  }
  return nearest;
}

/** Returns the bone that a node duplicates: within `limit` of its joint, with a similar name; −1 without one. */
function duplicatedBone(pose: ModelPose, { map }: Humanoid, node: number, limit: number, names: HelperNames): number {
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const joint = map.nodes[bone];
    if (joint < 0 || !(vec3.distance(pose.positions, 3 * node, pose.positions, 3 * joint) <= limit)) continue;
    if (names.areAlike(node, joint)) return bone;
  }
  return -1;
}

/** Tells whether a node has the same transform relative to its parent at rest as in the bind pose: then it moves with its parent. */
function keepsBindTransform(bind: ModelPose, rest: ModelPose, parent: number, node: number): boolean {
  const relative = new Float64Array(8);
  const offsets = new Float64Array(6);
  [bind, rest].forEach(({ rotations, positions }, k) => {
    quat.conjugate(relative, 4 * k, rotations, 4 * parent);
    vec3.subtract(offsets, 3 * k, positions, 3 * node, positions, 3 * parent);
    vec3.rotate(offsets, 3 * k, relative, 4 * k, offsets, 3 * k);
    quat.multiply(relative, 4 * k, relative, 4 * k, rotations, 4 * node);
  });
  if (quat.angleBetween(relative, 0, relative, 4) > NOISE) return false;
  return vec3.distance(offsets, 0, offsets, 3) <= NOISE * vec3.length(offsets, 0);
}

function markBoneAncestors({ skeleton, map }: Humanoid): Uint8Array {
  const marks = new Uint8Array(skeleton.parents.length);
  for (const bone of map.nodes) {
    for (let node = bone; node >= 0 && marks[node] === 0; node = skeleton.parents[node]) marks[node] = 1;
  }
  return marks;
}

/**
 * Finds the skin joints that belong to a bone which is not above them in the node tree. Controls, joints with bones below them and joints
 * far from the character are left out; but the IK joints of Unreal's skeletons follow the hands and feet that they coincide with, in a skin or not.
 */
export function findDetachedJoints(target: Humanoid, driven: ReadonlySet<number>, names: HelperNames): DetachedJoint[] {
  const { skeleton, map } = target;
  const { parents, joints } = skeleton;
  if (!joints.includes(1) && !skeleton.names.some((_, node) => names.isUnrealIk(node))) return [];
  const boneOfNode = mapNodesToBones(map.nodes, parents.length);
  const hasBones = markBoneAncestors(target);
  const isCandidate = (node: number): boolean =>
    (joints[node] === 1 || names.isUnrealIk(node)) && boneOfNode[node] < 0 && hasBones[node] === 0 && !driven.has(node);
  if (!skeleton.names.some((_, node) => isCandidate(node))) return [];
  const pose = bindOrBasePose(target);
  const rest = toModelPose('node', parents, Float64Array.from(skeleton.rest));
  const height = target.height / target.metersPerUnit;
  const isBelowBone = new Uint8Array(parents.length);
  for (let node = 0; node < parents.length; node++)
    isBelowBone[node] = boneOfNode[node] >= 0 || (parents[node] >= 0 && isBelowBone[parents[node]] === 1) ? 1 : 0;
  const isOutside = (node: number): boolean => isBelowBone[node] === 0;
  const isRoot = (node: number): boolean => vec3.length(pose.positions, 3 * node) <= AT_ORIGIN * height;
  const free = Array.from(parents.keys()).filter(
    (node) => isCandidate(node) && isOutside(node) && !isRoot(node) && !names.isControl(node),
  );
  const nearest = nearestBones(pose, free, listSegments(target), NEAR * height, parents);
  /** The bone that moves each node: its nearest ancestor bone, or the bone of a detached joint above it. */
  const carriers = new Int16Array(parents.length);
  /** Nodes that coincide with a node of the bones, and those below them, move like nodes below a bone. */
  const isBelowCopy = new Uint8Array(parents.length);
  const found: DetachedJoint[] = [];
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    carriers[node] = boneOfNode[node] >= 0 ? boneOfNode[node] : parent < 0 ? -1 : carriers[parent];
    if (parent >= 0) isBelowCopy[node] = isBelowCopy[parent];
    if (!isCandidate(node)) continue;
    const isFree = isOutside(node);
    if (isFree && isRoot(node)) continue;
    const isNamesake = (other: number): boolean => !isOutside(other);
    const twin = isFree
      ? coincidentNode(pose, target, node, SAME_POSITION * height, names.namesakes(node).filter(isNamesake))
      : -1;
    const bone =
      twin >= 0
        ? boneAtOrAbove(parents, boneOfNode, twin)
        : isFree && isBelowCopy[node] === 0
          ? nearest[node]
          : duplicatedBone(pose, target, node, SAME_POSITION * height, names);
    if (bone < 0 || (names.isControl(node) && !(twin >= 0 && names.isUnrealIk(node)))) continue;
    const keepsTransform = parent >= 0 && keepsBindTransform(pose, rest, parent, node);
    if (twin < 0 && bone === carriers[node] && (!isFree || keepsTransform)) continue;
    found.push({ node, bone, anchor: twin >= 0 ? twin : map.nodes[bone], isCopy: twin >= 0 });
    carriers[node] = bone;
    if (twin >= 0) isBelowCopy[node] = 1;
  }
  return found;
}
