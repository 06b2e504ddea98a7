/** Flags for how motions are edited and put on characters: the rows of the table of options, and the humanoids of both sides. */
import type { HumanoidOptions } from '../../files/humanoid/describe-file-humanoid.ts';
import {
  EDIT_OPTIONS,
  expectedValue,
  flagName,
  jobOptionsOf,
  type MotionJobOptions,
  type MotionOptions,
  OPEN_OPTIONS,
  type OpenOptionRow,
  type OptionRow,
  parseOptionValue,
  RETARGET_OPTIONS,
} from '../../files/options/motion-options.ts';
import { UsageError } from '../errors/cli-errors.ts';
import type { InputOptions } from '../open-input.ts';
import type { FlagValues } from './check-flags.ts';
import type { GroupedFlag } from './labels.ts';
import { NO_PRESET, type Preset, readPreset } from './preset.ts';
import {
  type HumanoidFlags,
  POSE_CHOICES,
  readExtraPairs,
  readHumanoidOptions,
  readInputOptions,
  withModel,
} from './read-options.ts';

type Rows = Readonly<Record<string, OpenOptionRow>>;

function flagsOf(rows: Rows): object {
  const flags = Object.entries(rows).map(([name, row]): [string, GroupedFlag] => {
    const { type, text, off, hint, group } = row;
    if (type.kind !== 'flag' || type.words !== undefined)
      return [
        flagName(name),
        { type: 'string', description: text, group, ...(hint === undefined ? {} : { valueHint: hint }) },
      ];
    const on =
      row.default === true ? { default: true, ...(off === undefined ? {} : { negativeDescription: off }) } : {};
    return [flagName(name), { type: 'boolean', description: text, group, ...on }];
  });
  return Object.fromEntries(flags);
}

/** A file with options, which flags of the command line override. */
export const PRESET_FLAG = {
  preset: {
    type: 'string',
    group: 'bones',
    valueHint: 'FILE',
    description: 'Options, bone maps and poses as JSON; other flags override them',
  },
} as const;

export const EDIT_FLAGS: object = flagsOf(EDIT_OPTIONS);

export const OPEN_FLAGS: object = flagsOf(OPEN_OPTIONS);

const CONVERT_OPTIONS = { ...EDIT_OPTIONS, names: RETARGET_OPTIONS.names } as const;

export const CONVERT_FLAGS: object = flagsOf(CONVERT_OPTIONS);

/** Flags for the humanoid of a file. */
export const BONE_FLAGS = {
  map: { type: 'string', group: 'bones', valueHint: 'FILE', description: 'Bone map of the file, from "anyrig map"' },
  skeleton: {
    type: 'string',
    group: 'bones',
    valueHint: 'NAME|INDEX',
    description: 'Skeleton to use, if there are several',
  },
  pose: { type: 'string', group: 'bones', valueHint: 'POSE', description: `Reference pose: ${POSE_CHOICES}` },
} as const;

/** Flags for the humanoids of motions and characters. */
export const SIDE_FLAGS = {
  'source-map': { ...BONE_FLAGS.map, description: 'Bone map of the motions, from "anyrig map"' },
  'target-map': { ...BONE_FLAGS.map, description: 'Bone map of the character' },
  'source-skeleton': { ...BONE_FLAGS.skeleton, description: 'Skeleton of the motions, if there are several' },
  'target-skeleton': { ...BONE_FLAGS.skeleton, description: 'Skeleton of the character, if there are several' },
  'source-pose': { ...BONE_FLAGS.pose, description: `Reference pose of the motions: ${POSE_CHOICES}` },
  'target-pose': { ...BONE_FLAGS.pose, description: 'Reference pose of the character; same values' },
} as const;

export const RETARGET_FLAGS: object = flagsOf(RETARGET_OPTIONS);

type Args = Readonly<Record<string, unknown>>;

/** Reads a value as it was typed. Pairs may be in a file. */
function typedValue(row: OpenOptionRow, value: string): unknown {
  if (row.type.kind === 'pairs' && value.endsWith('.json')) return readExtraPairs(value) ?? undefined;
  return parseOptionValue(row, value);
}

