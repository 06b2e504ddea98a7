/** Metadata in parentheses: of layers, prims, properties. */
import type { FieldValue, LayerOffset, ListOp, Reference, Spec } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { absolutePath } from '../layer/paths.ts';
import {
  type Cursor,
  expectMark,
  isNext,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  take,
  takeWord,
} from './cursor.ts';
import { FIELD_NAMES, FIELD_TYPES, isListWord, LIST_FIELDS, LIST_WORDS } from './fields.ts';
import { isAsset, isNone, isString, numberOf, readAsset, readPath, readString, takeNumber } from './literals.ts';
import { parseDictionary, parseValue, readList, skipValue } from './parse-value.ts';

/** Items of an edited list: `None`, one item, or a list of them. */
export function parseItems<Item>(cursor: Cursor, readItem: () => Item): Item[] {
  skipLines(cursor);
  if (isNone(cursor)) {
    takeWord(cursor, 'None');
    return [];
  }
  const items: Item[] = [];
  if (isNext(cursor, '[')) readList(cursor, () => items.push(readItem()));
  else items.push(readItem());
  return items;
}

/** Puts items into one of the lists of a list-edited field; null: in the place of all that is weaker. */
export function editList<Item>(
  spec: Spec,
  field: string,
  of: ListOp<Item>['of'],
  word: keyof typeof LIST_WORDS | null,
  items: readonly Item[],
): void {
  const known = spec.fields.get(field) as ListOp<Item> | undefined;
  const former = known?.type === 'listOp' ? known : emptyListOp<Item>(of);
  const edited =
    word === null ? { ...emptyListOp<Item>(of), explicit: items } : { ...former, [LIST_WORDS[word]]: items };
  spec.fields.set(field, edited as unknown as FieldValue);
}

/** A path in angle brackets, absolute. USD_SYNTAX for one that leaves the root. */
export function readAbsolutePath(cursor: Cursor, anchor: string, expected: string): string {
  const start = cursor.at;
  const path = absolutePath(readPath(cursor, expected), anchor);
  if (path === null) throw syntaxError(cursor, 'a path that stays below the root', start);
  return path;
}

