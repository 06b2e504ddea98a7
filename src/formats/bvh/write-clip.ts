import type { Clip, Track } from '../../core/animation/clip.ts';
import { frameLimitOf, frameTimeOf, frameTimes } from '../../core/animation/frame-times.ts';
import { sampleClip } from '../../core/animation/sample.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { DEGREE } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { localToModelMatrices, restPose } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { axisOf, type BvhJoint, type BvhMotion, type BvhTree, isPosition } from './bvh-tree.ts';
import { listJoints } from './read-bvh.ts';
import {
  hasPosition,
  meaningOfPositions,
  type PositionKind,
  type PositionMeaning,
  type RootedTree,
  sizeOfTree,
  splitByRoot,
} from './roots.ts';
import { type RotationChannels, rotationChannels, rotationError, writeRotation } from './rotation-channels.ts';

/** Options of {@link writeBvhClip} and `writeBvh`. */
export interface WriteBvhOptions {
  /** Frames per second; by default the spacing of the keys of the clip. */
  readonly fps?: number;
}

/** A written BVH. */
export interface WrittenBvh {
  /** Hierarchy and motion, for `serializeBvh`. */
  readonly tree: BvhTree;
  /** What the file cannot represent. */
  readonly issues: readonly Issue[];
}

/** Smaller errors are not reported: rotations in radians (0.01°), positions relative to the size of the skeleton. */
const ROTATION_NOISE = 0.01 * DEGREE;
const POSITION_NOISE = 1e-4;
const DEFAULT_FRAME_TIME = 1 / 60;

/**
 * Chooses the frame time: the requested one, else the spacing of the keys, else that of the existing file, else 1/60 s or, for a long clip, more.
 * `fps`: requested frames per second. Throws RangeError unless fps is a finite number above 0.
 */
export function chooseFrameTime(clip: Clip, fps: number | undefined, former: BvhMotion | null): number {
  if (fps === undefined) {
    // A motion that stands still has no frame time of its own, but may last for days.
    const own = frameTimeOf(clip) ?? former?.frameTime;
    return own ?? Math.max(DEFAULT_FRAME_TIME, clip.duration / frameLimitOf(clip));
  }
  if (!(fps > 0 && Number.isFinite(fps))) throw new RangeError(`The frame rate is ${fps}; expected a number above 0.`);
  return 1 / fps;
}

/** Smaller changes of scale are noise of exporters. */
const SCALE_NOISE = 1e-4;

/** Checks whether a track animates scale by more than noise. */
export function isAnimatedScale({ path, values }: Track): boolean {
  return path === 'scale' && values.some((value, i) => Math.abs(value - values[i % 3]!) > SCALE_NOISE);
}

/** A joint of the file, and the largest error of its written values. */
interface Writer {
  readonly joint: BvhJoint;
  /** Node of the skeleton, −1 for none. */
  readonly node: number;
  readonly rotation: RotationChannels;
  /** Column of the position on each axis, −1 without. */
  readonly position: readonly number[];
  readonly kind: PositionKind;
  /** Radians. */
  rotationError: number;
  /** Unit of the file. */
  positionError: number;
}

function writerOf(joint: BvhJoint, node: number, { root, others }: PositionMeaning): Writer {
  const position = [-1, -1, -1];
  for (const [k, channel] of joint.channels.entries()) {
    if (isPosition(channel)) position[axisOf(channel)] = joint.column + k;
  }
  const rotation = rotationChannels(joint.channels, joint.column);
  const kind = joint.parent < 0 ? root : others === 'world' && !hasPosition(joint) ? 'replaced' : others;
  return { joint, node, rotation, position, kind, rotationError: 0, positionError: 0 };
}

/** Writes a position (3 floats at i), in the space that the joint has it in, into the frame at offset `row`. On axes without a channel, the error is recorded. */
function writePosition(values: Float64Array, row: number, writer: Writer, local: ArrayLike<number>, i: number): void {
  const { joint, position, kind } = writer;
  for (let axis = 0; axis < 3; axis++) {
    const offset = joint.offset[axis]!;
    const column = position[axis]!;
    if (column >= 0) values[row + column] = local[i + axis]! - (kind === 'added' ? offset : 0);
    else writer.positionError = Math.max(writer.positionError, Math.abs(local[i + axis]! - offset));
  }
}

