/** A new BVH of any skeleton. */
import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { frameTimes } from '../../core/animation/frame-times.ts';
import { sampleClip } from '../../core/animation/sample.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { endOffset } from './end-site.ts';
import { type NewHierarchy, planHierarchy } from './new-hierarchy.ts';
import { meaningOfPositions, splitByRoot } from './roots.ts';
import { rotationChannels, writeRotation } from './rotation-channels.ts';
import type { BvhChannel, BvhJoint, BvhMotion, BvhTree } from './tree.ts';
import { chooseFrameTime, isAnimatedScale, type WriteBvhOptions, type WrittenBvh } from './write-clip.ts';
import { isHumanoid, type PlainBody, type ZeroPose, zeroPose } from './zero-pose.ts';

/** A BVH that was made, and which node every block of it is. */
export interface NewBvh extends WrittenBvh {
  /** Node of the skeleton of every joint of the tree, −1 for End Sites. */
  readonly nodes: Int32Array;
}

/**
 * The order of the format's first files, of mocopi and others. Upright bodies are far from its lock wherever they face: the heading,
 * Y, turns first, and the locking angle, about X, is reached only by what lies on its face or back.
 */
const ROTATIONS: readonly BvhChannel[] = ['Zrotation', 'Xrotation', 'Yrotation'];
const POSITIONS: readonly BvhChannel[] = ['Xposition', 'Yposition', 'Zposition'];

/** Joints that stay this close to their place, in parts of the size of the body, need no position channels: 0.1 mm on a person. */
const STAYS = 5e-5;
/** Tips nearer to their joint than this part of the size give no direction. */
const SHORTEST_TIP = 1e-3;

/** A pose of the body seen from its zero pose, space of the BVH: how far every node has turned (4 a node), where it is (3 a node). */
interface SeenPose {
  readonly turns: Float64Array;
  readonly places: Float64Array;
}

/** Shows the poses of a clip; always the same buffers. */
function player({ parents }: Skeleton, rest: Float64Array, clip: Clip, zero: ZeroPose): (time: number) => SeenPose {
  const count = parents.length;
  const local = rest.slice();
  const matrices = new Float64Array(count * MATRIX_STRIDE);
  const turns = new Float64Array(count * 4);
  const places = new Float64Array(count * 3);
  const inverses = new Float64Array(count * 4);
  for (let node = 0; node < count; node++) quat.conjugate(inverses, 4 * node, zero.rotations, 4 * node);
  return (time) => {
    sampleClip(clip, time, local);
    localToModelRotations(turns, parents, local);
    localToModelMatrices(matrices, parents, local);
    for (let node = 0; node < count; node++) {
      quat.multiply(turns, 4 * node, zero.frame, 0, turns, 4 * node);
      quat.multiply(turns, 4 * node, turns, 4 * node, inverses, 4 * node);
      quat.normalize(turns, 4 * node, turns, 4 * node);
      vec3.rotate(places, 3 * node, zero.frame, 0, matrices, MATRIX_STRIDE * node + 12);
      vec3.scale(places, 3 * node, places, 3 * node, zero.scale);
      places[3 * node + 1]! -= zero.ground;
    }
    return { turns, places };
  };
}

const inverse = new Float64Array(4);

/** Where a node is as its parent joint sees it; a root (parent −1) as the world does. */
function placeBelow(out: Float64Array, o: number, { turns, places }: SeenPose, node: number, parent: number): void {
  if (parent < 0) {
    vec3.copy(out, o, places, 3 * node);
    return;
  }
  quat.conjugate(inverse, 0, turns, 4 * parent);
  vec3.subtract(out, o, places, 3 * node, places, 3 * parent);
  vec3.rotate(out, o, inverse, 0, out, o);
}

/** OFFSETs of the joints, and which of them need position channels, seen over all frames. */
interface Places {
  /** xyz a joint. */
  readonly offsets: Float64Array;
  readonly moves: Uint8Array;
}

function nodeAbove({ nodes, parents }: NewHierarchy, k: number): number {
  return parents[k]! < 0 ? -1 : nodes[parents[k]!]!;
}

