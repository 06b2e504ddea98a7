/** The flags that edit clips, and what they say. */
import type { ClipEdits } from '../files/clip-edits.ts';
import { UsageError } from './usage-error.ts';

/** Definitions of the flags, for commands that have them. */
export const EDIT_FLAGS = {
  trim: {
    type: 'string',
    valueHint: 'A:B',
    description: 'Only the seconds A to B of the motion; A: is to its end, :B from its start',
  },
  speed: { type: 'string', valueHint: 'X', description: 'Play X times as fast; 0.5 is half as fast' },
  mirror: { type: 'boolean', description: 'Make left right' },
  loop: { type: 'boolean', description: 'Make the end meet the start; the way that the motion travels is kept' },
  reduce: {
    type: 'string',
    valueHint: 'DEG',
    description: 'Drop keys, as long as no joint is further off than if its whole chain had turned by DEG degrees',
  },
} as const;

/** Values of the flags as they were given. */
export interface EditArgs {
  readonly trim?: string | undefined;
  readonly speed?: string | undefined;
  readonly mirror?: boolean | undefined;
  readonly loop?: boolean | undefined;
  readonly reduce?: string | undefined;
}

function seconds(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

function readTrim(text: string): NonNullable<ClipEdits['trim']> {
  const parts = text.split(':');
  const [from, to] = parts.map(seconds);
  const isNumber = (value: number | undefined): boolean => value === undefined || (value >= 0 && value < Infinity);
  const isOne = parts.length === 2 && isNumber(from) && isNumber(to) && (from ?? 0) < (to ?? Infinity);
  if (!isOne || (from === undefined && to === undefined)) {
    const expected = 'expected seconds A:B with A before B; one of them may be left out';
    throw new UsageError(`--trim is ${JSON.stringify(text)}; ${expected}`);
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function readPositive(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= most) return value;
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}; expected a number above 0, up to ${most}`);
}

/** The edits that flags ask for. UsageError for values that make no sense. */
export function readEdits({ trim, speed, mirror, loop, reduce }: EditArgs): ClipEdits {
  return {
    ...(trim === undefined ? {} : { trim: readTrim(trim) }),
    ...(speed === undefined ? {} : { speed: readPositive('speed', speed, 1000) }),
    ...(mirror === true ? { mirror } : {}),
    ...(loop === true ? { loop } : {}),
    ...(reduce === undefined ? {} : { reduce: readPositive('reduce', reduce, 30) }),
  };
}
