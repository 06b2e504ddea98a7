/** Values of fields in binary USD files, from their representations. */

import { FormatError } from '../../../core/report/format-error.ts';
import { issue } from '../../../core/report/issue.ts';
import type { FieldValue, ListOp, Reference, TimeSamples } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import type { Value } from '../layer/value.ts';
import { crateError, readCount, readInt32, readInt64, readUint8, readUint32, seek } from './byte-reader.ts';
import { type CrateReader, readIndexedPath, readRep, readIndexedString, readIndexedToken } from './crate-reader.ts';
import { MAX_VALUE_DEPTH, reserveMemory } from './crate-limits.ts';
import { readArray, readNumbers, readScalar } from './read-arrays.ts';
import {
  readDoubles,
  readItems,
  readLayerOffset,
  readPayload,
  readRelocates,
  readSelections,
  readSinglePayload,
} from './read-items.ts';
import { isArrayRep, isInlinedRep, offsetOfRep, typeOfRep, type ValueRep } from './value-rep.ts';
import { IS_EXPLICIT, LIST_BITS, LIST_OPS, PLAIN_TYPES, TYPE, UNREAD_TYPES, WORDS } from './data-types.ts';

/** What a dictionary and each of its entries count as: four times what they take, for they are slow, and only nested ones can be more than the file. */
const DICTIONARY_BYTES = 2048;
const ENTRY_BYTES = 384;

/** The representation of a nested value: behind a step over what was written for it. Reading goes on behind it. */
function readNestedRep(crate: CrateReader): ValueRep {
  const { source } = crate;
  const start = source.at;
  seek(source, start + readInt64(source), 'A nested value');
  return readRep(source);
}

/** A nested value, read without moving on. Null for what is not read. */
function readNested(crate: CrateReader, rep: ValueRep, depth: number): FieldValue | null {
  const { at } = crate.source;
  const value = readValue(crate, rep, depth + 1);
  crate.source.at = at;
  return value;
}

/** A value as a dictionary or a time sample may hold it; vectors become arrays. Null for what they cannot hold. */
function plainValue(value: FieldValue | null): Value | null {
  if (value === null) return null;
  switch (value.type) {
    case 'names':
      return { type: 'token', isArray: true, texts: value.names };
    case 'doubles':
      return { type: 'double', isArray: true, numbers: value.numbers };
    case 'timeSamples':
    case 'listOp':
    case 'paths':
    case 'word':
    case 'layerOffsets':
    case 'variantSelections':
    case 'relocates':
      return null;
    default:
      return value;
  }
}

/** The entries of a dictionary that come next. */
function readEntries(crate: CrateReader, depth: number): Map<string, Value> {
  const entries = new Map<string, Value>();
  const count = readCount(crate.source, 20, 'entries of a dictionary');
  reserveMemory(crate.budget, DICTIONARY_BYTES);
  for (let i = 0; i < count; i++) {
    reserveMemory(crate.budget, ENTRY_BYTES);
    const key = readIndexedString(crate);
    const rep = readNestedRep(crate);
    const value = plainValue(readNested(crate, rep, depth));
    if (value !== null) entries.set(key, value);
    else reportSkippedValue(crate, `The entry ${key} of a dictionary`, rep);
  }
  return entries;
}

/** Reports a value that was left out. Types that are not read are reported by where they are met first. */
function reportSkippedValue(crate: CrateReader, what: string, rep: ValueRep): void {
  const type = typeOfRep(rep);
  const name = UNREAD_TYPES.get(type) ?? `type ${type}`;
  const message = `${what} holds a value of ${name}, which anyrig does not read there; it was left out`;
  crate.issues.push(issue('USD_VALUE_SKIPPED', message, { offset: crate.source.at }));
}

function readReference(crate: CrateReader, depth: number): Reference {
  const asset = readIndexedString(crate);
  const path = readIndexedPath(crate);
  const { offset, scale } = readLayerOffset(crate);
  return { asset, path, offset, scale, customData: readEntries(crate, depth) };
}

