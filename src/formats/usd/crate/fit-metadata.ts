/** Checks the values of metadata: a binary file can store a value of any type in any field, a text file only those of the type that the field has. */
import type { FieldValue, Reference } from '../layer/layer.ts';
import { LIST_OP_LISTS } from '../layer/list-op.ts';
import { FIELD_TYPES, FIELD_WORDS, LIST_OP_FIELDS } from '../text/metadata-fields.ts';
import { WORD_FIELDS, WORDS } from './data-types.ts';
import { fitsType } from './fit-values.ts';
import { hasOwnNotation, isMetadataReadAgain } from './read-again.ts';

const INTEGER = /^(?:uchar|u?int(?:64)?)$/;
const REAL = /^(?:half|float|double)$/;
const INT32 = 2 ** 31;
/** An absolute path of a prim with ASCII names. */
const PLAIN_PATH = /^(?:\/[A-Za-z_]\w*)+$/;

/** Types of the values of fields with a notation of their own. */
const STRUCTURED: ReadonlyMap<string, FieldValue['type']> = new Map([
  ['variantSelection', 'variantSelections'],
  ['relocates', 'relocates'],
  ['layerRelocates', 'relocates'],
]);

/** The words that a field can have; null if it has none. */
function wordsOf(name: string): readonly string[] | null {
  const type = WORD_FIELDS.get(name);
  if (type !== undefined) return WORDS.get(type) ?? null;
  return Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name] : null;
}

/** Tests whether a value is an integer whose text is also a number of another type. */
function isIntegerFor(value: FieldValue, typeName: string): boolean {
  if (!('isArray' in value && 'numbers' in value) || value.isArray || !INTEGER.test(value.type)) return false;
  return REAL.test(typeName) || (INTEGER.test(typeName) && Math.abs(Number(value.numbers[0])) < INT32);
}

/** Tests whether a value has a plain type, or has the same text as one that has. */
function isPlain(value: FieldValue, typeName: string): boolean {
  if (value.type === 'names') return typeName === 'token[]' || typeName === 'string[]';
  return fitsType(value, typeName) || isIntegerFor(value, typeName);
}

/** Tests whether the items of a list op are names, or plain paths of prims: nearly all are, and scenes have very many. */
function hasPlainItems(op: Extract<FieldValue, { type: 'listOp' }>): boolean {
  if (op.of === 'token' || op.of === 'string') return true;
  const areAll = <Item>(test: (item: Item) => boolean): boolean =>
    LIST_OP_LISTS.every((list) => ((op[list] ?? []) as readonly Item[]).every(test));
  if (op.of === 'path') return areAll((path: string) => PLAIN_PATH.test(path));
  return (op.of === 'reference' || op.of === 'payload') && areAll(isPlainReference);
}

function isPlainReference({ path, offset, scale, customData }: Reference): boolean {
  const isPlainPath = path === '' || PLAIN_PATH.test(path);
  return isPlainPath && Number.isFinite(offset) && Number.isFinite(scale) && customData.size === 0;
}

/**
 * Tests whether a text file can contain a value of a field. Fields that the format does not know can have any value but a word.
 *
 * @param name - Name of the field.
 * @param value - Its value in the binary file.
 * @returns Whether the value has the type of the field, and its texts are valid there.
 */
export function fitsField(name: string, value: FieldValue): boolean {
  const words = wordsOf(name);
  if (words !== null || value.type === 'word')
    return value.type === 'word' && words !== null && words.includes(value.word);
  const structured = STRUCTURED.get(name);
  if (structured !== undefined) return value.type === structured && isMetadataReadAgain(name, value);
  if (Object.hasOwn(LIST_OP_FIELDS, name))
    return (
      value.type === 'listOp' &&
      value.of === LIST_OP_FIELDS[name] &&
      (hasPlainItems(value) || isMetadataReadAgain(name, value))
    );
  if (name === 'subLayers') return value.type === 'string' && value.isArray && !value.texts.includes('');
  const typeName = FIELD_TYPES.get(name);
  if (typeName === undefined) return !hasOwnNotation(value) || isMetadataReadAgain(name, value);
  if (typeName === 'bareToken') return value.type === 'token' && !value.isArray && isMetadataReadAgain(name, value);
  if (typeName === 'dictionary')
    return (
      value.type === 'block' ||
      (value.type === 'dictionary' && (!hasOwnNotation(value) || isMetadataReadAgain(name, value)))
    );
  if (typeName !== 'substitutions') return isPlain(value, typeName);
  return (
    value.type === 'dictionary' && [...value.entries.values()].every((one) => one.type === 'string' && !one.isArray)
  );
}
