/** Enlarged hands from above, which show palm direction and finger mapping. */
import { BONE, BONES, FINGERS, isFingerBone } from '../core/humanoid/bones.ts';
import { COLORS, type SheetSkeleton } from './cell.ts';
import type { JointName } from './joint-names.ts';
import { px, text } from './svg.ts';

const DIGITS = ['Thumb', ...FINGERS] as const;

/** A point relative to the wrist, pixels. Seen from above with the camera in front: the left of the skeleton is right, its front is down. */
type SheetPoint = readonly [x: number, y: number];

interface FingerView {
  readonly name: string;
  /** The wrist, the finger joints, and the tip where a leaf joint defines it. */
  readonly line: readonly SheetPoint[];
  /** Number of bone joints on the line, without the wrist. */
  readonly joints: number;
}

interface HandView {
  readonly side: 'left' | 'right';
  readonly arm: SheetPoint;
  readonly fingers: readonly FingerView[];
}

/** Layout of both hands and their labels, pixels. */
export interface HandsLayout {
  /** Right one first. */
  readonly hands: readonly HandView[];
  readonly labels: readonly (readonly string[])[];
  /** Offset of each hand: left edge and vertical center, from the left edge and the vertical center of the layout. */
  readonly offsets: readonly SheetPoint[];
  readonly width: number;
  readonly height: number;
}

/** Length of a hand by the height of the figure beside it. */
const LENGTH = 0.42;
/** Least and greatest length of a hand, pixels. */
const LENGTHS = [64, 150] as const;
/** Drawn length of the forearm by the length of the hand. */
const FOREARM = 0.3;
/** Greatest length of a tip by the length of the bone before it. */
const TIP = 1.6;
/** The same by the height of the skeleton, for bones of length 0. */
const TIP_ALONE = 0.05;
const LETTERS = 10;
const LINE_HEIGHT = 12;
const LETTER = 0.54;
const GAP = 14;
const BETWEEN = 26;
/** Hands wider than this together are stacked, pixels. */
const WIDEST = 480;
/** Greatest number of letters of a node name. */
const LONGEST = 64;

function plane(positions: ArrayLike<number>, joint: number): SheetPoint {
  return [positions[3 * joint], positions[3 * joint + 2]];
}

function apart(positions: ArrayLike<number>, a: number, b: number): number {
  return Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]));
}

/** Finds the leaf joint that marks the tip of a finger; −1 without one. */
function tipOf(
  { parents, bones, height }: SheetSkeleton,
  positions: ArrayLike<number>,
  last: number,
  before: number,
): number {
  const mapped = bones === null ? [] : Array.from(bones);
  const length = apart(positions, last, before);
  const most = length > 0 ? TIP * length : TIP_ALONE * height;
  return Array.from({ length: parents.length }, (_, joint) => joint).findIndex((joint) => {
    if (parents[joint] !== last || mapped.includes(joint)) return false;
    const far = apart(positions, joint, last);
    return far > 0 && far <= most;
  });
}

export function fingerJoints({ bones }: SheetSkeleton): Set<number> {
  return new Set(BONES.flatMap((name, bone) => (bones !== null && isFingerBone(name) ? [bones[bone]] : [])));
}

function handView(skeleton: SheetSkeleton, positions: ArrayLike<number>, side: 'left' | 'right'): HandView | null {
  const { bones } = skeleton;
  const wrist = bones === null ? -1 : bones[BONE[`${side}Hand`]];
  if (bones === null || wrist < 0) return null;
  const lines = DIGITS.map((finger) => {
    const joints = BONES.flatMap((name, bone) => {
      return name.startsWith(`${side}${finger}`) && bones[bone] >= 0 ? [bones[bone]] : [];
    });
    if (joints.length === 0) return { name: finger, nodes: [], joints: 0 };
    const line = [wrist, ...joints];
    const tip = tipOf(skeleton, positions, line[line.length - 1], line[line.length - 2]);
    return { name: finger, nodes: tip < 0 ? line : [...line, tip], joints: joints.length };
  }).filter(({ nodes }) => nodes.length > 0);
  if (lines.length === 0) return null;
  const [x, z] = plane(positions, wrist);
  const longest = Math.max(...lines.flatMap(({ nodes }) => nodes.map((node) => apart(positions, node, wrist))));
  const scale = longest > 0 && Number.isFinite(longest) ? 1 / longest : 1;
  const onSheet = (node: number): SheetPoint => {
    const [u, v] = plane(positions, node);
    return [(u - x) * scale, (v - z) * scale];
  };
  const elbow = bones[BONE[`${side}LowerArm`]];
  const [u, v] = elbow < 0 ? [0, 0] : onSheet(elbow);
  const length = Math.hypot(u, v);
  const shorter = length > 0 ? Math.min(1, FOREARM / length) : 0;
  const fingers = lines.map(({ name, nodes, joints }) => ({ name, line: nodes.map(onSheet), joints }));
  return { side, arm: [u * shorter, v * shorter], fingers };
}

function fingerLabel(skeleton: SheetSkeleton, side: string, finger: string, names: readonly JointName[]): string {
  const { bones } = skeleton;
  const own = names.filter(({ joint }) => {
    return BONES.some((name, bone) => name.startsWith(`${side}${finger}`) && bones?.[bone] === joint);
  });
  const isBone = own.every(({ name }) => name.startsWith(`${side}${finger}`));
  return isBone
    ? finger.toLowerCase()
    : own
        .map(({ name }) => name)
        .join(' · ')
        .slice(0, LONGEST);
}

