import type { Clip } from '../../core/animation/clip.ts';
import { frameTimes } from '../../core/animation/frame-times.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { sampleClip } from '../../core/animation/sample.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { BvhChannel, BvhJoint, BvhMotion, BvhTree } from './bvh-tree.ts';
import { type NewHierarchy, planHierarchy } from './new-hierarchy.ts';
import { meaningOfPositions, splitByRoot } from './roots.ts';
import { rotationChannels, writeRotation } from './rotation-channels.ts';
import { chooseFrameTime, isAnimatedScale, type WriteBvhOptions, type WrittenBvh } from './write-clip.ts';
import { isHumanoid, type PlainSkeleton, type ZeroPose, zeroPose } from './zero-pose.ts';

/** Length of an End Site relative to the bone before it, and its limits relative to the size of the skeleton. */
const PART = 0.7;
const SHORTEST = 0.01;
const LONGEST = 0.12;

const UP = [0, 1, 0];
const FRONT = [0, 0, 1];

/** Directions of bones that do not continue the direction of the bone before them. */
const DIRECTIONS: Readonly<Record<number, readonly number[]>> = {
  [BONE.head]: UP,
  [BONE.jaw]: FRONT,
  [BONE.leftEye]: FRONT,
  [BONE.rightEye]: FRONT,
  [BONE.leftFoot]: FRONT,
  [BONE.rightFoot]: FRONT,
  [BONE.leftToes]: FRONT,
  [BONE.rightToes]: FRONT,
};

/**
 * Computes the OFFSET of an End Site: in the direction of the joint's own OFFSET, or in the direction of the bone; up for a single joint. Returns
 * xyz in the unit of `offset`.
 */
export function endOffset(offset: ArrayLike<number>, bone: number, size: number): Float64Array {
  const end = new Float64Array(3);
  const length = Math.min(LONGEST * size, Math.max(SHORTEST * size, PART * vec3.length(offset, 0)));
  const direction = DIRECTIONS[bone];
  if (direction !== undefined) end.set(direction);
  else if (!(vec3.normalize(end, 0, offset, 0) > 0)) end.set(UP);
  vec3.scale(end, 0, end, 0, length > 0 ? length : 1);
  return end;
}

/** A new BVH, with the node of every joint. */
export interface NewBvh extends WrittenBvh {
  /** Node of the skeleton of every joint of the tree, −1 for End Sites. */
  readonly nodes: Int32Array;
}

/**
 * The order of the first files of the format, of mocopi and others. Upright characters are far from its gimbal lock, whatever their heading:
 * Y is applied first, and X reaches the locking angle only in a prone or supine pose.
 */
const ROTATIONS: readonly BvhChannel[] = ['Zrotation', 'Xrotation', 'Yrotation'];
const POSITIONS: readonly BvhChannel[] = ['Xposition', 'Yposition', 'Zposition'];

/** Joints that move less, relative to the size of the skeleton, need no position channels: 0.1 mm on a person. */
const STAYS = 5e-5;
/** Tips closer to their joint, relative to the size, have no direction. */
const SHORTEST_TIP = 1e-3;

interface WorldPose {
  /** World rotation of every node relative to the zero pose, 4 floats per node. */
  readonly deltas: Float64Array;
  /** World position of every node, 3 floats per node. */
  readonly positions: Float64Array;
}

/** Creates a function that samples a clip in the space of the BVH, always into the same buffers. */
function createSampler(
  { parents }: Skeleton,
  rest: Float64Array,
  clip: Clip,
  zero: ZeroPose,
): (time: number) => WorldPose {
  const count = parents.length;
  const local = rest.slice();
  const matrices = new Float64Array(count * MATRIX_STRIDE);
  const deltas = new Float64Array(count * 4);
  const positions = new Float64Array(count * 3);
  const inverses = new Float64Array(count * 4);
  for (let node = 0; node < count; node++) quat.conjugate(inverses, 4 * node, zero.rotations, 4 * node);
  return (time) => {
    sampleClip(clip, time, local);
    localToModelRotations(deltas, parents, local);
    localToModelMatrices(matrices, parents, local);
    for (let node = 0; node < count; node++) {
      quat.multiply(deltas, 4 * node, zero.frame, 0, deltas, 4 * node);
      quat.multiply(deltas, 4 * node, deltas, 4 * node, inverses, 4 * node);
      quat.normalize(deltas, 4 * node, deltas, 4 * node);
      vec3.rotate(positions, 3 * node, zero.frame, 0, matrices, MATRIX_STRIDE * node + 12);
      vec3.scale(positions, 3 * node, positions, 3 * node, zero.scale);
      positions[3 * node + 1]! -= zero.ground;
    }
    return { deltas, positions };
  };
}

