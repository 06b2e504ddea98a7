/**
 * Defines the layout of binary FBX files. Autodesk publishes no specification. This follows the notes of Blender's
 * developers ("FBX binary file format specification", 2013) and files that the Autodesk FBX SDK wrote.
 *
 * A file is a header of 27 bytes, then a list of records. A record is: end offset, number of properties, bytes of
 * properties (32 bits each; 64 bits from version 7500 on), length of the name (one byte), name, properties, nested
 * records. A record of zeros ends each list of records.
 */

/** First bytes of a file. The big-endian flag and the version follow. */
export const MAGIC = 'Kaydara FBX Binary  \0\x1a';
/** Byte offset of the flag for big-endian files. */
export const ENDIAN_AT = 22;
/** Byte offset of the version, a 32-bit integer. */
export const VERSION_AT = 23;
/** Byte offset of the first record. */
export const FIRST_RECORD_AT = 27;

/** First version with 64-bit offsets. */
export const FIRST_WIDE_VERSION = 7500;

/** Returns the size of a property of fixed size. */
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

/** Returns the size of one element of an array property. */
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
