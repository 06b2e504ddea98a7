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

/** A joint without a bone above it belongs to the nearest segment within this distance, relative to the height of the character. */
const NEAR = 0.1;
/** A joint below another bone belongs to a bone of a similar name within this distance, relative to the height of the character. */
const SAME_POSITION = 0.005;
/** A joint this near to the model origin, relative to the height of the character, is a root and belongs to no foot. */
const AT_ORIGIN = 0.01;
/** From here on along a segment a joint belongs to the next bone. */
const SEGMENT_END = 0.95;
/** Greatest difference that counts as noise, radians or relative to the length: inverse bind matrices are float32. */
const NOISE = 1e-4;

/** A detached joint and the bone it belongs to. */
export interface DetachedJoint {
  /** Node of the joint. */
  readonly node: number;
  /** Index in BONES. */
  readonly bone: number;
}

/**
 * Returns the pose in which joints and bones match: the bind pose; without bind matrices the base pose, else the rest pose.
 *
 * @param humanoid The character.
 * @returns Model space.
 */
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

/** Returns the bone of the nearest segment within `limit`; −1 without one. */
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

/** Marks the nodes that are bones or have bones below them. */
function markBoneAncestors({ skeleton, map }: Humanoid): Uint8Array {
  const marks = new Uint8Array(skeleton.parents.length);
  for (const bone of map.nodes) {
    for (let node = bone; node >= 0 && marks[node] === 0; node = skeleton.parents[node]) marks[node] = 1;
  }
  return marks;
}

/**
 * Finds the skin joints that belong to a bone which is not above them in the node tree. Controls, joints with bones below them and joints
 * far from the character are left out.
 *
 * @param target The character; its rest is what a player shows.
 * @param driven Nodes that are rotated already.
 * @param names What the node names say.
 * @returns Parents first.
 */
export function findDetachedJoints(target: Humanoid, driven: ReadonlySet<number>, names: HelperNames): DetachedJoint[] {
  const { skeleton, map } = target;
  const { parents, joints } = skeleton;
  if (!joints.includes(1)) return [];
  const boneOfNode = mapNodesToBones(map.nodes, parents.length);
  const hasBones = markBoneAncestors(target);
  const isCandidate = (node: number): boolean =>
    joints[node] === 1 && boneOfNode[node] < 0 && hasBones[node] === 0 && !driven.has(node);
  if (!skeleton.names.some((_, node) => isCandidate(node))) return [];
  const pose = bindOrBasePose(target);
  const rest = toModelPose('node', parents, Float64Array.from(skeleton.rest));
  const segments = listSegments(target);
  const height = target.height / target.metersPerUnit;
  /** The bone that moves each node: its nearest ancestor bone, or the bone of a detached joint above it. */
  const carriers = new Int16Array(parents.length);
  const found: DetachedJoint[] = [];
  for (let node = 0; node < parents.length; node++) {
    const carrier = boneOfNode[node] >= 0 ? boneOfNode[node] : parents[node] < 0 ? -1 : carriers[parents[node]];
    carriers[node] = carrier;
    if (!isCandidate(node)) continue;
    const isOutside = boneAtOrAbove(parents, boneOfNode, node) < 0;
    if (isOutside && vec3.length(pose.positions, 3 * node) <= AT_ORIGIN * height) continue;
    const bone = isOutside
      ? nearestBone(pose, node, segments, NEAR * height)
      : duplicatedBone(pose, target, node, SAME_POSITION * height, names);
    if (bone < 0 || names.isControl(node)) continue;
    if (bone === carrier && (!isOutside || keepsBindTransform(pose, rest, parents[node], node))) continue;
    found.push({ node, bone });
    carriers[node] = bone;
  }
  return found;
}
