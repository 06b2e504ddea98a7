/** A BVH with another motion: the file as the character. */
import type { Clip, Track } from '../../core/animation/clip.ts';
import { frameTimeOf, frameTimes } from '../../core/animation/frame-times.ts';
import { sampleClip } from '../../core/animation/sample.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { DEGREE } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { meaningOfPositions, type PositionMeaning, type RootedTree, sizeOf, splitByRoot } from './roots.ts';
import { type RotationChannels, rotationChannels, rotationMiss, writeRotation } from './rotation-channels.ts';
import { axisOf, type BvhJoint, type BvhMotion, type BvhTree, isPosition } from './tree.ts';

export interface WriteBvhOptions {
  /** Frames a second; by default those of the clip's own keys. */
  readonly fps?: number;
}

/** What was written, and what could not be. */
export interface WrittenBvh {
  readonly tree: BvhTree;
  readonly issues: readonly Issue[];
}

/** Rotations off by less than this (radians, 0.01°) are not reported, nor places off by less than this part of the size. */
const ROTATION_NOISE = 0.01 * DEGREE;
const PLACE_NOISE = 1e-4;
/** The frame time of a motion that has none by itself, in a file that has none either. */
const USUAL_FRAME_TIME = 1 / 60;

/** The frame time that is asked for, else that of the clip's keys, else of the file that it goes into, else 60 fps. */
export function chooseFrameTime(clip: Clip, fps: number | undefined, former: BvhMotion | null): number {
  if (fps === undefined) return frameTimeOf(clip) ?? former?.frameTime ?? USUAL_FRAME_TIME;
  if (!(fps > 0 && Number.isFinite(fps))) throw new RangeError(`The frame rate is ${fps}; expected a number above 0.`);
  return 1 / fps;
}

/** Scale that changes by less is none: what exporters make of 1. */
const SCALE_NOISE = 1e-4;

/** Whether a scale changes by more than exporters' noise. */
export function isAnimatedScale({ path, values }: Track): boolean {
  return path === 'scale' && values.some((value, i) => Math.abs(value - values[i % 3]!) > SCALE_NOISE);
}

/** One joint of the file, and how far the frames are off what the clip wants of it. */
interface Writer {
  readonly joint: BvhJoint;
  /** Of the skeleton. */
  readonly node: number;
  readonly rotation: RotationChannels;
  /** Column of the position on each axis, −1 without. */
  readonly position: readonly number[];
  readonly moves: boolean;
  rotationMiss: number;
  placeMiss: number;
}

function writerOf(joint: BvhJoint, node: number, { rootMoves, othersMove }: PositionMeaning): Writer {
  const position = [-1, -1, -1];
  for (const [k, channel] of joint.channels.entries()) {
    if (isPosition(channel)) position[axisOf(channel)] = joint.column + k;
  }
  const rotation = rotationChannels(joint.channels, joint.column);
  const moves = joint.parent < 0 ? rootMoves : othersMove;
  return { joint, node, rotation, position, moves, rotationMiss: 0, placeMiss: 0 };
}

/** Writes a place (3 floats at i) into the row of a frame that starts at `row`; what has no channel adds to the miss. */
function writePlace(values: Float64Array, row: number, writer: Writer, place: ArrayLike<number>, i: number): void {
  const { joint, position, moves } = writer;
  for (let axis = 0; axis < 3; axis++) {
    const offset = joint.offset[axis]!;
    const column = position[axis]!;
    if (column >= 0) values[row + column] = place[i + axis]! - (moves ? offset : 0);
    else writer.placeMiss = Math.max(writer.placeMiss, Math.abs(place[i + axis]! - offset));
  }
}

