import { FormatError } from '../../../core/report/format-error.ts';
import { issue } from '../../../core/report/issue.ts';
import type { FieldValue, LayerOffset, ListOp, Reference, TimeSamples } from '../layer/layer.ts';
import { emptyListOp } from '../layer/list-op.ts';
import type { Value } from '../layer/value.ts';
import { crateError, readCount, readDouble, readInt32, readInt64, readUint8, readUint32, seek } from './byte-reader.ts';
import { MAX_VALUE_DEPTH, reserveMemory } from './crate-limits.ts';
import { type CrateReader, readIndexedPath, readIndexedString, readIndexedToken, readRep } from './crate-reader.ts';
import { IS_EXPLICIT, LIST_BITS, LIST_OPS, PLAIN_TYPES, TYPE, UNREAD_TYPES, VERSION, WORDS } from './data-types.ts';
import { readArray, readNumbers, readScalar } from './read-arrays.ts';
import { isArrayRep, isInlinedRep, offsetOfRep, typeOfRep, type ValueRep } from './value-rep.ts';

/** Budget of a dictionary and of each entry: four times their memory, because they are slow and, if nested, can exceed the file size. */
const DICTIONARY_BYTES = 2048;
const ENTRY_BYTES = 384;

/** Reads the value rep of a nested value, which follows a relative offset. The position is then after the value rep. */
function readNestedRep(crate: CrateReader): ValueRep {
  const { source } = crate;
  const start = source.at;
  seek(source, start + readInt64(source), 'A nested value');
  return readRep(source);
}

/** Reads a nested value and restores the position. Null for unsupported types. */
function readNested(crate: CrateReader, rep: ValueRep, depth: number): FieldValue | null {
  const { at } = crate.source;
  const value = readValue(crate, rep, depth + 1);
  crate.source.at = at;
  return value;
}

/** Converts a field value to one that a dictionary or a time sample can hold; vectors become arrays. Null for other types. */
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

function readEntries(crate: CrateReader, depth: number): Map<string, Value> {
  const entries = new Map<string, Value>();
  const count = readCount(crate.source, 20, 'dictionary entries');
  reserveMemory(crate.budget, DICTIONARY_BYTES);
  for (let i = 0; i < count; i++) {
    reserveMemory(crate.budget, ENTRY_BYTES);
    const key = readIndexedString(crate);
    const rep = readNestedRep(crate);
    const value = plainValue(readNested(crate, rep, depth));
    if (value !== null) entries.set(key, value);
    else reportSkippedValue(crate, `The dictionary entry ${key}`, rep);
  }
  return entries;
}

function reportSkippedValue(crate: CrateReader, what: string, rep: ValueRep): void {
  const type = typeOfRep(rep);
  const name = UNREAD_TYPES.get(type) ?? `type ${type}`;
  const message = `${what} has a value of ${name}, which anyrig does not support there; the value was skipped`;
  crate.issues.push(issue('USD_VALUE_SKIPPED', message, { offset: crate.source.at }));
}

function readReference(crate: CrateReader, depth: number): Reference {
  const asset = readIndexedString(crate);
  const path = readIndexedPath(crate);
  const { offset, scale } = readLayerOffset(crate);
  return { asset, path, offset, scale, customData: readEntries(crate, depth) };
}

/** Reads the string items of a list op of an unknown field; dictionaries are skipped. */
function readUnregisteredItems(crate: CrateReader, depth: number): string[] {
  return readItems(crate, 16, 'unregistered items', () => {
    const rep = readNestedRep(crate);
    const value = readNested(crate, rep, depth);
    if (value?.type === 'string' && !value.isArray) return value.texts;
    reportSkippedValue(crate, 'A list op of an unknown field', rep);
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
    // Explicit items count only if the list op is explicit.
    if (name !== 'explicit' || (bits & IS_EXPLICIT) !== 0) lists[name] = items;
  }
  return { ...emptyListOp(of), ...lists } as FieldValue;
}

/** Reads sample times, which many attributes share. */
function readTimes(crate: CrateReader, rep: ValueRep): Float64Array {
  const isVector = typeOfRep(rep) === TYPE.doubleVector && !isArrayRep(rep);
  const known = crate.arrays.get(rep.high)?.get(rep.low);
  if (known?.type === 'double') return known.numbers as Float64Array;
  const value = plainValue(readNested(crate, rep, 0));
  if (value?.type !== 'double' || !value.isArray)
    throw crateError('Time samples lack their list of times', crate.source.at);
  if (isVector) crate.arrays.set(rep.high, (crate.arrays.get(rep.high) ?? new Map()).set(rep.low, value));
  return value.numbers as Float64Array;
}

function isAscending(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if (!(times[i] > times[i - 1])) return false;
  return !Number.isNaN(times[0]);
}

/** Sorts samples by time; of equal times the last counts, as in text. */
function sortSamples(crate: CrateReader, times: Float64Array, values: readonly Value[]): TimeSamples {
  const message =
    'Found time samples with times that are not ascending; they were sorted, and of equal times the last sample was used';
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
    throw crateError(`Time samples have ${times.length} times and ${reps.length} values`, start);
  }
  const values: Value[] = [];
  const left: number[] = [];
  for (let i = 0; i < reps.length; i++) {
    const value = plainValue(readValue(crate, reps[i], depth + 1));
    if (value === null) left.push(i);
    else values.push(value);
  }
  if (left.length > 0) {
    reportSkippedValue(
      crate,
      left.length === 1 ? 'A time sample' : `Each of ${left.length} time samples`,
      reps[left[0]],
    );
    const gone = new Set(left);
    times = times.filter((_, i) => !gone.has(i));
  }
  return isAscending(times) ? { type: 'timeSamples', times, values } : sortSamples(crate, times, values);
}