/** The items of an unregistered list that are texts; dictionaries are left out. */
function readUnregisteredItems(crate: CrateReader, depth: number): string[] {
  return readItems(crate, 16, 'items that are not registered', () => {
    const rep = readNestedRep(crate);
    const value = readNested(crate, rep, depth);
    if (value?.type === 'string' && !value.isArray) return value.texts;
    reportSkippedValue(crate, 'A list of a field that is not registered', rep);
    return [];
  }).flat();
}

function readListItems(crate: CrateReader, of: ListOp<unknown>['of'], depth: number): unknown[] {
  const what = `items of type ${of}`;
  switch (of) {
    case 'token':
      return readItems(crate, 4, what, readIndexedToken);
    case 'string':
      return readItems(crate, 4, what, readIndexedString);
    case 'path':
      return readItems(crate, 4, what, readIndexedPath);
    case 'reference':
      return readItems(crate, 32, what, () => readReference(crate, depth));
    case 'payload':
      return readItems(crate, 8, what, readPayload);
    case 'unregistered':
      return readUnregisteredItems(crate, depth);
    case 'int':
      return readItems(crate, 4, what, ({ source }) => readInt32(source));
    case 'uint':
      return readItems(crate, 4, what, ({ source }) => readUint32(source));
    default:
      return readItems(crate, 8, what, () => readNumbers(crate, of, 1)[0]);
  }
}

function readListOp(crate: CrateReader, of: ListOp<unknown>['of'], depth: number): FieldValue {
  const bits = readUint8(crate.source);
  const lists: Record<string, unknown> = (bits & IS_EXPLICIT) === 0 ? {} : { explicit: [] };
  for (const [name, bit] of LIST_BITS) {
    if ((bits & bit) === 0) continue;
    const items = readListItems(crate, of, depth);
    // Explicit items of a list that is not explicit have no meaning.
    if (name !== 'explicit' || (bits & IS_EXPLICIT) !== 0) lists[name] = items;
  }
  return { ...emptyListOp(of), ...lists } as FieldValue;
}

/** Times, which samples of many attributes share. */
function readTimes(crate: CrateReader, rep: ValueRep): Float64Array {
  const isVector = typeOfRep(rep) === TYPE.doubleVector && !isArrayRep(rep);
  const known = crate.arrays.get(rep.high)?.get(rep.low);
  if (known?.type === 'double') return known.numbers as Float64Array;
  const value = plainValue(readNested(crate, rep, 0));
  if (value?.type !== 'double' || !value.isArray)
    throw crateError('Time samples have no list of times', crate.source.at);
  if (isVector) crate.arrays.set(rep.high, (crate.arrays.get(rep.high) ?? new Map()).set(rep.low, value));
  return value.numbers as Float64Array;
}

function isRising(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if (!(times[i] > times[i - 1])) return false;
  return !Number.isNaN(times[0]);
}

/** Samples with rising times: sorted, of equal times the last, as in text. */
function sortSamples(crate: CrateReader, times: Float64Array, values: readonly Value[]): TimeSamples {
  const message = 'Time samples are not sorted; they were sorted, and of equal times the last was taken';
  crate.issues.push(issue('USD_CRATE_UNUSUAL', message, { offset: crate.source.at }));
  const byTime = new Map<number, Value>();
  times.forEach((time, i) => {
    if (!Number.isNaN(time)) byTime.set(time, values[i]);
  });
  const sorted = Float64Array.from(byTime.keys()).sort();
  return { type: 'timeSamples', times: sorted, values: [...sorted].map((time) => byTime.get(time) as Value) };
}

