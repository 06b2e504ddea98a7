import type { FieldValue, LayerOffset, ListOp, Reference, TimeSamples } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';
import { bytesOf, putBytes, putDouble, putInt32, putInt64, putUint8 } from './byte-writer.ts';
import { MAX_VALUE_DEPTH } from './crate-limits.ts';
import {
  addToken,
  type CrateWriter,
  putPath,
  putRep,
  putString,
  putToken,
  requireVersion,
  storeOnce,
  writeOnce,
} from './crate-writer.ts';
import {
  IS_EXPLICIT,
  LIST_BITS,
  LIST_OP_NUMBERS,
  PLAIN_NUMBERS,
  TYPE,
  VERSION,
  WORD_FIELDS,
  WORDS,
} from './data-types.ts';
import { inlinedRep, repAt, type ValueRep } from './value-rep.ts';
import { packNumbers, packTexts } from './write-arrays.ts';

/** Relative offset to a value rep that follows directly: nested values are written before the values that contain them. */
const NO_STEP = 8;

function putNested(writer: CrateWriter, rep: ValueRep): void {
  putInt64(writer.out, NO_STEP);
  putRep(writer, rep);
}

/** Entries of a dictionary with values that are already written. */
type PackedEntries = readonly (readonly [key: string, rep: ValueRep])[];

function packEntries(writer: CrateWriter, entries: ReadonlyMap<string, Value>, depth: number): PackedEntries {
  return [...entries].map(([key, value]) => [key, packPlain(writer, value, depth + 1)]);
}

function putEntries(writer: CrateWriter, entries: PackedEntries): void {
  putItems(writer, entries, (_, [key, rep]) => {
    putString(writer, key);
    putNested(writer, rep);
  });
}

/** Writes a value of a dictionary or a time sample. */
function packPlain(writer: CrateWriter, value: Value, depth: number): ValueRep {
  if (depth > MAX_VALUE_DEPTH)
    throw new RangeError(`Values are nested more than ${MAX_VALUE_DEPTH} levels deep; flatten the dictionaries`);
  switch (value.type) {
    case 'dictionary': {
      if (value.entries.size === 0) return inlinedRep(TYPE.dictionary, 0);
      const entries = packEntries(writer, value.entries, depth);
      return writeAs(writer, TYPE.dictionary, () => putEntries(writer, entries));
    }
    case 'block':
      return inlinedRep(TYPE.valueBlock, 0);
    case 'unregistered': {
      const text = packString(writer, value.text);
      return writeAs(writer, TYPE.unregisteredValue, () => putNested(writer, text));
    }
    default:
      return 'texts' in value ? packTexts(writer, value) : packNumbers(writer, value);
  }
}

function packString(writer: CrateWriter, text: string): ValueRep {
  return packTexts(writer, { type: 'string', isArray: false, texts: [text] });
}

/** Writes a value of a type with `put`; equal values are stored once. */
function writeAs(writer: CrateWriter, type: number, put: () => void): ValueRep {
  return writeOnce(writer, (offset) => repAt(type, offset), put);
}

function putItems<Item>(
  writer: CrateWriter,
  items: readonly Item[],
  put: (writer: CrateWriter, item: Item) => void,
): void {
  putInt64(writer.out, items.length);
  for (const item of items) put(writer, item);
}

function putLayerOffset({ out }: CrateWriter, { offset, scale }: LayerOffset): void {
  putDouble(out, offset);
  putDouble(out, scale);
}

function putReference(writer: CrateWriter, reference: Reference): void {
  putString(writer, reference.asset);
  putPath(writer, reference.path);
  putLayerOffset(writer, reference);
}

/** Writes the values nested in an item of a list op. Returns the function that writes the item. */
function packItem(writer: CrateWriter, of: ListOp<unknown>['of'], item: unknown): () => void {
  switch (of) {
    case 'token':
      return () => putToken(writer, item as string);
    case 'string':
      return () => putString(writer, item as string);
    case 'path':
      return () => putPath(writer, item as string);
    case 'payload':
      return () => putReference(writer, item as Reference);
    case 'reference': {
      const entries = packEntries(writer, (item as Reference).customData, 0);
      return () => {
        putReference(writer, item as Reference);
        putEntries(writer, entries);
      };
    }
    case 'unregistered': {
      const text = packString(writer, item as string);
      return () => putNested(writer, text);
    }
    case 'int':
    case 'uint':
      return () => putInt32(writer.out, item as number);
    default:
      return () => putBytes(writer.out, bytesOf(BigInt64Array.of(item as bigint)));
  }
}

