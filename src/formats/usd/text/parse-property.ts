/** Attributes and relationships. */
import type { Layer, Spec, TimeSamples } from '../layer/layer.ts';
import { propertyPath, withoutVariants } from '../layer/paths.ts';
import type { Value } from '../layer/value.ts';
import {
  type Cursor,
  expectMark,
  isNext,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  syntaxError,
  take,
  takeWord,
} from './cursor.ts';
import { isListWord, type LIST_WORDS } from './fields.ts';
import { numberOf, takeNumber } from './literals.ts';
import { editList, parseItems, parseMetadata, readAbsolutePath } from './parse-metadata.ts';
import { parseValue, readTypeName } from './parse-value.ts';

type ListWord = keyof typeof LIST_WORDS;

const TRUE: Value = { type: 'bool', isArray: false, numbers: Uint8Array.of(1) };

/** The spec of a property, made and listed where it is new. A property may be said in several statements. */
function propertySpec(
  layer: Layer,
  owner: string,
  name: string,
  type: 'attribute' | 'relationship',
  cursor: Cursor,
  at: number,
): Spec {
  const path = propertyPath(owner, name);
  const known = layer.specs.get(path);
  if (known !== undefined) {
    if (known.type !== type) throw syntaxError(cursor, `${name} to be the ${known.type} that it was before`, at);
    return known;
  }
  const spec: Spec = { type, fields: new Map() };
  layer.specs.set(path, spec);
  const prim = layer.specs.get(owner) as Spec;
  const listed = prim.fields.get('properties');
  const names = listed?.type === 'names' ? listed.names : [];
  prim.fields.set('properties', { type: 'names', names: [...names, name] });
  return spec;
}

/** `{ 1: value, 2: None }`, sorted; of equal times the last counts. */
function parseTimeSamples(cursor: Cursor, typeName: string): TimeSamples {
  const samples = new Map<number, Value>();
  expectMark(cursor, '{', 'before time samples');
  skipLines(cursor);
  while (!take(cursor, '}')) {
    const digits = takeNumber(cursor);
    if (digits === null) throw syntaxError(cursor, 'a time');
    skipLines(cursor);
    expectMark(cursor, ':', 'behind a time');
    samples.set(numberOf(digits), parseValue(cursor, typeName));
    skipLines(cursor);
    if (!take(cursor, ',') && !isNext(cursor, '}')) throw syntaxError(cursor, 'a comma behind a time sample');
    skipLines(cursor);
  }
  const times = [...samples.keys()].sort((a, b) => a - b);
  return {
    type: 'timeSamples',
    times: Float64Array.from(times),
    values: times.map((time) => samples.get(time) as Value),
  };
}

function parseTargets(
  cursor: Cursor,
  spec: Spec,
  field: 'targetPaths' | 'connectionPaths',
  word: ListWord | null,
  owner: string,
): void {
  const anchor = withoutVariants(owner);
  editList(
    spec,
    field,
    'path',
    word,
    parseItems(cursor, () => {
      const start = cursor.at;
      const path = readAbsolutePath(cursor, anchor, 'a path in angle brackets');
      if (path === '' || path.includes('{')) throw syntaxError(cursor, 'a path without variants', start);
      return path;
    }),
  );
}

interface Said {
  readonly custom: boolean;
  readonly variability: string | null;
  readonly word: ListWord | null;
}

function parseRelationship(cursor: Cursor, layer: Layer, owner: string, { custom, variability, word }: Said): void {
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of a relationship');
  const spec = propertySpec(layer, owner, name, 'relationship', cursor, at);
  if (custom) spec.fields.set('custom', TRUE);
  if (variability !== null) spec.fields.set('variability', { type: 'word', word: variability });
  if (take(cursor, '=')) parseTargets(cursor, spec, 'targetPaths', word, owner);
  parseMetadata(cursor, spec, withoutVariants(owner));
}

function parseAttribute(cursor: Cursor, layer: Layer, owner: string, { custom, variability, word }: Said): void {
  const typeName = readTypeName(cursor);
  const at = cursor.at;
  const name = readNamespacedName(cursor, 'the name of an attribute');
  const spec = propertySpec(layer, owner, name, 'attribute', cursor, at);
  const type = spec.fields.get('typeName');
  if (type?.type === 'token' && type.texts[0] !== typeName) {
    throw syntaxError(cursor, `${name} to be of type ${type.texts[0]} as before`, at);
  }
  if (custom) spec.fields.set('custom', TRUE);
  spec.fields.set('typeName', { type: 'token', isArray: false, texts: [typeName] });
  if (variability !== null) spec.fields.set('variability', { type: 'word', word: variability });
  if (take(cursor, '.')) {
    const part = readWord(cursor, 'timeSamples or connect');
    expectMark(cursor, '=', `behind ${name}.${part}`);
    skipLines(cursor);
    if (part === 'connect') parseTargets(cursor, spec, 'connectionPaths', word, owner);
    else if (part === 'timeSamples' && word === null)
      spec.fields.set('timeSamples', parseTimeSamples(cursor, typeName));
    else throw syntaxError(cursor, `${name}.timeSamples or ${name}.connect`, at);
    return;
  }
  if (word !== null) throw syntaxError(cursor, `a relationship or a connection behind ${word}`, at);
  if (take(cursor, '=')) {
    if (typeName === 'opaque' || typeName === 'group') throw syntaxError(cursor, `no value: ${typeName} has none`, at);
    spec.fields.set('default', parseValue(cursor, typeName));
  }
  parseMetadata(cursor, spec, withoutVariants(owner));
}

/** One statement about a property of a prim or variant. */
export function parseProperty(cursor: Cursor, layer: Layer, owner: string): void {
  const first = peekWord(cursor);
  const word = isListWord(first) ? first : null;
  if (word !== null) readWord(cursor, 'an edit');
  const custom = takeWord(cursor, 'custom');
  const next = peekWord(cursor);
  const variability = next === 'uniform' || next === 'varying' || next === 'config' ? next : null;
  if (variability !== null) readWord(cursor, 'a variability');
  const said = { custom, variability, word };
  if (takeWord(cursor, 'rel')) parseRelationship(cursor, layer, owner, said);
  else parseAttribute(cursor, layer, owner, said);
}
