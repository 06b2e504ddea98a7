import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { OutputError } from '../outputs/output-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { writeReason } from '../reports/system-reason.ts';
import { isProcessRunning } from './is-process-running.ts';

/** How files are written. */
export interface WriteFilesOptions {
  /** Replace existing files. */
  readonly force?: boolean;
  /** Paths of the input files. Only the last output, which the user named, may replace one of them (with `force`); its dependencies never do. */
  readonly inputs?: readonly string[];
  /** Paths that no output may replace, even with `force`: inputs that are still to be read. */
  readonly unread?: readonly string[];
}

/** An output that is being written. */
interface Pending {
  readonly path: string;
  readonly temporary: string;
  readonly existed: boolean;
  renamed: boolean;
}

/** Resolves the symbolic links of a path; the file itself need not exist. */
function truePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(resolve(path));
    try {
      return join(realpathSync(folder), basename(path));
    } catch {
      return join(folder, basename(path));
    }
  }
}

/** Checks that a path may be written, and returns whether a file exists there. */
function checkReplaceable(path: string, force: boolean): boolean {
  let isFolder: boolean;
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return false;
    isFolder = found.isDirectory();
  } catch (error) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: ${writeReason(error)}`);
  }
  if (isFolder) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: it is a folder; choose a file name`);
  }
  if (!force) {
    throw new OutputError('OVERWRITE_REFUSED', path, `${path} already exists; use the option force to replace it`);
  }
  return true;
}

function isSame(one: OutputFile, other: OutputFile): boolean {
  if (one.path !== other.path || one.parts.length !== other.parts.length) return false;
  return one.parts.every((part, k) => part === other.parts[k] || Buffer.compare(part, other.parts[k]) === 0);
}

/** Removes duplicates: a dependency of several outputs is listed once per output. */
function withoutDuplicates(files: readonly OutputFile[]): OutputFile[] {
  const byPath = new Map<string, OutputFile[]>();
  for (const file of files) {
    const known = byPath.get(file.path) ?? [];
    if (!known.some((other) => isSame(file, other))) byPath.set(file.path, [...known, file]);
  }
  const kept = new Set([...byPath.values()].flat());
  return files.filter((file) => kept.has(file));
}

function hasContent(path: string, parts: readonly Uint8Array[]): boolean {
  try {
    if (statSync(path).size !== parts.reduce((sum, part) => sum + part.length, 0)) return false;
    const content = readFileSync(path);
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

function checkUnique(outputs: readonly OutputFile[]): void {
  const taken = new Set<string>();
  for (const { path } of outputs) {
    const truth = truePath(path);
    if (taken.has(truth)) {
      throw new OutputError('CANNOT_WRITE', path, `${path} would be written twice; choose another output name`);
    }
    taken.add(truth);
  }
}

/** Checks files that would be replaced: dependencies may not be inputs, and no file may be an input that is still to be read. */
function checkInputs(
  replaced: readonly OutputFile[],
  main: OutputFile | undefined,
  { inputs = [], unread = [] }: WriteFilesOptions,
): void {
  const dependencies = replaced.filter((file) => file !== main);
  const truths = new Set(dependencies.length > 0 ? inputs.map(truePath) : []);
  for (const { path } of dependencies) {
    if (!truths.has(truePath(path))) continue;
    const message = `${path}, a file that the output references, would replace an input; choose another name or folder`;
    throw new OutputError('OVERWRITE_REFUSED', path, message);
  }
  const later = new Set(replaced.length > 0 ? unread.map(truePath) : []);
  for (const { path } of replaced) {
    if (!later.has(truePath(path))) continue;
    const message = `${path} would replace an input that is still to be read; choose another name or folder`;
    throw new OutputError('OVERWRITE_REFUSED', path, message);
  }
}

function writeParts(file: number, parts: readonly Uint8Array[]): void {
  let rest = parts.filter((part) => part.length > 0);
  while (rest.length > 0) {
    let written = writevSync(file, rest);
    let done = 0;
    while (done < rest.length && written >= rest[done].length) written -= rest[done++].length;
    rest = rest.slice(done);
    if (written > 0) rest[0] = rest[0].subarray(written);
  }
}

/** This machine in the names of temporary files: the numbers of processes on other machines mean nothing here. */
const HOST =
  hostname()
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 32) || 'host';
const TEMPORARY = /^\.anyrig-([A-Za-z0-9]+)-(\d+)-[0-9a-z]+-\d+\.tmp$/;
/** Folders without temporary files of processes that ended; each is searched once. */
const cleanFolders = new Set<string>();

/** Removes temporary files of processes of this machine that were ended while they wrote. */
function removeLeftovers(folder: string): void {
  const whole = resolve(folder);
  if (cleanFolders.has(whole)) return;
  cleanFolders.add(whole);
  try {
    for (const name of readdirSync(whole)) {
      const [, host, pid] = TEMPORARY.exec(name) ?? [];
      if (host === HOST && !isProcessRunning(Number(pid))) rmSync(join(whole, name), { force: true });
    }
  } catch {
    // A folder that cannot be listed or cleaned can still be written to.
  }
}

function writeTemporary({ path, parts }: OutputFile, existed: boolean, pending: Pending[]): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  removeLeftovers(folder);
  const temporary = join(folder, `.anyrig-${HOST}-${process.pid}-${Date.now().toString(36)}-${pending.length}.tmp`);
  const file = openSync(temporary, 'wx');
  pending.push({ path, temporary, existed, renamed: false });
  try {
    writeParts(file, parts);
  } finally {
    closeSync(file);
  }
}

/** Removes temporary files and files that did not exist before. */
function rollBack(pending: readonly Pending[]): void {
  for (const { path, temporary, existed, renamed } of pending) {
    if (renamed && existed) continue;
    try {
      rmSync(renamed ? path : temporary, { force: true });
    } catch {
      // The caller gets the error of the write, which matters more.
    }
  }
}

/**
 * Writes all files or none: each goes to a temporary file in its folder, and once all are complete they are renamed in the given order. Put a file
 * after the files that it references. Referenced files that exist with the same content are left alone, and may be listed several times. Missing
 * folders are created. Temporary files of processes that were ended while they wrote are removed. Runs synchronously. Existing files are replaced,
 * never modified in place. Throws OutputError `OVERWRITE_REFUSED` for an existing file without `force`, or for a dependency that would replace an
 * input; `CANNOT_WRITE` for folders, duplicates, and errors of the operating system.
 */
export function writeFilesSync(files: readonly OutputFile[], options: WriteFilesOptions = {}): void {
  const wanted = withoutDuplicates(files);
  checkUnique(wanted);
  const outputs = wanted.filter(({ path, parts }, k) => k === wanted.length - 1 || !hasContent(path, parts));
  const existed = outputs.map(({ path }) => checkReplaceable(path, options.force ?? false));
  checkInputs(
    outputs.filter((_, k) => existed[k]),
    outputs.at(-1),
    options,
  );
  const pending: Pending[] = [];
  let current = '';
  try {
    for (const [k, output] of outputs.entries()) {
      current = output.path;
      writeTemporary(output, existed[k], pending);
    }
    for (const file of pending) {
      current = file.path;
      renameSync(file.temporary, file.path);
      file.renamed = true;
    }
  } catch (error) {
    rollBack(pending);
    throw new OutputError('CANNOT_WRITE', current, `${current} cannot be written: ${writeReason(error)}`);
  }
}
