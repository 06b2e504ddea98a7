import { FormatError } from '../../../core/report/format-error.ts';
import type { Layer, Spec } from '../layer/layer.ts';
import { isIdentifier, isVariantName } from '../layer/path-syntax.ts';
import { childPath, stripVariantSelections } from '../layer/paths.ts';
import { readString } from './literals.ts';
import { parseItems } from './parse-arcs.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseProperty } from './parse-property.ts';
import { addSpec, appendName, typeNameValue, wordValue } from './specs.ts';
import {
  createTextCursor,
  expectMark,
  isNext,
  lineAndColumn,
  peekWord,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  type TextCursor,
  takeMark,
  takeWord,
} from './text-cursor.ts';

/** Levels of nested prims. Only hostile files have more. */
const MAX_DEPTH = 1000;

const HEADER = /^#(?:usda|sdf) 1\.[\d.]+[^\n]*(?:\n|$)/;

/** The contents of open braces: a prim or a variant. */
interface Scope {
  readonly path: string;
  readonly spec: Spec;
  /** Path of the variant set around a variant; null for prims. */
  readonly set: string | null;
}

function parsePrimHead(cursor: TextCursor, layer: Layer, parent: Scope): Scope {
  const specifier = readWord(cursor, 'def, over or class');
  const at = cursor.at;
  const typeName = peekWord(cursor);
  // Types from plug-ins may have a namespace.
  if (typeName !== null) cursor.at += typeName.length;
  const name = readString(cursor, 'the name of a prim in quotes');
  if (!isIdentifier(name)) throw syntaxError(cursor, 'a prim name of letters, digits and _', at);
  const path = childPath(parent.path, name);
  if (layer.specs.has(path)) throw syntaxError(cursor, `another name than ${name}, which the layer already has`, at);
  appendName(parent.spec, 'primChildren', name);
  const spec = addSpec(cursor, layer, path, 'prim');
  spec.fields.set('specifier', wordValue(specifier));
  if (typeName !== null && typeName !== '__AnyType__') spec.fields.set('typeName', typeNameValue(cursor, typeName));
  skipLines(cursor);
  parseMetadata(cursor, spec, stripVariantSelections(path));
  skipLines(cursor);
  expectMark(cursor, '{', `before the contents of the prim ${name}`);
  return { path, spec, set: null };
}

function parseVariantHead(cursor: TextCursor, layer: Layer, set: string): Scope {
  const at = cursor.at;
  const name = readString(cursor, 'the name of a variant in quotes');
  if (name === '' || !isVariantName(name))
    throw syntaxError(cursor, 'a variant name of letters, digits, _, | and -', at);
  const path = set.replace(/=\}$/, `=${name}}`);
  const known = layer.specs.get(path);
  if (known === undefined) appendName(layer.specs.get(set) as Spec, 'variantChildren', name);
  const spec = known ?? addSpec(cursor, layer, path, 'variant');
  skipLines(cursor);
  parseMetadata(cursor, spec, stripVariantSelections(path));
  skipLines(cursor);
  expectMark(cursor, '{', `before the contents of the variant ${name}`);
  return { path, spec, set };
}

/** Parses `variantSet "look" = {` and the head of the first variant, if any. */
function parseVariantSet(cursor: TextCursor, layer: Layer, owner: Scope): Scope | null {
  const at = cursor.at;
  const name = readString(cursor, 'the name of a variant set in quotes');
  if (!isIdentifier(name)) throw syntaxError(cursor, 'a variant set name of letters, digits and _', at);
  expectMark(cursor, '=', 'after the name of a variant set');
  skipLines(cursor);
  expectMark(cursor, '{', 'before the variants of a set');
  const path = `${owner.path}{${name}=}`;
  if (!layer.specs.has(path)) {
    appendName(owner.spec, 'variantSetChildren', name);
    addSpec(cursor, layer, path, 'variantSet');
  }
  skipSeparators(cursor);
  return takeMark(cursor, '}') ? null : parseVariantHead(cursor, layer, path);
}

/** Parses `reorder nameChildren = [ … ]` after its first word. */
function parseOrder(cursor: TextCursor, spec: Spec): void {
  const order = readWord(cursor, 'nameChildren or properties');
  const field = { nameChildren: 'primOrder', rootPrims: 'primOrder', properties: 'propertyOrder' }[order];
  if (field === undefined) throw syntaxError(cursor, 'nameChildren, rootPrims or properties');
  expectMark(cursor, '=', `after ${order}`);
  spec.fields.set(field, {
    type: 'names',
    names: parseItems(cursor, null, () => readString(cursor, 'a name in quotes')),
  });
}

