import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { LONGEST_TEXT } from '../../core/text/decode-text.ts';
import { type BvhJoint, type BvhTree, KIND_WORDS } from './bvh-tree.ts';

/** Options of {@link serializeBvh}. */
interface SerializeBvhOptions {
  /**
   * Decimals of every number, 0 to 15, without trailing zeros. `'shortest'`: as many as needed to read the same float64 again. The default
   * of 6, as in mocap tools, has an error of at most 5e-7 degrees or units of length. The frame time has at least 9.
   */
  readonly digits?: number | 'shortest';
}

/** The default of common tools. */
const USUAL_DIGITS = 6;
const MOST_DIGITS = 15;
/** Rounding of the frame time accumulates: with 9 decimals, 0.2 ms per hour at 30 fps. */
const FRAME_TIME_DIGITS = 9;
/** Deeper blocks are not indented further: the tabs of 100,000 levels would take gigabytes. */
const DEEPEST_INDENT = 64;

function checked(value: number): number {
  // Larger numbers are infinite for readers that use float32.
  if (Math.abs(value) <= FLOAT32_MAX) return value;
  throw new RangeError(`Found the number ${value}. A BVH contains finite numbers in the range of float32.`);
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
    // Below 1e-6 String() uses an exponent, which some tools do not read.
    return Math.abs(whole / scale) < 1e-6 ? (whole / scale).toFixed(digits) : String(whole / scale);
  };
}

/** Removes from a name what the format cannot store: line ends, braces, surrounding white space. */
function safeName(name: string): string {
  return name
    .replace(/[\r\n{}]/g, '_')
    .replace(/^[\0- ]+/, '')
    .trim();
}

function emitHierarchy(
  emit: (line: string) => void,
  joints: readonly BvhJoint[],
  format: (value: number) => string,
): void {
  const depth = new Int32Array(joints.length);
  const tabs = Array.from({ length: DEEPEST_INDENT + 2 }, (_, count) => '\t'.repeat(count));
  const indentOf = (level: number): string => tabs[Math.min(level, DEEPEST_INDENT)]!;
  let open = -1;
  const closeTo = (parent: number): void => {
    for (; open !== parent && open >= 0; open = joints[open]!.parent) emit(`${indentOf(depth[open]!)}}`);
  };
  for (const [k, { kind, name, parent, offset, channels }] of joints.entries()) {
    closeTo(parent);
    depth[k] = parent < 0 ? 0 : depth[parent]! + 1;
    const indent = indentOf(depth[k]!);
    const inner = indentOf(depth[k]! + 1);
    const label = safeName(name);
    emit(`${indent}${KIND_WORDS[kind]}${label === '' ? '' : ` ${label}`}`);
    emit(`${indent}{`);
    emit(`${inner}OFFSET ${format(offset[0]!)} ${format(offset[1]!)} ${format(offset[2]!)}`);
    // Some readers require the line even without channels.
    if (kind !== 'end' || channels.length > 0) emit(`${inner}${['CHANNELS', channels.length, ...channels].join(' ')}`);
    open = k;
  }
  closeTo(-1);
}

/**
 * Serializes a tree as {@link serializeBvh} does, line by line: the whole text of a long motion needs several times its size in memory. `emit`
 * receives the lines, without their ends. Throws RangeError for digits out of range, and for numbers that are not finite.
 */
export function emitBvh(
  tree: BvhTree,
  { digits = USUAL_DIGITS }: SerializeBvhOptions,
  emit: (line: string) => void,
): void {
  if (digits !== 'shortest' && !(Number.isInteger(digits) && digits >= 0 && digits <= MOST_DIGITS))
    throw new RangeError(`serializeBvh: digits is ${digits}, expected 0 to ${MOST_DIGITS} or 'shortest'.`);
  const format = digits === 'shortest' ? shortest : roundedTo(digits);
  emit('HIERARCHY');
  emitHierarchy(emit, tree.joints, format);
  const { motion, channelCount } = tree;
  if (motion === null) return;
  const formatTime = digits === 'shortest' ? shortest : roundedTo(Math.max(digits, FRAME_TIME_DIGITS));
  emit('MOTION');
  emit(`Frames: ${motion.frameCount}`);
  emit(`Frame Time: ${formatTime(motion.frameTime)}`);
  const row: string[] = new Array(channelCount);
  for (let frame = 0; frame < motion.frameCount; frame++) {
    for (let channel = 0; channel < channelCount; channel++) {
      row[channel] = format(motion.values[frame * channelCount + channel]!);
    }
    emit(row.join(' '));
  }
}

/**
 * Serializes a tree to BVH text. {@link parseBvh} reads the same tree again, to the given number of digits (exactly with `'shortest'`). Line
 * ends and braces in names become `_`, because the format cannot store them.
 *
 * @param tree Hierarchy and motion.
 * @param options Number of digits.
 * @returns The text of the file.
 * @throws RangeError for digits out of range, for numbers that are not finite, and for text that exceeds the length limit of strings
 * @example
 * const tree = parseBvh(text);
 * const shorter = serializeBvh(tree, { digits: 4 });
 */
export function serializeBvh(tree: BvhTree, options: SerializeBvhOptions = {}): string {
  const lines: string[] = [];
  let length = 0;
  emitBvh(tree, options, (line) => {
    lines.push(line);
    length += line.length + 1;
    if (length > LONGEST_TEXT)
      throw new RangeError(
        `${tree.motion?.frameCount ?? 0} frames exceed the length limit of a string. Write fewer frames per second, or split the motion.`,
      );
  });
  return `${lines.join('\n')}\n`;
}
