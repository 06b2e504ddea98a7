/** One value behind the name of a record. Long arrays are typed; names keep the two halves that binary files join by `\0\x01`. */
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

/** A record of an FBX file: a name, values, and records inside it. */
export interface FbxRecord {
  readonly name: string;
  readonly properties: readonly FbxProperty[];
  readonly records: readonly FbxRecord[];
}

/** An FBX file as it is written: nothing converted, the order of records kept. Binary and ASCII files give the same. */
export interface FbxTree {
  readonly encoding: 'binary' | 'ascii';
  /** 7400 for FBX 7.4. */
  readonly version: number;
  readonly records: readonly FbxRecord[];
}
