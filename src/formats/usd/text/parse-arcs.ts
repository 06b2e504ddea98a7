/** Metadata that composes: references, payloads, sublayers, inherits, relocates, chosen variants. */
import type { FieldValue, LayerOffset, ListOp, Reference, Spec } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { isVariantName } from '../layer/path-syntax.ts';
import { absolutePath } from '../layer/paths.ts';
import {
  type TextCursor,
  chargePath,
  expectMark,
  isNext,
  readWord,
  skipLines,
  skipSeparators,
  skipSpace,
  syntaxError,
  takeMark,
  takeWord,
} from './text-cursor.ts';
import { LIST_OP_FIELDS, LIST_OP_KEYWORDS, type ListOpKeyword } from './metadata-fields.ts';
import { isAsset, isNone, readAsset, readNumber, readPath, readString } from './literals.ts';
import { parseDictionary } from './parse-value.ts';
import { readList } from './read-list.ts';

/** Items of a list, one or several; `None` and `[]` say that there are none, where no edit (`add`, `delete`) wants some. */
export function parseItems<Item>(cursor: TextCursor, word: ListOpKeyword | null, readItem: () => Item): Item[] {
  skipSpace(cursor);
  const start = cursor.at;
  const items: Item[] = [];
  if (isNone(cursor)) takeWord(cursor, 'None');
  else if (isNext(cursor, '[')) readList(cursor, () => items.push(readItem()));
  else items.push(readItem());
  if (items.length === 0 && word !== null) throw syntaxError(cursor, `what to ${word}`, start);
  return items;
}

/** Puts items into one of the lists of a list-edited field; null: in the place of all that is weaker. */
export function setListOpItems<Item>(
  spec: Spec,
  field: string,
  of: ListOp<Item>['of'],
  word: ListOpKeyword | null,
  items: readonly Item[],
): void {
  const known = spec.fields.get(field) as ListOp<Item> | undefined;
  const former = known?.type === 'listOp' ? known : emptyListOp<Item>(of);
  const edited =
    word === null
      ? { ...emptyListOp<Item>(of), explicit: items }
      : { ...former, explicit: null, [LIST_OP_KEYWORDS[word]]: items };
  spec.fields.set(field, edited as unknown as FieldValue);
}

/** A path in angle brackets, absolute. USD_SYNTAX for one that leaves the root. */
export function readAbsolutePath(cursor: TextCursor, anchor: string, expected: string): string {
  const start = cursor.at;
  const path = absolutePath(readPath(cursor, expected), anchor);
  if (path === null) throw syntaxError(cursor, 'a path that stays below the root', start);
  return chargePath(cursor, path);
}

