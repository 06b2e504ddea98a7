import fc from 'fast-check';
import { BVH_CHANNELS, type BvhChannel, type BvhJoint } from '../../../src/formats/bvh/bvh-tree.ts';

/** The layout of a text, as far as the format allows variants. */
export interface Layout {
  readonly newline: '\n' | '\r\n' | '\r';
  readonly indent: '\t' | '  ' | '';
  readonly lowerCase: boolean;
  readonly braceOnNameLine: boolean;
  readonly numbersOnOwnLines: boolean;
  readonly byteOrderMark: boolean;
  readonly endsWithNewline: boolean;
  /** Writes `CHANNELS 0` where a joint has none; else no such line. */
  readonly emptyChannels: boolean;
}

export const PLAIN: Layout = {
  newline: '\n',
  indent: '\t',
  lowerCase: false,
  braceOnNameLine: false,
  numbersOnOwnLines: false,
  byteOrderMark: false,
  endsWithNewline: true,
  emptyChannels: false,
};

/** The content of a file. */
export interface Written {
  readonly joints: readonly BvhJoint[];
  readonly frameTime: number;
  readonly frames: readonly (readonly number[])[];
}

/** Serializes a BVH text, every number as JavaScript does, and −0 as −0. */
export function bvhText({ joints, frameTime, frames }: Written, layout: Layout = PLAIN): string {
  const { newline, indent } = layout;
  const word = (text: string): string => (layout.lowerCase ? text.toLowerCase() : text);
  const lines: string[] = [word('HIERARCHY')];
  const open: number[] = [];
  const pad = (): string => indent.repeat(open.length);
  const close = (): void => {
    open.pop();
    lines.push(`${pad()}}`);
  };
  for (const [i, { kind, name, parent, offset, channels }] of joints.entries()) {
    while (open.length > 0 && open.at(-1) !== parent) close();
    const title = `${pad()}${word(kind === 'end' ? 'End Site' : kind.toUpperCase())} ${name}`;
    if (layout.braceOnNameLine) lines.push(`${title} {`);
    else lines.push(title, `${pad()}{`);
    open.push(i);
    lines.push(`${pad()}${word('OFFSET')} ${[...offset].map(formatNumber).join(' ')}`);
    if (channels.length > 0 || (layout.emptyChannels && kind !== 'end'))
      lines.push(`${pad()}${word('CHANNELS')} ${channels.length} ${channels.map(word).join(' ')}`);
  }
  while (open.length > 0) close();
  lines.push(word('MOTION'), `${word('Frames:')} ${frames.length}`, `${word('Frame Time:')} ${frameTime}`);
  for (const frame of frames) lines.push(frame.map(formatNumber).join(layout.numbersOnOwnLines ? newline : ' '));
  return (layout.byteOrderMark ? '\ufeff' : '') + lines.join(newline) + (layout.endsWithNewline ? newline : '');
}

function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export const layouts: fc.Arbitrary<Layout> = fc.record({
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  indent: fc.constantFrom('\t', '  ', ''),
  lowerCase: fc.boolean(),
  braceOnNameLine: fc.boolean(),
  numbersOnOwnLines: fc.boolean(),
  byteOrderMark: fc.boolean(),
  endsWithNewline: fc.boolean(),
  emptyChannels: fc.boolean(),
});

const names = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w:.-]{0,12}$/),
  fc.constantFrom('', 'Right elbow', 'End Site', 'JOINT', 'MOTION', 'mixamorig:Hips', 'Тело', '首'),
);
const lengths = fc.oneof(fc.constant(0), fc.double({ min: -1e3, max: 1e3, noNaN: true }));
const channelLists: fc.Arbitrary<BvhChannel[]> = fc.oneof(
  fc.shuffledSubarray([...BVH_CHANNELS]),
  fc.shuffledSubarray<BvhChannel>(['Xrotation', 'Yrotation', 'Zrotation'], { minLength: 3 }),
);

/** Random files: any hierarchy, several roots, tips anywhere, any channels in any order. */
export function writtenFiles(options: { readonly roots: number } = { roots: 3 }): fc.Arbitrary<Written> {
  const block = fc.record({
    name: names,
    end: fc.nat({ max: 4 }),
    up: fc.nat({ max: 4 }),
    offset: fc.tuple(lengths, lengths, lengths),
    channels: channelLists,
  });
  return fc
    .tuple(fc.array(fc.array(block, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: options.roots }))
    .map(([trees]) => trees.flatMap(joined))
    .map((joints) => numbered(joints))
    .chain(({ joints, channelCount }) => {
      const values = fc.array(fc.double({ min: -720, max: 720, noNaN: true }), {
        minLength: channelCount,
        maxLength: channelCount,
      });
      return fc.record({
        joints: fc.constant(joints),
        frameTime: fc.constantFrom(1 / 30, 0.0333333, 0.01, 1 / 120, 2),
        frames: fc.array(values, { minLength: channelCount === 0 ? 0 : 1, maxLength: channelCount === 0 ? 0 : 4 }),
      });
    });
}

interface Block {
  readonly name: string;
  readonly end: number;
  readonly up: number;
  readonly offset: readonly [number, number, number];
  readonly channels: readonly BvhChannel[];
}

/** Builds one tree, depth first: the parent of a block is `up` levels above the last joint. Parent indices count from the tree's root. */
function joined(blocks: readonly Block[]): BvhJoint[] {
  const joints: BvhJoint[] = [];
  let last = -1;
  for (const { name, end, up, offset, channels } of blocks) {
    let parent = last;
    for (let k = 0; k < up && parent > 0; k++) parent = joints[parent]!.parent;
    const kind = parent < 0 ? 'root' : end === 0 ? 'end' : 'joint';
    joints.push({
      kind,
      name,
      parent,
      offset: Float64Array.from(offset),
      channels: kind === 'end' ? [] : channels,
      column: 0,
    });
    last = kind === 'end' ? parent : joints.length - 1;
  }
  return joints;
}

/** Concatenates trees and assigns columns. */
function numbered(joints: readonly BvhJoint[]): { joints: BvhJoint[]; channelCount: number } {
  let channelCount = 0;
  let root = 0;
  const result = joints.map((joint, i): BvhJoint => {
    if (joint.kind === 'root') root = i;
    const column = channelCount;
    channelCount += joint.channels.length;
    return { ...joint, column, parent: joint.parent < 0 ? -1 : joint.parent + root };
  });
  return { joints: result, channelCount };
}

/** A small file with two tips, two channel orders and a position below the root. */
export const SMALL = `HIERARCHY
ROOT Hips
{
	OFFSET 0.0 90.5 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Right Leg
	{
		OFFSET -8 0 1e-1
		CHANNELS 3 Yrotation Xrotation Zrotation
		End Site
		{
			OFFSET 0 -90 0
		}
	}
	JOINT Head
	{
		OFFSET 0 +60 0
		CHANNELS 4 Xposition Xrotation Yposition Zposition
		End Site
		{
			OFFSET 0 20. 0
		}
	}
}
MOTION
Frames: 2
Frame Time: .04
0 91 2 10 20 30 1 2 3 0 5 60 0
1 92 3 11 21 31 -1 -2.5 -3 0 6 61 0
`;
