/** Bodies and one clip as BVH text, with any order of the rotation channels. */
import type { Clip } from '../core/animation/clip.ts';
import type { EulerOrder } from '../core/math/euler.ts';
import * as quat from '../core/math/quat.ts';
import { POSE_STRIDE } from '../core/skeleton/skeleton.ts';
import type { DemoBody } from './body.ts';

const DEGREES = 180 / Math.PI;
const AXIS: Readonly<Record<string, number>> = { X: 0, Y: 1, Z: 2 };
const SMALLEST_ANGLE = 1e-6;

/**
 * Angles, degrees, of which `order` is the product: R = R₁ · R₂ · R₃. Where the middle one is a right angle the last is 0.
 */
export function toEulerDegrees(q: ArrayLike<number>, i: number, order: EulerOrder): [number, number, number] {
  const axes = [...order].map((letter) => AXIS[letter]);
  const [a, b, c] = axes;
  const even = (b - a + 3) % 3 === 1 ? 1 : -1;
  const m = (row: number, column: number): number => rotationEntry(q, i, row, column);
  const sine = Math.min(1, Math.max(-1, even * m(a, c)));
  const middle = Math.asin(sine);
  if (Math.abs(sine) > 1 - SMALLEST_ANGLE) return [Math.atan2(even * m(c, b), m(b, b)) * DEGREES, middle * DEGREES, 0];
  const first = Math.atan2(-even * m(b, c), m(c, c));
  const last = Math.atan2(-even * m(a, b), m(a, a));
  return [first * DEGREES, middle * DEGREES, last * DEGREES];
}

/** An entry of the rotation matrix of a unit quaternion. */
function rotationEntry(q: ArrayLike<number>, i: number, row: number, column: number): number {
  const w = q[i + 3];
  const diagonal = row === column ? 1 - 2 * (1 - w * w - q[i + row] * q[i + row]) : 2 * q[i + row] * q[i + column];
  if (row === column) return diagonal;
  const third = 3 - row - column;
  const sign = (column - row + 3) % 3 === 1 ? -1 : 1;
  return diagonal + sign * 2 * w * q[i + third];
}

function number(value: number): string {
  const text = value.toFixed(6);
  return Number(text) === 0 ? '0.000000' : text;
}

/**
 * The text of a BVH: three rotation channels a joint in the given order and three position channels of the root, whose own
 * offset is 0. Joints without children that are no bones become End Sites. The rest pose must have no rotations (axes
 * `identity`) and no armature, and the tracks of the clip must share their times; TypeError when not.
 */
export function printBvh(body: DemoBody, clip: Clip, order: EulerOrder = 'ZXY'): string {
  const { skeleton } = body;
  const turned = skeleton.names.findIndex((_, node) => Math.abs(skeleton.rest[node * POSE_STRIDE + 6]) < 1 - 1e-9);
  if (turned >= 0 || body.armature.length > 0)
    throw new TypeError(`BVH has no rest rotations: give the body "${body.name}" the axes "identity" and no armature.`);
  const { times } = clip.tracks[0];
  if (clip.tracks.some((track) => track.times !== times))
    throw new TypeError(`The tracks of "${clip.name}" do not share their times, and BVH has frames.`);
  const lines: string[] = ['HIERARCHY'];
  const joints = printJoints(lines, body, order);
  lines.push(
    'MOTION',
    `Frames: ${times.length}`,
    `Frame Time: ${((times.at(-1) ?? 0) / (times.length - 1)).toFixed(8)}`,
  );
  for (let frame = 0; frame < times.length; frame++) {
    const values = joints.flatMap((node) => frameValues(body, clip, node, frame, order));
    lines.push(values.map(number).join(' '));
  }
  return `${lines.join('\n')}\n`;
}

/** Prints the hierarchy and gives the nodes with channels in its order. */
function printJoints(lines: string[], { skeleton, bones }: DemoBody, order: EulerOrder): number[] {
  const { names, parents, rest } = skeleton;
  const children: number[][] = names.map(() => []);
  parents.forEach((parent, node) => {
    if (parent >= 0) children[parent].push(node);
  });
  const mapped = new Set(bones);
  const rotations = [...order].map((axis) => `${axis}rotation`).join(' ');
  const offset = (node: number): string =>
    node === 0 ? '0.000000 0.000000 0.000000' : [0, 1, 2].map((c) => number(rest[node * POSE_STRIDE + c])).join(' ');
  const printed: number[] = [];
  const open = (node: number, indent: string): void => {
    const isEnd = children[node].length === 0 && !mapped.has(node);
    lines.push(`${indent}${isEnd ? 'End Site' : `${node === 0 ? 'ROOT' : 'JOINT'} ${names[node]}`}`, `${indent}{`);
    lines.push(`${indent}\tOFFSET ${offset(node)}`);
    if (isEnd) return;
    printed.push(node);
    const positions = node === 0 ? '6 Xposition Yposition Zposition' : '3';
    lines.push(`${indent}\tCHANNELS ${positions} ${rotations}`);
    if (children[node].length === 0)
      lines.push(`${indent}\tEnd Site`, `${indent}\t{`, `${indent}\t\tOFFSET 0 0 0`, `${indent}\t}`);
  };
  const walk = (node: number, indent: string): void => {
    open(node, indent);
    for (const child of children[node]) walk(child, `${indent}\t`);
    lines.push(`${indent}}`);
  };
  walk(0, '');
  return printed;
}

/** Channel values of one joint: where no track is, its rest. */
function frameValues(body: DemoBody, clip: Clip, node: number, frame: number, order: EulerOrder): number[] {
  const { rest } = body.skeleton;
  const track = (path: string): ArrayLike<number> | undefined =>
    clip.tracks.find((candidate) => candidate.target === node && candidate.path === path)?.values;
  const rotation = new Float64Array(4);
  const keys = track('rotation');
  quat.copy(rotation, 0, keys ?? rest, keys === undefined ? node * POSE_STRIDE + 3 : frame * 4);
  const angles = toEulerDegrees(rotation, 0, order);
  if (node !== 0) return angles;
  const way = track('translation');
  const [source, o] = way === undefined ? [rest, 0] : [way, frame * 3];
  return [source[o], source[o + 1], source[o + 2], ...angles];
}
