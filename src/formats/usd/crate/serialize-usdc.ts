/** Layers as binary files of USD: `.usdc`, crates. */
import type { Layer } from '../layer/layer.ts';
import { encodeLooseUtf8 } from '../layer/loose-utf8.ts';
import { addPath, addToken, type CrateWriter, createCrateWriter } from './crate-writer.ts';
import { compress } from './fast-compression.ts';
import { compressInts } from './integer-coding.ts';
import { bytesOf, type ByteWriter, putBytes, putInt32, putInt64 } from './byte-writer.ts';
import { flattenPathTree, pathCount } from './path-tree.ts';
import { END_OF_SET, HEADER_BYTES, MAGIC, SECTION_NAME_BYTES } from './read-sections.ts';
import type { ValueRep } from './value-rep.ts';
import { SPEC_NUMBERS } from './data-types.ts';
import { packValue } from './write-values.ts';

/** The tables of the structure, gathered while values are written. */
interface Structure {
  readonly fieldNames: number[];
  /** Low half, high half of one representation after the other. */
  readonly fieldReps: number[];
  readonly fieldSets: number[];
  readonly specs: { readonly paths: number[]; readonly fieldSets: number[]; readonly types: number[] };
}

/** Numbers by three others, as deep as they are many: the upper half of representations has few values. */
type Table = Map<number, Map<number, Map<number, number>>>;

/** The entry of a map, made where it is new. */
function entryOf<Value>(map: Map<number, Value>, key: number, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The index of a field, added when it is new. */
function addField({ fieldNames, fieldReps }: Structure, known: Table, token: number, { low, high }: ValueRep): number {
  const byLow = entryOf(
    entryOf(known, token, () => new Map()),
    high,
    () => new Map(),
  );
  return entryOf(byLow, low, () => {
    fieldNames.push(token);
    fieldReps.push(low, high);
    return fieldNames.length - 1;
  });
}

/** The start of a set of fields, added when it is new. `known`: starts by a hash, or the next number that was free. */
function addFieldSet({ fieldSets }: Structure, known: Map<number, number>, set: readonly number[]): number {
  let key = 0x811c9dc5 | 0;
  for (const field of set) key = Math.imul(key ^ field, 0x01000193);
  for (; ; key = (key + 1) | 0) {
    const start = known.get(key);
    if (start === undefined) break;
    if (fieldSets[start + set.length] === END_OF_SET && set.every((field, i) => fieldSets[start + i] === field))
      return start;
  }
  const start = fieldSets.length;
  known.set(key, start);
  for (const field of set) fieldSets.push(field);
  fieldSets.push(END_OF_SET);
  return start;
}

function makeStructure(writer: CrateWriter, layer: Layer): Structure {
  const structure: Structure = {
    fieldNames: [],
    fieldReps: [],
    fieldSets: [],
    specs: { paths: [], fieldSets: [], types: [] },
  };
  const { specs } = structure;
  const knownFields: Table = new Map();
  const knownSets = new Map<number, number>();
  for (const [path, spec] of layer.specs) {
    const set: number[] = [];
    for (const [name, value] of spec.fields) {
      const token = addToken(writer, name);
      set.push(addField(structure, knownFields, token, packValue(writer, name, value)));
    }
    specs.paths.push(addPath(writer, path));
    specs.fieldSets.push(addFieldSet(structure, knownSets, set));
    specs.types.push(SPEC_NUMBERS.get(spec.type) as number);
  }
  return structure;
}

/** A size and compressed bytes. */
function putSized(out: ByteWriter, bytes: Uint8Array): void {
  putInt64(out, bytes.length);
  putBytes(out, bytes);
}

function putColumn(out: ByteWriter, values: ArrayLike<number>): void {
  putSized(out, compressInts(Int32Array.from(values)));
}

function putTokens({ out, tokens }: CrateWriter): void {
  const bytes = encodeLooseUtf8([...tokens.keys(), ''].join('\0'));
  putInt64(out, tokens.size);
  putInt64(out, bytes.length);
  putSized(out, compress(bytes));
}

/** The sections in the order of the file. */
function sectionWriters(writer: CrateWriter, structure: Structure): readonly (readonly [string, () => void])[] {
  const { out, stringTokens, paths } = writer;
  const { fieldNames, fieldReps, fieldSets, specs } = structure;
  // Adds tokens, so before these are written.
  const { indexes, elements, jumps } = flattenPathTree(paths, (token) => addToken(writer, token));
  return [
    ['TOKENS', () => putTokens(writer)],
    [
      'STRINGS',
      () => {
        putInt64(out, stringTokens.length);
        for (const token of stringTokens) putInt32(out, token);
      },
    ],
    [
      'FIELDS',
      () => {
        putInt64(out, fieldNames.length);
        putColumn(out, fieldNames);
        putSized(out, compress(bytesOf(Uint32Array.from(fieldReps))));
      },
    ],
    [
      'FIELDSETS',
      () => {
        putInt64(out, fieldSets.length);
        putColumn(out, fieldSets);
      },
    ],
    [
      'PATHS',
      () => {
        putInt64(out, pathCount(paths));
        putInt64(out, indexes.length);
        for (const column of [indexes, elements, jumps]) putColumn(out, column);
      },
    ],
    [
      'SPECS',
      () => {
        putInt64(out, specs.paths.length);
        for (const column of [specs.paths, specs.fieldSets, specs.types]) putColumn(out, column);
      },
    ],
  ];
}

function latin(text: string, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i < text.length ? text.charCodeAt(i) : 0));
}

/**
 * Writes a layer as a binary file: of version 0.8.0, which every reader in use knows, or the first that has what the layer holds: 0.9.0 for time codes,
 * 0.10.0 for path expressions, 0.11.0 for relocates. Equal values are stored once. `parseUsdc` reads the same layer from it, in the same order.
 *
 * Source: OpenUSD, crateFile.cpp.
 *
 * @throws RangeError for layers without the root spec `/`, paths that are not absolute, texts with the character NUL, and values that are not of
 * their type; TypeError for numbers in arrays of a wrong type.
 */
export function serializeUsdc(layer: Layer): Uint8Array {
  if (layer.specs.get('/')?.type !== 'pseudoRoot') throw new RangeError('The layer has no spec of the root /');
  const writer = createCrateWriter();
  const { out } = writer;
  putBytes(out, latin(MAGIC, HEADER_BYTES));
  const structure = makeStructure(writer, layer);
  const sections = sectionWriters(writer, structure).map(([name, put]) => {
    const start = out.at;
    put();
    return { name, start, size: out.at - start };
  });
  const tableOffset = out.at;
  putInt64(out, sections.length);
  for (const { name, start, size } of sections) {
    putBytes(out, latin(name, SECTION_NAME_BYTES));
    putInt64(out, start);
    putInt64(out, size);
  }
  out.bytes[MAGIC.length + 1] = writer.minor;
  out.view.setBigInt64(16, BigInt(tableOffset), true);
  return out.bytes.slice(0, out.at);
}
