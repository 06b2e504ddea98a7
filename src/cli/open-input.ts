import { FormatError } from '../core/report/format-error.ts';
import { detectFormat } from '../files/detect.ts';
import { readInputSync, resourcePaths, resourceReader } from '../files/node/read-input.ts';
import { type OpenFile, type OpenOptions, openBytes, resourcesOf } from '../files/open.ts';
import { InputError } from './errors/cli-errors.ts';

/** Runs a job and attributes its FormatErrors to a file. Throws InputError for a FormatError of the job; other errors unchanged. */
export function blame<T>(file: string, job: () => T): T {
  const blamed = (error: unknown): never => {
    throw error instanceof FormatError ? new InputError(file, error) : error;
  };
  try {
    const result = job();
    return result instanceof Promise ? (result.catch(blamed) as T) : result;
  } catch (error) {
    return blamed(error);
  }
}

export interface InputOptions extends Pick<OpenOptions, 'frameRate' | 'up'> {
  /** Folder whose files an input may reference, besides those next to it and below. */
  readonly assetRoot?: string;
  /** Most vertices that its meshes may become; see `OpenOptions`. */
  readonly maxVertices?: number;
  /** The opened PMX or PMD that a VMD or VPD plays on. */
  readonly model?: OpenFile;
}

type Wanted = Pick<OpenOptions, 'wantsClip'>;

/** Opens an input file. `options`: which clips to read, or a function of the bytes that decides it. Throws InputError when it cannot be read. */
export async function openInput(
  path: string,
  { assetRoot, ...known }: InputOptions,
  options: Wanted | ((bytes: Uint8Array) => Wanted) = {},
): Promise<OpenFile> {
  return blame(path, () => {
    const bytes = readInputSync(path);
    const wanted = typeof options === 'function' ? options(bytes) : options;
    return openBytes(bytes, { ...wanted, ...known, name: path, readResource: resourceReader(path, assetRoot) });
  });
}

/**
 * Opens a character. Of a glTF only the first clip is read, which can define the reference pose: the document keeps all of them. An FBX, or a USD
 * that becomes another format, is written again with all its clips, so all are read. Throws InputError when it cannot be read.
 */
export async function openCharacter(path: string, options: InputOptions): Promise<OpenFile> {
  const wanted = (bytes: Uint8Array): Wanted => {
    const format = detectFormat(bytes);
    return format === 'fbx' || format === 'usd' ? {} : { wantsClip: (_, index) => index === 0 };
  };
  return openInput(path, options, wanted);
}

/** Adds the character as the model of the motions, unless one is chosen: a motion of MMD plays on the model that it is put on, as in MMD itself. */
export function playedOn(character: OpenFile, input: InputOptions): InputOptions {
  const isModel = character.format === 'mmd' && character.model !== null && input.model === undefined;
  return isModel ? { ...input, model: character } : input;
}

/** Lists the paths of all files that were read: inputs and the files that they reference. Returns paths that must not be overwritten. */
export function inputsOf(files: readonly OpenFile[]): string[] {
  return files.flatMap((file) => [file.name, ...resourcePaths(file.name, resourcesOf(file))]);
}