/** The OFFSETs of the zero pose, but for joints that stand elsewhere all the time. */
function planPlaces(
  hierarchy: NewHierarchy,
  zero: ZeroPose,
  poseAt: (time: number) => SeenPose,
  times: ArrayLike<number>,
): Places {
  const { nodes, parents } = hierarchy;
  const offsets = new Float64Array(3 * nodes.length);
  for (let k = 0; k < nodes.length; k++) {
    vec3.copy(offsets, 3 * k, zero.positions, 3 * nodes[k]!);
    const above = nodeAbove(hierarchy, k);
    if (above >= 0) vec3.subtract(offsets, 3 * k, offsets, 3 * k, zero.positions, 3 * above);
  }
  const first = new Float64Array(3 * nodes.length);
  const place = new Float64Array(3);
  const fromZero = new Float64Array(nodes.length);
  const fromFirst = new Float64Array(nodes.length);
  for (let frame = 0; frame < times.length; frame++) {
    const pose = poseAt(times[frame]!);
    for (let k = 0; k < nodes.length; k++) {
      placeBelow(place, 0, pose, nodes[k]!, nodeAbove(hierarchy, k));
      if (frame === 0) vec3.copy(first, 3 * k, place, 0);
      fromZero[k] = Math.max(fromZero[k]!, vec3.distance(place, 0, offsets, 3 * k));
      fromFirst[k] = Math.max(fromFirst[k]!, vec3.distance(place, 0, first, 3 * k));
    }
  }
  const tolerance = STAYS * zero.size;
  const moves = Uint8Array.from(nodes, (_, k) => (parents[k]! < 0 || fromFirst[k]! > tolerance ? 1 : 0));
  for (let k = 0; k < nodes.length; k++) {
    if (moves[k] === 0 && fromZero[k]! > tolerance) vec3.copy(offsets, 3 * k, first, 3 * k);
  }
  return { offsets, moves };
}

/** Joints and End Sites, depth first, and the joint of the plan that every one is (−1 for End Sites). */
function makeJoints(
  hierarchy: NewHierarchy,
  { offsets, moves }: Places,
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
    const offset = offsets.slice(3 * k, 3 * k + 3);
    index[k] = joints.length;
    joints.push({ kind: parent < 0 ? 'root' : 'joint', name: hierarchy.names[k]!, parent, offset, channels, column });
    planned.push(k);
    column += channels.length;
    if (hasChild[k] === 1) continue;
    const end = endBelow(hierarchy, k, offset, zero);
    joints.push({ kind: 'end', name: '', parent: index[k]!, offset: end, channels: [], column });
    planned.push(-1);
  }
  return { joints, planned, channelCount: column };
}

/** The OFFSET of the End Site below a joint: that of its tip, else one of a sensible length. */
function endBelow(
  { nodes, tips, parents }: NewHierarchy,
  k: number,
  offset: Float64Array,
  zero: ZeroPose,
): Float64Array {
  const node = nodes[k]!;
  if (tips[k]! >= 0) {
    const tip = new Float64Array(3);
    vec3.subtract(tip, 0, zero.positions, 3 * tips[k]!, zero.positions, 3 * node);
    if (vec3.length(tip, 0) > SHORTEST_TIP * zero.size) return tip;
  }
  // The offset of a root is a place in the world, no direction.
  return endOffset(parents[k]! < 0 ? new Float64Array(3) : offset, zero.bones[node]!, zero.size);
}

const HELD: Clip = { name: '', duration: 0, tracks: [] };

/**
 * Makes a BVH of a skeleton and a clip of its nodes; without a clip it has one frame, the zero pose.
 *
 * BVH has no rest rotations: where all angles are 0 the bones lie along the OFFSETs, in world axes. Of a humanoid that is its
 * reference pose, facing +Z, up +Y, ground at y = 0, in centimeters; one ROOT, the hips, which take the motion of all nodes above
 * them. Of another skeleton it is the rest pose in the axes of the file, a ROOT a tree. All joints below are kept, bones of the
 * humanoid or not: world rotations, from the zero pose on, and world positions are those of the clip at every frame.
 *
 * Channels: of the root `Xposition Yposition Zposition Zrotation Xrotation Yrotation`, where positions take the place of the OFFSET as
 * Blender, mocopi and Rokoko have it; of other joints the rotations, and positions too where the joint moves against its parent. Angles
 * run on from frame to frame. Names are those of the nodes, white space made `_`, each made unique. Joints without a joint below
 * them end in an End Site: at a tip node (`_end`), else onward from the joint.
 *
 * Scale goes into the OFFSETs as it is at rest; animated scale is left out, and so is what moves beside the root (issues).
 * Frames and `fps` as for {@link writeBvhClip}.
 *
 * @throws RangeError for an fps that makes no frames or too many, and for a clip of other nodes.
 */
