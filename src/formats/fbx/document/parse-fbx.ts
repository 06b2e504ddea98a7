import type { FbxTree } from './fbx-tree.ts';
import { assertNotEncrypted } from './fbx-version.ts';
import { parseAsciiFbx } from './parse-ascii.ts';
import { isBinaryFbx, parseBinaryFbx } from './parse-binary.ts';

/**
 * Parses an FBX file, binary or text, versions 6.0 to 7.9, into its records without converting anything. Binary and
 * text files give the same tree, with these exceptions: every array of a text file is a `Float64Array`, its bytes are
 * base64 strings, its object names are `Class::Name` instead of `Name\0\x01Class` (see `splitName`), and the types of
 * its numbers follow from their values.
 *
 * @param bytes The file.
 * @returns The records of the file.
 * @throws FormatError `FBX_SYNTAX` for a damaged file or another format, with the byte offset, or line and column in
 *   text; `FBX_VERSION` if the file is older than 6.0, newer than 7.9, big-endian or encrypted; `FBX_LIMIT` if it nests
 *   too deeply or would fill the memory.
 * @throws TypeError if `bytes` is not a Uint8Array.
 * @example
 * ```ts
 * const tree = parseFbx(await readFile('walk.fbx'));
 * const sections = tree.records.map(({ name }) => name); // ['FBXHeaderExtension', 'GlobalSettings', …]
 * ```
 */
export function parseFbx(bytes: Uint8Array): FbxTree {
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError('parseFbx got something other than a Uint8Array. Pass the bytes of the file as a Uint8Array.');
  }
  const tree = isBinaryFbx(bytes) ? parseBinaryFbx(bytes) : parseAsciiFbx(bytes);
  assertNotEncrypted(tree.records);
  return tree;
}
