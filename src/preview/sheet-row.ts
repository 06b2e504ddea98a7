/** Bodies of files as rows of a contact sheet. */
import type { Clip } from '../core/animation/clip.ts';
import { sampleClip } from '../core/animation/sample.ts';
import { BONE_COUNT, BONES } from '../core/humanoid/bones.ts';
import { restPose } from '../core/skeleton/pose.ts';
import { bodyPoses } from './body-poses.ts';
import type { SheetBody } from './cell.ts';
import { type DrawnBody, drawnPositions } from './drawn-body.ts';
import type { JointName, SheetRow } from './sheet.ts';

/** What a row says about itself. */
export type RowLabels = Pick<SheetRow, 'title' | 'subtitle' | 'source'>;

/** Pixels that a body is tall in a row, by its columns: few figures have more room; named ones need it. */
const FIGURES = [
  [3, 230],
  [5, 160],
] as const;
const NAMED_FIGURE = 440;
/** Joints of what is no humanoid that are named at most. */
const MOST_NAMES = 300;
/** Bones that are not named: too close together. */
const UNNAMED = /Thumb|Index|Middle|Ring|Little|Eye|jaw/;

function figureOf(columns: number): Pick<SheetRow, 'figure'> {
  const found = FIGURES.find(([most]) => columns <= most);
  return found === undefined ? {} : { figure: found[1] };
}

function drawn({ parents, bones, head = null, tips, ground, height }: DrawnBody): SheetBody {
  return { parents, bones, head, ...(tips === undefined ? {} : { tips }), ground, height };
}

/** Evenly spread times of a clip from its start to its end: `count` of them, or one where it has no duration. */
export function columnTimes(duration: number, count: number): number[] {
  const columns = duration > 0 ? count : 1;
  return Array.from({ length: columns }, (_, column) => (duration * column) / Math.max(1, columns - 1));
}

/** A body at these times of a clip, seconds. */
export function clipRow(body: DrawnBody, clip: Clip, times: readonly number[], labels: RowLabels): SheetRow {
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

function jointNames({ bones, nodes, skeleton }: DrawnBody): JointName[] {
  if (bones === null) {
    const names = Array.from(nodes.subarray(0, MOST_NAMES), (node, joint) => ({ joint, name: skeleton.names[node] }));
    return names.filter(({ name }) => name !== '').map(({ joint, name }) => ({ joint, name: name.slice(0, 24) }));
  }
  const named = Array.from({ length: BONE_COUNT }, (_, bone) => ({ joint: bones[bone], name: BONES[bone] as string }));
  return named.filter(({ joint, name }) => joint >= 0 && !UNNAMED.test(name));
}

/** A body in the poses that it has besides its motions, each with its name below. */
export function posesRow(body: DrawnBody, labels: RowLabels): SheetRow {
  const poses = bodyPoses(body);
  const frames = poses.map(({ positions }) => positions);
  return { ...labels, ...drawn(body), ...figureOf(poses.length), frames, labels: poses.map(({ name }) => name) };
}

/** A body, large, in the first of its poses (the reference pose of a humanoid), with the names of its bones. */
export function namesRow(body: DrawnBody, labels: RowLabels): SheetRow {
  const [{ name, positions }] = bodyPoses(body);
  const names = jointNames(body);
  return { ...labels, ...drawn(body), figure: NAMED_FIGURE, frames: [positions], labels: [name], names };
}
