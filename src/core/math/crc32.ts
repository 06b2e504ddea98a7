/** Computes the checksum of zip files (ISO 3309, polynomial 0xEDB88320). */

/** Four tables of 256 entries, so that four bytes are processed at once: for the last byte of four, the third, the second and the first. */
const TABLES = new Uint32Array(4 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  TABLES[byte] = crc;
}
for (let k = 256; k < TABLES.length; k++) TABLES[k] = (TABLES[k - 256] >>> 8) ^ TABLES[TABLES[k - 256] & 0xff];

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  const fours = bytes.length - (bytes.length % 4);
  for (let k = 0; k < fours; k += 4) {
    const word = crc ^ (bytes[k] | (bytes[k + 1] << 8) | (bytes[k + 2] << 16) | (bytes[k + 3] << 24));
    crc =
      TABLES[768 + (word & 0xff)] ^
      TABLES[512 + ((word >>> 8) & 0xff)] ^
      TABLES[256 + ((word >>> 16) & 0xff)] ^
      TABLES[word >>> 24];
  }
  for (let k = fours; k < bytes.length; k++) crc = TABLES[(crc ^ bytes[k]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}
