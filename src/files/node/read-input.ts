/** Reads files from disk: inputs that the user names, and the files that these reference. Node only. */
import { promises as fs, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FormatError } from '../../core/report/format-error.ts';
import { systemReason } from '../reports/system-reason.ts';

/** Reads a file that the user names. Throws FormatError `FILE_NOT_FOUND` when the file cannot be read. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await fs.readFile(path);
  } catch (error) {
    throw new FormatError('FILE_NOT_FOUND', `The file cannot be read: ${systemReason(error)}`);
  }
}

/**
 * Reads a file synchronously, which is faster for programs without concurrent work. Throws FormatError `FILE_NOT_FOUND` when the file cannot be
 * read.
 */
export function readInputSync(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new FormatError('FILE_NOT_FOUND', `The file cannot be read: ${systemReason(error)}`);
  }
}

/** Tests whether a path is below a folder; links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Creates a reader for the files that a file references. It reads only regular files inside the folder of that file or inside `root`; symbolic
 * links are resolved first. Hidden files are refused. Returns a function that takes paths relative to the folder of `file`. It throws FormatError
 * `GLTF_URI_REFUSED` for files outside of the folders, and an Error with the reason for files that cannot be read.
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
      const where = `the folder of the asset${root === undefined ? '' : ` and ${root}`}`;
      const message = `The file ${path} is outside of ${where}; allow a folder with the option assetRoot`;
      throw new FormatError('GLTF_URI_REFUSED', message, { resource: path });
    }
    if (basename(target).startsWith('.')) {
      const message = `The file ${path} was refused: it is a link to a hidden file; reference the file itself, without a dot`;
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

/**
 * Resolves the paths of files that a file references. `resources`: paths relative to the folder of `file`. Returns paths relative to the working
 * folder.
 */
export function resourcePaths(file: string, resources: Iterable<string>): string[] {
  return Array.from(resources, (resource) => join(dirname(file), resource));
}
