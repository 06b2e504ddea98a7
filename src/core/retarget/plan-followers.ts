/**
 * Deciding which joints of the skin follow a bone although they do not hang below it: rigs that were made for a program which moved
 * such joints by constraints (a deforming spine beside the controls, copies of the limbs below the root).
 */
import { BONE_COUNT, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, bonesOfNodes } from '../humanoid/node-bones.ts';
import { bindModelPose, type ModelPose, modelPose } from '../humanoid/reference/model-pose.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { HelperNames } from './helper-names.ts';
import { chainTo } from './plan-attachments.ts';
import type { AttachmentPlan } from './retarget-plan.ts';

/** Joints that hang below no bone follow the nearest segment within this, relative to the height of the body. */
const NEAR = 0.1;
/** Joints that hang below another bone follow one at whose joint they are within this, if they are named alike. */
const SAME_PLACE = 0.005;
/** Joints so near to the origin of the model, relative to the height of the body, are roots and belong to no foot. */
const AT_ORIGIN = 0.01;
/** From this place on a segment the next bone is the one that is followed. */
const SEGMENT_END = 0.95;

/** A joint and the bone that it follows. */
export interface Follower {
  readonly node: number;
  readonly bone: number;
}

/** How the joints stand to each other where the skin is bound to them; without bind matrices, in the shape of the reference pose. */
function boundPose({ skeleton, shape }: Humanoid): ModelPose {
  const shaped = (): ModelPose => modelPose('shape', skeleton.parents, Float64Array.from(shape ?? skeleton.rest));
  return bindModelPose(skeleton) ?? shaped();
}

/** From one bone to the next below it; its first part belongs to `bone`. */
interface Segment {
  readonly bone: number;
  readonly from: number;
  readonly to: number;
}

function segmentsOf({ map }: Humanoid): Segment[] {
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

/** Distance of a point from a segment; beyond its end, where the next one begins, infinite. */
function distanceFrom({ positions }: ModelPose, node: number, { from, to }: Segment): number {
  const line = new Float64Array(3);
  const way = new Float64Array(3);
  vec3.subtract(line, 0, positions, 3 * to, positions, 3 * from);
  vec3.subtract(way, 0, positions, 3 * node, positions, 3 * from);
  const squared = vec3.dot(line, 0, line, 0);
  const along = squared > 0 ? vec3.dot(way, 0, line, 0) / squared : 0;
  if (along > SEGMENT_END) return Number.POSITIVE_INFINITY;
  vec3.addScaled(way, 0, way, 0, line, 0, -Math.max(0, along));
  return vec3.length(way, 0);
}

/** The bone on whose segment a node is; −1 further than `limit` from all. */
function boneAt(pose: ModelPose, node: number, segments: readonly Segment[], limit: number): number {
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

/** The bone that a node below another bone is a copy of: at its joint, and named alike; −1 without. */
function copiedBone(pose: ModelPose, { map }: Humanoid, node: number, limit: number, names: HelperNames): number {
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const joint = map.nodes[bone];
    if (joint < 0 || !(vec3.distance(pose.positions, 3 * node, pose.positions, 3 * joint) <= limit)) continue;
    if (names.areAlike(node, joint)) return bone;
  }
  return -1;
}

/** Turns up to this, radians, are noise: inverse bind matrices are float32. */
const NOISE = 1e-4;

/** Whether a node stands to its parent as it did when the skin was bound: it then goes with whatever its parent follows. */
function ridesAlong(bound: ModelPose, rest: ModelPose, parent: number, node: number): boolean {
  const relative = new Float64Array(8);
  const offsets = new Float64Array(6);
  [bound, rest].forEach(({ rotations, positions }, k) => {
    quat.conjugate(relative, 4 * k, rotations, 4 * parent);
    vec3.subtract(offsets, 3 * k, positions, 3 * node, positions, 3 * parent);
    vec3.rotate(offsets, 3 * k, relative, 4 * k, offsets, 3 * k);
    quat.multiply(relative, 4 * k, relative, 4 * k, rotations, 4 * node);
  });
  if (quat.angleBetween(relative, 0, relative, 4) > NOISE) return false;
  return vec3.distance(offsets, 0, offsets, 3) <= NOISE * vec3.length(offsets, 0);
}

/** Nodes that have a bone below them. */
function aboveBones({ skeleton, map }: Humanoid): Uint8Array {
  const above = new Uint8Array(skeleton.parents.length);
  for (const bone of map.nodes) {
    for (let node = bone; node >= 0 && above[node] === 0; node = skeleton.parents[node]) above[node] = 1;
  }
  return above;
}

/**
 * The joints that follow a bone below which they do not hang, parents first. Joints of no skin never do, nor what is named as a control,
 * what has bones below it, and what is far from the body. `turned` are nodes that are driven already.
 */
export function findFollowers(target: Humanoid, turned: ReadonlySet<number>, names: HelperNames): Follower[] {
  const { skeleton, map } = target;
  const { parents, joints } = skeleton;
  if (!joints.includes(1)) return [];
  const boneOfNode = bonesOfNodes(map.nodes, parents.length);
  const hasBones = aboveBones(target);
  const isCandidate = (node: number): boolean =>
    joints[node] === 1 && boneOfNode[node] < 0 && hasBones[node] === 0 && !turned.has(node);
  if (!skeleton.names.some((_, node) => isCandidate(node))) return [];
  const pose = boundPose(target);
  const rest = modelPose('node', parents, Float64Array.from(skeleton.rest));
  const segments = segmentsOf(target);
  const height = target.height / target.metersPerUnit;
  /** The bone that carries each node as it is: by its tree, or because a node above it follows. */
  const carriers = new Int16Array(parents.length);
  const followers: Follower[] = [];
  for (let node = 0; node < parents.length; node++) {
    const carrier = boneOfNode[node] >= 0 ? boneOfNode[node] : parents[node] < 0 ? -1 : carriers[parents[node]];
    carriers[node] = carrier;
    if (!isCandidate(node)) continue;
    const hangsLoose = boneAtOrAbove(parents, boneOfNode, node) < 0;
    if (hangsLoose && vec3.length(pose.positions, 3 * node) <= AT_ORIGIN * height) continue;
    const bone = hangsLoose
      ? boneAt(pose, node, segments, NEAR * height)
      : copiedBone(pose, target, node, SAME_PLACE * height, names);
    if (bone < 0 || names.isControl(node)) continue;
    if (bone === carrier && (!hangsLoose || ridesAlong(pose, rest, parents[node], node))) continue;
    followers.push({ node, bone });
    carriers[node] = bone;
  }
  return followers;
}

/** Plans how followers follow: as they stand to their bones in the pose in which the skin was bound. */
export function planFollowers(target: Humanoid, followers: readonly Follower[]): AttachmentPlan[] {
  if (followers.length === 0) return [];
  const { parents } = target.skeleton;
  const { rotations, positions } = boundPose(target);
  const toHolder = new Float64Array(4);
  return followers.map(({ node, bone }) => {
    const holder = target.map.nodes[bone];
    const offset = new Float64Array(3);
    const turn = new Float64Array(4);
    quat.conjugate(toHolder, 0, rotations, 4 * holder);
    quat.multiply(turn, 0, toHolder, 0, rotations, 4 * node);
    vec3.subtract(offset, 0, positions, 3 * node, positions, 3 * holder);
    vec3.rotate(offset, 0, toHolder, 0, offset, 0);
    const [holderChain, parentChain] = [chainTo(holder, parents), chainTo(parents[node], parents)];
    return { targetNode: node, holderChain, parentChain, offset, turn };
  });
}
