/** Writing files so that they are there whole or not at all. Node only. */
import { type FileHandle, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OutputError } from './output-error.ts';
import type { OutputFile } from './output-file.ts';
import { systemReason } from './system-reason.ts';

export interface WriteFilesOptions {
  /** Replace files that exist. */
  readonly force?: boolean;
  /**
   * Files that were read. Only the last output, the one that the user named, may replace one of them (with `force`): the
   * files that come with it never do.
   */
  readonly inputs?: readonly string[];
}

/** An output on its way. */
interface Pending {
  readonly path: string;
  readonly temporary: string;
  readonly existed: boolean;
  renamed: boolean;
}

/** The path with all links of its folder followed; the file itself need not exist. */
async function truePath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
    return join(folder, basename(path));
  }
}

/** Whether something is at the path. Throws OutputError when that is a folder, or may not be replaced. */
async function checkPlace(path: string, force: boolean): Promise<boolean> {
  let found: Awaited<ReturnType<typeof lstat>>;
  try {
    found = await lstat(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return false;
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: ${systemReason(error)}`);
  }
  if (found.isDirectory()) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: it is a folder; name a file`);
  }
  if (!force) {
    throw new OutputError('OVERWRITE_REFUSED', path, `${path} exists already; use --force to replace it`);
  }
  return true;
}

/** Whether a file holds exactly these parts. */
async function holds(path: string, parts: readonly Uint8Array[]): Promise<boolean> {
  try {
    const { size } = await stat(path);
    if (size !== parts.reduce((sum, part) => sum + part.length, 0)) return false;
    const content = await readFile(path);
    let offset = 0;
    for (const part of parts) {
      if (content.compare(part, 0, part.length, offset, offset + part.length) !== 0) return false;
      offset += part.length;
    }
    return true;
  } catch {
    return false;
  }
}

/** Without the files that come with the last one and are there already with the same content. */
async function withoutSame(outputs: readonly OutputFile[]): Promise<OutputFile[]> {
  const isSame = await Promise.all(outputs.slice(0, -1).map(({ path, parts }) => holds(path, parts)));
  return outputs.filter((_, k) => isSame[k] !== true);
}

async function checkInputs(outputs: readonly OutputFile[], inputs: readonly string[]): Promise<void> {
  const truths = new Set(await Promise.all(inputs.map(truePath)));
  const taken = new Set<string>();
  for (const [k, { path }] of outputs.entries()) {
    const truth = await truePath(path);
    if (taken.has(truth)) {
      throw new OutputError('CANNOT_WRITE', path, `${path} would be written twice; choose another name for the output`);
    }
    taken.add(truth);
    if (k < outputs.length - 1 && truths.has(truth)) {
      const message = `${path}, a file that comes with the output, would replace an input; choose another name or folder`;
      throw new OutputError('OVERWRITE_REFUSED', path, message);
    }
  }
}

async function writeParts(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  let rest = parts.filter((part) => part.length > 0);
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest);
    let done = 0;
    while (done < rest.length && bytesWritten >= rest[done].length) bytesWritten -= rest[done++].length;
    rest = rest.slice(done);
    if (bytesWritten > 0) rest[0] = rest[0].subarray(bytesWritten);
  }
}

/** Writes one file beside its place. */
async function writeBeside({ path, parts }: OutputFile, existed: boolean, pending: Pending[]): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.anyrig-${process.pid}-${Date.now().toString(36)}-${pending.length}.tmp`);
  const file = await open(temporary, 'wx');
  pending.push({ path, temporary, existed, renamed: false });
  try {
    await writeParts(file, parts);
  } finally {
    await file.close();
  }
}

/** Takes back what was written: temporary files, and files that were not there before. */
async function takeBack(pending: readonly Pending[]): Promise<void> {
  for (const { path, temporary, existed, renamed } of pending) {
    if (!renamed) await rm(temporary, { force: true }).catch(() => undefined);
    else if (!existed) await rm(path, { force: true }).catch(() => undefined);
  }
}

/**
 * Writes files whole or not at all: each goes to a temporary file beside its place, and only when all are complete they
 * are renamed, in the order given: put a file that names others last. Those others are left alone where they are there
 * already with the same content. Folders are made. The files may be inputs that are
 * still in memory: nothing is written through them.
 *
 * @throws OutputError `OVERWRITE_REFUSED` when a file is in the way, `CANNOT_WRITE` when the system refuses.
 */
export async function writeFiles(files: readonly OutputFile[], options: WriteFilesOptions = {}): Promise<void> {
  const outputs = await withoutSame(files);
  const existed: boolean[] = [];
  for (const { path } of outputs) existed.push(await checkPlace(path, options.force ?? false));
  await checkInputs(outputs, options.inputs ?? []);
  const pending: Pending[] = [];
  let current = '';
  try {
    for (const [k, output] of outputs.entries()) {
      current = output.path;
      await writeBeside(output, existed[k], pending);
    }
    for (const file of pending) {
      current = file.path;
      await rename(file.temporary, file.path);
      file.renamed = true;
    }
  } catch (error) {
    await takeBack(pending);
    throw new OutputError('CANNOT_WRITE', current, `${current} cannot be written: ${systemReason(error)}`);
  }
}