const inverse = new Float64Array(4);

/** Computes the position of a node in the space of its parent joint; of a root (parent −1) in world space. */
function localPosition(
  out: Float64Array,
  o: number,
  { deltas, positions }: WorldPose,
  node: number,
  parent: number,
): void {
  if (parent < 0) {
    vec3.copy(out, o, positions, 3 * node);
    return;
  }
  quat.conjugate(inverse, 0, deltas, 4 * parent);
  vec3.subtract(out, o, positions, 3 * node, positions, 3 * parent);
  vec3.rotate(out, o, inverse, 0, out, o);
}

/** OFFSETs of the joints, and which joints need position channels. */
interface OffsetPlan {
  readonly offsets: Float64Array;
  /** 1 for joints with position channels. */
  readonly moves: Uint8Array;
}

function parentNodeOf({ nodes, parents }: NewHierarchy, k: number): number {
  return parents[k]! < 0 ? -1 : nodes[parents[k]!]!;
}

/** Plans the OFFSETs: those of the zero pose, except for joints with a constant position that differs from it. */
function planOffsets(
  hierarchy: NewHierarchy,
  zero: ZeroPose,
  poseAt: (time: number) => WorldPose,
  times: ArrayLike<number>,
): OffsetPlan {
  const { nodes, parents } = hierarchy;
  const offsets = new Float64Array(3 * nodes.length);
  for (let k = 0; k < nodes.length; k++) {
    vec3.copy(offsets, 3 * k, zero.positions, 3 * nodes[k]!);
    const above = parentNodeOf(hierarchy, k);
    if (above >= 0) vec3.subtract(offsets, 3 * k, offsets, 3 * k, zero.positions, 3 * above);
  }
  const first = new Float64Array(3 * nodes.length);
  const position = new Float64Array(3);
  const fromZero = new Float64Array(nodes.length);
  const fromFirst = new Float64Array(nodes.length);
  for (let frame = 0; frame < times.length; frame++) {
    const pose = poseAt(times[frame]!);
    for (let k = 0; k < nodes.length; k++) {
      localPosition(position, 0, pose, nodes[k]!, parentNodeOf(hierarchy, k));
      if (frame === 0) vec3.copy(first, 3 * k, position, 0);
      fromZero[k] = Math.max(fromZero[k]!, vec3.distance(position, 0, offsets, 3 * k));
      fromFirst[k] = Math.max(fromFirst[k]!, vec3.distance(position, 0, first, 3 * k));
    }
  }
  const tolerance = STAYS * zero.size;
  const moves = Uint8Array.from(nodes, (_, k) => (parents[k]! < 0 || fromFirst[k]! > tolerance ? 1 : 0));
  for (let k = 0; k < nodes.length; k++) {
    if (moves[k] === 0 && fromZero[k]! > tolerance) vec3.copy(offsets, 3 * k, first, 3 * k);
  }
  return { offsets, moves };
}

/** Creates joints and End Sites, depth first, with the planned joint of each (−1 for End Sites). */
function makeJoints(
  hierarchy: NewHierarchy,
  { offsets, moves }: OffsetPlan,
  zero: ZeroPose,
): { joints: BvhJoint[]; planned: number[]; channelCount: number } {
  const joints: BvhJoint[] = [];
  const planned: number[] = [];
  const index = new Int32Array(hierarchy.nodes.length);
  const hasChild = new Uint8Array(hierarchy.nodes.length);
  for (const parent of hierarchy.parents) if (parent >= 0) hasChild[parent] = 1;
  let column = 0;
  for (let k = 0; k < hierarchy.nodes.length; k++) {
    const above = hierarchy.parents[k]!;
    const parent = above < 0 ? -1 : index[above]!;
    const channels = moves[k] === 1 ? [...POSITIONS, ...ROTATIONS] : ROTATIONS;
    // Some readers add the positions of a root to its OFFSET, others do not.
    const offset = parent < 0 ? new Float64Array(3) : offsets.slice(3 * k, 3 * k + 3);
    index[k] = joints.length;
    joints.push({ kind: parent < 0 ? 'root' : 'joint', name: hierarchy.names[k]!, parent, offset, channels, column });
    planned.push(k);
    column += channels.length;
    if (hasChild[k] === 1) continue;
    const end = endSiteOffset(hierarchy, k, offset, zero);
    joints.push({ kind: 'end', name: '', parent: index[k]!, offset: end, channels: [], column });
    planned.push(-1);
  }
  return { joints, planned, channelCount: column };
}

