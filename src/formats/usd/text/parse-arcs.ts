/** Parses composition arcs: references, payloads, sub-layers, inherits, specializes, relocates and variant selections. */
import type { FieldValue, LayerOffset, ListOp, Reference, Spec } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import { isVariantSelection } from '../layer/path-syntax.ts';
import { absolutePath } from '../layer/paths.ts';
import { isAsset, isNone, readAsset, readNumber, readPath, readString } from './literals.ts';
import { LIST_OP_FIELDS, LIST_OP_KEYWORDS, type ListOpKeyword } from './metadata-fields.ts';
import { parseDictionary } from './parse-value.ts';
import { readList } from './read-list.ts';
import {
  chargePath,
  expectMark,
  isNext,
  readWord,
  skipLines,
  skipSeparators,
  skipSpace,
  syntaxError,
  type TextCursor,
  takeMark,
  takeWord,
} from './text-cursor.ts';

/**
 * Parses the items of a list: one item, several in brackets, or `None` or `[]` for an empty list. `keyword`: the list-op keyword before the field,
 * which requires at least one item; null for an explicit list.
 */
export function parseItems<Item>(cursor: TextCursor, keyword: ListOpKeyword | null, readItem: () => Item): Item[] {
  skipSpace(cursor);
  const start = cursor.at;
  const items: Item[] = [];
  if (isNone(cursor)) takeWord(cursor, 'None');
  else if (isNext(cursor, '[')) readList(cursor, () => items.push(readItem()));
  else items.push(readItem());
  if (items.length === 0 && keyword !== null) throw syntaxError(cursor, `items to ${keyword}`, start);
  return items;
}

/** Sets one list of a list-op field. `keyword`: the list to set; null sets the explicit list and drops all others. */
export function setListOpItems<Item>(
  spec: Spec,
  field: string,
  of: ListOp<Item>['of'],
  keyword: ListOpKeyword | null,
  items: readonly Item[],
): void {
  const known = spec.fields.get(field) as ListOp<Item> | undefined;
  const former = known?.type === 'listOp' ? known : emptyListOp<Item>(of);
  const edited =
    keyword === null
      ? { ...emptyListOp<Item>(of), explicit: items }
      : { ...former, explicit: null, [LIST_OP_KEYWORDS[keyword]]: items };
  spec.fields.set(field, edited as unknown as FieldValue);
}

export function readAbsolutePath(cursor: TextCursor, anchor: string, expected: string): string {
  const start = cursor.at;
  const path = absolutePath(readPath(cursor, expected), anchor);
  if (path === null) throw syntaxError(cursor, 'a path that stays below the root', start);
  return chargePath(cursor, path);
}

/** Reads the target path of a reference or payload: absolute, of a prim, without variants. */
function readPrimPath(cursor: TextCursor): string {
  const start = cursor.at;
  const path = readPath(cursor, 'the path of a prim');
  if (/[{.]/.test(path) || (path !== '' && !path.startsWith('/'))) {
    throw syntaxError(cursor, 'the absolute path of a prim without variants', start);
  }
  return path;
}

/** Parses `(offset = 1; scale = 2; customData = { … })` after a reference, payload or sub-layer. */
function parseLayerOffset(cursor: TextCursor, hasCustomData: boolean): LayerOffset & Pick<Reference, 'customData'> {
  const out = { offset: 0, scale: 1, customData: new Map() as Reference['customData'] };
  if (!takeMark(cursor, '(')) return out;
  skipSeparators(cursor);
  while (!takeMark(cursor, ')')) {
    const word = readWord(cursor, 'offset, scale or customData');
    expectMark(cursor, '=', `after ${word}`);
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

/** Skips lines only if a parenthesis follows: a line end may also end the statement. */
function skipLinesBeforeParenthesis(cursor: TextCursor): void {
  const start = cursor.at;
  skipLines(cursor);
  if (!isNext(cursor, '(')) cursor.at = start;
}

/** Parses a list-op field of {@link LIST_OP_FIELDS}. `keyword` is that before the field, null for an explicit list. */
export function parseListField(
  cursor: TextCursor,
  spec: Spec,
  field: string,
  keyword: ListOpKeyword | null,
  anchor: string,
): void {
  const of = LIST_OP_FIELDS[field];
  if (of === 'reference' || of === 'payload') {
    const references = parseItems(cursor, keyword, () => readReference(cursor, of));
    setListOpItems(spec, field, of, keyword, references);
    return;
  }
  const readPrim = (): string => {
    const start = cursor.at;
    const path = readAbsolutePath(cursor, anchor, 'the path of a prim');
    if (/[{.]/.test(path)) throw syntaxError(cursor, 'the path of a prim without variants', start);
    return path;
  };
  const readName = (): string => readString(cursor, 'a name in quotes');
  setListOpItems(spec, field, of, keyword, parseItems(cursor, keyword, of === 'path' ? readPrim : readName));
}

/** Parses `subLayers = [ @a.usda@ (offset = 1), … ]` into two fields, the asset paths and the layer offsets. */
export function parseSubLayers(cursor: TextCursor, spec: Spec): void {
  const layers = parseItems(cursor, null, () => {
    const start = cursor.at;
    const asset = readAsset(cursor, 'the asset path of a layer');
    if (asset === '') throw syntaxError(cursor, 'the asset path of a layer', start);
    return { asset, offset: parseLayerOffset(cursor, false) };
  });
  // An empty list is the same as no list.
  if (layers.length === 0) return;
  spec.fields.set('subLayers', { type: 'string', isArray: true, texts: layers.map(({ asset }) => asset) });
  const offsets = layers.map(({ offset: { offset, scale } }) => ({ offset, scale }));
  spec.fields.set('subLayerOffsets', { type: 'layerOffsets', offsets });
}

/** Reads one path of a relocate: of a prim below the root, or, if allowed, the empty path. */
function readRelocated(cursor: TextCursor, anchor: string, mayBeEmpty: boolean): string {
  const start = cursor.at;
  const path = readAbsolutePath(cursor, anchor, 'the path of a prim');
  const isPrim = path !== '' && path !== '/' && !/[{.]/.test(path);
  if (!isPrim && !(path === '' && mayBeEmpty)) throw syntaxError(cursor, 'the path of a prim without variants', start);
  return path;
}

/** Parses `relocates = { <from>: <to>, … }`. The empty target `<>` deletes the prim. */
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

/** Parses `variants = { string look = "red" }`. */
export function parseSelections(cursor: TextCursor): FieldValue {
  const start = cursor.at;
  const selections = new Map<string, string>();
  for (const [set, value] of parseDictionary(cursor).entries) {
    if (value.type !== 'string' || value.isArray) throw syntaxError(cursor, 'strings as variant selections', start);
    const [name] = value.texts;
    if (!isVariantSelection(name)) throw syntaxError(cursor, `the name of a variant of ${set}`, start);
    selections.set(set, name);
  }
  return { type: 'variantSelections', selections };
}
