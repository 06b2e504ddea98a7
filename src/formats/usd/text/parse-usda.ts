/** Text files of USD: `.usda`. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Layer, Spec } from '../layer/layer.ts';
import { isIdentifier, isVariantName } from '../layer/path-syntax.ts';
import { childPath, stripVariantSelections } from '../layer/paths.ts';
import {
  type TextCursor,
  createTextCursor,
  expectMark,
  isNext,
  lineAndColumn,
  peekWord,
  readWord,
  skipLines,
  skipSeparators,
  syntaxError,
  takeMark,
  takeWord,
} from './text-cursor.ts';
import { readString } from './literals.ts';
import { parseItems } from './parse-arcs.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseProperty } from './parse-property.ts';
import { addSpec, appendName, typeNameValue, wordValue } from './specs.ts';

/** Prims inside of prims: more is an attack. */
const MAX_DEPTH = 1000;

const HEADER = /^#(?:usda|sdf) 1\.[\d.]+[^\n]*(?:\n|$)/;

/** What is between the braces that are open: a prim or a variant. */
interface Scope {
  readonly path: string;
  readonly spec: Spec;
  /** The path of the variant set whose braces are around a variant; null for prims. */
  readonly set: string | null;
}

/** The head of a prim up to its opening brace. */
function parsePrimHead(cursor: TextCursor, layer: Layer, parent: Scope): Scope {
  const specifier = readWord(cursor, 'def, over or class');
  const at = cursor.at;
  const typeName = peekWord(cursor);
  // Types of plugins may have a namespace.
  if (typeName !== null) cursor.at += typeName.length;
  const name = readString(cursor, 'the name of a prim in quotes');
  if (!isIdentifier(name)) throw syntaxError(cursor, 'a name of letters, digits and _ for a prim', at);
  const path = childPath(parent.path, name);
  if (layer.specs.has(path)) throw syntaxError(cursor, `another name than ${name}, which is there already`, at);
  appendName(parent.spec, 'primChildren', name);
  const spec = addSpec(cursor, layer, path, 'prim');
  spec.fields.set('specifier', wordValue(specifier));
  if (typeName !== null && typeName !== '__AnyType__') spec.fields.set('typeName', typeNameValue(cursor, typeName));
  skipLines(cursor);
  parseMetadata(cursor, spec, stripVariantSelections(path));
  skipLines(cursor);
  expectMark(cursor, '{', `before what is in the prim ${name}`);
  return { path, spec, set: null };
}

/** The head of a variant up to its opening brace. */
function parseVariantHead(cursor: TextCursor, layer: Layer, set: string): Scope {
  const at = cursor.at;
  const name = readString(cursor, 'the name of a variant in quotes');
  if (name === '' || !isVariantName(name))
    throw syntaxError(cursor, 'a name of letters, digits, _, | and - for a variant', at);
  const path = set.replace(/=\}$/, `=${name}}`);
  const known = layer.specs.get(path);
  if (known === undefined) appendName(layer.specs.get(set) as Spec, 'variantChildren', name);
  const spec = known ?? addSpec(cursor, layer, path, 'variant');
  skipLines(cursor);
  parseMetadata(cursor, spec, stripVariantSelections(path));
  skipLines(cursor);
  expectMark(cursor, '{', `before what is in the variant ${name}`);
  return { path, spec, set };
}

/** `variantSet "look" = {`, and the first variant, if there is any. */
function parseVariantSet(cursor: TextCursor, layer: Layer, owner: Scope): Scope | null {
  const at = cursor.at;
  const name = readString(cursor, 'the name of a variant set in quotes');
  if (!isIdentifier(name)) throw syntaxError(cursor, 'a name of letters, digits and _ for a variant set', at);
  expectMark(cursor, '=', 'behind the name of a variant set');
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

/** `reorder nameChildren = [ … ]`. */
function parseOrder(cursor: TextCursor, spec: Spec): void {
  const what = readWord(cursor, 'nameChildren or properties');
  const field = { nameChildren: 'primOrder', rootPrims: 'primOrder', properties: 'propertyOrder' }[what];
  if (field === undefined) throw syntaxError(cursor, 'nameChildren, rootPrims or properties');
  expectMark(cursor, '=', `behind ${what}`);
  spec.fields.set(field, {
    type: 'names',
    names: parseItems(cursor, null, () => readString(cursor, 'a name in quotes')),
  });
}

/** Whether `reorder` is about children, and not an edit of a relationship. */
function isOrder(cursor: TextCursor): boolean {
  const start = cursor.at;
  const found = takeWord(cursor, 'reorder') && /^(?:nameChildren|properties|rootPrims)$/.test(peekWord(cursor) ?? '');
  if (!found) cursor.at = start;
  return found;
}

function isSpecifier(word: string | null): boolean {
  return word === 'def' || word === 'over' || word === 'class';
}

/** One statement inside of a prim or variant; the scope that it opens, if any. */
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

/** What comes behind the brace that ends a scope: the next variant of its set, or nothing. */
function leaveScope(cursor: TextCursor, layer: Layer, { set }: Scope): Scope | null {
  expectMark(cursor, '}', 'behind a scope');
  if (set === null) return null;
  skipSeparators(cursor);
  return takeMark(cursor, '}') ? null : parseVariantHead(cursor, layer, set);
}

/**
 * Reads the text of a layer. What it says is kept whole, with metadata and types that nobody here knows as text; paths are made absolute. Comments go.
 *
 * @throws FormatError USD_SYNTAX with line and column, USD_LIMIT for prims nested too deeply.
 */
export function parseUsda(text: string): Layer {
  const header = HEADER.exec(text);
  const cursor = createTextCursor(text, header === null ? 0 : header[0].length);
  if (header === null) throw syntaxError(cursor, '#usda 1.0 as the first line');
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
    // A brace that opens needs no line end behind it, and one that closes none before another one.
    if (!separated && last !== 'open' && !(isEnd && last === 'close'))
      throw syntaxError(cursor, 'a new line or a semicolon');
    const opened = isEnd ? leaveScope(cursor, layer, scope) : parseStatement(cursor, layer, scope);
    if (isEnd) scopes.pop();
    last = opened !== null ? 'open' : isEnd ? 'close' : 'statement';
    if (opened !== null) scopes.push(opened);
    if (scopes.length > MAX_DEPTH) throw tooDeep(cursor);
  }
  if (scopes.length > 1) throw syntaxError(cursor, `the end } of ${scopes[scopes.length - 1].path}`);
  return layer;
}

function tooDeep({ text, at }: TextCursor): FormatError {
  const message = `Prims are nested more than ${MAX_DEPTH} deep, which anyrig does not read`;
  return new FormatError('USD_LIMIT', message, lineAndColumn(text, at));
}
