import { parseAsciiFbx } from './parse-ascii.ts';
import { isBinaryFbx, parseBinaryFbx } from './parse-binary.ts';
import type { FbxTree } from './tree.ts';
import { refuseEncrypted } from './version.ts';

/**
 * Reads an FBX file, binary or text, versions 6.0 to 7.9, into the tree that it is, without converting anything. Binary
 * and text files give the same, but for what text does not tell: arrays of text files are all `Float64Array`; bytes are
 * base64 strings; names of objects are `Class::Name` in text, `Name\0\x01Class` in binary files (see `splitName`).
 *
 * Binary records are taken apart by fbx-parser once `walkBinary` has checked them.
 *
 * @throws FormatError `FBX_SYNTAX` with the byte offset, in text the line and column, where the file is damaged or no FBX;
 *   `FBX_VERSION` where it is older than 6.0, newer than 7.9, big-endian or encrypted; `FBX_LIMIT` where it nests too
 *   deeply or would fill the memory.
 */
export function parseFbx(bytes: Uint8Array): FbxTree {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('parseFbx wants the bytes of the file as a Uint8Array.');
  const tree = isBinaryFbx(bytes) ? parseBinaryFbx(bytes) : parseAsciiFbx(bytes);
  refuseEncrypted(tree.records);
  return tree;
}
