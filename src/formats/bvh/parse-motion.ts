import { type Issue, issue } from '../../core/report/issue.ts';
import { locationOf } from '../../core/text/location-of.ts';
import { type Cursor, skipColon, skipSpace, syntaxError, takeKeyword, takeNumber, takeWord } from './bvh-cursor.ts';
import type { BvhMotion } from './bvh-tree.ts';

/** Default for an invalid frame time: the rate of most old files. */
const ASSUMED_FRAME_TIME = 1 / 30;
/** A frame time outside these limits is invalid, and its times would coincide in float32. */
const SHORTEST_FRAME_TIME = 1e-6;
const LONGEST_FRAME_TIME = 1e6;
/** A longer frame time, seconds, is usual where it means frames per second or milliseconds. */
const USUAL_FRAME_TIME = 5;

/**
 * Parses `Frames:`, `Frame Time:` and all numbers. If the header contradicts the numbers, all complete frames are kept. Memory is bounded by the
 * length of the text, not by the header. `issues` receives `BVH_MOTION` for repaired values.
 */
export function parseMotion(cursor: Cursor, channelCount: number, issues: Issue[]): BvhMotion {
  const { declaredFrames, declaredAt } = takeFrames(cursor);
  const frameTime = takeFrameTime(cursor, issues);
  const declaredNumbers = declaredFrames * channelCount;
  const { numbers, unusable } = takeNumbers(cursor, declaredNumbers, issues);
  const frameCount = channelCount === 0 ? 0 : Math.floor(numbers.length / channelCount);
  const whole = frameCount * channelCount;
  if (numbers.length !== declaredNumbers) {
    const rest = numbers.length - whole;
    issues.push(
      issue(
        'BVH_MOTION',
        `The header declares ${declaredFrames} frames of ${channelCount} numbers, but the file has ${frameCount} complete frames` +
          `${rest === 0 ? '' : ` and ${rest} more numbers`}. The complete frames were kept.`,
        locationOf(cursor.text, declaredAt),
      ),
    );
  }
  const values = numbers.length === whole ? numbers : numbers.slice(0, whole);
  if (unusable.count > 0) {
    repeatLastFinite(values, channelCount);
    issues.push(
      issue(
        'BVH_MOTION',
        `${unusable.count} numbers are not finite, the first one here. They repeat the value of the previous frame.`,
        locationOf(cursor.text, unusable.firstAt),
      ),
    );
  }
  return { frameCount, frameTime, values };
}

function takeFrames(cursor: Cursor): { declaredFrames: number; declaredAt: number } {
  skipSpace(cursor);
  const at = cursor.at;
  if (takeKeyword(cursor) !== 'FRAMES') throw syntaxError(cursor, at, '"Frames:"');
  skipColon(cursor);
  skipSpace(cursor);
  const declaredAt = cursor.at;
  const declaredFrames = takeNumber(cursor);
  if (declaredFrames === null) throw syntaxError(cursor, declaredAt, 'the number of frames');
  return { declaredFrames, declaredAt };
}

function takeFrameTime(cursor: Cursor, issues: Issue[]): number {
  skipSpace(cursor);
  const at = cursor.at;
  const word = takeKeyword(cursor);
  const complete = /^FRAME[-_]?TIME$/.test(word) || (word === 'FRAME' && takeKeyword(cursor) === 'TIME');
  if (!complete) throw syntaxError(cursor, at, '"Frame Time:"');
  skipColon(cursor);
  skipSpace(cursor);
  const timeAt = cursor.at;
  const text = takeWord(cursor);
  if (text === '') throw syntaxError(cursor, timeAt, 'the frame time in seconds');
  skipUnit(cursor);
  const time = Number(text.replace(/s(?:ec)?$/i, ''));
  if (time > USUAL_FRAME_TIME && time <= LONGEST_FRAME_TIME)
    issues.push(
      issue(
        'BVH_MOTION',
        `The frame time is ${time} s, expected at most ${USUAL_FRAME_TIME} s. It was kept. If it is a rate or in milliseconds, correct it in the file.`,
        locationOf(cursor.text, timeAt),
      ),
    );
  if (time >= SHORTEST_FRAME_TIME && time <= LONGEST_FRAME_TIME) return time;
  issues.push(
    issue(
      'BVH_MOTION',
      `The frame time is ${JSON.stringify(text.slice(0, 40))}, expected a number of seconds; it defaults to 1/30 s.`,
      locationOf(cursor.text, timeAt),
    ),
  );
  return ASSUMED_FRAME_TIME;
}

/** Skips the unit that some programs write after the frame time. */
function skipUnit(cursor: Cursor): void {
  const { at } = cursor;
  if (!/^s(?:ec(?:onds?)?)?$/i.test(takeWord(cursor))) cursor.at = at;
}

interface Unusable {
  count: number;
  /** Offset of the first one in the text. */
  firstAt: number;
}

/** Takes all numbers up to the end; those that are not finite are NaN. */
function takeNumbers(cursor: Cursor, declared: number, issues: Issue[]): { numbers: Float64Array; unusable: Unusable } {
  const { text } = cursor;
  const most = Math.ceil((text.length - cursor.at) / 2);
  let numbers = new Float64Array(declared >= 0 && declared < most ? declared : most);
  let length = 0;
  const unusable: Unusable = { count: 0, firstAt: 0 };
  while (skipSpace(cursor)) {
    const at = cursor.at;
    const value = takeNumber(cursor);
    if (value === null) {
      if (isCutOff(cursor)) break;
      if (length < declared || declared <= 0 || Number.isNaN(declared)) throw syntaxError(cursor, at, 'a number');
      issues.push(issue('BVH_MOTION', 'Text after the last frame was ignored.', locationOf(text, at)));
      break;
    }
    if (Number.isNaN(value) && unusable.count++ === 0) unusable.firstAt = at;
    if (length === numbers.length) numbers = grown(numbers, most);
    numbers[length++] = value;
  }
  return { numbers: length === numbers.length ? numbers : numbers.slice(0, length), unusable };
}

/** Whether what is left is the beginning of a number at the end of the text: a file that was cut off. */
function isCutOff(cursor: Cursor): boolean {
  return cursor.text.length - cursor.at < 400 && /^[-+.\de]+$/i.test(cursor.text.slice(cursor.at));
}

function grown(numbers: Float64Array, most: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(Math.min(most, numbers.length * 2 + 1024));
  more.set(numbers);
  return more;
}

/** Replaces NaN with the previous value of the channel; before the first finite value with that value; without any with 0. */
function repeatLastFinite(values: Float64Array, channelCount: number): void {
  for (let channel = 0; channel < channelCount; channel++) {
    let previous = Number.NaN;
    for (let i = channel; i < values.length && Number.isNaN(previous); i += channelCount) previous = values[i]!;
    if (Number.isNaN(previous)) previous = 0;
    for (let i = channel; i < values.length; i += channelCount) {
      if (Number.isNaN(values[i]!)) values[i] = previous;
      else previous = values[i]!;
    }
  }
}
