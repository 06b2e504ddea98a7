/**
 * The layout of binary FBX files. Autodesk publishes none; this follows what Blender's developers wrote down ("FBX binary
 * file format specification", 2013) and the files of the SDK: a header of 27 bytes, then records, one after another:
 * end offset, number of properties, bytes of properties (32 bits each; 64 bits from version 7500 on), length of the name
 * (one byte), name, properties, nested records. A record of zeros ends each list of nested records, and the file's own.
 */

/** The first bytes; after them a flag for big-endian files and the version. */
export const MAGIC = 'Kaydara FBX Binary  \0\x1a';
export const ENDIAN_AT = 22;
export const VERSION_AT = 23;
export const FIRST_RECORD_AT = 27;

/** The first version with offsets of 64 bits. */
export const FIRST_WIDE_VERSION = 7500;

/** Bytes of a property after its type code; 0 where they vary. By the letter of the type. */
export function scalarBytes(type: string): number {
  switch (type) {
    case 'B':
    case 'C':
    case 'Z':
      return 1;
    case 'Y':
      return 2;
    case 'I':
    case 'F':
      return 4;
    case 'D':
    case 'L':
      return 8;
    default:
      return 0;
  }
}

/** Bytes of one element of an array; 0 where the type is no array. */
export function elementBytes(type: string): number {
  switch (type) {
    case 'b':
    case 'c':
      return 1;
    case 'i':
    case 'f':
      return 4;
    case 'd':
    case 'l':
      return 8;
    default:
      return 0;
  }
}