function endSiteOffset({ nodes, tips }: NewHierarchy, k: number, offset: Float64Array, zero: ZeroPose): Float64Array {
  const node = nodes[k]!;
  if (tips[k]! >= 0) {
    const tip = new Float64Array(3);
    vec3.subtract(tip, 0, zero.positions, 3 * tips[k]!, zero.positions, 3 * node);
    if (vec3.length(tip, 0) > SHORTEST_TIP * zero.size) return tip;
  }
  return endOffset(offset, zero.bones[node]!, zero.size);
}

const EMPTY_CLIP: Clip = { name: '', duration: 0, tracks: [] };

/**
 * Writes a new BVH of a skeleton and a clip. Without a clip it has one frame, the zero pose.
 *
 * BVH has no rest rotations: where all angles are 0, the bones point along the OFFSETs, in world axes. For a humanoid the zero pose is its
 * reference pose, facing +Z, up +Y, ground at y = 0, in centimeters, with one ROOT, the hips, which take the motion of all ancestor nodes. For
 * another skeleton it is the rest pose in the axes of the file, with one ROOT per tree. All descendant joints are kept, bones or not: their world
 * rotations relative to the zero pose, and their world positions, equal those of the clip in every frame.
 *
 * The channels of the root are `Xposition Yposition Zposition Zrotation Xrotation Yrotation`, and its OFFSET is 0, because some readers add it to the positions.
 * Positions of other joints replace the OFFSET, as in Blender, mocopi and Rokoko. Other joints have the rotations, and positions if the joint moves relative to its parent. Angles continue from frame to frame.
 * Joint names are the node names with white space and colons replaced by `_`, made unique. A joint without child joints gets an End Site: at its tip node
 * (`_end`), else in the direction of the joint.
 *
 * Rest scale is part of the OFFSETs. Animated scale, and motion outside the descendants of the root, are dropped with issues. Frames and `fps` are as in
 * {@link writeBvhClip}.
 *
 * @param source a humanoid, or a plain skeleton.
 * @param clip a clip of its nodes, local space; null for the zero pose only.
 * @param options Frame rate.
 * @returns The tree, the node of every joint, and issues.
 * @throws RangeError for an fps that gives no frames or too many, and for a clip of other nodes
 * @example
 * const { tree, issues } = writeBvh(humanoid, clip, { fps: 30 });
 * await writeFile('walk.bvh', serializeBvh(tree));
 */
export function writeBvh(source: Humanoid | PlainSkeleton, clip: Clip | null, { fps }: WriteBvhOptions = {}): NewBvh {
  const { skeleton } = source;
  const stranger = clip?.tracks.find(({ target }) => !(target >= 0 && target < skeleton.names.length));
  if (stranger !== undefined)
    throw new RangeError(
      `writeBvh: a track animates node ${stranger.target}, the skeleton has ${skeleton.names.length} nodes.`,
    );
  const issues: Issue[] = [];
  const written = clip === null ? null : withoutScale(clip, issues);
  const zero = zeroPose(source);
  const hierarchy = planHierarchy(skeleton, zero.bones, isHumanoid(source) ? source.map.nodes : null, written);
  const frameTime = chooseFrameTime(clip ?? EMPTY_CLIP, fps, null);
  const times = written === null ? [] : frameTimes(written, frameTime);
  const poseAt = createSampler(skeleton, restPose(skeleton), written ?? EMPTY_CLIP, zero);
  const plan = planOffsets(hierarchy, zero, poseAt, times);
  const { joints, planned, channelCount } = makeJoints(hierarchy, plan, zero);
  const values = new Float64Array(channelCount * Math.max(1, times.length));
  const writers = joints.map(({ channels, column }) => rotationChannels(channels, column));
  const rotation = new Float64Array(4);
  for (let frame = 0; frame < times.length; frame++) {
    const pose = poseAt(times[frame]!);
    const row = frame * channelCount;
    for (const [j, k] of planned.entries()) {
      if (k < 0) continue;
      const node = hierarchy.nodes[k]!;
      const above = parentNodeOf(hierarchy, k);
      if (plan.moves[k] === 1) localPosition(values, row + joints[j]!.column, pose, node, above);
      if (above < 0) quat.copy(rotation, 0, pose.deltas, 4 * node);
      else {
        quat.conjugate(rotation, 0, pose.deltas, 4 * above);
        quat.multiply(rotation, 0, rotation, 0, pose.deltas, 4 * node);
      }
      writeRotation(values, row, writers[j]!, rotation, 0);
    }
  }
  if (times.length === 0) {
    for (const [j, { parent, column }] of joints.entries())
      if (parent < 0) values.set(plan.offsets.subarray(3 * planned[j]!, 3 * planned[j]! + 3), column);
  }
  const motion: BvhMotion = { frameCount: Math.max(1, times.length), frameTime, values };
  const tree: BvhTree = { joints, channelCount, motion, issues: [] };
  if (written !== null) issues.push(...reportLosses(skeleton, hierarchy, plan, written));
  const nodes = Int32Array.from(planned, (k) => (k < 0 ? -1 : hierarchy.nodes[k]!));
  return { tree: withUnambiguousOffsets(tree), nodes, issues };
}