/**
 * Puts a clip into the file that a skeleton was read from: hierarchy, OFFSETs, End Sites, names and channels stay as they are,
 * MOTION is replaced. `part` is the skeleton as readBvhFile gave it with this tree, `clip` a clip of its nodes. Joints of other ROOTs
 * stand in the zero pose.
 *
 * Rotations become the angles of the joint's own channels, in their order, running on without jumps; channels that cannot reach a
 * rotation get the nearest one that they reach (issue `BVH_CHANNELS_MISSING`). Positions take the place of the OFFSETs or are added to
 * them, as the file has it. Frames k · frame time cover the clip; the frame time is 1/`fps`, else the step of the clip's
 * keys ({@link frameTimeOf}), else what the file had.
 *
 * @throws RangeError for an fps that makes no frames or too many, and for a skeleton or clip that is not of this tree.
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
      for (let frame = 0; frame < times.length; frame++) {
        for (const writer of writers) writePlace(values, frame * tree.channelCount, writer, writer.joint.offset, 0);
      }
      continue;
    }
    writeFrames(values, tree.channelCount, writers, restPose(skeleton), clip, times);
    issues.push(...reportMisses(writers, sizeOf(rooted)), ...reportMeaning(rooted, meaning, motion));
  }
  const scaled = clip.tracks.filter(isAnimatedScale).length;
  if (scaled > 0) issues.push(issue('CHANNELS_DROPPED', `${scaled} × scale is not carried over: BVH has no scale`));
  return { tree: { ...tree, motion, issues: [] }, issues };
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
  local: Float64Array,
  clip: Clip,
  times: Float64Array,
): void {
  const cursors = new Int32Array(clip.tracks.length);
  const q = new Float64Array(4);
  for (let frame = 0; frame < times.length; frame++) {
    const row = frame * channelCount;
    sampleClip(clip, times[frame]!, local, cursors);
    for (const writer of writers) {
      const at = writer.node * POSE_STRIDE;
      writePlace(values, row, writer, local, at);
      quat.normalize(q, 0, local, at + 3);
      writeRotation(values, row, writer.rotation, q, 0);
      if (writer.rotation.plan.isComplete) continue;
      writer.rotationMiss = Math.max(writer.rotationMiss, rotationMiss(writer.rotation, q, 0));
    }
  }
}

/** The first of the joints by name, and how many more. */
function listed(joints: readonly BvhJoint[]): string {
  const name = JSON.stringify(joints[0]!.name);
  return joints.length === 1 ? name : `${name} and ${joints.length - 1} more joints`;
}

function reportMisses(writers: readonly Writer[], size: number): Issue[] {
  const issues: Issue[] = [];
  const turned = writers.filter((writer) => writer.rotationMiss > ROTATION_NOISE);
  if (turned.length > 0) {
    const worst = Math.max(...turned.map((writer) => writer.rotationMiss)) / DEGREE;
    issues.push(
      issue(
        'BVH_CHANNELS_MISSING',
        `The rotation channels of ${listed(turned.map(({ joint }) => joint))} cannot reach every rotation of the motion. ` +
          `The nearest ones were written, up to ${worst.toFixed(2)}° off. Give these joints three rotation channels.`,
      ),
    );
  }
  const moved = writers.filter((writer) => writer.placeMiss > PLACE_NOISE * size);
  if (moved.length > 0) {
    const worst = Math.max(...moved.map((writer) => writer.placeMiss));
    issues.push(
      issue(
        'BVH_CHANNELS_MISSING',
        `The motion moves ${listed(moved.map(({ joint }) => joint))} up to ${worst.toPrecision(3)} units away from the OFFSET, ` +
          'on axes that have no position channel. Give these joints three position channels.',
      ),
    );
  }
  return issues;
}

/** Says so where the new numbers would be taken for what the channels do not mean. */
function reportMeaning(rooted: RootedTree, meaning: PositionMeaning, motion: BvhMotion): Issue[] {
  const seen = meaningOfPositions(rooted, motion);
  const [root, ...others] = rooted.joints;
  const unclear: BvhJoint[] = [];
  if (seen.rootMoves !== meaning.rootMoves) unclear.push(root!);
  if (seen.othersMove !== meaning.othersMove)
    unclear.push(...others.filter((joint) => joint.channels.some(isPosition)));
  if (unclear.length === 0) return [];
  const isRoot = unclear[0] === root;
  const [means, looks] = (isRoot ? meaning.rootMoves : meaning.othersMove)
    ? ['are added to the OFFSET', 'take its place']
    : ['take the place of the OFFSET', 'are added to it'];
  return [
    issue(
      'BVH_POSITIONS_AMBIGUOUS',
      `The position channels of ${listed(unclear)} ${means}, as in the file of the character, but by their numbers a reader may ` +
        `think that they ${looks}. An OFFSET of 0 would leave no doubt.`,
    ),
  ];
}
