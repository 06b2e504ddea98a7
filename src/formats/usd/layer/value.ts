/**
 * Values of USD scene description, as files store them. What a number is for (a point, a color) is told by the `typeName` of its
 * attribute, not by the value: `point3f` and `normal3f` are both stored as `float3`.
 */

/** Stored types by their names in text. */
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

/** Numbers of one value or of an array of them, one after the other. Halves are kept as the floats that they stand for. */
export type Numbers =
  | Uint8Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/**
 * A number, a tuple of numbers or an array of either: always a flat typed array, one tuple after the other. Tuples are as in text, but for
 * quaternions, which are xyzw (imaginary part first, as in binary files). Matrices are row by row, for row vectors: translation last.
 */
export interface NumericValue {
  readonly type: Exclude<StoredType, 'string' | 'token' | 'asset' | 'pathExpression'>;
  readonly isArray: boolean;
  readonly numbers: Numbers;
}

/** A string, token, asset path or path expression, or an array of them. */
export interface TextValue {
  readonly type: 'string' | 'token' | 'asset' | 'pathExpression';
  readonly isArray: boolean;
  readonly texts: readonly string[];
}

/** Entries with names, each typed. */
export interface DictionaryValue {
  readonly type: 'dictionary';
  readonly entries: ReadonlyMap<string, Value>;
}

/** `None`: hides what weaker opinions say. */
export interface BlockValue {
  readonly type: 'block';
}

/** A value of a metadata field that no schema is known for, as text has it: kept, printed again, never looked into. */
export interface UnregisteredValue {
  readonly type: 'unregistered';
  readonly text: string;
}

/** Anything that an attribute, a time sample, a dictionary or plain metadata may hold. */
export type Value = NumericValue | TextValue | DictionaryValue | BlockValue | UnregisteredValue;

/** Numbers of one value of a type. */
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
