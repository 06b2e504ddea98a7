/**
 * Checks values of binary files by their types: a file can store a value of any type in any field, the data model of USD only some. What does not fit is
 * left out, item by item where a value has items; the caller reports it.
 */
import { isNamespacedName } from '../layer/check-names.ts';
import type { FieldValue, ListOp, Reference, Spec } from '../layer/layer.ts';
import { LIST_OP_LISTS } from '../layer/list-op.ts';
import { isIdentifier, isPath, isVariantName, isVariantSelection } from '../layer/path-syntax.ts';
import { type StoredType, TUPLE_WIDTH } from '../layer/value.ts';
import { FIELD_TYPES, FIELD_WORDS, LIST_OP_FIELDS } from '../text/metadata-fields.ts';
import { namedType } from '../text/type-names.ts';
import { WORD_FIELDS, WORDS } from './data-types.ts';

const INTEGER = /^(?:uchar|u?int(?:64)?)$/;
const REAL = /^(?:half|float|double)$/;
const FLOATING = /^(?:half|float|double|timecode|quat|matrix)/;
const INT32 = 2 ** 31;
/** What text files declare for attributes without a type. */
const UNDECLARED = 'unknown';
/** A path as the value of a relationship, or several: old files have such values. */
const PATH_VALUE = /^(?:<[^<>\n]*>|\[\s*(?:<[^<>\n]*>\s*,?\s*)*\])$/;

/** Which names are valid, by the field that lists them. */
const NAME_TESTS: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ['primChildren', isIdentifier],
  ['properties', isNamespacedName],
  ['variantSetChildren', isIdentifier],
  ['variantChildren', (name: string) => name !== '' && isVariantName(name)],
]);

/** Tests whether a value of one type can stand where another type is declared. */
function isSameKind(type: StoredType, stored: StoredType): boolean {
  if (type === stored) return true;
  const areTexts = [type, stored].every((one) => one === 'string' || one === 'token');
  if (areTexts || !FLOATING.test(type) || !FLOATING.test(stored)) return areTexts;
  // The real part of a quaternion comes first in text; the numbers of a matrix are in rows.
  const shapeOf = (one: string): string => /^(?:quat|matrix)/.exec(one)?.[0] ?? '';
  const width = (one: StoredType): number => TUPLE_WIDTH[one as keyof typeof TUPLE_WIDTH];
  return shapeOf(type) === shapeOf(stored) && width(type) === width(stored);
}

/** Tests whether a value has the type that a type name such as `point3f[]` declares. Blocks fit every type, all values fit unknown types. */
function fitsType(value: FieldValue, typeName: string): boolean {
  const { stored, isArray } = namedType(typeName);
  if (value.type === 'block') return true;
  if (stored === null) return 'isArray' in value || value.type === 'dictionary' || value.type === 'unregistered';
  return 'isArray' in value && value.isArray === isArray && isSameKind(value.type as StoredType, stored);
}

function isIntegerFor(value: FieldValue, typeName: string): boolean {
  if (!('isArray' in value && 'numbers' in value) || value.isArray || !INTEGER.test(value.type)) return false;
  return REAL.test(typeName) || (INTEGER.test(typeName) && Math.abs(Number(value.numbers[0])) < INT32);
}

function isPrimPath(path: string): boolean {
  return !/[{.]/.test(path) && isPath(path);
}

/** Keeps the items that pass a test; the same list op where all do. */
function filterItems<Item>(op: ListOp<Item>, test: (item: Item) => boolean): ListOp<Item> {
  if (LIST_OP_LISTS.every((list) => op[list]?.every(test) ?? true)) return op;
  return { ...op, ...Object.fromEntries(LIST_OP_LISTS.map((list) => [list, op[list]?.filter(test) ?? null])) };
}

function fitListOp(value: FieldValue, of: ListOp<unknown>['of']): FieldValue | null {
  if (value.type !== 'listOp' || value.of !== of) return null;
  if (of === 'path') return filterItems(value as ListOp<string>, isPrimPath);
  if (of !== 'reference' && of !== 'payload') return value;
  return filterItems(value as ListOp<Reference>, ({ path }) => isPrimPath(path));
}

function wordsOf(name: string): readonly string[] | null {
  const type = WORD_FIELDS.get(name);
  if (type !== undefined) return WORDS.get(type) ?? null;
  return Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name] : null;
}

function fitsPlainField(typeName: string, value: FieldValue): boolean {
  if (value.type === 'names') return typeName === 'token[]' || typeName === 'string[]';
  if (typeName === 'dictionary') return value.type === 'block' || value.type === 'dictionary';
  if (typeName === 'bareToken')
    return value.type === 'token' && !value.isArray && (value.texts[0] === '' || isIdentifier(value.texts[0]));
  if (typeName !== 'substitutions') return fitsType(value, typeName) || isIntegerFor(value, typeName);
  return (
    value.type === 'dictionary' && [...value.entries.values()].every((one) => one.type === 'string' && !one.isArray)
  );
}