/** Skips `reorder` if it orders children or properties; the same keyword may also start a list op of a relationship. */
function isOrder(cursor: TextCursor): boolean {
  const start = cursor.at;
  const found = takeWord(cursor, 'reorder') && /^(?:nameChildren|properties|rootPrims)$/.test(peekWord(cursor) ?? '');
  if (!found) cursor.at = start;
  return found;
}

function isSpecifier(word: string | null): boolean {
  return word === 'def' || word === 'over' || word === 'class';
}

/** Parses one statement of a prim or variant. Returns the scope that it opens, or null. */
function parseStatement(cursor: TextCursor, layer: Layer, scope: Scope): Scope | null {
  if (isSpecifier(peekWord(cursor))) return parsePrimHead(cursor, layer, scope);
  if (takeWord(cursor, 'variantSet')) return parseVariantSet(cursor, layer, scope);
  if (isOrder(cursor)) {
    parseOrder(cursor, scope.spec);
    return null;
  }
  if (scope.spec.type === 'pseudoRoot') throw syntaxError(cursor, 'def, over or class');
  parseProperty(cursor, layer, scope.path);
  return null;
}

/** Parses the closing brace of a scope. Returns the next variant of the same set, or null. */
function leaveScope(cursor: TextCursor, layer: Layer, { set }: Scope): Scope | null {
  expectMark(cursor, '}', 'after the contents of a prim or variant');
  if (set === null) return null;
  skipSeparators(cursor);
  return takeMark(cursor, '}') ? null : parseVariantHead(cursor, layer, set);
}

/**
 * Parses the text of a layer. Metadata and values of unknown types are kept as text. Relative paths become absolute. Comments are dropped.
 *
 * @param text Content of a `.usda` file, without a byte order mark.
 * @returns The layer; its specs are in the order of the text.
 * @throws FormatError `USD_SYNTAX` with line and column; `USD_LIMIT` if prims are nested too deeply or paths are too long.
 * @example
 * ```ts
 * const layer = parseUsda('#usda 1.0\ndef Xform "Root" {\n}\n');
 * layer.specs.get('/Root')?.fields.get('typeName'); // { type: 'token', isArray: false, texts: ['Xform'] }
 * ```
 */
export function parseUsda(text: string): Layer {
  const header = HEADER.exec(text);
  const cursor = createTextCursor(text, header === null ? 0 : header[0].length);
  if (header === null) throw syntaxError(cursor, '#usda 1.0 as the first line');
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new FormatError('USD_SYNTAX', 'Found a NUL character, expected text', lineAndColumn(text, nul));
  const layer: Layer = { specs: new Map(), issues: [] };
  const root: Scope = { path: '/', spec: addSpec(cursor, layer, '/', 'pseudoRoot'), set: null };
  skipSeparators(cursor);
  parseMetadata(cursor, root.spec, '/');
  const scopes: Scope[] = [root];
  let last: 'open' | 'statement' | 'close' = 'open';
  for (;;) {
    const separated = skipSeparators(cursor);
    const scope = scopes[scopes.length - 1];
    if (cursor.at >= text.length || (scopes.length === 1 && takeWord(cursor, '__END__'))) break;
    const isEnd = scopes.length > 1 && isNext(cursor, '}');
    // No line end is needed after an opening brace, and between two closing braces.
    if (!separated && last !== 'open' && !(isEnd && last === 'close'))
      throw syntaxError(cursor, 'a new line or a semicolon');
    const opened = isEnd ? leaveScope(cursor, layer, scope) : parseStatement(cursor, layer, scope);
    if (isEnd) scopes.pop();
    last = opened !== null ? 'open' : isEnd ? 'close' : 'statement';
    if (opened !== null) scopes.push(opened);
    if (scopes.length > MAX_DEPTH) throw tooDeep(cursor);
  }
  if (scopes.length > 1) throw syntaxError(cursor, `the closing } of ${scopes[scopes.length - 1].path}`);
  return layer;
}

function tooDeep({ text, at }: TextCursor): FormatError {
  const message = `Prims are nested more than ${MAX_DEPTH} levels deep, the limit of anyrig; flatten the hierarchy`;
  return new FormatError('USD_LIMIT', message, lineAndColumn(text, at));
}
