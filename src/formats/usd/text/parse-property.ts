import { type Issue, issue } from '../../../core/report/issue.ts';
import { copyText } from '../../../core/text/copy-text.ts';
import { isTypeName } from '../layer/check-names.ts';
import type { Layer, Spec, TimeSamples } from '../layer/layer.ts';
import { propertyPath, stripVariantSelections } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';
import { isNone, readNumber, readPath } from './literals.ts';
import { isListOpKeyword, type ListOpKeyword } from './metadata-fields.ts';
import { parseItems, readAbsolutePath, setListOpItems } from './parse-arcs.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseValue, readTypeName } from './parse-value.ts';
import { readList, skipValue } from './read-list.ts';
import { addSpec, appendName, typeNameValue, wordValue } from './specs.ts';
import {
  expectMark,
  isNext,
  lineAndColumn,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  syntaxError,
  type TextCursor,
  takeMark,
  takeWord,
} from './text-cursor.ts';

const TRUE: Value = { type: 'bool', isArray: false, numbers: Uint8Array.of(1) };

/** Returns the spec of a property; creates and lists it if it is new. Several statements may define one property. */
function propertySpec(
  layer: Layer,
  owner: string,
  name: string,
  type: 'attribute' | 'relationship',
  cursor: TextCursor,
  at: number,
): Spec {
  const path = propertyPath(owner, name);
  const known = layer.specs.get(path);
  if (known !== undefined) {
    if (known.type !== type)
      throw syntaxError(cursor, `another name than ${name}, the name of the ${known.type} above`, at);
    return known;
  }
  appendName(layer.specs.get(owner) as Spec, 'properties', name);
  return addSpec(cursor, layer, path, type);
}

