import type { Clip, Track } from '../../core/animation/clip.ts';
import { lastKeyTime } from '../../core/animation/clip.ts';
import type { Asset, AssetClip, AssetSkeleton } from '../../core/asset/asset.ts';
import { limitAsset } from '../../core/asset/limit-asset.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { limitRest } from '../../core/skeleton/limit-rest.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { decodeText, encodingIssue } from '../../core/text/decode-text.ts';
import type { BvhJoint, BvhMotion, BvhTree } from './bvh-tree.ts';
import { parseBvh } from './parse-bvh.ts';
import { hasPosition, meaningOfPositions, type RootedTree, splitByRoot, stayTolerance } from './roots.ts';
import { rotationTrack, staysAt, toParentSpaces, translationTrack } from './tracks.ts';

/** A BVH file, as a tree and as an asset. */
export interface BvhContent {
  /** Hierarchy and motion of the file. {@link writeBvhClip} writes another motion into it. */
  readonly tree: BvhTree;
  /** Skeletons and clips. */
  readonly asset: Asset;
}

/**
 * Reads a BVH file: one skeleton per ROOT and, if the file has frames, one clip without a name.
 *
 * Skeletons: the rest pose is the OFFSETs with identity rotations (the zero pose, often not a T-pose); there is no bind pose. End
 * Sites are leaf nodes named `<parent>_end`, not joints. Nodes are in file order.
 *
 * Clip: a LINEAR rotation track for every joint with rotation channels, and a translation track for every joint with
 * position channels, except below a root where the joint keeps its OFFSET. Key k is at k · frame time. Positions
 * replace the OFFSET, unless the motion shows that they are added to it (issue `BVH_POSITIONS_ADDED`), or that they are in the space of the file (issue `BVH_POSITIONS_WORLD`).
 *
 * Axes and unit are those of the file: the format defines neither.
 *
 * @param bytesOrText The file.
 * @returns Skeletons, clips and issues.
 * @throws FormatError `BVH_SYNTAX` with line and column if the text is not a BVH
 * @example
 * const { skeletons, clips } = readBvh(await readFile('walk.bvh'));
 */
export function readBvh(bytesOrText: Uint8Array | string): Asset {
  return readBvhFile(bytesOrText).asset;
}

/**
 * Reads a BVH file like {@link readBvh}, and also returns the tree, to write another motion into it.
 *
 * @param bytesOrText The file.
 * @returns The tree and the asset.
 * @throws FormatError `BVH_SYNTAX` with line and column if the text is not a BVH
 */
export function readBvhFile(bytesOrText: Uint8Array | string): BvhContent {
  const { text, legacyEncoding } =
    typeof bytesOrText === 'string'
      ? { text: bytesOrText, legacyEncoding: null }
      : decodeText(bytesOrText, 'BVH_SYNTAX');
  const tree = parseBvh(text);
  return { tree, asset: readTree(tree, legacyEncoding === null ? [] : [encodingIssue(legacyEncoding)]) };
}

function readTree(tree: BvhTree, encodingIssues: readonly Issue[]): Asset {
  const issues = [...encodingIssues, ...tree.issues];
  const rooted = splitByRoot(tree);
  const skeletons = rooted.map((tree) => readSkeleton(tree, issues));
  const { motion } = tree;
  const clips = motion === null || motion.frameCount === 0 ? [] : [readClip(rooted, motion, issues)];
  return limitAsset({ format: 'bvh', metersPerUnit: null, up: null, skeletons, clips, issues });
}

function readSkeleton({ first, joints }: RootedTree, issues: Issue[]): AssetSkeleton {
  const names: string[] = [];
  const parents = new Int32Array(joints.length);
  const rest = new Float64Array(joints.length * POSE_STRIDE);
  for (const [node, { kind, name, parent, offset }] of joints.entries()) {
    parents[node] = parent < 0 ? -1 : parent - first;
    names.push(kind === 'end' && name === '' ? `${names[parents[node]]}_end` : name);
    rest.set(offset, node * POSE_STRIDE);
    rest.set([0, 0, 0, 1, 1, 1, 1], node * POSE_STRIDE + 3);
  }
  issues.push(...limitRest(parents, rest, names));
  return {
    skeleton: {
      name: names[0] || `root ${first}`,
      names,
      parents,
      rest,
      bind: null,
      joints: Uint8Array.from(joints, ({ kind }) => (kind === 'end' ? 0 : 1)),
    },
    sourceNodes: Int32Array.from(joints, (_, node) => first + node),
    declared: null,
  };
}

function readClip(rooted: readonly RootedTree[], motion: BvhMotion, issues: Issue[]): AssetClip {
  const times = Float64Array.from({ length: motion.frameCount }, (_, frame) => frame * motion.frameTime);
  const movers: Movers = { added: [], world: [] };
  let duration = 0;
  const clips = rooted.map((tree): Clip => {
    const tracks = readTracks(tree, motion, times, movers);
    const last = lastKeyTime(tracks);
    duration = Math.max(duration, last);
    return { name: '', duration: last, tracks, keyTimes: times };
  });
  if (movers.added.length > 0) issues.push(positionsAdded(movers.added));
  if (movers.world.length > 0) issues.push(positionsWorld(movers.world));
  return { name: '', duration, clips, morphs: [], otherChannels: 0 };
}

/** Joints whose positions are added to the OFFSET, or are in the space of the file. */
type Movers = Readonly<Record<'added' | 'world', BvhJoint[]>>;

/** Reads the tracks of one skeleton. Joints whose positions do not replace the OFFSET are collected in `movers`. */
function readTracks(rooted: RootedTree, motion: BvhMotion, times: Float64Array, movers: Movers): Track[] {
  const tolerance = stayTolerance(rooted);
  const meaning = meaningOfPositions(rooted, motion);
  const tracks: Track[] = [];
  for (const [node, joint] of rooted.joints.entries()) {
    const kind = node === 0 ? meaning.root : meaning.others;
    const translation = translationTrack(joint, node, motion, times, kind === 'added');
    if (translation !== null) tracks.push(translation);
    if (translation !== null && kind === 'added') movers.added.push(joint);
    if (kind === 'world' && hasPosition(joint)) movers.world.push(joint);
    const rotation = rotationTrack(joint, node, motion, times);
    if (rotation !== null) tracks.push(rotation);
  }
  if (meaning.others === 'world') toParentSpaces(rooted, tracks, motion.frameCount);
  const stays = (track: Track): boolean =>
    track.target !== 0 &&
    track.path === 'translation' &&
    staysAt(track, rooted.joints[track.target]!.offset, tolerance);
  return tracks.filter((track) => !stays(track));
}

export function listJoints(joints: readonly BvhJoint[]): string {
  const name = JSON.stringify(joints[0]!.name);
  return joints.length === 1 ? name : `${name} and ${joints.length - 1} more joints`;
}

function positionsAdded(movers: readonly BvhJoint[]): Issue {
  return issue(
    'BVH_POSITIONS_ADDED',
    `The position channels of ${listJoints(movers)} stay near 0, but the OFFSET is not near 0. They were added to the OFFSET. ` +
      'To replace the OFFSET instead, set it to 0.',
  );
}

function positionsWorld(movers: readonly BvhJoint[]): Issue {
  return issue(
    'BVH_POSITIONS_WORLD',
    `The position channels of ${listJoints(movers)} are far longer than the OFFSETs, and the distances between them are not. They were read in the space of the file ` +
      'instead of that of the parent joint.',
  );
}