function readUnregistered(crate: CrateReader, depth: number): FieldValue | null {
  const value = readNested(crate, readNestedRep(crate), depth);
  return value?.type === 'string' && !value.isArray ? { type: 'unregistered', text: value.texts[0] } : value;
}

/** Reads a value of a structured type at the current position. Null for unsupported types. */
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

/** Reads a value. Returns the value; null for unsupported types. */
export function readValue(crate: CrateReader, rep: ValueRep, depth: number): FieldValue | null {
  if (depth > MAX_VALUE_DEPTH) {
    throw new FormatError(
      'USD_LIMIT',
      `Values are nested more than ${MAX_VALUE_DEPTH} levels deep, the limit of anyrig; flatten the dictionaries`,
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
    if (word === undefined)
      throw crateError(
        `Found the enumeration value ${rep.low}, expected an index into ${words.join(', ')}`,
        crate.source.at,
      );
    return { type: 'word', word };
  }
  if (type === TYPE.valueBlock) return { type: 'block' };
  if (type === TYPE.dictionary && isInlinedRep(rep)) return { type: 'dictionary', entries: new Map() };
  seek(crate.source, offsetOfRep(rep), `A value of type ${type}`);
  const of = LIST_OPS.get(type);
  return of === undefined ? readStructuredValue(crate, type, depth) : readListOp(crate, of, depth);
}

export function reportSkippedField(crate: CrateReader, path: string, field: string, rep: ValueRep): void {
  reportSkippedValue(crate, `The field ${field} of ${path}`, rep);
}

/** Memory of a list item. */
const ITEM_BYTES = 48;

/** Reads a count and that many items. */
function readItems<Item>(
  crate: CrateReader,
  bytesEach: number,
  what: string,
  read: (crate: CrateReader) => Item,
): Item[] {
  const count = readCount(crate.source, bytesEach, what);
  reserveMemory(crate.budget, ITEM_BYTES * count);
  const items = new Array<Item>(count);
  for (let i = 0; i < count; i++) items[i] = read(crate);
  return items;
}

function readLayerOffset(crate: CrateReader): LayerOffset {
  const offset = readDouble(crate.source);
  return { offset, scale: readDouble(crate.source) };
}

/** Reads a payload of a list op. Payloads have layer offsets since version 0.8. */
function readPayload(crate: CrateReader): Reference {
  const asset = readIndexedString(crate);
  const path = readIndexedPath(crate);
  const time = crate.minor < VERSION.payloadOffsets ? { offset: 0, scale: 1 } : readLayerOffset(crate);
  return { asset, path, ...time, customData: new Map() };
}

/** Reads the single payload of files before version 0.8. An empty asset path means "no payload". */
function readSinglePayload(crate: CrateReader): FieldValue {
  const payload = readPayload(crate);
  return { ...emptyListOp<Reference>('payload'), explicit: payload.asset === '' ? [] : [payload] };
}

function readSelections(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'variant selections', (): [string, string] => {
    const set = readIndexedString(crate);
    return [set, readIndexedString(crate)];
  });
  return { type: 'variantSelections', selections: new Map(pairs) };
}

function readRelocates(crate: CrateReader): FieldValue {
  const pairs = readItems(crate, 8, 'relocates', (): [string, string] => {
    const from = readIndexedPath(crate);
    return [from, readIndexedPath(crate)];
  });
  return { type: 'relocates', pairs };
}

/** Reads a vector of doubles, which is not an array type. */
function readDoubles(crate: CrateReader): FieldValue {
  const count = readCount(crate.source, 8, 'doubles');
  return { type: 'doubles', numbers: readNumbers(crate, 'double', count) as Float64Array };
}
