/** Opens files of any supported format as assets. Runs in browsers and Node. */

import type { ReadResource } from '../core/asset/asset.ts';
import { FormatError } from '../core/report/format-error.ts';
import { ADAPTERS, adapterOf } from './adapters/adapters.ts';
import { detectAdapter } from './detect.ts';
import type { OpenFile, OpenOptions } from './open-file.ts';

export type { OpenFile, OpenOptions } from './open-file.ts';

/** Vertices that the instances of any file may become: seven times those of a very detailed character, and about half a gigabyte of points. */
const MOST_VERTICES = 2 ** 21;
/** Bytes of a larger file for one vertex. Uncompressed vertices take at least 12. */
const BYTES_PER_VERTEX = 2;

/** A segment that hides a file or folder; `.` and `..` are checked where paths are resolved. */
const HIDDEN_SEGMENT = /(?:^|[/\\])\.(?!\.?(?:[/\\]|$))/;

/** Refuses hidden files, such as `.env`: a 3D file that asks for one wants no part of itself. */
function checkVisible(path: string): void {
  if (!HIDDEN_SEGMENT.test(path)) return;
  const message = `The file ${JSON.stringify(path)} was refused: it is hidden, and the parts of a 3D file are not; rename it without the dot`;
  throw new FormatError('GLTF_URI_REFUSED', message, { resource: path });
}

/**
 * Opens the bytes of a file of any supported format: GLB, glTF, VRM 0.x, VRM 1.0, VRMA, BVH, FBX, USD, VMD, VPD, PMX and PMD of MMD,
 * NPZ, TRC and JSON keypoints. The format is detected by the content.
 * Works in browsers and Node; in Node, `openFile` opens a path.
 *
 * @param bytes The file.
 * @param options Name of the file, how to read referenced files, which clips to read.
 * @returns The file with its skeletons and clips. Narrow it by `format` to get the document.
 * @throws FormatError with a code and a location when the file cannot be read.
 * @example
 * const bytes = new Uint8Array(await (await fetch('avatar.vrm')).arrayBuffer());
 * const file = await openBytes(bytes, { name: 'avatar.vrm' });
 * console.log(file.asset.clips.map(({ name }) => name));
 */
export async function openBytes(bytes: Uint8Array, options: OpenOptions = {}): Promise<OpenFile> {
  const { readResource, maxVertices } = options;
  let size = bytes.length;
  const read = async (path: string): Promise<Uint8Array> => {
    checkVisible(path);
    const resource = await (readResource as ReadResource)(path);
    size += resource.length;
    return resource;
  };
  const { open } = ADAPTERS[detectAdapter(bytes, options.name).format];
  const file = await open(bytes, { ...options, ...(readResource === undefined ? {} : { readResource: read }) });
  return { ...file, maxVertices: maxVertices ?? Math.max(MOST_VERTICES, Math.floor(size / BYTES_PER_VERTEX)) };
}

/** Lists the referenced files that were read while opening a file. Returns paths relative to the folder of the file, with slashes. */
export function resourcesOf(file: OpenFile): string[] {
  return adapterOf(file).resources(file);
}