/** Parses `{ 1: value, 2: None }` into samples with ascending times. Of equal times the last sample counts. */
function parseTimeSamples(cursor: TextCursor, readValue: () => Value): TimeSamples {
  const samples = new Map<number, Value>();
  expectMark(cursor, '{', 'before time samples');
  skipLines(cursor);
  while (!takeMark(cursor, '}')) {
    const start = cursor.at;
    const time = readNumber(cursor, 'a time');
    if (Number.isNaN(time)) throw syntaxError(cursor, 'a time', start);
    expectMark(cursor, ':', 'after a time');
    samples.set(time, readValue());
    const hasComma = takeMark(cursor, ',');
    skipLines(cursor);
    if (!hasComma && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma after a time sample');
  }
  const times = [...samples.keys()].sort((a, b) => a - b);
  return {
    type: 'timeSamples',
    times: Float64Array.from(times),
    values: times.map((time) => samples.get(time) as Value),
  };
}

function parseTargets(
  cursor: TextCursor,
  spec: Spec,
  field: 'targetPaths' | 'connectionPaths',
  keyword: ListOpKeyword | null,
  owner: string,
): void {
  const anchor = stripVariantSelections(owner);
  const seen = new Set<string>();
  const readTarget = (): string => {
    const start = cursor.at;
    const path = readAbsolutePath(cursor, anchor, 'a path in angle brackets');
    if (path === '' || path.includes('{')) throw syntaxError(cursor, 'a path without variants', start);
    if (seen.has(path)) throw syntaxError(cursor, 'each target only once', start);
    seen.add(path);
    return path;
  };
  setListOpItems(spec, field, 'path', keyword, parseItems(cursor, keyword, readTarget));
}

/** Parses the default or sampled value of a relationship, which only old files have. The text is kept: USD no longer uses it. */
function parseRelationshipValue(cursor: TextCursor): Value {
  if (isNone(cursor)) {
    takeWord(cursor, 'None');
    return { type: 'block' };
  }
  const start = cursor.at;
  if (isNext(cursor, '[')) readList(cursor, () => readPath(cursor, 'a path'));
  else readPath(cursor, 'a path');
  return { type: 'unregistered', text: copyText(cursor.text.slice(start, cursor.at).trim()) };
}

/** Skips deprecated syntax: markers after targets, mappers of connections. The first occurrence is reported. */
function skipDeprecated(cursor: TextCursor, layer: Layer, what: string, skip: () => void): void {
  if (layer.issues.length === 0) {
    const message = `Found ${what}, which USD no longer supports; this one and all others were left out`;
    (layer.issues as Issue[]).push(issue('USD_DEPRECATED_SYNTAX', message, lineAndColumn(cursor.text, cursor.at)));
  }
  skip();
}

function skipMarker(cursor: TextCursor, layer: Layer): void {
  if (takeMark(cursor, '@')) skipDeprecated(cursor, layer, 'a marker', () => readWord(cursor, 'the name of a marker'));
}

/** The keywords before the type of a property. */
interface PropertyPrefix {
  readonly custom: boolean;
  readonly variability: 'uniform' | 'varying' | null;
  readonly keyword: ListOpKeyword | null;
}

function parseRelationship(
  cursor: TextCursor,
  layer: Layer,
  owner: string,
  { custom, variability, keyword }: PropertyPrefix,
): void {
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a relationship');
  const spec = propertySpec(layer, owner, name, 'relationship', cursor, at);
  if (custom) spec.fields.set('custom', TRUE);
  if (variability === 'varying') spec.fields.set('variability', wordValue(variability));
  if (takeMark(cursor, '.')) {
    const part = readWord(cursor, 'timeSamples or default');
    expectMark(cursor, '=', `after ${name}.${part}`);
    if (keyword === null && part === 'default') spec.fields.set('default', parseRelationshipValue(cursor));
    else if (keyword === null && part === 'timeSamples') {
      spec.fields.set(
        'timeSamples',
        parseTimeSamples(cursor, () => parseRelationshipValue(cursor)),
      );
    } else throw syntaxError(cursor, `${name}.timeSamples or ${name}.default`, at);
    return;
  }
  if (takeMark(cursor, '=')) {
    parseTargets(cursor, spec, 'targetPaths', keyword, owner);
    skipMarker(cursor, layer);
  }
  parseMetadata(cursor, spec, stripVariantSelections(owner));
}

/** Parses the rest of a statement after `type name.`. */
function parseAttributePart(
  cursor: TextCursor,
  layer: Layer,
  spec: Spec,
  owner: string,
  prefix: PropertyPrefix,
  typeName: string,
): void {
  const at = cursor.at;
  const part = readWord(cursor, 'timeSamples or connect');
  if (part === 'mapper' && isNext(cursor, '[')) {
    skipDeprecated(cursor, layer, 'a mapper', () => {
      readList(cursor, () => readPath(cursor, 'a path'));
      expectMark(cursor, '=', 'after the connection of a mapper');
      readWord(cursor, 'the name of a mapper');
      if (isNext(cursor, '{')) skipValue(cursor);
    });
    return;
  }
  expectMark(cursor, '=', `after .${part}`);
  if (part === 'connect') {
    parseTargets(cursor, spec, 'connectionPaths', prefix.keyword, owner);
    skipMarker(cursor, layer);
  } else if (part === 'timeSamples' && prefix.keyword === null) {
    spec.fields.set(
      'timeSamples',
      parseTimeSamples(cursor, () => parseValue(cursor, typeName)),
    );
  } else if (part === 'spline' && prefix.keyword === null) {
    spec.fields.set('spline', { type: 'unregistered', text: skipValue(cursor) });
  } else throw syntaxError(cursor, '.timeSamples, .spline or .connect', at);
}

function parseAttribute(cursor: TextCursor, layer: Layer, owner: string, prefix: PropertyPrefix): void {
  const start = cursor.at;
  const typeName = readTypeName(cursor);
  // Words like `def` mean something else without a keyword before them: the attribute could not be written again.
  if (!isTypeName(typeName)) throw syntaxError(cursor, 'the type of an attribute', start);
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of an attribute');
  const spec = propertySpec(layer, owner, name, 'attribute', cursor, at);
  const type = spec.fields.get('typeName');
  const isUniform = prefix.variability === 'uniform';
  if (type?.type === 'token') {
    if (type.texts[0] !== typeName) throw syntaxError(cursor, `the type ${type.texts[0]} that ${name} has above`, at);
    if (spec.fields.has('variability') !== isUniform)
      throw syntaxError(cursor, `${name} to be ${isUniform ? 'varying' : 'uniform'}, as it is above`, at);
  }
  if (prefix.custom) spec.fields.set('custom', TRUE);
  spec.fields.set('typeName', typeNameValue(cursor, typeName));
  if (isUniform) spec.fields.set('variability', wordValue('uniform'));
  if (takeMark(cursor, '.')) {
    parseAttributePart(cursor, layer, spec, owner, prefix, typeName);
    return;
  }
  if (prefix.keyword !== null) throw syntaxError(cursor, `a relationship or a connection after ${prefix.keyword}`, at);
  if (takeMark(cursor, '=')) {
    if (typeName === 'opaque' || typeName === 'group')
      throw syntaxError(cursor, `no value, since attributes of type ${typeName} have none`, at);
    spec.fields.set('default', parseValue(cursor, typeName));
  }
  parseMetadata(cursor, spec, stripVariantSelections(owner));
}

/** Variabilities by keyword. Old files have `config` for uniform. */
const VARIABILITIES: Readonly<Record<string, 'uniform' | 'varying'>> = {
  uniform: 'uniform',
  config: 'uniform',
  varying: 'varying',
};

/** Parses one statement about a property of a prim or variant. */
export function parseProperty(cursor: TextCursor, layer: Layer, owner: string): void {
  const first = peekWord(cursor);
  const keyword = isListOpKeyword(first) ? first : null;
  if (keyword !== null) readWord(cursor, 'a list-op keyword');
  const custom = takeWord(cursor, 'custom');
  const next = peekWord(cursor) ?? '';
  const variability = Object.hasOwn(VARIABILITIES, next) ? VARIABILITIES[next] : null;
  if (variability !== null) readWord(cursor, 'a variability');
  const prefix = { custom, variability, keyword };
  if (takeWord(cursor, 'rel')) parseRelationship(cursor, layer, owner, prefix);
  else parseAttribute(cursor, layer, owner, prefix);
}
