/**
 * The options for how motions are edited and put on characters, a row each. Flags and their help, manifests, presets, the studio and its command line, and the table of
 * the docs come from these rows. A new option is its row, its member in the options of the job, and its use.
 */
import type { ContactMode, SelfCollision } from '../../core/contacts/plan/contact-plan.ts';
import type { Space } from '../../core/contacts/spacing/plan-spacing.ts';
import { JOINT_NAMINGS, type JointNaming } from '../../core/humanoid/rigs/joint-names.ts';
import { closestNames } from '../../core/report/closest-names.ts';
import { HIPS_SCALES, type RetargetOptions } from '../../core/retarget/options.ts';
import { ROOT_OPTIONS } from '../../core/root-motion/root-option.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { OptionError } from '../option-error.ts';

export type OptionType =
  /** True or false. On the command line it takes no value; with `words`, the word for true or false. */
  | { readonly kind: 'flag'; readonly words?: readonly [on: string, off: string] }
  /** One of a few words. */
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** A number from `least` (or above it) to `most`, or one of a few words. */
  | {
      readonly kind: 'number';
      readonly least: number;
      readonly isAbove?: boolean;
      readonly most: number;
      readonly words?: readonly string[];
      readonly unit?: string;
    }
  /** A part of a clip: `{ from, to }` in seconds, on the command line `A:B`. */
  | { readonly kind: 'seconds' }
  /** Names by names, on the command line `A=B,C=D`. */
  | { readonly kind: 'pairs' };

/** What options are about: the sections of the help. */
export type OptionGroup = 'output' | 'edits' | 'character' | 'contacts' | 'bones' | 'input';

export interface OpenOptionRow {
  readonly group: OptionGroup;
  readonly type: OptionType;
  /** What is used without it; null for none. */
  readonly default: boolean | number | string | null;
  /** What the value is called in the help. */
  readonly hint?: string;
  /** What it does; of a flag that is on by default, what it keeps doing. */
  readonly text: string;
  /** Of a flag that is on by default: what happens without it. */
  readonly off?: string;
}

/** What the checks of a value need of a row. */
type Typed = Pick<OpenOptionRow, 'type'>;

export interface OptionRow extends OpenOptionRow {
  readonly in: 'top' | 'edits' | 'channels';
  /** Whether it has no effect with contacts `off`. */
  readonly needsContacts?: boolean;
}

/** What a person knows about motions whose files do not say it: members of the options of `openFile`. */
export const OPEN_OPTIONS = {
  frameRate: {
    group: 'input',
    type: { kind: 'number', least: 0, isAbove: true, most: 1000 },
    default: null,
    hint: 'N',
    text: 'Frames per second of an NPZ that does not say them',
  },
  up: {
    group: 'input',
    type: { kind: 'choice', values: ['x', 'y', 'z', '-x', '-y', '-z'] },
    default: null,
    hint: 'AXIS',
    text: 'Axis of an NPZ that points up: x, y, z, -x, -y or -z; by default the one along which bodies stand',
  },
} as const satisfies Readonly<Record<string, OpenOptionRow>>;

