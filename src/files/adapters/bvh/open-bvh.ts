import { readBvhFile } from '../../../formats/bvh/read-bvh.ts';
import type { BvhFile, OpenOptions } from '../../open-file.ts';

/** Opens a BVH. Throws FormatError `BVH_SYNTAX` when the text cannot be parsed. */
export function openBvh(bytes: Uint8Array, { name = '', readResource }: OpenOptions): BvhFile {
  const { asset, tree } = readBvhFile(bytes);
  return { format: 'bvh', name, asset, tree, readResource: readResource ?? null };
}