/** The path of a prim of another layer, or of this one: no variants, no properties. */
function readPrimPath(cursor: Cursor): string {
  const start = cursor.at;
  const path = readPath(cursor, 'the path of a prim');
  if (/[{.]/.test(path) || (path !== '' && !path.startsWith('/'))) {
    throw syntaxError(cursor, 'the absolute path of a prim without variants', start);
  }
  return path;
}

/** `(offset = 1; scale = 2; customData = { … })` behind a reference, payload or sublayer. */
function parseLayerOffset(cursor: Cursor, hasCustomData: boolean): LayerOffset & Pick<Reference, 'customData'> {
  const out = { offset: 0, scale: 1, customData: new Map() as Reference['customData'] };
  if (!take(cursor, '(')) return out;
  skipSeparators(cursor);
  while (!take(cursor, ')')) {
    const word = readWord(cursor, 'offset, scale or customData');
    expectMark(cursor, '=', `behind ${word}`);
    skipLines(cursor);
    if (word === 'customData' && hasCustomData) out.customData = parseDictionary(cursor).entries;
    else if (word === 'offset' || word === 'scale') {
      const digits = takeNumber(cursor);
      if (digits === null) throw syntaxError(cursor, 'a number');
      out[word] = numberOf(digits);
    } else throw syntaxError(cursor, 'offset or scale');
    if (!skipSeparators(cursor) && !isNext(cursor, ')')) throw syntaxError(cursor, 'a new line or a semicolon');
  }
  return out;
}

function readReference(cursor: Cursor, kind: 'reference' | 'payload'): Reference {
  const asset = isAsset(cursor) ? readAsset(cursor, 'an asset path') : '';
  const hasPath = isNext(cursor, '<');
  if (asset === '' && !hasPath) throw syntaxError(cursor, 'an asset path or the path of a prim');
  const path = hasPath ? readPrimPath(cursor) : '';
  skipLinesBeforeParenthesis(cursor);
  return { asset, path, ...parseLayerOffset(cursor, kind === 'reference') };
}

/** Only when a parenthesis follows: a line end may also end the statement. */
function skipLinesBeforeParenthesis(cursor: Cursor): void {
  const start = cursor.at;
  skipLines(cursor);
  if (!isNext(cursor, '(')) cursor.at = start;
}

function parseListField(
  cursor: Cursor,
  spec: Spec,
  field: string,
  word: keyof typeof LIST_WORDS | null,
  anchor: string,
): void {
  const of = LIST_FIELDS[field];
  if (of === 'reference' || of === 'payload') {
    editList(
      spec,
      field,
      of,
      word,
      parseItems(cursor, () => readReference(cursor, of)),
    );
  } else if (of === 'path') {
    const read = (): string => {
      const start = cursor.at;
      const path = readAbsolutePath(cursor, anchor, 'the path of a prim');
      if (/[{.]/.test(path)) throw syntaxError(cursor, 'the path of a prim without variants', start);
      return path;
    };
    editList(spec, field, of, word, parseItems(cursor, read));
  } else
    editList(
      spec,
      field,
      of,
      word,
      parseItems(cursor, () => readString(cursor, 'a name in quotes')),
    );
}

function parseSubLayers(cursor: Cursor, spec: Spec): void {
  const layers = parseItems(cursor, () => {
    const start = cursor.at;
    const asset = readAsset(cursor, 'the asset path of a layer');
    if (asset === '') throw syntaxError(cursor, 'the asset path of a layer', start);
    return { asset, offset: parseLayerOffset(cursor, false) };
  });
  spec.fields.set('subLayers', { type: 'string', isArray: true, texts: layers.map(({ asset }) => asset) });
  const offsets = layers.map(({ offset: { offset, scale } }) => ({ offset, scale }));
  spec.fields.set('subLayerOffsets', { type: 'layerOffsets', offsets });
}

function parseRelocates(cursor: Cursor, anchor: string): FieldValue {
  const pairs: [string, string][] = [];
  expectMark(cursor, '{', 'before relocates');
  skipLines(cursor);
  while (!take(cursor, '}')) {
    const from = readAbsolutePath(cursor, anchor, 'the path of a prim');
    expectMark(cursor, ':', 'between the paths');
    skipLines(cursor);
    pairs.push([from, readAbsolutePath(cursor, anchor, 'the path of a prim')]);
    skipLines(cursor);
    if (!take(cursor, ',') && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma or }');
    skipLines(cursor);
  }
  return { type: 'relocates', pairs };
}

/** `variants = { string look = "red" }`. */
function parseSelections(cursor: Cursor): FieldValue {
  const start = cursor.at;
  const selections = new Map<string, string>();
  for (const [set, value] of parseDictionary(cursor).entries) {
    if (value.type !== 'string' || value.isArray) throw syntaxError(cursor, 'strings as chosen variants', start);
    selections.set(set, value.texts[0]);
  }
  return { type: 'variantSelections', selections };
}

function parseField(cursor: Cursor, field: string, anchor: string): FieldValue {
  if (field === 'variantSelection') return parseSelections(cursor);
  if (field === 'relocates') return parseRelocates(cursor, anchor);
  const typeName = FIELD_TYPES.get(field);
  if (typeName === undefined) return { type: 'unregistered', text: skipValue(cursor) };
  if (typeName === 'word') return { type: 'word', word: readWord(cursor, `a word for ${field}`) };
  if (typeName === 'dictionary' && !isNone(cursor)) return parseDictionary(cursor);
  return parseValue(cursor, typeName);
}

function parseItem(cursor: Cursor, spec: Spec, anchor: string): void {
  if (isString(cursor)) {
    spec.fields.set('comment', { type: 'string', isArray: false, texts: [readString(cursor, 'a comment')] });
    return;
  }
  const first = peekWord(cursor);
  const word = isListWord(first) ? first : null;
  if (word !== null) readWord(cursor, 'an edit');
  const start = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a metadata field');
  const field = Object.hasOwn(FIELD_NAMES, name) ? FIELD_NAMES[name] : name;
  expectMark(cursor, '=', `behind ${name}`);
  skipLines(cursor);
  if (Object.hasOwn(LIST_FIELDS, field)) parseListField(cursor, spec, field, word, anchor);
  else if (word !== null && FIELD_TYPES.has(field))
    throw syntaxError(cursor, `a field that is a list behind ${word}`, start);
  else if (word !== null) {
    editList(spec, field, 'unregistered', word, [skipValue(cursor)]);
  } else if (field === 'subLayers' && spec.type === 'pseudoRoot') parseSubLayers(cursor, spec);
  else spec.fields.set(field, parseField(cursor, field, anchor));
}

/** `( … )` with the metadata of a spec, when it comes next. `anchor`: the prim that relative paths start from. */
export function parseMetadata(cursor: Cursor, spec: Spec, anchor: string): void {
  if (!take(cursor, '(')) return;
  skipSeparators(cursor);
  while (!take(cursor, ')')) {
    parseItem(cursor, spec, anchor);
    if (!skipSeparators(cursor) && !isNext(cursor, ')'))
      throw syntaxError(cursor, 'a new line or a semicolon behind metadata');
  }
}