/** The path of a prim of another layer, or of this one: no variants, no properties. */
function readPrimPath(cursor: TextCursor): string {
  const start = cursor.at;
  const path = readPath(cursor, 'the path of a prim');
  if (/[{.]/.test(path) || (path !== '' && !path.startsWith('/'))) {
    throw syntaxError(cursor, 'the absolute path of a prim without variants', start);
  }
  return path;
}

/** `(offset = 1; scale = 2; customData = { … })` behind a reference, payload or sublayer. */
function parseLayerOffset(cursor: TextCursor, hasCustomData: boolean): LayerOffset & Pick<Reference, 'customData'> {
  const out = { offset: 0, scale: 1, customData: new Map() as Reference['customData'] };
  if (!takeMark(cursor, '(')) return out;
  skipSeparators(cursor);
  while (!takeMark(cursor, ')')) {
    const word = readWord(cursor, 'offset, scale or customData');
    expectMark(cursor, '=', `behind ${word}`);
    if (word === 'customData' && hasCustomData) out.customData = parseDictionary(cursor).entries;
    else if (word === 'offset' || word === 'scale') {
      out[word] = readNumber(cursor, 'a number');
    } else throw syntaxError(cursor, 'offset or scale');
    if (!skipSeparators(cursor) && !isNext(cursor, ')')) throw syntaxError(cursor, 'a new line or a semicolon');
  }
  return out;
}

function readReference(cursor: TextCursor, kind: 'reference' | 'payload'): Reference {
  const asset = isAsset(cursor) ? readAsset(cursor, 'an asset path') : '';
  const hasPath = isNext(cursor, '<');
  if (asset === '' && !hasPath) throw syntaxError(cursor, 'an asset path or the path of a prim');
  const path = hasPath ? readPrimPath(cursor) : '';
  skipLinesBeforeParenthesis(cursor);
  return { asset, path, ...parseLayerOffset(cursor, kind === 'reference') };
}

/** Only when a parenthesis follows: a line end may also end the statement. */
function skipLinesBeforeParenthesis(cursor: TextCursor): void {
  const start = cursor.at;
  skipLines(cursor);
  if (!isNext(cursor, '(')) cursor.at = start;
}

/** Reads into a field of `LIST_OP_FIELDS`. */
export function parseListField(cursor: TextCursor, spec: Spec, field: string, word: ListOpKeyword | null, anchor: string): void {
  const of = LIST_OP_FIELDS[field];
  if (of === 'reference' || of === 'payload') {
    const references = parseItems(cursor, word, () => readReference(cursor, of));
    setListOpItems(spec, field, of, word, references);
    return;
  }
  const readPrim = (): string => {
    const start = cursor.at;
    const path = readAbsolutePath(cursor, anchor, 'the path of a prim');
    if (/[{.]/.test(path)) throw syntaxError(cursor, 'the path of a prim without variants', start);
    return path;
  };
  const readName = (): string => readString(cursor, 'a name in quotes');
  setListOpItems(spec, field, of, word, parseItems(cursor, word, of === 'path' ? readPrim : readName));
}

/** `subLayers = [ @a.usda@ (offset = 1), … ]`: two fields, the paths and the offsets. */
export function parseSubLayers(cursor: TextCursor, spec: Spec): void {
  const layers = parseItems(cursor, null, () => {
    const start = cursor.at;
    const asset = readAsset(cursor, 'the asset path of a layer');
    if (asset === '') throw syntaxError(cursor, 'the asset path of a layer', start);
    return { asset, offset: parseLayerOffset(cursor, false) };
  });
  // An empty list is as good as none.
  if (layers.length === 0) return;
  spec.fields.set('subLayers', { type: 'string', isArray: true, texts: layers.map(({ asset }) => asset) });
  const offsets = layers.map(({ offset: { offset, scale } }) => ({ offset, scale }));
  spec.fields.set('subLayerOffsets', { type: 'layerOffsets', offsets });
}

/** The path of a prim below the root, or, where it may be, nothing. */
function readRelocated(cursor: TextCursor, anchor: string, mayBeEmpty: boolean): string {
  const start = cursor.at;
  const path = readAbsolutePath(cursor, anchor, 'the path of a prim');
  const isPrim = path !== '' && path !== '/' && !/[{.]/.test(path);
  if (!isPrim && !(path === '' && mayBeEmpty)) throw syntaxError(cursor, 'the path of a prim without variants', start);
  return path;
}

/** `relocates = { <from>: <to>, … }`; to nowhere, `<>`, deletes. */
export function parseRelocates(cursor: TextCursor, anchor: string): FieldValue {
  const pairs: [string, string][] = [];
  expectMark(cursor, '{', 'before relocates');
  skipLines(cursor);
  while (!takeMark(cursor, '}')) {
    const from = readRelocated(cursor, anchor, false);
    expectMark(cursor, ':', 'between the paths');
    skipLines(cursor);
    pairs.push([from, readRelocated(cursor, anchor, true)]);
    skipLines(cursor);
    if (!takeMark(cursor, ',') && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma or }');
    skipLines(cursor);
  }
  return { type: 'relocates', pairs };
}

/** `variants = { string look = "red" }`. */
export function parseSelections(cursor: TextCursor): FieldValue {
  const start = cursor.at;
  const selections = new Map<string, string>();
  for (const [set, value] of parseDictionary(cursor).entries) {
    if (value.type !== 'string' || value.isArray) throw syntaxError(cursor, 'strings as chosen variants', start);
    const [name] = value.texts;
    // A name, or an expression in backticks that says one.
    if (!isVariantName(name) && !/^`.*`$/s.test(name))
      throw syntaxError(cursor, `the name of a variant of ${set}`, start);
    selections.set(set, name);
  }
  return { type: 'variantSelections', selections };
}
