import { decodeBase64 } from '../../../core/text/base64.ts';
import { NEUTRAL_FOOTER_ID } from './binary-layout.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';
import { splitName } from './object-names.ts';
import { propertyType } from './property-type.ts';

/** Type codes of arrays by the name of the record; other arrays are `d`, and those of `…Index` are `i`. */
const ARRAY_TYPES: ReadonlyMap<string, string> = new Map([
  ['KeyTime', 'l'],
  ['KeyValueFloat', 'f'],
  ['KeyAttrDataFloat', 'f'],
  ...['KeyAttrFlags', 'KeyAttrRefCount', 'Edges', 'Smoothing', 'Materials', 'TextureId', 'Indexes'].map(
    (name) => [name, 'i'] as const,
  ),
]);
/** Type codes of the numbers of a property by its kind; the numbers of other kinds are `D`. */
const PROPERTY_TYPES: ReadonlyMap<FbxProperty, string> = new Map([
  ...['int', 'Integer', 'enum', 'bool', 'Bool', 'Action', 'Blob', 'Visibility Inheritance'].map(
    (kind) => [kind, 'I'] as const,
  ),
  ['Short', 'Y'],
  ...['KTime', 'ULongLong', 'LongLong'].map((kind) => [kind, 'L'] as const),
]);
/** Type codes of other numbers by the name of the record, where it is not the smallest type that holds them. */
const RECORD_TYPES: ReadonlyMap<string, string> = new Map([
  ...['Document', 'RootNode', 'Node', 'C', 'LocalTime', 'ReferenceTime'].map((name) => [name, 'L'] as const),
  ...['Default', 'DeformPercent', 'Link_DeformAcuracy', 'ModelUVTranslation', 'ModelUVScaling'].map(
    (name) => [name, 'D'] as const,
  ),
  ...['Position', 'Up', 'LookAt', 'CameraOrthoZoom', 'AudioColor'].map((name) => [name, 'D'] as const),
]);
/** Records whose text is bytes, in pieces of base64. */
const BYTE_RECORDS: readonly string[] = ['Content', 'BinaryData'];
/** Records of properties: their text has no names of objects. */
const PROPERTY_RECORDS: readonly string[] = ['P', 'Property'];
/** Number of values of these before those of the property. */
const PROPERTY_HEAD: Readonly<Record<string, number>> = { P: 4, Property: 3 };

/** Which creation time the neutral start of the footer belongs to, see `NEUTRAL_FOOTER_ID`. */
const NEUTRAL_TIME = '1970-01-01 10:00:00:000';
const NEUTRAL_FILE_ID: readonly number[] = [
  0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1,
];

/** The tree of a binary file whose footer belongs to its file id and creation time. */
export type BinaryTree = FbxTree & { readonly footerId: Uint8Array };

/**
 * Returns which of file id, creation time and footer a binary file lacks, or has beside neutral ones: the FBX SDK reads nothing of a file where they do not belong
 * together. Autodesk does not publish how it derives them from each other, so that others than the neutral ones are believed.
 */
export function creationFaults({ records, footerId }: FbxTree): string[] {
  const firstOf = (name: string): FbxProperty | undefined =>
    records.find((record) => record.name === name)?.properties[0];
  const isBytes = (value: unknown, bytes: readonly number[]): boolean =>
    value instanceof Uint8Array && value.length === bytes.length && bytes.every((byte, k) => byte === value[k]);
  const [fileId, time] = [firstOf('FileId'), firstOf('CreationTime')];
  const parts = [
    { name: 'FileId', has: fileId !== undefined, isNeutral: isBytes(fileId, NEUTRAL_FILE_ID) },
    { name: 'CreationTime', has: time !== undefined, isNeutral: time === NEUTRAL_TIME },
    { name: 'footer', has: footerId !== undefined, isNeutral: isBytes(footerId, NEUTRAL_FOOTER_ID) },
  ];
  const mixed = parts.some(({ isNeutral }) => isNeutral);
  return parts.filter(({ has, isNeutral }) => !has || (mixed && !isNeutral)).map(({ name }) => name);
}

/** Returns the tree of a file as it is in binary files: typed numbers, names in two halves, bytes, and a footer that belongs to its creation time. */
export function binaryTree(tree: FbxTree): BinaryTree {
  const { encoding, footerId } = tree;
  const isBinary = encoding === 'binary';
  if (isBinary && footerId !== undefined && creationFaults(tree).length === 0) return { ...tree, footerId };
  const { legacyEncoding: _legacyEncoding, ...rest } = tree;
  const records = isBinary ? tree.records : tree.records.map((record) => binaryRecord(record, ''));
  return {
    ...rest,
    encoding: 'binary',
    records: withCreation(records),
    footerId: Uint8Array.from(NEUTRAL_FOOTER_ID),
  };
}

