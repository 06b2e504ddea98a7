import { closestNames } from '../../core/report/closest-names.ts';
import { OptionError } from '../../files/option-error.ts';
import {
  expectedValue,
  isOptionValue,
  type OptionRow,
  type OptionType,
  parseOptionValue,
} from '../../files/options/motion-options.ts';
import { expectedText } from '../flags/motion-flags.ts';
import { isNamedPose } from '../flags/read-options.ts';
import { inputPath, outputPath, type ServedFolder } from './confine-path.ts';

/** What an argument of a tool holds, besides values of options. */
type PlainType =
  /** Path of a file to read. */
  | { readonly kind: 'input' }
  /** Paths of files to read. */
  | { readonly kind: 'inputs'; readonly most: number }
  /** Path of a file to write. */
  | { readonly kind: 'output' }
  /** A reference pose: a word, or the path of a file to read. */
  | { readonly kind: 'pose' }
  /** A name, or an index. */
  | { readonly kind: 'name' }
  | { readonly kind: 'names' }
  /** A whole number from 1 on. */
  | { readonly kind: 'count'; readonly most: number };

export interface ToolArgument {
  readonly type: PlainType | OptionType;
  readonly text: string;
  readonly isRequired?: true;
  readonly default?: OptionRow['default'];
  /** Of a flag that is on by default: what happens without it. */
  readonly off?: string;
}

export type ToolArguments = Readonly<Record<string, ToolArgument>>;

type ValueOf<Type> = Type extends { readonly kind: 'inputs' | 'names' }
  ? readonly string[]
  : Type extends { readonly kind: 'flag' }
    ? boolean
    : Type extends { readonly kind: 'number' | 'count' }
      ? number
      : Type extends { readonly kind: 'choice'; readonly values: readonly (infer Word)[] }
        ? Word
        : string;

/** Checked values of arguments. */
export type ToolValues<Args extends ToolArguments> = {
  readonly [Name in keyof Args]:
    | ValueOf<Args[Name]['type']>
    | (Args[Name] extends { readonly isRequired: true } ? never : undefined);
};

const MOST_NAMES = 1000;

const NAME = { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] };

function typeSchema(type: ToolArgument['type']): object {
  switch (type.kind) {
    case 'input':
    case 'output':
    case 'pose':
      return { type: 'string', minLength: 1 };
    case 'inputs':
      return { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: type.most };
    case 'name':
      return NAME;
    case 'names':
      return { type: 'array', items: NAME, maxItems: MOST_NAMES };
    case 'count':
      return { type: 'integer', minimum: 1, maximum: type.most };
    case 'flag':
      return type.words === undefined ? { type: 'boolean' } : { type: 'string', enum: [...type.words] };
    case 'choice':
      return { type: 'string', enum: [...type.values] };
    case 'number': {
      const { least, most, isAbove, words } = type;
      const lower = isAbove === true ? { exclusiveMinimum: least } : { minimum: least };
      const number = { type: 'number', ...lower, ...(most === Number.MAX_VALUE ? {} : { maximum: most }) };
      return words === undefined ? number : { anyOf: [number, { type: 'string', enum: [...words] }] };
    }
    case 'seconds':
      return { type: 'string', pattern: '^[0-9.]*:[0-9.]*$' };
    case 'pairs':
      return { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 };
  }
}

function usualOf({ type, default: usual }: ToolArgument): object {
  if (typeof usual !== 'boolean') return {};
  const words = type.kind === 'flag' ? type.words : undefined;
  return { default: words === undefined ? usual : words[usual ? 0 : 1] };
}

interface ArgumentSchema {
  [key: string]: unknown;
  readonly type: 'object';
  properties: Record<string, object>;
  required: string[];
  readonly additionalProperties: false;
}

export function argumentSchema(args: ToolArguments): ArgumentSchema {
  const properties = Object.entries(args).map(([name, argument]): [string, object] => {
    const { type, text, off } = argument;
    const description = off === undefined ? text : `${text}; false: ${off}`;
    return [name, { ...typeSchema(type), description, ...usualOf(argument) }];
  });
  const required = Object.keys(args).filter((name) => args[name].isRequired === true);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);

function wrongValue(name: string, value: unknown, expected: string): OptionError {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new OptionError(name, `${name} is ${shown}; expected ${expected}`);
}

function checkedText(name: string, value: unknown, expected: string): string {
  if (typeof value === 'string') return value;
  throw wrongValue(name, value, expected);
}

const EXACT = /^exact:/;

function checkedPose(folders: readonly ServedFolder[], name: string, text: string): string {
  if (isNamedPose(text)) return text;
  const [exact = ''] = EXACT.exec(text) ?? [];
  return exact + inputPath(folders, name, text.slice(exact.length));
}

function checkedValue(
  folders: readonly ServedFolder[],
  name: string,
  type: ToolArgument['type'],
  value: unknown,
): unknown {
  switch (type.kind) {
    case 'input':
      return inputPath(folders, name, checkedText(name, value, 'the path of a file'));
    case 'output':
      return outputPath(folders, name, checkedText(name, value, 'the path of a file'));
    case 'pose':
      return checkedPose(folders, name, checkedText(name, value, 'a reference pose'));
    case 'inputs': {
      const expected = `a list of 1 to ${type.most} paths`;
      if (!Array.isArray(value) || value.length < 1 || value.length > type.most)
        throw wrongValue(name, value, expected);
      return value.map((path) => inputPath(folders, name, checkedText(name, path, 'the path of a file')));
    }
    case 'name':
      if (!isName(value)) throw wrongValue(name, value, 'a name or an index');
      return String(value);
    case 'names':
      if (!Array.isArray(value) || value.length > MOST_NAMES || !value.every(isName))
        throw wrongValue(name, value, `a list of up to ${MOST_NAMES} names or indices`);
      return value.map(String);
    case 'count':
      if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > type.most)
        throw wrongValue(name, value, `a whole number from 1 to ${type.most}`);
      return value;
    default: {
      const row = { type };
      const isText = type.kind === 'seconds' || (type.kind === 'flag' && type.words !== undefined);
      const read = isText && typeof value === 'string' ? parseOptionValue(row, value) : value;
      if (!isOptionValue(row, read)) throw wrongValue(name, value, isText ? expectedText(row) : expectedValue(row));
      return read;
    }
  }
}

/** Checks the arguments of a call. Throws OptionError for unknown and missing arguments, wrong values, and paths outside of the folders. */
export function checkArguments<Args extends ToolArguments>(
  args: Args,
  given: Readonly<Record<string, unknown>>,
  folders: readonly ServedFolder[],
): ToolValues<Args> {
  const names = Object.keys(args);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(args, name)) continue;
    const [near] = closestNames(name, names);
    const advice = near === undefined ? `expected some of ${names.join(', ')}` : `did you mean ${near}?`;
    throw new OptionError(name, `There is no argument ${JSON.stringify(name.slice(0, 80))}; ${advice}`);
  }
  const missing = names.find((name) => args[name].isRequired === true && given[name] === undefined);
  if (missing !== undefined)
    throw new OptionError(missing, `The argument ${missing} is missing: ${args[missing].text}`);
  const values = names
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, checkedValue(folders, name, args[name].type, given[name])]);
  return Object.fromEntries(values) as ToolValues<Args>;
}
