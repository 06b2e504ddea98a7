import { getOrCreate } from '../../../core/math/get-or-create.ts';
import type { FieldValue, Layer, Spec } from '../layer/layer.ts';
import { encodeLooseUtf8 } from '../layer/loose-utf8.ts';
import { type ByteWriter, bytesOf, putBytes, putInt32, putInt64 } from './byte-writer.ts';
import { addPath, addToken, type CrateWriter, createCrateWriter } from './crate-writer.ts';
import { SPEC_NUMBERS } from './data-types.ts';
import { compress } from './fast-compression.ts';
import { compressInts } from './integer-coding.ts';
import { flattenPathTree, pathCount } from './path-tree.ts';
import { END_OF_SET, HEADER_BYTES, MAGIC, SECTION_NAME_BYTES } from './read-sections.ts';
import type { ValueRep } from './value-rep.ts';
import { packValue } from './write-values.ts';

/** The tables of the structural sections, collected while values are written. */
interface Structure {
  readonly fieldNames: number[];
  /** Value reps: low half and high half of one after the other. */
  readonly fieldReps: number[];
  readonly fieldSets: number[];
  readonly specs: { readonly paths: number[]; readonly fieldSets: number[]; readonly types: number[] };
}

/** Field indices by token index, upper half and lower half of the value rep. The upper half has few different values, so it comes first. */
type Table = Map<number, Map<number, Map<number, number>>>;

function addField({ fieldNames, fieldReps }: Structure, known: Table, token: number, { low, high }: ValueRep): number {
  const byHigh = getOrCreate(known, token, () => new Map<number, Map<number, number>>());
  const byLow = getOrCreate(byHigh, high, () => new Map<number, number>());
  return getOrCreate(byLow, low, () => {
    fieldNames.push(token);
    fieldReps.push(low, high);
    return fieldNames.length - 1;
  });
}

/** Returns the start of a field set; adds it if it is new. `known` has starts by hash, or by the next free number. */
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

const UNIFORM: FieldValue = { type: 'word', word: 'uniform' };

/** Returns the fields of a spec with what layers omit: a relationship without variability is uniform in text files, but varying in binary ones. */
function storedFields({ type, fields }: Spec): Iterable<readonly [string, FieldValue]> {
  return type === 'relationship' && !fields.has('variability') ? [...fields, ['variability', UNIFORM]] : fields;
}

function collectStructure(writer: CrateWriter, layer: Layer): Structure {
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
    for (const [name, value] of storedFields(spec)) {
      const token = addToken(writer, name);
      set.push(addField(structure, knownFields, token, packValue(writer, name, value)));
    }
    specs.paths.push(addPath(writer, path));
    specs.fieldSets.push(addFieldSet(structure, knownSets, set));
    specs.types.push(SPEC_NUMBERS.get(spec.type) as number);
  }
  return structure;
}

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

/** Lists the sections in the order of the file, each with the function that writes it. */
function sectionWriters(writer: CrateWriter, structure: Structure): readonly (readonly [string, () => void])[] {
  const { out, stringTokens, paths } = writer;
  const { fieldNames, fieldReps, fieldSets, specs } = structure;
  // Adds tokens, so it comes before TOKENS is written.
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

function asciiBytes(text: string, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i < text.length ? text.charCodeAt(i) : 0));
}

/**
 * Serializes a layer as a binary file. The version is 0.8.0, which all current readers support, or the first that supports the contents of the
 * layer: 0.9.0 for time codes, 0.10.0 for path expressions, 0.11.0 for relocates. Equal values are stored once. `readUsdLayer` reads the same
 * layer, in the same order.
 *
 * @returns Content of a `.usdc` file.
 * @throws RangeError if the layer lacks the root spec `/`, or has relative paths, texts with the character NUL, or values that do not fit their
 *   type.
 * @throws TypeError if numbers are in an array of the wrong type.
 * Source: OpenUSD, crateFile.cpp.
 * @example
 * ```ts
 * const layer = parseUsda(text);
 * await writeFile('hero.usdc', serializeUsdc(layer));
 * ```
 */
export function serializeUsdc(layer: Layer): Uint8Array {
  if (layer.specs.get('/')?.type !== 'pseudoRoot')
    throw new RangeError('The layer has no spec of the pseudo-root /; add one');
  const writer = createCrateWriter();
  const { out } = writer;
  putBytes(out, asciiBytes(MAGIC, HEADER_BYTES));
  const structure = collectStructure(writer, layer);
  const sections = sectionWriters(writer, structure).map(([name, put]) => {
    const start = out.at;
    put();
    return { name, start, size: out.at - start };
  });
  const tableOffset = out.at;
  putInt64(out, sections.length);
  for (const { name, start, size } of sections) {
    putBytes(out, asciiBytes(name, SECTION_NAME_BYTES));
    putInt64(out, start);
    putInt64(out, size);
  }
  out.bytes[MAGIC.length + 1] = writer.minor;
  out.view.setBigInt64(16, BigInt(tableOffset), true);
  return out.bytes.slice(0, out.at);
}
