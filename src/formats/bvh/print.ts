import type { BvhJoint, BvhTree } from './tree.ts';

export interface PrintBvhOptions {
  /**
   * Decimals of every number, 0 to 15; trailing zeros are left out. `'shortest'`: as many as it takes that the same float64 is read
   * again. 6 by default, as mocap tools have it: numbers are off by at most 5e-7 degrees or units of length. The frame time has at least 9.
   */
  readonly digits?: number | 'shortest';
}

/** What tools write. */
const USUAL_DIGITS = 6;
const MOST_DIGITS = 15;
/** Frames drift apart with the frame time's rounding: after an hour 9 decimals are off by 0.2 ms at 30 fps. */
const FRAME_TIME_DIGITS = 9;
/** Deeper blocks are not indented further: a hierarchy of 100,000 levels would become gigabytes of tabs. */
const DEEPEST_INDENT = 64;
/** From here on numbers are no finite ones to readers. */
const LARGEST = 3.4028234663852886e38;
/** Strings of JavaScript engines end before this many characters. */
const LONGEST_TEXT = 0x1fffffe8;

function checked(value: number): number {
  if (Math.abs(value) <= LARGEST) return value;
  throw new RangeError(`A BVH holds finite numbers in the range of float32, found ${value}.`);
}

function shortest(value: number): string {
  return Object.is(checked(value), -0) ? '-0' : String(value);
}

function roundedTo(digits: number): (value: number) => string {
  const scale = 10 ** digits;
  return (value) => {
    const whole = Math.round(checked(value) * scale);
    if (whole === 0) return '0';
    if (Math.abs(whole) > Number.MAX_SAFE_INTEGER) return String(value);
    // Below 1e-6 a number would be printed with an exponent, which not all tools read.
    return Math.abs(whole / scale) < 1e-6 ? (whole / scale).toFixed(digits) : String(whole / scale);
  };
}

/** A name as the format can hold it: no line ends, no braces, no white space around it. */
function safeName(name: string): string {
  return name
    .replace(/[\r\n{}]/g, '_')
    .replace(/^[\0- ]+/, '')
    .trim();
}

const TITLES = { root: 'ROOT', joint: 'JOINT', end: 'End Site' } as const;

function printHierarchy(lines: string[], joints: readonly BvhJoint[], print: (value: number) => string): void {
  const depth = new Int32Array(joints.length);
  const tabs = Array.from({ length: DEEPEST_INDENT + 2 }, (_, count) => '\t'.repeat(count));
  const indentOf = (level: number): string => tabs[Math.min(level, DEEPEST_INDENT)]!;
  let open = -1;
  const closeTo = (parent: number): void => {
    for (; open !== parent && open >= 0; open = joints[open]!.parent) lines.push(`${indentOf(depth[open]!)}}`);
  };
  for (const [k, { kind, name, parent, offset, channels }] of joints.entries()) {
    closeTo(parent);
    depth[k] = parent < 0 ? 0 : depth[parent]! + 1;
    const indent = indentOf(depth[k]!);
    const inner = indentOf(depth[k]! + 1);
    const label = safeName(name);
    lines.push(`${indent}${TITLES[kind]}${label === '' ? '' : ` ${label}`}`, `${indent}{`);
    lines.push(`${inner}OFFSET ${print(offset[0]!)} ${print(offset[1]!)} ${print(offset[2]!)}`);
    // Also without channels: some readers want the line.
    if (kind !== 'end' || channels.length > 0)
      lines.push(`${inner}${['CHANNELS', channels.length, ...channels].join(' ')}`);
    open = k;
  }
  closeTo(-1);
}

/**
 * The text of a BVH: what {@link parseBvh} reads as the same tree again, to the digits that are printed (with `'shortest'` exactly).
 * Names are changed only where the format cannot hold them: line ends and braces become `_`.
 *
 * @throws RangeError for digits out of range, for numbers that are not finite, and where the text would be longer than a string can be.
 */
export function printBvh(tree: BvhTree, { digits = USUAL_DIGITS }: PrintBvhOptions = {}): string {
  if (digits !== 'shortest' && !(Number.isInteger(digits) && digits >= 0 && digits <= MOST_DIGITS))
    throw new RangeError(`printBvh: digits is ${digits}, expected 0 to ${MOST_DIGITS} or 'shortest'.`);
  const print = digits === 'shortest' ? shortest : roundedTo(digits);
  const lines: string[] = ['HIERARCHY'];
  printHierarchy(lines, tree.joints, print);
  const { motion, channelCount } = tree;
  if (motion !== null) {
    const printTime = digits === 'shortest' ? shortest : roundedTo(Math.max(digits, FRAME_TIME_DIGITS));
    lines.push('MOTION', `Frames: ${motion.frameCount}`, `Frame Time: ${printTime(motion.frameTime)}`);
    const row: string[] = new Array(channelCount);
    let length = 0;
    for (let frame = 0; frame < motion.frameCount; frame++) {
      for (let channel = 0; channel < channelCount; channel++) {
        row[channel] = print(motion.values[frame * channelCount + channel]!);
      }
      const line = row.join(' ');
      length += line.length + 1;
      if (length > LONGEST_TEXT)
        throw new RangeError(
          `${motion.frameCount} frames are too many for one text. Write fewer frames a second, or parts.`,
        );
      lines.push(line);
    }
  }
  return `${lines.join('\n')}\n`;
}