export function writeBvh(body: Humanoid | PlainBody, clip: Clip | null, { fps }: WriteBvhOptions = {}): NewBvh {
  const { skeleton } = body;
  const stranger = clip?.tracks.find(({ target }) => !(target >= 0 && target < skeleton.names.length));
  if (stranger !== undefined)
    throw new RangeError(
      `writeBvh: a track animates node ${stranger.target}, the skeleton has ${skeleton.names.length} nodes.`,
    );
  const issues: Issue[] = [];
  const shown = clip === null ? null : withoutScale(clip, issues);
  const zero = zeroPose(body);
  const hierarchy = planHierarchy(skeleton, zero.bones, isHumanoid(body) ? body.map.nodes : null, shown);
  const frameTime = chooseFrameTime(clip ?? HELD, fps, null);
  const times = shown === null ? [] : frameTimes(shown, frameTime);
  const poseAt = player(skeleton, restPose(skeleton), shown ?? HELD, zero);
  const places = planPlaces(hierarchy, zero, poseAt, times);
  const { joints, planned, channelCount } = makeJoints(hierarchy, places, zero);
  const values = new Float64Array(channelCount * Math.max(1, times.length));
  const writers = joints.map(({ channels, column }) => rotationChannels(channels, column));
  const turn = new Float64Array(4);
  for (let frame = 0; frame < times.length; frame++) {
    const pose = poseAt(times[frame]!);
    const row = frame * channelCount;
    for (const [j, k] of planned.entries()) {
      if (k < 0) continue;
      const node = hierarchy.nodes[k]!;
      const above = nodeAbove(hierarchy, k);
      if (places.moves[k] === 1) placeBelow(values, row + joints[j]!.column, pose, node, above);
      if (above < 0) quat.copy(turn, 0, pose.turns, 4 * node);
      else {
        quat.conjugate(turn, 0, pose.turns, 4 * above);
        quat.multiply(turn, 0, turn, 0, pose.turns, 4 * node);
      }
      writeRotation(values, row, writers[j]!, turn, 0);
    }
  }
  if (times.length === 0) {
    for (const { parent, offset, column } of joints) if (parent < 0) values.set(offset, column);
  }
  const motion: BvhMotion = { frameCount: Math.max(1, times.length), frameTime, values };
  const tree: BvhTree = { joints, channelCount, motion, issues: [] };
  if (shown !== null) issues.push(...reportLosses(skeleton, hierarchy, places, shown));
  const nodes = Int32Array.from(planned, (k) => (k < 0 ? -1 : hierarchy.nodes[k]!));
  return { tree: withoutDoubt(tree), nodes, issues };
}

/** The clip without its animated scale. */
function withoutScale(clip: Clip, issues: Issue[]): Clip {
  const tracks = clip.tracks.filter((track) => !isAnimatedScale(track));
  const scaled = clip.tracks.length - tracks.length;
  if (scaled === 0) return clip;
  issues.push(issue('CHANNELS_DROPPED', `${scaled} × scale is not carried over: BVH has no scale`));
  return { ...clip, tracks };
}

/** Motion that is not in the file, and joints that move although nothing moves them. */
function reportLosses(
  { parents, names }: Skeleton,
  { nodes, parents: jointParents }: NewHierarchy,
  { moves }: Places,
  { tracks }: Clip,
): Issue[] {
  const issues: Issue[] = [];
  const roots = nodes.filter((_, k) => jointParents[k]! < 0);
  // A root carries what turns the nodes above it; tips below a joint show nothing of how they turn.
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
        `${JSON.stringify(names[first!])}${others} are moved but not carried over: they are not below the root of the BVH`,
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
        `${JSON.stringify(names[sheared[0]!])}${others} move against their parent although no channel moves them: a node above ` +
          'has a scale that is not the same on all axes, or they hang elsewhere. They have position channels.',
      ),
    );
  }
  return issues;
}

/** Where numbers near 0 would be taken for moves away from an OFFSET, the OFFSET is the first place. */
function withoutDoubt(tree: BvhTree): BvhTree {
  const joints = [...tree.joints];
  for (const rooted of splitByRoot(tree)) {
    const { rootMoves, othersMove } = meaningOfPositions(rooted, tree.motion);
    for (const [k, joint] of rooted.joints.entries()) {
      const doubtful = k === 0 ? rootMoves : othersMove && joint.channels.length > ROTATIONS.length;
      if (!doubtful) continue;
      joints[rooted.first + k] = { ...joint, offset: tree.motion!.values.slice(joint.column, joint.column + 3) };
    }
  }
  return { ...tree, joints };
}
