/** Flags that edit clips. */
import { ROOT_OPTIONS, type RootOption } from '../../core/root-motion/transfer-root-motion.ts';
import type { ClipEdits } from '../../files/clips/clip-edits.ts';
import { UsageError } from '../errors/cli-errors.ts';

/** Definitions of the flags for citty. */
export const EDIT_FLAGS = {
  trim: {
    type: 'string',
    valueHint: 'A:B',
    description: 'Keep only the seconds A to B; A: runs to the end, :B from the start',
  },
  'skip-first-pose': {
    type: 'boolean',
    description: 'Leave out a pose at the start that the motion jumps from, such as a T-pose in the first frame',
  },
  speed: { type: 'string', valueHint: 'X', description: 'Play X times as fast; 0.5 is half speed' },
  mirror: { type: 'boolean', description: 'Mirror the motion left to right' },
  root: {
    type: 'string',
    valueHint: 'WHERE',
    description:
      'Root motion: keep (where the motion has it), hips, root-bone (the root bone of the character), or `in-place` (none)',
  },
  loop: { type: 'boolean', description: 'Match last and first pose; root motion is preserved' },
  reduce: {
    type: 'string',
    valueHint: 'DEG',
    description: 'Remove redundant keys within an angular tolerance, in degrees',
  },
  keys: {
    type: 'string',
    valueHint: 'linear|exact',
    description:
      "linear (default): LINEAR keys at the motion's key times, which all programs read; exact: also splines, within 0.005°",
  },
} as const;

/** Values of the flags as text. */
export interface EditArgs {
  /** Seconds `A:B`, `A:` or `:B`. */
  readonly trim?: string | undefined;
  /** Leaves out a pose at the start. */
  readonly 'skip-first-pose'?: boolean | undefined;
  /** Playback speed, a factor. */
  readonly speed?: string | undefined;
  /** Swaps left and right. */
  readonly mirror?: boolean | undefined;
  /** Where root motion goes. */
  readonly root?: string | undefined;
  /** Matches the last pose to the first. */
  readonly loop?: boolean | undefined;
  /** Angular tolerance, degrees. */
  readonly reduce?: string | undefined;
  /** Which keys clips have. */
  readonly keys?: string | undefined;
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
    const expected = 'expected seconds as A:B, A: or :B, with A before B';
    throw new UsageError(`--trim is ${JSON.stringify(text)}; ${expected}`);
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function readPositive(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= most) return value;
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}; expected a number above 0, up to ${most}`);
}

function readRoot(text: string): RootOption {
  const found = ROOT_OPTIONS.find((option) => option === text);
  if (found !== undefined) return found;
  throw new UsageError(`--root is ${JSON.stringify(text)}; expected ${ROOT_OPTIONS.join(', ')}`);
}

function readKeys(text: string): NonNullable<ClipEdits['keys']> {
  if (text === 'linear' || text === 'exact') return text;
  throw new UsageError(`--keys is ${JSON.stringify(text)}; expected linear or exact`);
}

/**
 * Converts flag values to clip edits.
 * @param flags values of {@link EDIT_FLAGS}
 * @returns the requested edits; without flags, none
 * @throws UsageError for values out of range
 */
export function readEdits({
  trim,
  'skip-first-pose': skipFirstPose,
  speed,
  mirror,
  root,
  loop,
  reduce,
  keys,
}: EditArgs): ClipEdits {
  return {
    ...(trim === undefined ? {} : { trim: readTrim(trim) }),
    ...(skipFirstPose === true ? { skipFirstPose } : {}),
    ...(speed === undefined ? {} : { speed: readPositive('speed', speed, 1000) }),
    ...(mirror === true ? { mirror } : {}),
    ...(root === undefined ? {} : { root: readRoot(root) }),
    ...(loop === true ? { loop } : {}),
    ...(reduce === undefined ? {} : { reduce: readPositive('reduce', reduce, 30) }),
    ...(keys === undefined ? {} : { keys: readKeys(keys) }),
  };
}