/**
 * Writes a clip into the file that its skeleton was read from. Hierarchy, OFFSETs, End Sites, names and channels stay; MOTION is replaced.
 * Joints of other ROOTs keep the zero pose.
 *
 * Rotations become angles of the joint's own channels, in file order, without jumps. If the channels cannot represent a rotation, the closest
 * one is written (issue `BVH_CHANNELS_MISSING`). Positions replace the OFFSETs or are added to them, as in the file. Frames at k · frame time
 * cover the clip; the frame time is 1/`fps`, else the spacing of the keys, else that of the file.
 *
 * @param tree The file.
 * @param part a skeleton that `readBvhFile` returned with this tree.
 * @param clip a clip of its nodes, local space.
 * @param options Frame rate.
 * @returns The edited tree and issues.
 * @throws RangeError for an fps that gives no frames or too many, and for a skeleton or clip of another tree
 */
export function writeBvhClip(
  tree: BvhTree,
  part: Pick<AssetSkeleton, 'skeleton' | 'sourceNodes'>,
  clip: Clip,
  { fps }: WriteBvhOptions = {},
): WrittenBvh {
  const { skeleton, sourceNodes } = part;
  checkFit(tree, part, clip);
  const frameTime = chooseFrameTime(clip, fps, tree.motion);
  const times = frameTimes(clip, frameTime);
  const values = new Float64Array(times.length * tree.channelCount);
  const nodeOf = new Int32Array(tree.joints.length).fill(-1);
  sourceNodes.forEach((joint, node) => {
    nodeOf[joint] = node;
  });
  const trees = splitByRoot(tree);
  const issues: Issue[] = [];
  const motion: BvhMotion = { frameCount: times.length, frameTime, values };
  for (const rooted of trees) {
    const meaning = meaningOfPositions(rooted, tree.motion);
    const writers = rooted.joints.map((joint, k) => writerOf(joint, nodeOf[rooted.first + k]!, meaning));
    if (writers.every(({ node }) => node < 0)) {
      const zero = zeroPositions(rooted);
      for (let frame = 0; frame < times.length; frame++) {
        for (const [k, writer] of writers.entries()) {
          const [from, at] = writer.kind === 'world' ? [zero, 3 * k] : [writer.joint.offset, 0];
          writePosition(values, frame * tree.channelCount, writer, from, at);
        }
      }
      continue;
    }
    writeFrames(values, tree.channelCount, writers, skeleton, clip, times);
    issues.push(...reportErrors(writers, sizeOfTree(rooted)), ...reportMeaning(rooted, meaning, motion));
  }
  const scaled = clip.tracks.filter(isAnimatedScale).length;
  if (scaled > 0) issues.push(issue('CHANNELS_DROPPED', `${scaled} × scale is not written: BVH has no scale`));
  return { tree: { ...tree, motion, issues: [] }, issues };
}

/** Returns the positions of joints with all angles 0: xyz each, space of the file. */
function zeroPositions({ first, joints }: RootedTree): Float64Array {
  const out = new Float64Array(3 * joints.length);
  for (const [k, { offset, parent }] of joints.entries()) {
    out.set(offset, 3 * k);
    if (parent >= first) vec3.add(out, 3 * k, out, 3 * k, out, 3 * (parent - first));
  }
  return out;
}

function checkFit(
  tree: BvhTree,
  { skeleton, sourceNodes }: Pick<AssetSkeleton, 'skeleton' | 'sourceNodes'>,
  clip: Clip,
): void {
  const count = skeleton.names.length;
  const fits = sourceNodes.length === count && sourceNodes.every((joint) => joint >= 0 && joint < tree.joints.length);
  if (!fits) throw new RangeError('writeBvhClip: the skeleton was not read from this tree.');
  const stranger = clip.tracks.find(({ target }) => !(target >= 0 && target < count));
  if (stranger !== undefined)
    throw new RangeError(`writeBvhClip: a track animates node ${stranger.target}, the skeleton has ${count} nodes.`);
}