/** Replaces the records of binary files that the footer belongs to. */
function withCreation(records: readonly FbxRecord[]): FbxRecord[] {
  const kept = records.filter(({ name }) => name !== 'FileId' && name !== 'CreationTime');
  const at = kept.findIndex(({ name }) => name === 'FBXHeaderExtension') + 1;
  return kept.toSpliced(
    at,
    0,
    { name: 'FileId', properties: [Uint8Array.from(NEUTRAL_FILE_ID)], types: 'R', records: [] },
    { name: 'CreationTime', properties: [NEUTRAL_TIME], types: 'S', records: [] },
  );
}

function binaryRecord(record: FbxRecord, parent: string): FbxRecord {
  const { name, properties } = record;
  const records = record.records.map((nested) => binaryRecord(nested, name));
  if (BYTE_RECORDS.includes(name)) {
    const bytes = bytesOf(properties);
    if (bytes !== null) return { ...record, properties: [bytes], types: 'R', records };
  }
  const values = properties.map((value): FbxProperty => {
    if (typeof value === 'string') return PROPERTY_RECORDS.includes(name) ? value : binaryName(value);
    return value instanceof Float64Array ? typedArray(name, value) : value;
  });
  const types = values.map((value, k) => typeOf(record, parent, value, k)).join('');
  return { ...record, properties: values, types, records };
}

/** `Model::Hips` becomes `Hips\0\x01Model`. */
function binaryName(text: string): string {
  const { name, className } = splitName(text);
  return className === '' || text.includes('\0') ? text : `${name}\0\x01${className}`;
}

function typeOf({ name, properties, types }: FbxRecord, parent: string, value: FbxProperty, k: number): string {
  if (typeof value !== 'number') return typeof value === 'string' ? types[k] : propertyType(value);
  return fitting(declaredType(name, properties, parent, k), value);
}

/** Character settings: offsets, and the space and limits of rotations. */
const SETTING_FLOATS = /OFFSET[XYZ]$|^(?:PRE|POST|MIN|MAX|AXISLEN)$/;

/** Returns the type that a number has there in binary files; undefined if it follows from the number. */
function declaredType(name: string, properties: readonly FbxProperty[], parent: string, k: number): string | undefined {
  const head = PROPERTY_HEAD[name];
  if (head !== undefined && k >= head) return PROPERTY_TYPES.get(properties[1]) ?? 'D';
  if (parent === 'Objects' && k === 0) return 'L';
  if (SETTING_FLOATS.test(name)) return 'D';
  return RECORD_TYPES.get(name) ?? ARRAY_TYPES.get(name)?.toUpperCase();
}

const INT16_MAX = 2 ** 15;

/** Returns the declared type if it holds the number, else the smallest one that does. */
function fitting(type: string | undefined, value: number): string {
  const own = propertyType(value);
  if (type === undefined || type === 'D' || type === 'F') return type ?? own;
  if (own === 'D' || (type === 'I' && own === 'L')) return own;
  return type === 'Y' && !(value >= -INT16_MAX && value < INT16_MAX) ? own : type;
}

function typedArray(name: string, values: Float64Array): FbxProperty {
  const type = name.endsWith('Index') ? 'i' : (ARRAY_TYPES.get(name) ?? 'd');
  if (type === 'l') {
    return values.every(Number.isSafeInteger) ? BigInt64Array.from(values, BigInt) : values;
  }
  if (type === 'i') return values.every((value) => value === (value | 0)) ? Int32Array.from(values) : values;
  if (type === 'd') return values;
  return name === 'KeyAttrDataFloat' ? attributeFloats(values) : Float32Array.from(values);
}

/** The text files of the SDK have the bits of each float32 of `KeyAttrDataFloat` as an integer. */
function attributeFloats(values: Float64Array): Float32Array {
  const hasBits = values.every(Number.isInteger);
  return hasBits ? new Float32Array(Int32Array.from(values).buffer) : Float32Array.from(values);
}

/** Returns the bytes of pieces of base64, each of which may have its own padding; null for anything else. */
function bytesOf(pieces: readonly FbxProperty[]): Uint8Array | null {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? decodeBase64(piece.replace(/\s/g, '')) : null));
  if (parts.length === 0 || parts.includes(null)) return null;
  return Uint8Array.from((parts as Uint8Array[]).flatMap((part) => [...part]));
}
