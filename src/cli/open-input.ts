import { FormatError } from '../core/report/format-error.ts';
import { type OpenFile, type OpenOptions, openBytes } from '../files/open.ts';
import { readInputSync, resourcePaths, resourceReader } from '../files/read-input.ts';
import { InputError } from './input-error.ts';

/** What a job gives; its FormatErrors, of which only the job knows the file, are put down to `file`. */
export async function blame<T>(file: string, job: () => T | Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    throw error instanceof FormatError ? new InputError(file, error) : error;
  }
}

/** Opens a file that the user names. InputError when it cannot be read. */
export async function openInput(path: string, options: Pick<OpenOptions, 'wantsClip'> = {}): Promise<OpenFile> {
  return blame(path, () => {
    return openBytes(readInputSync(path), { ...options, name: path, readResource: resourceReader(path) });
  });
}

/** All files that were read: the named ones and what they name. */
export function inputsOf(files: readonly OpenFile[]): string[] {
  return files.flatMap(({ name, document }) => [name, ...resourcePaths(name, document?.resources.keys() ?? [])]);
}
