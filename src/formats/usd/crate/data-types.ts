/** Type numbers of values and specs, and version numbers of binary USD files. Source: OpenUSD, crateDataTypes.h, and SdfSpecType. */
import type { ListOp, SpecType } from '../layer/layer.ts';
import { ARRAYS, type NumberForm, type StoredType } from '../layer/value.ts';

/** Plain types, which may also be arrays, by type number. */
const PLAIN: readonly (readonly [number, StoredType])[] = [
  [1, 'bool'],
  [2, 'uchar'],
  [3, 'int'],
  [4, 'uint'],
  [5, 'int64'],
  [6, 'uint64'],
  [7, 'half'],
  [8, 'float'],
  [9, 'double'],
  [10, 'string'],
  [11, 'token'],
  [12, 'asset'],
  [13, 'matrix2d'],
  [14, 'matrix3d'],
  [15, 'matrix4d'],
  [16, 'quatd'],
  [17, 'quatf'],
  [18, 'quath'],
  [19, 'double2'],
  [20, 'float2'],
  [21, 'half2'],
  [22, 'int2'],
  [23, 'double3'],
  [24, 'float3'],
  [25, 'half3'],
  [26, 'int3'],
  [27, 'double4'],
  [28, 'float4'],
  [29, 'half4'],
  [30, 'int4'],
  [56, 'timecode'],
  [57, 'pathExpression'],
];

/** Type numbers of all other types. */
export const TYPE = {
  dictionary: 31,
  tokenListOp: 32,
  stringListOp: 33,
  pathListOp: 34,
  referenceListOp: 35,
  intListOp: 36,
  int64ListOp: 37,
  uintListOp: 38,
  uint64ListOp: 39,
  pathVector: 40,
  tokenVector: 41,
  specifier: 42,
  permission: 43,
  variability: 44,
  variantSelectionMap: 45,
  timeSamples: 46,
  payload: 47,
  doubleVector: 48,
  layerOffsetVector: 49,
  stringVector: 50,
  valueBlock: 51,
  value: 52,
  unregisteredValue: 53,
  unregisteredValueListOp: 54,
  payloadListOp: 55,
  relocates: 58,
} as const;

/** Names of known but unsupported types, for messages. */
export const UNREAD_TYPES: ReadonlyMap<number, string> = new Map([
  [59, 'spline'],
  [60, 'animation block'],
]);

export const PLAIN_TYPES: ReadonlyMap<number, StoredType> = new Map(PLAIN);

export const PLAIN_NUMBERS: ReadonlyMap<StoredType, number> = new Map(PLAIN.map(([number, type]) => [type, number]));

export const LIST_OPS: ReadonlyMap<number, ListOp<unknown>['of']> = new Map<number, ListOp<unknown>['of']>([
  [TYPE.tokenListOp, 'token'],
  [TYPE.stringListOp, 'string'],
  [TYPE.pathListOp, 'path'],
  [TYPE.referenceListOp, 'reference'],
  [TYPE.intListOp, 'int'],
  [TYPE.int64ListOp, 'int64'],
  [TYPE.uintListOp, 'uint'],
  [TYPE.uint64ListOp, 'uint64'],
  [TYPE.unregisteredValueListOp, 'unregistered'],
  [TYPE.payloadListOp, 'payload'],
]);

export const LIST_OP_NUMBERS: ReadonlyMap<ListOp<unknown>['of'], number> = new Map(
  [...LIST_OPS].map(([number, of]) => [of, number]),
);

/** Words of the enumeration types, by type number and then by value. */
export const WORDS: ReadonlyMap<number, readonly string[]> = new Map([
  [TYPE.specifier, ['def', 'over', 'class']],
  [TYPE.permission, ['public', 'private']],
  [TYPE.variability, ['varying', 'uniform', 'config']],
]);

/** Type numbers of the enumeration fields. Words of other fields are stored as tokens. */
export const WORD_FIELDS: ReadonlyMap<string, number> = new Map([
  ['specifier', TYPE.specifier],
  ['permission', TYPE.permission],
  ['variability', TYPE.variability],
]);

/** Fields with tokens that are bare words in text. */
export const TOKEN_WORD_FIELDS: ReadonlySet<string> = new Set(['displayUnit']);

/** The lists of a list op in the order of the file, and the bits that mark their presence. */
export const LIST_BITS = [
  ['explicit', 2],
  ['added', 4],
  ['prepended', 32],
  ['appended', 64],
  ['deleted', 8],
  ['ordered', 16],
] as const;
export const IS_EXPLICIT = 1;

export const SPEC_TYPES: ReadonlyMap<number, SpecType> = new Map([
  [1, 'attribute'],
  [6, 'prim'],
  [7, 'pseudoRoot'],
  [8, 'relationship'],
  [10, 'variant'],
  [11, 'variantSet'],
]);
/** Numbers of the spec types of connection and relationship targets in old files. The target lists contain the same. */
export const TARGET_TYPES: ReadonlySet<number> = new Set([2, 9]);

export const SPEC_NUMBERS: ReadonlyMap<SpecType, number> = new Map(
  [...SPEC_TYPES].map(([number, type]) => [type, number]),
);

/** Bytes of one number in the file. */
export function bytesOfForm(form: NumberForm): number {
  return form === 'half' ? 2 : ARRAYS[form].BYTES_PER_ELEMENT;
}

/** Minor numbers of the versions that introduced a feature; the major number is still 0. */
export const VERSION = {
  /** The structural sections are compressed. */
  compressedSections: 4,
  /** Integer arrays are compressed, and arrays have no rank. */
  compressedInts: 5,
  /** Scalar float arrays are compressed. */
  compressedFloats: 6,
  /** Array sizes are 64-bit. */
  longArrays: 7,
  /** Payloads have layer offsets. */
  payloadOffsets: 8,
  /** Time codes are a type. */
  timecodes: 9,
  pathExpressions: 10,
  relocates: 11,
  /** The newest supported version. */
  newest: 12,
} as const;
