/** Files with the joint positions of the walking figure, as programs write them. */
import { FIGURE_JOINTS, walkingFigure } from './point-figure.ts';

const RATE = 30;
const COUNT = FIGURE_JOINTS.length;

/** The positions of a frame as points. */
function pointsOf(positions: readonly number[], frame: number): number[][] {
  return Array.from({ length: COUNT }, (_, joint) => {
    const at = 3 * (COUNT * frame + joint);
    return positions.slice(at, at + 3).map((value) => Number(value.toFixed(5)));
  });
}

function framesOf(count: number, place: readonly [number, number, number] = [0, 0, 0]): number[][][] {
  const positions = walkingFigure(count, RATE, place);
  return Array.from({ length: count }, (_, frame) => pointsOf(positions, frame));
}

/** How a TRC differs from that of the figure. */
export interface TrcOptions {
  readonly unit?: string;
  readonly rate?: number;
  readonly names?: readonly string[];
  /** Changes a point before it is written. */
  readonly change?: (point: readonly number[]) => readonly number[];
  /** Leaves the cells of a point empty. */
  readonly isLost?: (frame: number, joint: number) => boolean;
}

/** A TRC of the walking figure in meters with +Y up. */
export function walkTrc(
  count: number,
  { unit = 'm', rate = RATE, names = FIGURE_JOINTS, change = (point) => point, isLost = () => false }: TrcOptions = {},
): string {
  const frames = framesOf(count);
  const row = (points: readonly (readonly number[])[], frame: number): string => {
    const cells = points.flatMap((point, joint): readonly (number | string)[] =>
      isLost(frame, joint) ? ['', '', ''] : change(point),
    );
    return [frame + 1, frame / rate, ...cells].join('\t');
  };
  return [
    'PathFileType\t4\t(X/Y/Z)\twalk.trc',
    'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames',
    [rate, rate, count, COUNT, unit, rate, 1, count].join('\t'),
    `Frame#\tTime\t${names.join('\t\t\t')}\t\t`,
    `\t\t${names.map((_, k) => `X${k + 1}\tY${k + 1}\tZ${k + 1}`).join('\t')}`,
    '',
    ...frames.map(row),
    '',
  ].join('\r\n');
}

/** Keypoints with names and a frame rate. */
export function walkKeypoints(count: number): string {
  return JSON.stringify({ fps: RATE, joints: FIGURE_JOINTS, frames: framesOf(count) });
}

/** Two people with ids, listed in turn in either order, with points by name. */
export function peopleKeypoints(count: number): string {
  const people = [
    { id: 7, frames: framesOf(count) },
    { id: 3, frames: framesOf(count, [2, 0, 0]) },
  ];
  const frames = Array.from({ length: count }, (_, frame) => {
    const listed = frame % 2 === 0 ? people : people.toReversed();
    return {
      time: frame / RATE,
      people: listed.map(({ id, frames: own }) => ({
        person_id: id,
        joints: Object.fromEntries(
          FIGURE_JOINTS.map((joint, k) => [joint, { x: own[frame][k][0], y: own[frame][k][1], z: own[frame][k][2] }]),
        ),
      })),
    };
  });
  return JSON.stringify({ frames });
}

/** A BVH whose joints have positions from the origin and no rotations, centimeters. */
export function positionBvh(count: number): string {
  const lines = ['HIERARCHY'];
  const children = (joint: string): string[] => FIGURE_JOINTS.filter((name) => PARENTS[name] === joint);
  const order: string[] = [];
  const write = (joint: string, depth: number): void => {
    order.push(joint);
    const indent = '  '.repeat(depth);
    lines.push(`${indent}${depth === 0 ? 'ROOT' : 'JOINT'} ${joint}`, `${indent}{`, `${indent}  OFFSET 0 0 0`);
    lines.push(`${indent}  CHANNELS 3 Xposition Yposition Zposition`);
    for (const child of children(joint)) write(child, depth + 1);
    if (children(joint).length === 0)
      lines.push(`${indent}  End Site`, `${indent}  {`, `${indent}    OFFSET 0 0 0`, `${indent}  }`);
    lines.push(`${indent}}`);
  };
  write('pelvis', 0);
  lines.push('MOTION', `Frames: ${count}`, `Frame Time: ${1 / RATE}`);
  for (const points of framesOf(count))
    lines.push(
      order.flatMap((joint) => points[FIGURE_JOINTS.indexOf(joint)].map((value) => (100 * value).toFixed(3))).join(' '),
    );
  return `${lines.join('\n')}\n`;
}

const PARENTS: Readonly<Record<string, string>> = {
  ...{ left_hip: 'pelvis', right_hip: 'pelvis', spine1: 'pelvis', spine2: 'spine1', spine3: 'spine2' },
  ...{ left_knee: 'left_hip', left_ankle: 'left_knee', left_foot: 'left_ankle' },
  ...{ right_knee: 'right_hip', right_ankle: 'right_knee', right_foot: 'right_ankle' },
  ...{ neck: 'spine3', head: 'neck', left_collar: 'spine3', right_collar: 'spine3' },
  ...{ left_shoulder: 'left_collar', left_elbow: 'left_shoulder', left_wrist: 'left_elbow' },
  ...{ right_shoulder: 'right_collar', right_elbow: 'right_shoulder', right_wrist: 'right_elbow' },
};
