/** Parses the metadata in parentheses of layers, prims, variants and properties. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { FieldValue, Spec } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import { isNone, isString, readString } from './literals.ts';
import { FIELD_NAMES, FIELD_TYPES, FIELD_WORDS, isListOpKeyword, LIST_OP_FIELDS } from './metadata-fields.ts';
import { parseListField, parseRelocates, parseSelections, parseSubLayers, setListOpItems } from './parse-arcs.ts';
import { parseDictionary, parseValue } from './parse-value.ts';
import { skipItems, skipValue } from './read-list.ts';
import {
  createTextCursor,
  expectMark,
  isNext,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  type TextCursor,
  takeMark,
} from './text-cursor.ts';

/** Parses the value of an unknown field, which may be a bare word: plugins of OpenUSD declare such fields. */
function parseUnregistered(cursor: TextCursor): Value {
  if (isNext(cursor, '{')) return parseDictionary(cursor);
  const word = peekWord(cursor);
  const isBare = word !== null && !/^(?:None|true|false|inf|nan)$/.test(word);
  return { type: 'unregistered', text: isBare ? readWord(cursor, 'a value') : skipValue(cursor) };
}

function parseFieldWord(cursor: TextCursor, field: string): FieldValue {
  const known = FIELD_WORDS[field];
  const word = peekWord(cursor);
  if (word === null || !known.includes(word)) throw syntaxError(cursor, `one of ${known.join(', ')} for ${field}`);
  cursor.at += word.length;
  return { type: 'word', word };
}

/** Reads a word; empty if none comes next. */
function readOptionalWord(cursor: TextCursor): string {
  return peekWord(cursor) === null ? '' : readWord(cursor, 'a word');
}

function parseSubstitutions(cursor: TextCursor): Value {
  const entries = new Map<string, Value>();
  expectMark(cursor, '{', 'before substitutions');
  skipLines(cursor);
  while (!takeMark(cursor, '}')) {
    const from = readString(cursor, 'the string to replace');
    expectMark(cursor, ':', 'between the string to replace and its substitute');
    entries.set(from, { type: 'string', isArray: false, texts: [readString(cursor, 'the substitute')] });
    const hasComma = takeMark(cursor, ',');
    skipLines(cursor);
    if (!hasComma && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma or }');
  }
  return { type: 'dictionary', entries };
}

function parseField(cursor: TextCursor, field: string, anchor: string): FieldValue {
  if (field === 'variantSelection') return parseSelections(cursor);
  if (field === 'relocates' || field === 'layerRelocates') return parseRelocates(cursor, anchor);
  const typeName = FIELD_TYPES.get(field);
  if (typeName === undefined) return parseUnregistered(cursor);
  if (typeName === 'word') return parseFieldWord(cursor, field);
  if (typeName === 'bareToken') return { type: 'token', isArray: false, texts: [readOptionalWord(cursor)] };
  if (typeName === 'substitutions') return parseSubstitutions(cursor);
  if (typeName === 'dictionary' && !isNone(cursor)) return parseDictionary(cursor);
  return parseValue(cursor, typeName);
}

/**
 * Parses the text that a binary file stores for a known field: programs whose OpenUSD does not know the field write it so. Returns the value; null
 * if the text is none of the field.
 */
export function parseFieldText(field: string, text: string): FieldValue | null {
  const cursor = createTextCursor(text);
  try {
    const value = parseField(cursor, field, '/');
    return cursor.at === text.length ? value : null;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Returns the field name of a name in text. Relocates of a layer have their own field. */
function fieldOf(name: string, spec: Spec): string {
  if (name === 'relocates' && spec.type === 'pseudoRoot') return 'layerRelocates';
  return Object.hasOwn(FIELD_NAMES, name) ? FIELD_NAMES[name] : name;
}

function parseItem(cursor: TextCursor, spec: Spec, anchor: string): void {
  if (isString(cursor)) {
    spec.fields.set('comment', { type: 'string', isArray: false, texts: [readString(cursor, 'a comment')] });
    return;
  }
  const first = peekWord(cursor);
  const keyword = isListOpKeyword(first) ? first : null;
  if (keyword !== null) readWord(cursor, 'a list-op keyword');
  const start = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a metadata field');
  const field = fieldOf(name, spec);
  expectMark(cursor, '=', `after ${name}`);
  if (Object.hasOwn(LIST_OP_FIELDS, field)) parseListField(cursor, spec, field, keyword, anchor);
  else if (keyword !== null && FIELD_TYPES.has(field))
    throw syntaxError(cursor, `a list-op field after ${keyword}`, start);
  else if (keyword !== null) {
    setListOpItems(spec, field, 'unregistered', keyword, skipItems(cursor));
  } else if (field === 'subLayers' && spec.type === 'pseudoRoot') parseSubLayers(cursor, spec);
  else spec.fields.set(field, parseField(cursor, field, anchor));
}

export function parseMetadata(cursor: TextCursor, spec: Spec, anchor: string): void {
  if (!takeMark(cursor, '(')) return;
  skipSeparators(cursor);
  while (!takeMark(cursor, ')')) {
    parseItem(cursor, spec, anchor);
    if (!skipSeparators(cursor) && !isNext(cursor, ')'))
      throw syntaxError(cursor, 'a new line or a semicolon after metadata');
  }
}