function writeFrames(
  values: Float64Array,
  channelCount: number,
  writers: readonly Writer[],
  skeleton: Skeleton,
  clip: Clip,
  times: Float64Array,
): void {
  const cursors = new Int32Array(clip.tracks.length);
  const q = new Float64Array(4);
  const local = restPose(skeleton);
  const matrices = new Float64Array(MATRIX_STRIDE * skeleton.names.length);
  const isWorld = writers.some(({ kind }) => kind === 'world');
  for (let frame = 0; frame < times.length; frame++) {
    const row = frame * channelCount;
    sampleClip(clip, times[frame]!, local, cursors);
    if (isWorld) localToModelMatrices(matrices, skeleton.parents, local);
    for (const writer of writers) {
      const at = writer.node * POSE_STRIDE;
      if (writer.kind === 'world') writePosition(values, row, writer, matrices, MATRIX_STRIDE * writer.node + 12);
      else writePosition(values, row, writer, local, at);
      quat.normalize(q, 0, local, at + 3);
      writeRotation(values, row, writer.rotation, q, 0);
      if (writer.rotation.plan.isComplete) continue;
      writer.rotationError = Math.max(writer.rotationError, rotationError(writer.rotation, q, 0));
    }
  }
}

function reportErrors(writers: readonly Writer[], size: number): Issue[] {
  const issues: Issue[] = [];
  const rotated = writers.filter((writer) => writer.rotationError > ROTATION_NOISE);
  if (rotated.length > 0) {
    const worst = Math.max(...rotated.map((writer) => writer.rotationError)) / DEGREE;
    issues.push(
      issue(
        'BVH_CHANNELS_MISSING',
        `The rotation channels of ${listJoints(rotated.map(({ joint }) => joint))} cannot represent every rotation of the motion. ` +
          `The closest ones were written, with an error of up to ${worst.toFixed(2)}°. Give these joints three rotation channels.`,
      ),
    );
  }
  const moved = writers.filter((writer) => writer.positionError > POSITION_NOISE * size);
  if (moved.length > 0) {
    const worst = Math.max(...moved.map((writer) => writer.positionError));
    issues.push(
      issue(
        'BVH_CHANNELS_MISSING',
        `The motion moves ${listJoints(moved.map(({ joint }) => joint))} up to ${worst.toPrecision(3)} units away from the OFFSET, ` +
          'on axes that have no position channel. Give these joints three position channels.',
      ),
    );
  }
  return issues;
}

const KIND_TEXT: Readonly<Record<PositionKind, string>> = {
  replaced: 'replace the OFFSET',
  added: 'are added to the OFFSET',
  world: 'are in the space of the file',
};

/** Reports position channels whose new numbers suggest the other meaning. */
function reportMeaning(rooted: RootedTree, meaning: PositionMeaning, motion: BvhMotion): Issue[] {
  const seen = meaningOfPositions(rooted, motion);
  const [root, ...others] = rooted.joints;
  const unclear: BvhJoint[] = [];
  if (seen.root !== meaning.root) unclear.push(root!);
  if (seen.others !== meaning.others) unclear.push(...others.filter((joint) => joint.channels.some(isPosition)));
  if (unclear.length === 0) return [];
  const isRoot = unclear[0] === root;
  const [means, looks] = [meaning, seen].map((one) => KIND_TEXT[isRoot ? one.root : one.others]);
  return [
    issue(
      'BVH_POSITIONS_AMBIGUOUS',
      `The position channels of ${listJoints(unclear)} ${means}, as in the file of the character. Other readers may conclude from their ` +
        `numbers that they ${looks}.${meaning.others === 'world' ? '' : ' An OFFSET of 0 is unambiguous.'}`,
    ),
  ];
}
