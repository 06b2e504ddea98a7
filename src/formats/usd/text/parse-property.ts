/** Attributes and relationships. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer, Spec, TimeSamples } from '../layer/layer.ts';
import { propertyPath, stripVariantSelections } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';
import {
  type TextCursor,
  expectMark,
  isNext,
  lineAndColumn,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  syntaxError,
  takeMark,
  takeWord,
} from './text-cursor.ts';
import { isListOpKeyword, type ListOpKeyword } from './metadata-fields.ts';
import { isNone, readNumber, readPath } from './literals.ts';
import { setListOpItems, parseItems, readAbsolutePath } from './parse-arcs.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseValue, readTypeName } from './parse-value.ts';
import { readList, skipValue } from './read-list.ts';
import { addSpec, appendName, typeNameValue, wordValue } from './specs.ts';

const TRUE: Value = { type: 'bool', isArray: false, numbers: Uint8Array.of(1) };

/** The spec of a property, made and listed where it is new. A property may be said in several statements. */
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
    if (known.type !== type) throw syntaxError(cursor, `${name} to be the ${known.type} that it was before`, at);
    return known;
  }
  appendName(layer.specs.get(owner) as Spec, 'properties', name);
  return addSpec(cursor, layer, path, type);
}

/** `{ 1: value, 2: None }`, sorted; of equal times the last counts. */
function parseTimeSamples(cursor: TextCursor, readValue: () => Value): TimeSamples {
  const samples = new Map<number, Value>();
  expectMark(cursor, '{', 'before time samples');
  skipLines(cursor);
  while (!takeMark(cursor, '}')) {
    const start = cursor.at;
    const time = readNumber(cursor, 'a time');
    if (Number.isNaN(time)) throw syntaxError(cursor, 'a time', start);
    expectMark(cursor, ':', 'behind a time');
    samples.set(time, readValue());
    const hasComma = takeMark(cursor, ',');
    skipLines(cursor);
    if (!hasComma && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma behind a time sample');
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
  word: ListOpKeyword | null,
  owner: string,
): void {
  const anchor = stripVariantSelections(owner);
  const seen = new Set<string>();
  const readTarget = (): string => {
    const start = cursor.at;
    const path = readAbsolutePath(cursor, anchor, 'a path in angle brackets');
    if (path === '' || path.includes('{')) throw syntaxError(cursor, 'a path without variants', start);
    if (seen.has(path)) throw syntaxError(cursor, 'every target once', start);
    seen.add(path);
    return path;
  };
  setListOpItems(spec, field, 'path', word, parseItems(cursor, word, readTarget));
}

/** What the relationships of old files say at times or by default: kept as text, for nothing follows it. */
function parseRelationshipValue(cursor: TextCursor): Value {
  if (isNone(cursor)) {
    takeWord(cursor, 'None');
    return { type: 'block' };
  }
  const start = cursor.at;
  if (isNext(cursor, '[')) readList(cursor, () => readPath(cursor, 'a path'));
  else readPath(cursor, 'a path');
  return { type: 'unregistered', text: cursor.text.slice(start, cursor.at).trim() };
}

/** Passes what USD has given up: markers behind targets and mappers of connections. The first is reported. */
function skipDeprecated(cursor: TextCursor, layer: Layer, what: string, skip: () => void): void {
  if (layer.issues.length === 0) {
    const message = `Found ${what}, which USD has given up: left out, here and wherever else there are any`;
    (layer.issues as Issue[]).push(issue('USD_DEPRECATED_SYNTAX', message, lineAndColumn(cursor.text, cursor.at)));
  }
  skip();
}

function skipMarker(cursor: TextCursor, layer: Layer): void {
  if (takeMark(cursor, '@')) skipDeprecated(cursor, layer, 'a marker', () => readWord(cursor, 'the name of a marker'));
}

interface PropertyPrefix {
  readonly custom: boolean;
  readonly variability: 'uniform' | 'varying' | null;
  readonly word: ListOpKeyword | null;
}

function parseRelationship(cursor: TextCursor, layer: Layer, owner: string, { custom, variability, word }: PropertyPrefix): void {
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a relationship');
  const spec = propertySpec(layer, owner, name, 'relationship', cursor, at);
  if (custom) spec.fields.set('custom', TRUE);
  if (variability === 'varying') spec.fields.set('variability', wordValue(variability));
  if (takeMark(cursor, '.')) {
    const part = readWord(cursor, 'timeSamples or default');
    expectMark(cursor, '=', `behind ${name}.${part}`);
    if (word === null && part === 'default') spec.fields.set('default', parseRelationshipValue(cursor));
    else if (word === null && part === 'timeSamples') {
      spec.fields.set(
        'timeSamples',
        parseTimeSamples(cursor, () => parseRelationshipValue(cursor)),
      );
    } else throw syntaxError(cursor, `${name}.timeSamples or ${name}.default`, at);
    return;
  }
  if (takeMark(cursor, '=')) {
    parseTargets(cursor, spec, 'targetPaths', word, owner);
    skipMarker(cursor, layer);
  }
  parseMetadata(cursor, spec, stripVariantSelections(owner));
}

/** What comes behind `type name.`. */
function parseAttributePart(
  cursor: TextCursor,
  layer: Layer,
  spec: Spec,
  owner: string,
  said: PropertyPrefix,
  typeName: string,
): void {
  const at = cursor.at;
  const part = readWord(cursor, 'timeSamples or connect');
  if (part === 'mapper' && isNext(cursor, '[')) {
    skipDeprecated(cursor, layer, 'a mapper', () => {
      readList(cursor, () => readPath(cursor, 'a path'));
      expectMark(cursor, '=', 'behind the connection of a mapper');
      readWord(cursor, 'the name of a mapper');
      if (isNext(cursor, '{')) skipValue(cursor);
    });
    return;
  }
  expectMark(cursor, '=', `behind .${part}`);
  if (part === 'connect') {
    parseTargets(cursor, spec, 'connectionPaths', said.word, owner);
    skipMarker(cursor, layer);
  } else if (part === 'timeSamples' && said.word === null) {
    spec.fields.set(
      'timeSamples',
      parseTimeSamples(cursor, () => parseValue(cursor, typeName)),
    );
  } else if (part === 'spline' && said.word === null) {
    spec.fields.set('spline', { type: 'unregistered', text: skipValue(cursor) });
  } else throw syntaxError(cursor, '.timeSamples, .spline or .connect', at);
}

function parseAttribute(cursor: TextCursor, layer: Layer, owner: string, said: PropertyPrefix): void {
  const typeName = readTypeName(cursor);
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of an attribute');
  const spec = propertySpec(layer, owner, name, 'attribute', cursor, at);
  const type = spec.fields.get('typeName');
  const isUniform = said.variability === 'uniform';
  if (type?.type === 'token') {
    if (type.texts[0] !== typeName) throw syntaxError(cursor, `${name} to be of type ${type.texts[0]} as before`, at);
    if (spec.fields.has('variability') !== isUniform)
      throw syntaxError(cursor, `${name} to be ${isUniform ? 'varying' : 'uniform'} as before`, at);
  }
  if (said.custom) spec.fields.set('custom', TRUE);
  spec.fields.set('typeName', typeNameValue(cursor, typeName));
  if (isUniform) spec.fields.set('variability', wordValue('uniform'));
  if (takeMark(cursor, '.')) {
    parseAttributePart(cursor, layer, spec, owner, said, typeName);
    return;
  }
  if (said.word !== null) throw syntaxError(cursor, `a relationship or a connection behind ${said.word}`, at);
  if (takeMark(cursor, '=')) {
    if (typeName === 'opaque' || typeName === 'group') throw syntaxError(cursor, `no value: ${typeName} has none`, at);
    spec.fields.set('default', parseValue(cursor, typeName));
  }
  parseMetadata(cursor, spec, stripVariantSelections(owner));
}

/** `config` is what old files have for uniform. */
const VARIABILITIES: Readonly<Record<string, 'uniform' | 'varying'>> = {
  uniform: 'uniform',
  config: 'uniform',
  varying: 'varying',
};

/** One statement about a property of a prim or variant. */
export function parseProperty(cursor: TextCursor, layer: Layer, owner: string): void {
  const first = peekWord(cursor);
  const word = isListOpKeyword(first) ? first : null;
  if (word !== null) readWord(cursor, 'an edit');
  const custom = takeWord(cursor, 'custom');
  const next = peekWord(cursor) ?? '';
  const variability = Object.hasOwn(VARIABILITIES, next) ? VARIABILITIES[next] : null;
  if (variability !== null) readWord(cursor, 'a variability');
  const said = { custom, variability, word };
  if (takeWord(cursor, 'rel')) parseRelationship(cursor, layer, owner, said);
  else parseAttribute(cursor, layer, owner, said);
}