function packListOp(writer: CrateWriter, op: ListOp<unknown>): ValueRep {
  let bits = op.explicit === null ? 0 : IS_EXPLICIT;
  const lists: (readonly (() => void)[])[] = [];
  for (const [name, bit] of LIST_BITS) {
    const items = op[name] ?? [];
    if (items.length === 0) continue;
    bits |= bit;
    lists.push(items.map((item) => packItem(writer, op.of, item)));
  }
  return writeAs(writer, LIST_OP_NUMBERS.get(op.of) as number, () => {
    putUint8(writer.out, bits);
    for (const list of lists) putItems(writer, list, (_, put) => put());
  });
}

function packDoubles(writer: CrateWriter, numbers: Float64Array): ValueRep {
  return storeOnce(writer, TYPE.doubleVector, numbers, (bytes) => {
    const rep = repAt(TYPE.doubleVector, writer.out.at);
    putInt64(writer.out, numbers.length);
    putBytes(writer.out, bytes);
    return rep;
  });
}

function packTimeSamples(writer: CrateWriter, { times, values }: TimeSamples): ValueRep {
  if (times.length !== values.length)
    throw new RangeError(
      `Time samples have ${times.length} times and ${values.length} values; expected as many times as values`,
    );
  const timesRep = packDoubles(writer, times);
  const reps = values.map((value) => packPlain(writer, value, 1));
  return writeAs(writer, TYPE.timeSamples, () => {
    putNested(writer, timesRep);
    putInt64(writer.out, NO_STEP);
    putItems(writer, reps, putRep);
  });
}

/** Writes a word: as the enumeration of its field, or as a token for other fields. */
function packWord(writer: CrateWriter, field: string, word: string): ValueRep {
  const type = WORD_FIELDS.get(field);
  if (type === undefined) return inlinedRep(PLAIN_NUMBERS.get('token') as number, addToken(writer, word));
  const words = WORDS.get(type) as readonly string[];
  const index = words.indexOf(word);
  if (index < 0) throw new RangeError(`The field ${field} has the word ${word}, expected one of ${words.join(', ')}`);
  return inlinedRep(type, index);
}

/** Writes the value of a field, unless it fits into its value rep. */
export function packValue(writer: CrateWriter, field: string, value: FieldValue): ValueRep {
  switch (value.type) {
    case 'timeSamples':
      return packTimeSamples(writer, value);
    case 'listOp':
      return packListOp(writer, value);
    case 'names':
      return writeAs(writer, TYPE.tokenVector, () => putItems(writer, value.names, putToken));
    case 'paths':
      return writeAs(writer, TYPE.pathVector, () => putItems(writer, value.paths, putPath));
    case 'word':
      return packWord(writer, field, value.word);
    case 'layerOffsets':
      return writeAs(writer, TYPE.layerOffsetVector, () => putItems(writer, value.offsets, putLayerOffset));
    case 'doubles':
      return packDoubles(writer, value.numbers);
    case 'variantSelections':
      return writeAs(writer, TYPE.variantSelectionMap, () => {
        putItems(writer, [...value.selections], (_, [set, variant]) => {
          putString(writer, set);
          putString(writer, variant);
        });
      });
    case 'relocates':
      requireVersion(writer, VERSION.relocates);
      return writeAs(writer, TYPE.relocates, () => {
        putItems(writer, value.pairs, (_, [from, to]) => {
          putPath(writer, from);
          putPath(writer, to);
        });
      });
    case 'string':
      // The only string vector that is not a string array.
      if (field !== 'subLayers' || !value.isArray) return packTexts(writer, value);
      return writeAs(writer, TYPE.stringVector, () => putItems(writer, value.texts, putString));
    default:
      return packPlain(writer, value, 0);
  }
}