/** Edits of clips, of every command that writes clips. */
export const EDIT_OPTIONS = {
  trim: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'seconds' },
    default: null,
    hint: 'A:B',
    text: 'Keep only the seconds A to B; A: runs to the end, :B from the start',
  },
  skipFirstPose: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'flag' },
    default: false,
    text: 'Leave out a pose at the start that the motion jumps from, such as a T-pose in the first frame',
  },
  clean: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'flag' },
    default: false,
    text: 'Clean a recording: bridge spikes, flips and gaps, and smooth noise without a delay; fast movements keep their speed',
  },
  speed: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'number', least: 0, isAbove: true, most: 1000, unit: '×' },
    default: 1,
    hint: 'X',
    text: 'Play X times as fast; 0.5 is half speed',
  },
  mirror: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'flag' },
    default: false,
    text: 'Mirror the motion left to right',
  },
  ground: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'choice', values: ['keep', 'fit'] },
    default: 'keep',
    hint: 'keep|fit',
    text: 'fit moves a motion that floats or sinks up or down, so that its feet stand on the ground; keep (default) leaves it',
  },
  root: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'choice', values: ROOT_OPTIONS },
    default: 'keep',
    hint: 'WHERE',
    text: 'Root motion: keep (where the motion has it), hips, root-bone (the root bone of the character), or in-place (none)',
  },
  loop: {
    in: 'edits',
    group: 'edits',
    type: { kind: 'flag' },
    default: false,
    text: 'Match last and first pose; root motion is preserved',
  },
  reduce: {
    in: 'edits',
    group: 'output',
    type: { kind: 'number', least: 0, isAbove: true, most: 30, unit: '°' },
    default: null,
    hint: 'DEG',
    text: 'Remove redundant keys within an angular tolerance, in degrees',
  },
  keys: {
    in: 'edits',
    group: 'output',
    type: { kind: 'choice', values: ['linear', 'exact'] },
    default: 'linear',
    hint: 'linear|exact',
    text: 'linear (default): as few LINEAR keys as keep rotations within 0.1°, which all programs read; exact: also splines, within 0.005°',
  },
  fps: {
    in: 'top',
    group: 'output',
    type: { kind: 'number', least: 0, isAbove: true, most: 1000 },
    default: null,
    hint: 'N',
    text: "Resample to this rate instead of keeping the motion's keys",
  },
  ascii: {
    in: 'top',
    group: 'output',
    type: { kind: 'flag' },
    default: false,
    text: 'Write an .fbx as text, to read it or compare versions; many programs open binary FBX only',
  },
  rest: {
    in: 'top',
    group: 'output',
    type: { kind: 'choice', values: ['t-pose', 'keep'] },
    default: 't-pose',
    hint: 't-pose|keep',
    text: 'Rest pose of a new .fbx: t-pose (default), as joint orient, so that all rotations are 0 in it; keep: that of the character, as rotations without joint orient',
  },
  textures: {
    in: 'top',
    group: 'output',
    type: { kind: 'choice', values: ['embed', 'beside'] },
    default: 'embed',
    hint: 'embed|beside',
    text: 'Images of a new .fbx: embed (default), or beside it in a folder NAME.fbm',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

export const RETARGET_OPTIONS = {
  face: {
    in: 'top',
    group: 'character',
    type: { kind: 'flag' },
    default: true,
    text: 'Retarget expressions, morph weights and look-at by meaning',
    off: 'Transfer only morph weights of nodes and targets with equal names',
  },
  hipsScale: {
    in: 'channels',
    group: 'character',
    type: { kind: 'number', least: 0, most: Number.MAX_VALUE, words: HIPS_SCALES },
    default: 'hips',
    hint: 'SCALE',
    text: 'How far the hips travel per meter of the motion: hips (ratio of the hips heights, the default), legs (of the legs), stature (of the heights), none (1), or a factor',
  },
  contacts: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'choice', values: ['auto', 'lock', 'ground', 'off'] },
    default: 'auto',
    hint: 'MODE',
    text: 'Contacts with the ground: auto (as the motion has them), lock (planted feet do not move), ground (only nothing below the floor), off (rotations exactly those of the motion)',
  },
  armSpace: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'number', least: -90, most: 90, words: ['auto'], unit: '°' },
    default: 0,
    hint: 'DEGREES',
    text: 'Rotate the upper arms outward: degrees, or auto for wider characters',
    needsContacts: true,
  },
  legSpace: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'number', least: -90, most: 90, words: ['auto'], unit: '°' },
    default: 0,
    hint: 'DEGREES',
    text: 'Rotate the upper legs outward; same values',
    needsContacts: true,
  },
  selfCollision: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'choice', values: ['soft', 'strict', 'off'] },
    default: 'soft',
    hint: 'MODE',
    text: 'Keep arms out of trunk, head and thighs, as far as those of the motion are out: soft (changes gestures by at most 12°, but for contacts of hands; the default), strict (as far as it takes), off',
    needsContacts: true,
  },
  hands: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'flag', words: ['keep', 'off'] },
    default: true,
    hint: 'MODE',
    text: 'Contacts of hands with each other, trunk, head, arms and legs: keep (as the motion has them, where arms reach; the default for motions with a mesh), off',
    needsContacts: true,
  },
  together: {
    in: 'top',
    group: 'contacts',
    type: { kind: 'flag' },
    default: false,
    text: 'The clips are one take of several people: one scale for all, places as in the take, and hands of different people meet as they do there',
  },
  distribute: {
    in: 'channels',
    group: 'character',
    type: { kind: 'flag' },
    default: false,
    text: 'Distribute rotations of trunk and fingers over the joints between the bones, as in long spines',
  },
  twist: {
    in: 'channels',
    group: 'character',
    type: { kind: 'flag' },
    default: true,
    text: 'Rotate twist joints of arms and legs by their position along the limb',
    off: 'Keep twist joints of arms and legs in their rest pose',
  },
  extra: {
    in: 'top',
    group: 'character',
    type: { kind: 'pairs' },
    default: null,
    hint: 'PAIRS',
    text: 'Bones beyond the humanoid that follow the motion, such as weapons, tails and hair: MOTION=CHARACTER,… by node names; on the command line also a JSON file {"extra": {"motion node": "character node"}}, such as a bone map',
  },
  names: {
    in: 'top',
    group: 'output',
    type: { kind: 'choice', values: JOINT_NAMINGS },
    default: null,
    hint: 'WHOSE',
    text: 'Rename the joints of bones: mixamo, ue5, unity, vrm, humanik or rigify; other joints keep their names',
  },
  proportions: {
    in: 'top',
    group: 'character',
    type: { kind: 'choice', values: ['adult', 'source'] },
    default: 'adult',
    hint: 'WHOSE',
    text: 'Bone lengths of a standard rig: adult (of 1.70 m, the default), source (of the first motion)',
  },
  events: {
    in: 'top',
    group: 'output',
    type: { kind: 'flag' },
    default: false,
    text: 'Write with each clip when its feet touch the ground, and how fast it moves: in a glTF as extras of the animation, in a USD as custom data, else as .events.json beside the file',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

export const MOTION_OPTIONS: typeof EDIT_OPTIONS & typeof RETARGET_OPTIONS = { ...EDIT_OPTIONS, ...RETARGET_OPTIONS };

type Value<Type extends OptionType> = Type extends { readonly kind: 'flag' }
  ? boolean
  : Type extends { readonly kind: 'choice'; readonly values: readonly (infer Word)[] }
    ? Word
    : Type extends { readonly kind: 'seconds' }
      ? NonNullable<ClipEdits['trim']>
      : Type extends { readonly kind: 'pairs' }
        ? Readonly<Record<string, string>>
        : Type extends { readonly words: readonly (infer Word)[] }
          ? number | Word
          : number;

export type MotionOptionName = keyof typeof MOTION_OPTIONS;

/** A value for every option; null for none. */
export type MotionOptions = {
  readonly [Name in MotionOptionName]:
    | Value<(typeof MOTION_OPTIONS)[Name]['type']>
    | ((typeof MOTION_OPTIONS)[Name]['default'] extends null ? null : never);
};

export const MOTION_DEFAULTS: MotionOptions = Object.fromEntries(
  Object.entries(MOTION_OPTIONS).map(([name, row]) => [name, row.default]),
) as unknown as MotionOptions;

function isSeconds(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { from, to, ...others } = value as { from?: unknown; to?: unknown };
  if (Object.keys(others).length > 0) return false;
  const isTime = (time: unknown): boolean =>
    time === undefined || (typeof time === 'number' && time >= 0 && time < Infinity);
  return isTime(from) && isTime(to) && ((from as number | undefined) ?? 0) < ((to as number | undefined) ?? Infinity);
}

function isPairs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.entries(value).flat();
  return names.length > 0 && names.every((name) => typeof name === 'string' && name.trim() !== '');
}