/** Says what an option takes as text. */
export function expectedText({ type }: Pick<OpenOptionRow, 'type'>): string {
  if (type.kind === 'flag' && type.words !== undefined) return type.words.join(' or ');
  if (type.kind === 'seconds') return 'seconds as A:B, A: or :B, with A before B';
  if (type.kind === 'pairs') return 'pairs of names such as Weapon.R=sword,tail_1=Tail1';
  return expectedValue({ type });
}

/** Returns the values of the options whose flags were typed. */
function typedValues<Values = Partial<MotionOptions>>(rows: Rows, args: Args, typed: FlagValues): Values {
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const flag = flagName(name);
    if (!typed.has(flag)) continue;
    const value = args[flag];
    values[name] = typeof value === 'string' ? typedValue(row, value) : value;
    if (values[name] === undefined)
      throw new UsageError(`--${flag} is ${JSON.stringify(value)}; expected ${expectedText(row)}`);
  }
  return values as Values;
}

/** Rejects typed flags that need contacts, where these are off. */
function checkContacts(values: Partial<MotionOptions>, typed: FlagValues): void {
  if (values.contacts !== 'off') return;
  for (const [name, row] of Object.entries<OptionRow>(RETARGET_OPTIONS)) {
    const isOn = typed.has(flagName(name)) && values[name as keyof MotionOptions] !== row.default;
    if (row.needsContacts === true && isOn)
      throw new UsageError(`--${flagName(name)} has no effect with --contacts off; leave out one of them`);
  }
}

/** Converts flags to options of opening files. Throws UsageError for values out of range. */
export function readOpenOptions(args: Args, typed: FlagValues): Pick<InputOptions, keyof typeof OPEN_OPTIONS> {
  return typedValues(OPEN_OPTIONS, args, typed);
}

/** Reads the flags of input files, and the model that a motion of MMD plays on. */
export async function readInput(args: Args, values: FlagValues): Promise<InputOptions> {
  const {
    'asset-root': folder,
    'max-vertices': vertices,
    model,
  } = args as Readonly<Record<string, string | undefined>>;
  return withModel({ ...readInputOptions(folder, vertices), ...readOpenOptions(args, values) }, model);
}

/** Converts flags to edits of clips. Throws UsageError for values out of range. */
export function readEditOptions(args: Args, typed: FlagValues): MotionJobOptions {
  return jobOptionsOf(typedValues(EDIT_OPTIONS, args, typed));
}

/** Converts flags of `convert` to options. Throws UsageError for values out of range. */
export function readConvertOptions(args: Args, typed: FlagValues): MotionJobOptions {
  return jobOptionsOf(typedValues(CONVERT_OPTIONS, args, typed));
}

interface RetargetFlagOptions extends MotionJobOptions {
  readonly source: HumanoidOptions;
  readonly target: HumanoidOptions;
}

/**
 * Converts flags to options, and reads the files that they name. Throws UsageError for values out of range; InputError when a file cannot be read.
 */
export async function readRetargetOptions(
  args: Args & { readonly preset?: string | undefined },
  typed: FlagValues,
  input: InputOptions,
): Promise<RetargetFlagOptions> {
  const preset: Preset = args.preset === undefined ? NO_PRESET : readPreset(args.preset);
  const values = { ...preset.values, ...typedValues({ ...EDIT_OPTIONS, ...RETARGET_OPTIONS }, args, typed) };
  checkContacts(values, typed);
  const mapOf = (name: 'source' | 'target'): HumanoidFlags['map'] =>
    (args[`${name}-map`] as string | undefined) ?? preset[name].map;
  // Pairs that are named with the motion override those that maps of its rig or of the character have.
  const maps = [mapOf('source'), mapOf('target')].filter((map) => typeof map === 'string');
  const extra = Object.assign({}, ...maps.map(readExtraPairs), values.extra) as Record<string, string>;
  const side = (name: 'source' | 'target'): Promise<HumanoidOptions> => {
    const { skeleton, pose } = preset[name];
    const typedText = (flag: string): string | undefined => args[`${name}-${flag}`] as string | undefined;
    return readHumanoidOptions(
      { map: mapOf(name), skeleton: typedText('skeleton') ?? skeleton, pose: typedText('pose') ?? pose },
      input,
    );
  };
  const job = jobOptionsOf({ ...values, extra: Object.keys(extra).length === 0 ? null : extra });
  return { ...job, source: await side('source'), target: await side('target') };
}