function withoutScale(clip: Clip, issues: Issue[]): Clip {
  const tracks = clip.tracks.filter((track) => !isAnimatedScale(track));
  const scaled = clip.tracks.length - tracks.length;
  if (scaled === 0) return clip;
  issues.push(issue('CHANNELS_DROPPED', `${scaled} × scale is not written: BVH has no scale`));
  return { ...clip, tracks };
}

/** Reports motion that is not in the file, and joints that move without an animated translation. */
function reportLosses(
  { parents, names }: Skeleton,
  { nodes, parents: jointParents }: NewHierarchy,
  { moves }: OffsetPlan,
  { tracks }: Clip,
): Issue[] {
  const issues: Issue[] = [];
  const roots = nodes.filter((_, k) => jointParents[k]! < 0);
  // A root includes the rotations of its ancestors; rotations of tips have no visible effect.
  const inside = new Uint8Array(parents.length);
  for (const node of nodes) inside[node] = 1;
  for (let node = 0; node < parents.length; node++)
    if (parents[node]! >= 0 && inside[parents[node]!] === 1) inside[node] = 1;
  for (const root of roots) for (let node = parents[root]!; node >= 0; node = parents[node]!) inside[node] = 1;
  const lost = new Set<number>();
  for (const track of tracks) if (inside[track.target] === 0 && !isConstantTrack(track)) lost.add(track.target);
  if (lost.size > 0) {
    const [first] = lost;
    const others = lost.size === 1 ? '' : ` and ${lost.size - 1} more`;
    issues.push(
      issue(
        'CHANNELS_DROPPED',
        `${JSON.stringify(names[first!])}${others} are animated but not written: they are not descendants of the root of the BVH`,
      ),
    );
  }
  const translated = new Set(tracks.filter(({ path }) => path === 'translation').map(({ target }) => target));
  const sheared = [...nodes].filter((node, k) => moves[k] === 1 && jointParents[k]! >= 0 && !translated.has(node));
  if (sheared.length > 0) {
    const others = sheared.length === 1 ? '' : ` and ${sheared.length - 1} more joints`;
    issues.push(
      issue(
        'NON_UNIFORM_SCALE',
        `${JSON.stringify(names[sheared[0]!])}${others} move relative to their parent without an animated translation: an ancestor has ` +
          'non-uniform scale, or they are parented to another node. They have position channels.',
      ),
    );
  }
  return issues;
}

/** Sets the OFFSET to the first position where positions near 0 would suggest that they are added to the OFFSET. */
function withUnambiguousOffsets(tree: BvhTree): BvhTree {
  const joints = [...tree.joints];
  for (const rooted of splitByRoot(tree)) {
    if (meaningOfPositions(rooted, tree.motion).others !== 'added') continue;
    for (const [k, joint] of rooted.joints.entries()) {
      if (k === 0 || joint.channels.length <= ROTATIONS.length) continue;
      joints[rooted.first + k] = { ...joint, offset: tree.motion!.values.slice(joint.column, joint.column + 3) };
    }
  }
  return { ...tree, joints };
}
