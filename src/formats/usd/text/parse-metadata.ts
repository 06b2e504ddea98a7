/** Metadata in parentheses: of layers, prims, properties. */
import type { FieldValue, Spec } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import {
  type TextCursor,
  expectMark,
  isNext,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  takeMark,
} from './text-cursor.ts';
import { FIELD_NAMES, FIELD_TYPES, FIELD_WORDS, isListOpKeyword, LIST_OP_FIELDS } from './metadata-fields.ts';
import { isNone, isString, readString } from './literals.ts';
import { setListOpItems, parseListField, parseRelocates, parseSelections, parseSubLayers } from './parse-arcs.ts';
import { parseDictionary, parseValue } from './parse-value.ts';
import { skipItems, skipValue } from './read-list.ts';

/** The value of a field that no schema is known for. A bare word is none: OpenUSD has words only for fields that it knows. */
function parseUnregistered(cursor: TextCursor): Value {
  if (isNext(cursor, '{')) return parseDictionary(cursor);
  const word = peekWord(cursor);
  if (word !== null && !/^(?:None|true|false|inf|nan)$/.test(word)) throw syntaxError(cursor, 'a value');
  return { type: 'unregistered', text: skipValue(cursor) };
}

function parseFieldWord(cursor: TextCursor, field: string): FieldValue {
  const known = FIELD_WORDS[field];
  const word = peekWord(cursor);
  if (word === null || !known.includes(word)) throw syntaxError(cursor, `one of ${known.join(', ')} for ${field}`);
  cursor.at += word.length;
  return { type: 'word', word };
}

/** The word that follows, which may be missing. */
function readOptionalWord(cursor: TextCursor): string {
  return peekWord(cursor) === null ? '' : readWord(cursor, 'a word');
}

/** `{ "from": "to", … }`, kept as a dictionary of strings. */
function parseSubstitutions(cursor: TextCursor): Value {
  const entries = new Map<string, Value>();
  expectMark(cursor, '{', 'before substitutions');
  skipLines(cursor);
  while (!takeMark(cursor, '}')) {
    const from = readString(cursor, 'what is replaced');
    expectMark(cursor, ':', 'between what is replaced and what comes instead');
    entries.set(from, { type: 'string', isArray: false, texts: [readString(cursor, 'what comes instead')] });
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

/** The field that a name in text stands for; relocates of a layer have their own. */
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
  const word = isListOpKeyword(first) ? first : null;
  if (word !== null) readWord(cursor, 'an edit');
  const start = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a metadata field');
  const field = fieldOf(name, spec);
  expectMark(cursor, '=', `behind ${name}`);
  if (Object.hasOwn(LIST_OP_FIELDS, field)) parseListField(cursor, spec, field, word, anchor);
  else if (word !== null && FIELD_TYPES.has(field))
    throw syntaxError(cursor, `a field that is a list behind ${word}`, start);
  else if (word !== null) {
    setListOpItems(spec, field, 'unregistered', word, skipItems(cursor));
  } else if (field === 'subLayers' && spec.type === 'pseudoRoot') parseSubLayers(cursor, spec);
  else spec.fields.set(field, parseField(cursor, field, anchor));
}

/** `( … )` with the metadata of a spec, when it comes next. `anchor`: the prim that relative paths start from. */
export function parseMetadata(cursor: TextCursor, spec: Spec, anchor: string): void {
  if (!takeMark(cursor, '(')) return;
  skipSeparators(cursor);
  while (!takeMark(cursor, ')')) {
    parseItem(cursor, spec, anchor);
    if (!skipSeparators(cursor) && !isNext(cursor, ')'))
      throw syntaxError(cursor, 'a new line or a semicolon behind metadata');
  }
}
