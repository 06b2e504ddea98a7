/** Bodies of files as rows of a contact sheet. */
import type { Clip } from '../core/animation/clip.ts';
import { sampleClip } from '../core/animation/sample.ts';
import { BONES, isFingerBone } from '../core/humanoid/bones.ts';
import { restPose } from '../core/skeleton/pose.ts';
import { type SkeletonPose, distinctPoses } from './skeleton-poses.ts';
import type { SheetSkeleton } from './cell.ts';
import { type DrawnSkeleton, drawnPositions } from './drawn-skeleton.ts';
import type { JointName, SheetRow } from './sheet.ts';
import { shorten } from './svg.ts';

/** What a row says about itself. */
export type RowLabels = Pick<SheetRow, 'title' | 'subtitle' | 'source'>;

/** Pixels that a body is tall in a row, by its columns: few figures have more room; named ones need it. */
const FIGURES = [
  [3, 230],
  [5, 160],
] as const;
const NAMED_FIGURE = 440;
/** Of a row of one pose, and of several. */
const POSE_FIGURES = [300, 200] as const;
/** Joints of what is no humanoid that are named at most. */
const MOST_NAMES = 300;
const LONGEST_NAME = 24;
/** Bones that are named last: close together. */
const isClose = (bone: string): boolean => isFingerBone(bone) || /Eye|jaw/.test(bone);

function figureOf(columns: number): Pick<SheetRow, 'figure'> {
  const found = FIGURES.find(([most]) => columns <= most);
  return found === undefined ? {} : { figure: found[1] };
}

function drawn({ parents, bones, head = null, tips, ground, height }: DrawnSkeleton): SheetSkeleton {
  return { parents, bones, head, ...(tips === undefined ? {} : { tips }), ground, height };
}

/** Evenly spread times of a clip from its start to its end: `count` of them, or one where it has no duration. */
export function columnTimes(duration: number, count: number): number[] {
  const columns = duration > 0 ? count : 1;
  return Array.from({ length: columns }, (_, column) => (duration * column) / Math.max(1, columns - 1));
}

/** A body at these times of a clip, seconds. */
export function clipRow(body: DrawnSkeleton, clip: Clip, times: readonly number[], labels: RowLabels): SheetRow {
  const frames = times.map((time) => {
    const local = restPose(body.skeleton);
    sampleClip(clip, time, local);
    return drawnPositions(body, local);
  });
  return {
    ...labels,
    ...drawn(body),
    ...figureOf(frames.length),
    frames,
    labels: times.map((t) => `${t.toFixed(2)} s`),
  };
}

/** What is written at the joints: the names of the bones, or those of the nodes. */
export type NameKind = 'bones' | 'nodes';

function jointNames({ bones, nodes, skeleton }: DrawnSkeleton, kind: NameKind): JointName[] {
  const nodeName = (node: number): string => shorten(skeleton.names[node].trim() || `node ${node}`, LONGEST_NAME);
  if (bones === null) {
    const names = Array.from(nodes.subarray(0, MOST_NAMES), (node, joint) => ({ joint, name: skeleton.names[node] }));
    return names
      .filter(({ name }) => name !== '')
      .map(({ joint, name }) => ({ joint, name: shorten(name, LONGEST_NAME) }));
  }
  const named = BONES.flatMap((name, bone) => {
    const joint = bones[bone];
    return joint < 0 ? [] : [{ joint, bone: name, name: kind === 'bones' ? name : nodeName(joint) }];
  });
  const [close, apart] = [named.filter(({ bone }) => isClose(bone)), named.filter(({ bone }) => !isClose(bone))];
  return [...apart, ...close].map(({ joint, name }) => ({ joint, name }));
}

/** A body in the poses that it has besides its motions, each with its name below. */
export function posesRow(body: DrawnSkeleton, labels: RowLabels): SheetRow {
  const poses = distinctPoses(body);
  const frames = poses.map(({ positions }) => positions);
  return { ...labels, ...drawn(body), ...figureOf(poses.length), frames, labels: poses.map(({ name }) => name) };
}

/** A body, large, in these poses; where the first is the reference pose, with its hands from above. With names at the joints of the first. */
export function largeRow(body: DrawnSkeleton, poses: readonly SkeletonPose[], labels: RowLabels, names?: NameKind): SheetRow {
  const figure = names === undefined ? POSE_FIGURES[poses.length > 1 ? 1 : 0] : NAMED_FIGURE;
  return {
    ...labels,
    ...drawn(body),
    figure,
    frames: poses.map(({ positions }) => positions),
    labels: poses.map(({ name }) => name),
    hands: poses[0]?.name === 'reference',
    ...(names === undefined ? {} : { names: jointNames(body, names) }),
  };
}

/** A body, large, in the first of its poses (the reference pose of a humanoid), with the names of its bones or nodes. */
export function namesRow(body: DrawnSkeleton, labels: RowLabels, names: NameKind = 'bones'): SheetRow {
  return largeRow(body, distinctPoses(body).slice(0, 1), labels, names);
}