/**
 * Fits a value to its field. Fields that the format does not know can have any value but a word. Returns the same value where it fits; a value
 * without the items that do not; null if nothing fits.
 */
export function fitField(name: string, value: FieldValue): FieldValue | null {
  const words = wordsOf(name);
  if (words !== null || value.type === 'word')
    return value.type === 'word' && words !== null && words.includes(value.word) ? value : null;
  const isValid = NAME_TESTS.get(name);
  if (isValid !== undefined && value.type === 'names') {
    // An empty name would make a prim or variant set its own parent.
    const valid = [...new Set(value.names)].filter(isValid);
    return valid.length === value.names.length ? value : { type: 'names', names: valid };
  }
  if (name === 'variantSelection') {
    if (value.type !== 'variantSelections') return null;
    const valid = [...value.selections].filter(([, variant]) => isVariantSelection(variant));
    return valid.length === value.selections.size ? value : { ...value, selections: new Map(valid) };
  }
  if (name === 'relocates' || name === 'layerRelocates') {
    if (value.type !== 'relocates') return null;
    const pairs = value.pairs.filter(([from, to]) => [from, to].every((path) => isPrimPath(path) && path !== '/'));
    const valid = pairs.filter(([from]) => from !== '');
    return valid.length === value.pairs.length ? value : { ...value, pairs: valid };
  }
  if (Object.hasOwn(LIST_OP_FIELDS, name)) return fitListOp(value, LIST_OP_FIELDS[name]);
  if (name === 'subLayers') return value.type === 'string' && value.isArray && !value.texts.includes('') ? value : null;
  const typeName = FIELD_TYPES.get(name);
  return typeName === undefined || fitsPlainField(typeName, value) ? value : null;
}

/** Leaves out targets of a property that are empty, in a variant, or twice in a list, and lists of other values than paths. */
export function fitTargets({ fields }: Spec): boolean {
  let isChanged = false;
  for (const field of ['targetPaths', 'connectionPaths']) {
    const op = fields.get(field);
    if (op === undefined) continue;
    if (op.type !== 'listOp' || op.of !== 'path') {
      fields.delete(field);
      isChanged = true;
      continue;
    }
    let fitted = op as ListOp<string>;
    for (const list of LIST_OP_LISTS) {
      const items = fitted[list];
      const kept = new Set(items?.filter((path) => path !== '' && !path.includes('{')));
      if (items !== null && kept.size < items.length) fitted = { ...fitted, [list]: [...kept] };
    }
    if (fitted === op) continue;
    fields.set(field, fitted);
    isChanged = true;
  }
  return isChanged;
}

/** Returns the test for values of a property. Relationships of old files have values, too: paths. */
function valueTest({ type, fields }: Spec): (value: FieldValue) => boolean {
  if (type === 'relationship')
    return (value) => value.type === 'block' || (value.type === 'unregistered' && PATH_VALUE.test(value.text));
  const declared = fields.get('typeName');
  const typeName = declared?.type === 'token' ? declared.texts[0] : UNDECLARED;
  if (typeName === 'opaque' || typeName === 'group') return () => false;
  return (value) => fitsType(value, typeName);
}

/**
 * Leaves out values of a property that have another type than it declares: the default, single time samples, a spline. Returns type of the first
 * value that was left out, in which case `spec` is changed; null if all fit.
 */
export function fitValues(spec: Spec): string | null {
  const { fields } = spec;
  const fits = valueTest(spec);
  let misfit: string | null = null;
  const fallback = fields.get('default');
  if (fallback !== undefined && !fits(fallback)) {
    misfit = fallback.type;
    fields.delete('default');
  }
  const spline = fields.get('spline');
  if (spline !== undefined && (spec.type === 'relationship' || !/^(?:block|unregistered)$/.test(spline.type))) {
    misfit ??= spline.type;
    fields.delete('spline');
  }
  const samples = fields.get('timeSamples');
  if (samples === undefined) return misfit;
  if (samples.type !== 'timeSamples') {
    fields.delete('timeSamples');
    return misfit ?? samples.type;
  }
  const first = samples.values.find((value) => !fits(value));
  if (first === undefined) return misfit;
  const kept = [...samples.values.keys()].filter((k) => fits(samples.values[k]));
  if (kept.length === 0) fields.delete('timeSamples');
  else {
    const times = Float64Array.from(kept, (k) => samples.times[k]);
    fields.set('timeSamples', { type: 'timeSamples', times, values: kept.map((k) => samples.values[k]) });
  }
  return misfit ?? first.type;
}