export function isOptionValue({ type }: Typed, value: unknown): boolean {
  switch (type.kind) {
    case 'flag':
      return typeof value === 'boolean';
    case 'choice':
      return type.values.some((word) => word === value);
    case 'number':
      if (typeof value !== 'number') return type.words?.some((word) => word === value) === true;
      return value <= type.most && (type.isAbove === true ? value > type.least : value >= type.least);
    case 'seconds':
      return isSeconds(value);
    case 'pairs':
      return isPairs(value);
  }
}

/** Says what an option takes in the library, in manifests and presets; `expectedText` says it of the command line. */
export function expectedValue({ type }: Typed): string {
  switch (type.kind) {
    case 'flag':
      return 'true or false';
    case 'choice':
      return type.values.length === 2 ? type.values.join(' or ') : type.values.join(', ');
    case 'number': {
      const { least, most, isAbove = false, words = [], unit } = type;
      const kind = unit === '°' ? 'degrees' : 'a number';
      const range =
        most === Number.MAX_VALUE
          ? `${kind} of at least ${least}`
          : isAbove
            ? `${kind} above ${least}, up to ${most}`
            : `${kind} from ${least} to ${most}`;
      return words.length === 0 ? range : `${words.join(', ')} or ${range}`;
    }
    case 'seconds':
      return 'seconds as { "from": A, "to": B } or one of both, with A before B';
    case 'pairs':
      return 'names by names such as { "Weapon.R": "sword", "tail_1": "Tail1" }';
  }
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

function parsedValue(type: OptionType, text: string): unknown {
  switch (type.kind) {
    case 'flag': {
      const at = (type.words ?? ['true', 'false']).indexOf(text);
      return at < 0 ? undefined : at === 0;
    }
    case 'choice':
      return text;
    case 'number':
      return type.words?.includes(text) === true ? text : numberOf(text);
    case 'seconds': {
      const [from, to, ...more] = text.split(':').map(numberOf);
      if (more.length > 0 || !text.includes(':') || (from === undefined && to === undefined)) return undefined;
      return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    }
    case 'pairs': {
      const pairs = text.split(',').map((pair) => pair.split('=').map((name) => name.trim()));
      return pairs.every(({ length }) => length === 2) ? Object.fromEntries(pairs) : undefined;
    }
  }
}

/** Parses a value of an option as text. Returns the value; undefined where the option takes no such value. */
export function parseOptionValue(row: Typed, text: string): unknown {
  const value = parsedValue(row.type, text);
  return isOptionValue(row, value) ? value : undefined;
}

export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Formats a value of an option as text, the inverse of {@link parseOptionValue}. */
export function formatValue({ type }: Typed, value: unknown): string {
  if (type.kind === 'flag') return (type.words ?? ['true', 'false'])[value === true ? 0 : 1];
  if (type.kind === 'pairs')
    return Object.entries(value as Record<string, string>)
      .map((pair) => pair.join('='))
      .join(',');
  if (type.kind !== 'seconds') return String(value);
  const { from, to } = value as NonNullable<ClipEdits['trim']>;
  return `${from ?? ''}:${to ?? ''}`;
}

/** Lists the options that differ from what is done without options and have an effect. */
function changedOptions(values: Partial<MotionOptions>): [name: MotionOptionName, row: OptionRow, value: unknown][] {
  const names = Object.keys(MOTION_OPTIONS) as MotionOptionName[];
  return names.flatMap((name): [MotionOptionName, OptionRow, unknown][] => {
    const row: OptionRow = MOTION_OPTIONS[name];
    const value = values[name];
    if (value === undefined || value === null || value === row.default) return [];
    return row.needsContacts === true && values.contacts === 'off' ? [] : [[name, row, value]];
  });
}

/** Formats options as arguments of the command line. Those that have their default are left out. Returns such as `['--speed', '2', '--no-twist']`. */
export function optionArguments(values: Partial<MotionOptions>): string[] {
  return changedOptions(values).flatMap(([name, row, value]) => {
    const flag = flagName(name);
    if (row.type.kind !== 'flag' || row.type.words !== undefined) return [`--${flag}`, formatValue(row, value)];
    return [value === true ? `--${flag}` : `--no-${flag}`];
  });
}

/** Options of a motion as jobs take them. */
export interface MotionJobOptions {
  /** Edits of the clips. */
  readonly edits?: ClipEdits;
  /** Which channels to retarget. */
  readonly channels?: RetargetOptions;
  /** Resamples the clips to this rate, in frames per second, instead of keeping the keys of the motion. */
  readonly fps?: number;
  /** Whether an FBX is written as text instead of binary; false by default. */
  readonly ascii?: boolean;
  /**
   * Rest pose of a new FBX: a T-pose (`t-pose`, the default) as PreRotation, so that `Lcl Rotation` is 0 in it, or that of the character (`keep`) as
   * `Lcl Rotation` without PreRotation.
   */
  readonly rest?: 't-pose' | 'keep';
  /** Images of a new FBX: in the file (`embed`, the default), or in a folder `NAME.fbm` beside it (`beside`). */
  readonly textures?: 'embed' | 'beside';
  /**
   * Whether to retarget expressions, morph weights and look-at by their meaning; true by default. `false` copies only morph weights of nodes and
   * targets with the same names.
   */
  readonly face?: boolean;
  /**
   * How contacts with the ground are kept: as the source has them (`auto`, the default), with planted feet frozen (`lock`), with nothing below the
   * floor (`ground`), or not at all (`off`): then every rotation is exactly that of the source.
   */
  readonly contacts?: ContactMode | 'off';
  /**
   * Constant outward rotation of the upper arms in degrees, or `auto`: by as much as the character is wider than that of the motion; 0 by default. Without
   * effect with contacts `off`.
   */
  readonly armSpace?: Space;
  /** The same for the upper legs. */
  readonly legSpace?: Space;
  /**
   * How arms are kept out of trunk, head and thighs: by a change of gestures of at most 12° (`soft`, the default with contacts `auto` and `lock`), as far as it
   * takes (`strict`), or not at all (`off`). It needs a character with a mesh. Without effect with contacts `off`.
   */
  readonly selfCollision?: SelfCollision;
  /**
   * Bones beyond those of a humanoid that follow those of the motion, such as weapons, tails and hair: names of nodes of the character by names of nodes of the motion.
   * They turn and move relative to their parents as in the motion. Both nodes of a pair hang on the same bone.
   */
  readonly extra?: Readonly<Record<string, string>>;
  /** The names that the joints of the character's bones get in the output; by default they keep theirs. */
  readonly names?: JointNaming;
  /** Bone lengths of a standard rig: of an adult (`adult`, the default), or of the first motion (`source`). */
  readonly proportions?: 'adult' | 'source';
  /** Whether to find when the feet of each clip touch the ground, and to write it: as extras of the animation of a glTF, as custom data of the SkelAnimation of a USD, as a JSON file beside others; false by default. */
  readonly events?: boolean;
  /**
   * Whether hands touch what those of the motion touch; true by default for motions with a mesh and contacts `auto` and `lock`. It needs a character with a mesh. Without effect with
   * contacts `off`.
   */
  readonly hands?: boolean;
  /**
   * Whether all clips are one take of several people, in files of their own, or in one with a clip or a skeleton each; false by default. Then all have one scale and the places of
   * the take, and with contacts and hands on, hands of different people touch where those of the take do.
   */
  readonly together?: boolean;
}

/** Converts values by name to options of a job. Those that have their default are left out. */
export function jobOptionsOf(values: Partial<MotionOptions>): MotionJobOptions {
  const places = { top: {}, edits: {}, channels: {} };
  for (const [name, row, value] of changedOptions(values)) Object.assign(places[row.in], { [name]: value });
  const { top, edits, channels } = places;
  return {
    ...top,
    ...(Object.keys(edits).length === 0 ? {} : { edits }),
    ...(Object.keys(channels).length === 0 ? {} : { channels }),
  };
}

/** Reads the values of a motion from options of a job, the inverse of {@link jobOptionsOf}. */
export function motionValuesOf(options: object): Partial<MotionOptions> {
  const { edits = {}, channels = {} } = options as { edits?: object; channels?: object };
  const places = { top: options, edits, channels } as Record<OptionRow['in'], Record<string, unknown>>;
  const rows = Object.entries<OptionRow>(MOTION_OPTIONS);
  return Object.fromEntries(
    rows.flatMap(([name, row]) => (places[row.in][name] === undefined ? [] : [[name, places[row.in][name]]])),
  );
}

/** Options of jobs that are no rows: they concern files and humanoids, or are of one job. */
const OTHER_OPTIONS: readonly string[] = [
  ...['output', 'clips', 'name', 'replace', 'mesh', 'vrma', 'vrm', 'meta', 'outputKeys'],
  ...['source', 'target', 'humanoid', 'signal', 'onProgress', 'edits', 'channels'],
];

/** Checks what is known about motions whose files do not say it. Throws OptionError for a value that the option does not take. */
export function checkOpenOptions(options: { readonly [Name in keyof typeof OPEN_OPTIONS]?: unknown }): void {
  for (const [name, row] of Object.entries<OpenOptionRow>(OPEN_OPTIONS)) {
    const value = options[name as keyof typeof OPEN_OPTIONS];
    if (value !== undefined && !isOptionValue(row, value))
      throw new OptionError(name, `${name} is ${JSON.stringify(value)}; expected ${expectedValue(row)}`);
  }
}

/** Channels that only the library can switch. */
const OTHER_CHANNELS: readonly string[] = ['rotation', 'hipsTranslation', 'translation', 'scale'];

function pathOf(place: OptionRow['in'], name: string): string {
  return place === 'top' ? name : `${place}.${name}`;
}

/** Throws OptionError for a member that is no option of its place, or has a value that the option does not take. */
function checkPlace(place: OptionRow['in'], values: unknown, others: readonly string[]): void {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new OptionError(place, `${place} is ${JSON.stringify(values)}; expected an object of options`);
  const rows = Object.entries<OptionRow>(MOTION_OPTIONS).filter(([, row]) => row.in === place);
  const known = new Map(rows);
  for (const [name, value] of Object.entries(values)) {
    const row = known.get(name);
    const path = pathOf(place, name);
    if (row === undefined) {
      if (others.includes(name)) continue;
      const names = [...known.keys(), ...others];
      const elsewhere: OptionRow['in'] | undefined = (MOTION_OPTIONS as Partial<Record<string, OptionRow>>)[name]?.in;
      const [near] = elsewhere === undefined ? closestNames(name, names) : [name];
      const advice =
        near === undefined
          ? `expected one of ${names.join(', ')}`
          : `did you mean ${pathOf(elsewhere ?? place, near)}?`;
      throw new OptionError(name, `There is no option ${path}; ${advice}`);
    }
    if (value !== undefined && !isOptionValue(row, value))
      throw new OptionError(name, `${path} is ${JSON.stringify(value)}; expected ${expectedValue(row)}`);
  }
}

/**
 * Checks the names of options of a job, and the values of those that concern a motion. Throws OptionError for an unknown name, with what is close
 * to it, and for a value that the option does not take.
 */
export function checkMotionOptions(options: object): void {
  const { edits, channels } = options as { edits?: unknown; channels?: unknown };
  checkPlace('top', options, OTHER_OPTIONS);
  if (edits != null) checkPlace('edits', edits, []);
  if (channels != null) checkPlace('channels', channels, OTHER_CHANNELS);
}
