import { FormatError } from '../core/report/format-error.ts';
import { detectFormat } from '../files/detect.ts';
import { type OpenFile, type OpenOptions, openBytes } from '../files/open.ts';
import { readInputSync, resourcePaths, resourceReader } from '../files/read-input.ts';
import { resourcesOf } from '../files/usd-source.ts';
import { InputError } from './input-error.ts';

/** What a job gives; its FormatErrors, of which only the job knows the file, are put down to `file`. */
export async function blame<T>(file: string, job: () => T | Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    throw error instanceof FormatError ? new InputError(file, error) : error;
  }
}

/** A folder whose files inputs may name, besides those in their own folders and below. */
export interface InputOptions {
  readonly assetRoot?: string;
}

type Wanted = Pick<OpenOptions, 'wantsClip'>;

/** Opens a file that the user names. InputError when it cannot be read. */
export async function openInput(
  path: string,
  { assetRoot }: InputOptions,
  options: Wanted | ((bytes: Uint8Array) => Wanted) = {},
): Promise<OpenFile> {
  return blame(path, () => {
    const bytes = readInputSync(path);
    const wanted = typeof options === 'function' ? options(bytes) : options;
    return openBytes(bytes, { ...wanted, name: path, readResource: resourceReader(path, assetRoot) });
  });
}

/**
 * Opens a character. The clips of a glTF stay in it, read or not, but for the first, which has a say in its reference pose; those of an
 * FBX, and of a USD that becomes another format, are written anew, so all are read. InputError when it cannot be read.
 */
export async function openCharacter(path: string, options: InputOptions): Promise<OpenFile> {
  const wanted = (bytes: Uint8Array): Wanted => {
    const format = detectFormat(bytes);
    return format === 'fbx' || format === 'usd' ? {} : { wantsClip: (_, index) => index === 0 };
  };
  return openInput(path, options, wanted);
}

/** All files that were read: the named ones and what they name. */
export function inputsOf(files: readonly OpenFile[]): string[] {
  return files.flatMap(({ name, document, usd }) => {
    const named = usd === null ? document?.resources.keys() : resourcesOf(usd.files);
    return [name, ...resourcePaths(name, named ?? [])];
  });
}
