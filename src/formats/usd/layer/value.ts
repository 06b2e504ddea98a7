/**
 * Values of USD scene description, as files store them. The role of a number (point, color) is part of the `typeName` of its attribute, not of the
 * value: `point3f` and `normal3f` are both stored as `float3`.
 */

/** Stored value types by their names in text. */
export type StoredType =
  | 'bool'
  | 'uchar'
  | 'int'
  | 'uint'
  | 'int64'
  | 'uint64'
  | 'half'
  | 'float'
  | 'double'
  | 'timecode'
  | 'string'
  | 'token'
  | 'asset'
  | 'pathExpression'
  | `${'half' | 'float' | 'double' | 'int'}${2 | 3 | 4}`
  | `quat${'h' | 'f' | 'd'}`
  | `matrix${2 | 3 | 4}d`;

/** Typed array with the numbers of one value or of an array of values. Halves are stored as floats. */
export type Numbers =
  | Uint8Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/**
 * A number, a tuple of numbers, or an array of either. Tuples have the order of the text, except quaternions, which are xyzw as in binary files
 * (text has the real part first). Matrices are stored row by row, for row vectors: the translation comes last.
 */
export interface NumericValue {
  /** Stored type of one value. */
  readonly type: Exclude<StoredType, 'string' | 'token' | 'asset' | 'pathExpression'>;
  /** True for an array of values. */
  readonly isArray: boolean;
  /** The numbers of all values, one tuple after the other: 3 per `float3`, 16 per `matrix4d`. */
  readonly numbers: Numbers;
}

/** A string, token, asset path or path expression, or an array of them. */
export interface TextValue {
  /** Stored type of one value. */
  readonly type: 'string' | 'token' | 'asset' | 'pathExpression';
  /** True for an array of values. */
  readonly isArray: boolean;
  /** One text per value; exactly one if `isArray` is false. */
  readonly texts: readonly string[];
}

/** A dictionary of typed values. */
export interface DictionaryValue {
  /** Always `dictionary`. */
  readonly type: 'dictionary';
  /** Values by name, in order. */
  readonly entries: ReadonlyMap<string, Value>;
}

/**
 * A value of an attribute, a time sample, a dictionary entry or a plain metadata field. `block` is `None`: it blocks the values of weaker layers. A value of
 * an unknown type or field is kept as text and written unchanged.
 */
export type Value =
  | NumericValue
  | TextValue
  | DictionaryValue
  | { readonly type: 'block' }
  | {
      readonly type: 'unregistered';
      /** The value as in a text file. */
      readonly text: string;
    };

export const TUPLE_WIDTH: Readonly<Record<NumericValue['type'], number>> = {
  bool: 1,
  uchar: 1,
  int: 1,
  uint: 1,
  int64: 1,
  uint64: 1,
  half: 1,
  float: 1,
  double: 1,
  timecode: 1,
  half2: 2,
  half3: 3,
  half4: 4,
  float2: 2,
  float3: 3,
  float4: 4,
  double2: 2,
  double3: 3,
  double4: 4,
  int2: 2,
  int3: 3,
  int4: 4,
  quath: 4,
  quatf: 4,
  quatd: 4,
  matrix2d: 4,
  matrix3d: 9,
  matrix4d: 16,
};

const TEXT_TYPES = ['string', 'token', 'asset', 'pathExpression'] as const;

export function isTextType(type: StoredType): type is TextValue['type'] {
  return (TEXT_TYPES as readonly StoredType[]).includes(type);
}

/** The stored types by their names. */
export const STORED_TYPES: ReadonlySet<string> = new Set([...Object.keys(TUPLE_WIDTH), ...TEXT_TYPES]);

/** How one number is stored: in memory with this array, in binary files with as many bytes; halves are floats in memory. */
export type NumberForm = 'uint8' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'half' | 'float' | 'double';

export const ARRAYS = {
  uint8: Uint8Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  half: Float32Array,
  float: Float32Array,
  double: Float64Array,
} as const;

export function formOf(type: NumericValue['type']): NumberForm {
  if (type === 'bool' || type === 'uchar') return 'uint8';
  if (type === 'int64' || type === 'uint64') return type;
  if (type === 'uint') return 'uint32';
  if (type.startsWith('int')) return 'int32';
  if (type.startsWith('half') || type === 'quath') return 'half';
  if (type.startsWith('float') || type === 'quatf') return 'float';
  return 'double';
}
