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
  /**
   * Type codes of the values, one letter each, as in binary files: `Y` `I` `L` integers of 16, 32, 64 bits; `F` `D`
   * floats of 32, 64 bits; `B` `C` `Z` bytes; `S` text; `R` bytes; lowercase letters for arrays. Text files do not have
   * them: there they follow from the values.
   */
  readonly types: string;
  /** Nested records, in the order of the file. */
  readonly records: readonly FbxRecord[];
  /** Set if the record has a list of nested records with nothing in it (`References: { }`), instead of no list. */
  readonly hasEmptyList?: true;
}

/** The records of an FBX file, unconverted and in the order of the file. Binary and ASCII files give the same tree. */
export interface FbxTree {
  /** The form of the file. */
  readonly encoding: 'binary' | 'ascii';
  /** Version × 1000: 7400 for FBX 7.4. */
  readonly version: number;
  /** Name of the encoding of names that are not UTF-8, as it was guessed; missing if all are. */
  readonly legacyEncoding?: string;
  /** The bytes of text that is not UTF-8 in a binary file, by the text that was decoded from it. */
  readonly legacyBytes?: ReadonlyMap<string, Uint8Array>;
  /** The first 16 bytes of the footer of a binary file, which the SDK derives from the creation time. */
  readonly footerId?: Uint8Array;
  /** The top-level records: `FBXHeaderExtension`, `GlobalSettings`, `Objects`, `Connections`, `Takes`… */
  readonly records: readonly FbxRecord[];
}
