import { type Cursor, skipSpace, syntaxError, takeKeyword, takeName, takeNumber, takeWord } from './bvh-cursor.ts';
import { BVH_CHANNELS, BVH_CHANNELS_MAX, type BvhChannel, type BvhJoint, isPosition, KIND_WORDS } from './bvh-tree.ts';

type Draft = { -readonly [K in keyof BvhJoint]: BvhJoint[K] } & { hasOffset: boolean; hasChannels: boolean };

const CHANNEL_NAMES: ReadonlyMap<string, BvhChannel> = new Map(
  BVH_CHANNELS.map((channel) => [channel.toUpperCase(), channel]),
);

/**
 * Parses all blocks from the first ROOT to MOTION or the end of the text, and leaves the cursor after the word MOTION. It does not recurse: the
 * open blocks are the ancestors of the last one, so deep hierarchies cannot overflow the stack. Throws FormatError `BVH_SYNTAX` with line and
 * column.
 */
export function parseHierarchy(cursor: Cursor): { joints: BvhJoint[]; channelCount: number; hasMotion: boolean } {
  const joints: Draft[] = [];
  let open = -1;
  let lastClosed = -1;
  let channelCount = 0;
  for (;;) {
    skipSpace(cursor);
    const at = cursor.at;
    const word = takeKeyword(cursor);
    const joint = joints[open];
    if (joint === undefined) {
      const ended = word === '';
      if (joints.length > 0 && (ended || word === 'MOTION')) {
        return { joints: joints.map(withoutMarks), channelCount, hasMotion: !ended };
      }
      if (word !== 'ROOT') throw syntaxError(cursor, at, joints.length === 0 ? 'ROOT' : 'ROOT, MOTION or the end');
      open = openBlock(cursor, joints, 'root', -1, channelCount);
      continue;
    }
    const hasChildren = open < joints.length - 1;
    if (word === '}') {
      if (!joint.hasOffset) throw syntaxError(cursor, at, `the OFFSET of ${labelOf(joint)}`);
      lastClosed = open;
      open = joint.parent;
    } else if (word === 'OFFSET' && !joint.hasOffset && !hasChildren) {
      takeOffset(cursor, joint);
    } else if (word === 'CHANNELS' && !joint.hasChannels && !hasChildren) {
      takeChannels(cursor, joint);
      channelCount += joint.channels.length;
    } else if (word === 'JOINT' && joint.kind !== 'end') {
      open = openBlock(cursor, joints, 'joint', open, channelCount);
    } else if ((word === 'END' || word === 'ENDSITE') && joint.kind !== 'end') {
      if (word === 'END') takeSite(cursor);
      open = openBlock(cursor, joints, 'end', open, channelCount);
    } else {
      throw syntaxError(cursor, at, expectedIn(joint, hasChildren, joints[lastClosed]));
    }
  }
}

function openBlock(
  cursor: Cursor,
  joints: Draft[],
  kind: BvhJoint['kind'],
  parent: number,
  channelCount: number,
): number {
  const name = takeName(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== '{') throw syntaxError(cursor, at, `{ after ${labelOf({ kind, name })}`);
  const offset = new Float64Array(3);
  joints.push({ kind, name, parent, offset, channels: [], column: channelCount, hasOffset: false, hasChannels: false });
  return joints.length - 1;
}

function takeSite(cursor: Cursor): void {
  skipSpace(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== 'SITE') throw syntaxError(cursor, at, 'Site after End');
}

function takeOffset(cursor: Cursor, joint: Draft): void {
  for (let axis = 0; axis < 3; axis++) {
    skipSpace(cursor);
    const at = cursor.at;
    const value = takeNumber(cursor);
    if (value === null || Number.isNaN(value)) {
      throw syntaxError(cursor, at, `number ${axis + 1} of the three finite numbers of OFFSET in ${labelOf(joint)}`);
    }
    joint.offset[axis] = value;
  }
  joint.hasOffset = true;
}

function takeChannels(cursor: Cursor, joint: Draft): void {
  skipSpace(cursor);
  const countAt = cursor.at;
  const count = takeNumber(cursor);
  if (count === null || !Number.isInteger(count) || count < 0 || count > BVH_CHANNELS_MAX) {
    throw syntaxError(cursor, countAt, `the number of channels of ${labelOf(joint)}, 0 to ${BVH_CHANNELS_MAX},`);
  }
  const channels: BvhChannel[] = [];
  while (channels.length < count) {
    skipSpace(cursor);
    const at = cursor.at;
    const channel = CHANNEL_NAMES.get(takeWord(cursor).toUpperCase());
    if (channel === undefined) {
      throw syntaxError(cursor, at, `channel ${channels.length + 1} of ${count} of ${labelOf(joint)}, like Xrotation,`);
    }
    if (isPosition(channel) && channels.includes(channel)) {
      throw syntaxError(cursor, at, `a channel other than a second ${channel} of ${labelOf(joint)}`);
    }
    channels.push(channel);
  }
  joint.channels = channels;
  joint.hasChannels = true;
}

function expectedIn(joint: Draft, hasChildren: boolean, lastClosed: Draft | undefined): string {
  const words: string[] = [];
  if (!joint.hasOffset && !hasChildren) words.push('OFFSET');
  if (!joint.hasChannels && !hasChildren) words.push('CHANNELS');
  if (joint.kind !== 'end') words.push('JOINT', 'End Site');
  const after = hasChildren && lastClosed !== undefined ? ` after ${labelOf(lastClosed)}` : '';
  return `${[...words, '}'].join(', ')} in ${labelOf(joint)}${after}`;
}

function labelOf({ kind, name }: Pick<BvhJoint, 'kind' | 'name'>): string {
  return name === '' ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} ${name.slice(0, 60)}`;
}

function withoutMarks({ kind, name, parent, offset, channels, column }: Draft): BvhJoint {
  return { kind, name, parent, offset, channels, column };
}
