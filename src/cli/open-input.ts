import { FormatError } from '../core/report/format-error.ts';
import { openFile } from '../files/node.ts';
import type { OpenFile, OpenOptions } from '../files/open.ts';
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
  return blame(path, () => openFile(path, options));
}
