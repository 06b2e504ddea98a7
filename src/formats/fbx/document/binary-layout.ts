/**
 * Defines the layout of binary FBX files. Autodesk publishes no specification. This follows the notes of Blender's
 * developers ("FBX binary file format specification", 2013) and files that the Autodesk FBX SDK wrote.
 *
 * A file is a header of 27 bytes, then a list of records, then a footer. A record is: end offset, number of properties,
 * bytes of properties (32 bits each; 64 bits from version 7500 on), length of the name (one byte), name, properties,
 * nested records. A record of zeros ends each list of records. The footer is: 16 bytes that the SDK derives from the
 * creation time, zeros up to a multiple of 16 bytes, 4 zeros, the version, 120 zeros, 16 bytes that never change.
 */

/** First bytes of a file. The big-endian flag and the version follow. */
export const MAGIC = 'Kaydara FBX Binary  \0\x1a';
/** Byte offset of the flag for big-endian files. */
export const ENDIAN_AT = 22;
/** Byte offset of the version, a 32-bit integer. */
export const VERSION_AT = 23;
export const FIRST_RECORD_AT = 27;

/** First version with 64-bit offsets. */
export const FIRST_WIDE_VERSION = 7500;

/** Bytes at the start of the footer that depend on the creation time. */
export const FOOTER_ID_BYTES = 16;
/** First bytes of the footer of files that were created at 1970-01-01 10:00:00:000, with the `FileId` 28b32aebb624ccc2bfc8b02aa92bfcf1. */
export const NEUTRAL_FOOTER_ID: readonly number[] = [
  0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
/** Zeros between the version in the footer and its last bytes. */
export const FOOTER_ZEROS = 120;
/** Last bytes of a file. */
export const FOOTER_MAGIC: readonly number[] = [
  0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

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
