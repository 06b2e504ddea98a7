/** Reading files for the readers of formats: what the user names, and what a file names beside itself. Node only. */
import { promises as fs, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FormatError } from '../core/report/format-error.ts';
import { systemReason } from './system-reason.ts';

/**
 * Bytes of a file that the user names.
 *
 * @throws FormatError `FILE_NOT_FOUND` when it cannot be opened.
 */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await fs.readFile(path);
  } catch (error) {
    throw new FormatError('FILE_NOT_FOUND', `The file cannot be opened: ${systemReason(error)}`);
  }
}

/** The same at once: for programs that have nothing else to do meanwhile. */
export function readInputSync(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new FormatError('FILE_NOT_FOUND', `The file cannot be opened: ${systemReason(error)}`);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * A reader of the files that `file` names, by their paths from its folder: only regular files in its folder and below, or in `root` and below, also after
 * links were followed.
 * The reader throws FormatError `GLTF_URI_REFUSED` for what lies elsewhere, Error with the reason for what cannot be read.
 */
export function resourceReader(file: string, root?: string): (path: string) => Promise<Uint8Array> {
  return async (path) => {
    const folders: string[] = [];
    let target: string;
    try {
      for (const folder of root === undefined ? [dirname(file)] : [dirname(file), root]) {
        folders.push(await fs.realpath(folder));
      }
      target = await fs.realpath(resolve(folders[0], path));
    } catch (error) {
      throw new Error(systemReason(error));
    }
    if (!folders.some((folder) => isInside(folder, target))) {
      const where = `the folder of the asset${root === undefined ? '' : ` and of ${root}`}`;
      const message = `The file ${path} lies outside of ${where}; name a folder to read from with --asset-root`;
      throw new FormatError('GLTF_URI_REFUSED', message, { resource: path });
    }
    try {
      if (!(await fs.stat(target)).isFile()) throw new Error('it is not a regular file');
      return await fs.readFile(target);
    } catch (error) {
      throw new Error(systemReason(error));
    }
  };
}

/** Paths of the files beside `file` that it names. */
export function resourcePaths(file: string, resources: Iterable<string>): string[] {
  return Array.from(resources, (resource) => join(dirname(file), resource));
}
