/** Creates rows of a contact sheet from the skeletons of files. */
import type { Clip } from '../core/animation/clip.ts';
import { sampleClip } from '../core/animation/sample.ts';
import { BONES, isFingerBone } from '../core/humanoid/bones.ts';
import { restPose } from '../core/skeleton/pose.ts';
import type { SheetSkeleton } from './cell.ts';
import { type DrawnSkeleton, drawnPositions } from './drawn-skeleton.ts';
import type { JointName } from './joint-names.ts';
import type { SheetRow } from './sheet.ts';
import { distinctPoses, type SheetPose } from './skeleton-poses.ts';
import { skinInPose, skinInReference } from './skin-parts.ts';
import { drawnSoles } from './soles.ts';
import { shorten } from './svg.ts';

/** Texts of a row. */
export type RowLabels = Pick<SheetRow, 'title' | 'subtitle' | 'source'>;

/** Height of a figure in pixels for rows with at most so many columns; rows with few or labeled figures have more room. */
const FIGURES = [
  [3, 230],
  [5, 160],
] as const;
const NAMED_FIGURE = 440;
/** Height of a figure in a row of one pose and in a row of several, pixels. */
const POSE_FIGURES = [300, 200] as const;
/** Greatest number of joint labels for non-humanoid skeletons. */
const MOST_NAMES = 300;
const LONGEST_NAME = 24;
/** Returns whether a bone is close to others; such bones are labeled last. */
const isClose = (bone: string): boolean => isFingerBone(bone) || /Eye|jaw/.test(bone);

function figureOf(columns: number): Pick<SheetRow, 'figure'> {
  const found = FIGURES.find(([most]) => columns <= most);
  return found === undefined ? {} : { figure: found[1] };
}

function sheetSkeleton({ parents, bones, head = null, tips, ground, height }: DrawnSkeleton): SheetSkeleton {
  return { parents, bones, head, ...(tips === undefined ? {} : { tips }), ground, height };
}

/**
 * Spaces times evenly from the start to the end of a clip. `duration`: seconds. Returns `count` times in seconds, or one time for a clip of duration 0.
 */
export function columnTimes(duration: number, count: number): number[] {
  const columns = duration > 0 ? count : 1;
  return Array.from({ length: columns }, (_, column) => (duration * column) / Math.max(1, columns - 1));
}

/**
 * Creates the row of a clip; with the skin of every pose if the skeleton has a surface.
 *
 * @param drawn The skeleton.
 * @param clip Clip of the skeleton.
 * @param times Time of each column, seconds.
 * @param labels Texts of the row.
 * @returns The row.
 */
export function clipRow(drawn: DrawnSkeleton, clip: Clip, times: readonly number[], labels: RowLabels): SheetRow {
  const { humanoid, surface } = drawn;
  const poses = times.map((time) => {
    const local = restPose(drawn.skeleton);
    sampleClip(clip, time, local);
    return local;
  });
  const frames = poses.map((local) => drawnPositions(drawn, local));
  return {
    ...labels,
    ...sheetSkeleton(drawn),
    ...figureOf(frames.length),
    frames,
    ...(humanoid === null || surface === undefined
      ? {}
      : { skins: poses.map((local) => skinInPose(humanoid, surface, local)) }),
    labels: times.map((t) => `${t.toFixed(2)} s`),
  };
}

/** What joints are labeled with: bone names or node names. */
export type NameKind = 'bones' | 'nodes';

function jointNames({ bones, nodes, skeleton, sourceNodes }: DrawnSkeleton, kind: NameKind): JointName[] {
  const nodeName = (node: number): string =>
    shorten(skeleton.names[node].trim() || `node ${sourceNodes[node]}`, LONGEST_NAME);
  if (bones === null) {
    return Array.from(nodes.subarray(0, MOST_NAMES), (node, joint) => ({ joint, name: nodeName(node) }));
  }
  const named = BONES.flatMap((name, bone) => {
    const joint = bones[bone];
    return joint < 0 ? [] : [{ joint, bone: name, name: kind === 'bones' ? name : nodeName(joint) }];
  });
  const [close, apart] = [named.filter(({ bone }) => isClose(bone)), named.filter(({ bone }) => !isClose(bone))];
  return [...apart, ...close].map(({ joint, name }) => ({ joint, name }));
}

function skinsOf({ humanoid, surface }: DrawnSkeleton, poses: readonly SheetPose[]): Pick<SheetRow, 'skins'> {
  if (humanoid === null || surface === undefined) return {};
  return { skins: poses.map(({ name }) => (name === 'reference' ? skinInReference(humanoid, surface) : [])) };
}

/** Creates the row of a skeleton's static poses, labeled with their names. The surface of the skeleton is drawn with the reference pose. */
export function posesRow(drawn: DrawnSkeleton, labels: RowLabels): SheetRow {
  const poses = distinctPoses(drawn);
  const frames = poses.map(({ positions }) => positions);
  return {
    ...labels,
    ...sheetSkeleton(drawn),
    ...figureOf(poses.length),
    frames,
    ...skinsOf(drawn, poses),
    labels: poses.map(({ name }) => name),
  };
}

/**
 * Creates an enlarged row of poses, with the hands from above if the first is the reference pose, and with the soles if the skeleton has a surface.
 * `names`: joint labels of the first pose; none where missing.
 */
export function largeRow(
  drawn: DrawnSkeleton,
  poses: readonly SheetPose[],
  labels: RowLabels,
  names?: NameKind,
): SheetRow {
  const { humanoid, surface } = drawn;
  const isReference = poses[0]?.name === 'reference';
  const figure = names === undefined ? POSE_FIGURES[poses.length > 1 ? 1 : 0] : NAMED_FIGURE;
  return {
    ...labels,
    ...sheetSkeleton(drawn),
    figure,
    frames: poses.map(({ positions }) => positions),
    labels: poses.map(({ name }) => name),
    ...skinsOf(drawn, poses),
    hands: isReference,
    ...(isReference && humanoid !== null && surface !== undefined ? { soles: drawnSoles(humanoid, surface) } : {}),
    ...(names === undefined ? {} : { names: jointNames(drawn, names) }),
  };
}

/**
 * Creates an enlarged row of the first pose (the reference pose of a humanoid) with joint labels. `names`: whether joints are labeled with bone or
 * node names.
 */
export function namesRow(drawn: DrawnSkeleton, labels: RowLabels, names: NameKind = 'bones'): SheetRow {
  return largeRow(drawn, distinctPoses(drawn).slice(0, 1), labels, names);
}