function scaled({ side, arm, fingers }: HandView, length: number): HandView {
  const grow = ([x, y]: SheetPoint): SheetPoint => [x * length, y * length];
  return {
    side,
    arm: grow(arm),
    fingers: fingers.map(({ name, line, joints }) => ({ name, line: line.map(grow), joints })),
  };
}

function pointsOf({ arm, fingers }: HandView): SheetPoint[] {
  return [arm, [0, 0], ...fingers.flatMap(({ line }) => line)];
}

function range(hand: HandView, axis: 0 | 1): [number, number] {
  const values = pointsOf(hand).map((point) => point[axis]);
  return [Math.min(...values), Math.max(...values)];
}

function labelWidth(labels: readonly string[]): number {
  return Math.max(...labels.map((label) => label.length)) * LETTERS * LETTER;
}

/**
 * Lays out the hands of a skeleton in a pose; the right hand is on the left, as seen from the front. `positions`: joint positions, xyz, canonical
 * frame. `figure`: height of the figure beside the hands, pixels. Returns the layout; null without fingers.
 */
export function layoutHands(
  skeleton: SheetSkeleton,
  positions: ArrayLike<number>,
  figure: number,
  names: readonly JointName[],
): HandsLayout | null {
  const length = Math.min(LENGTHS[1], Math.max(LENGTHS[0], LENGTH * figure));
  const hands = (['right', 'left'] as const).flatMap((side) => {
    const view = handView(skeleton, positions, side);
    return view === null ? [] : [scaled(view, length)];
  });
  if (hands.length === 0) return null;
  const labels = hands.map(({ side, fingers }) => fingers.map(({ name }) => fingerLabel(skeleton, side, name, names)));
  const widths = hands.map((hand, h) => {
    const [left, right] = range(hand, 0);
    return right - left + GAP + labelWidth(labels[h]);
  });
  const heights = hands.map((hand) => {
    const [top, bottom] = range(hand, 1);
    return Math.max(bottom - top, hand.fingers.length * LINE_HEIGHT);
  });
  const sum = (list: readonly number[]): number =>
    list.reduce((all, one) => all + one, 0) + BETWEEN * (list.length - 1);
  const isStacked = sum(widths) > WIDEST && sum(heights) < figure;
  const before = (list: readonly number[], h: number): number => (h === 0 ? 0 : list[0] + BETWEEN);
  const offsets = hands.map((_, h): SheetPoint => {
    return isStacked ? [0, before(heights, h) + (heights[h] - sum(heights)) / 2] : [before(widths, h), 0];
  });
  return {
    hands,
    labels,
    offsets,
    width: isStacked ? Math.max(...widths) : sum(widths),
    height: isStacked ? sum(heights) : Math.max(...heights),
  };
}

/** Moves label heights apart where they are too close; returns them in the order of `wanted`. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b]);
  const out = [...wanted];
  order.forEach((k, i) => {
    if (i > 0) out[k] = Math.max(out[k], out[order[i - 1]] + LINE_HEIGHT);
  });
  const shift = order.reduce((sum, k) => sum + out[k] - wanted[k], 0) / Math.max(1, order.length);
  return out.map((y) => y - shift);
}

function drawHand(hand: HandView, labels: readonly string[], left: number, middle: number): string {
  const { side, arm, fingers } = hand;
  const [least, most] = range(hand, 0);
  const [top, bottom] = range(hand, 1);
  const isRight = side === 'right';
  const x = left - least + (isRight ? labelWidth(labels) + GAP : 0);
  const y = middle - (top + bottom) / 2;
  const at = ([u, v]: SheetPoint): string => `${px(x + u)} ${px(y + v)}`;
  const lines = fingers.map(({ line }) => `M${line.map(at).join('L')}`).join('');
  const dots = [[0, 0] as const, ...fingers.flatMap(({ line, joints }) => line.slice(1, joints + 1))];
  const circles = dots.map(([u, v]) => `<circle cx="${px(x + u)}" cy="${px(y + v)}" r="2"/>`);
  const tips = fingers.map(({ line }) => line[line.length - 1]);
  const heights = spread(tips.map(([, v]) => y + v));
  const edge = isRight ? x + least - GAP : x + most + GAP;
  const end = px(isRight ? edge + 2 : edge - 2);
  const leaders = tips.map((tip, k) => `M${at(tip)}L${end} ${px(heights[k])}`).join('');
  const texts = labels.map((label, k) => {
    return text(edge, heights[k] + 0.35 * LETTERS, LETTERS, '#5b6673', label, isRight ? ' text-anchor="end"' : '');
  });
  return [
    `<path d="${leaders}" stroke="#c5ccd6" stroke-width="0.7"/>`,
    `<g stroke="${COLORS[side]}" stroke-linecap="round" stroke-linejoin="round" fill="none">`,
    `<path d="M${at(arm)}L${at([0, 0])}" stroke-width="5"/><path d="${lines}" stroke-width="1.6"/>`,
    `<g fill="#fff">${circles.join('')}</g></g>`,
    ...texts,
  ].join('');
}

export function drawHands({ hands, labels, offsets }: HandsLayout, left: number, middle: number): string {
  return hands.map((hand, h) => drawHand(hand, labels[h], left + offsets[h][0], middle + offsets[h][1])).join('\n');
}