function readTimeSamples(crate: CrateReader, depth: number): TimeSamples {
  const { source } = crate;
  const start = source.at;
  let times = readTimes(crate, readNestedRep(crate));
  seek(source, source.at + readInt64(source), 'The values of time samples');
  const reps = readItems(crate, 8, 'time samples', ({ source }) => readRep(source));
  if (reps.length !== times.length) {
    throw crateError(`There are ${times.length} times and ${reps.length} samples`, start);
  }
  const values: Value[] = [];
  const left: number[] = [];
  for (let i = 0; i < reps.length; i++) {
    const value = plainValue(readValue(crate, reps[i], depth + 1));
    if (value === null) left.push(i);
    else values.push(value);
  }
  if (left.length > 0) {
    reportSkippedValue(crate, left.length === 1 ? 'A time sample' : `Each of ${left.length} time samples`, reps[left[0]]);
    const gone = new Set(left);
    times = times.filter((_, i) => !gone.has(i));
  }
  return isRising(times) ? { type: 'timeSamples', times, values } : sortSamples(crate, times, values);
}

/** What a field that no schema is known for holds. */
function readUnregistered(crate: CrateReader, depth: number): FieldValue | null {
  const value = readNested(crate, readNestedRep(crate), depth);
  return value?.type === 'string' && !value.isArray ? { type: 'unregistered', text: value.texts[0] } : value;
}

/** A value that is no plain one, at the place that its representation says. */
function readStructuredValue(crate: CrateReader, type: number, depth: number): FieldValue | null {
  switch (type) {
    case TYPE.dictionary:
      return { type: 'dictionary', entries: readEntries(crate, depth) };
    case TYPE.pathVector:
      return { type: 'paths', paths: readItems(crate, 4, 'paths', readIndexedPath) };
    case TYPE.tokenVector:
      return { type: 'names', names: readItems(crate, 4, 'tokens', readIndexedToken) };
    case TYPE.stringVector:
      return { type: 'string', isArray: true, texts: readItems(crate, 4, 'strings', readIndexedString) };
    case TYPE.doubleVector:
      return readDoubles(crate);
    case TYPE.layerOffsetVector:
      return { type: 'layerOffsets', offsets: readItems(crate, 16, 'layer offsets', readLayerOffset) };
    case TYPE.variantSelectionMap:
      return readSelections(crate);
    case TYPE.timeSamples:
      return readTimeSamples(crate, depth);
    case TYPE.payload:
      return readSinglePayload(crate);
    case TYPE.value:
      return readNested(crate, readNestedRep(crate), depth);
    case TYPE.unregisteredValue:
      return readUnregistered(crate, depth);
    case TYPE.relocates:
      return readRelocates(crate);
    default:
      return null;
  }
}

/**
 * The value of a representation. Null for types that are not read.
 *
 * @throws FormatError USD_CRATE for what is not there or damaged, USD_LIMIT for values too deep in values or too much of them.
 */
export function readValue(crate: CrateReader, rep: ValueRep, depth: number): FieldValue | null {
  if (depth > MAX_VALUE_DEPTH) {
    throw new FormatError(
      'USD_LIMIT',
      `Values are nested more than ${MAX_VALUE_DEPTH} deep, which anyrig does not read`,
      {
        offset: crate.source.at,
      },
    );
  }
  const type = typeOfRep(rep);
  const plain = PLAIN_TYPES.get(type);
  if (plain !== undefined) return isArrayRep(rep) ? readArray(crate, plain, rep) : readScalar(crate, plain, rep);
  if (isArrayRep(rep)) return null;
  const words = WORDS.get(type);
  if (words !== undefined) {
    const word = words[rep.low];
    if (word === undefined) throw crateError(`Word ${rep.low} of ${words.join(', ')} is referred to`, crate.source.at);
    return { type: 'word', word };
  }
  if (type === TYPE.valueBlock) return { type: 'block' };
  if (type === TYPE.dictionary && isInlinedRep(rep)) return { type: 'dictionary', entries: new Map() };
  seek(crate.source, offsetOfRep(rep), `A value of type ${type}`);
  const of = LIST_OPS.get(type);
  return of === undefined ? readStructuredValue(crate, type, depth) : readListOp(crate, of, depth);
}

/** Reports the field of a spec that was left out. */
export function reportSkippedField(crate: CrateReader, path: string, field: string, rep: ValueRep): void {
  reportSkippedValue(crate, `The field ${field} of ${path}`, rep);
}
