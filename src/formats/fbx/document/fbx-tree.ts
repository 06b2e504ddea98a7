/**
 * One value of a record. Arrays are typed arrays. Object names keep both halves, which binary files join with `\0\x01`.
 */
export type FbxProperty =
  | number
  | bigint
  | boolean
  | string
  | Uint8Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/** A record of an FBX file: a name, its values, and nested records. */
export interface FbxRecord {
  /** `Objects`, `Model`, `Properties70`, `P`… */
  readonly name: string;
  /** The values after the name, in the order of the file. */
  readonly properties: readonly FbxProperty[];
  /** Nested records, in the order of the file. */
  readonly records: readonly FbxRecord[];
}

/** The records of an FBX file, unconverted and in the order of the file. Binary and ASCII files give the same tree. */
export interface FbxTree {
  /** The form of the file. */
  readonly encoding: 'binary' | 'ascii';
  /** Version × 1000: 7400 for FBX 7.4. */
  readonly version: number;
  /** Name of the encoding of names that are not UTF-8, as it was guessed; missing if all are. */
  readonly legacyEncoding?: string;
  /** The top-level records: `FBXHeaderExtension`, `GlobalSettings`, `Objects`, `Connections`, `Takes`… */
  readonly records: readonly FbxRecord[];
}
