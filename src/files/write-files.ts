/** Writing files so that they are there whole or not at all. Node only. */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
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

/** Whether something is at the path. Throws OutputError when that is a folder, or may not be replaced. */
function checkPlace(path: string, force: boolean): boolean {
  let isFolder: boolean;
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return false;
    isFolder = found.isDirectory();
  } catch (error) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: ${systemReason(error)}`);
  }
  if (isFolder) {
    throw new OutputError('CANNOT_WRITE', path, `${path} cannot be written: it is a folder; name a file`);
  }
  if (!force) {
    throw new OutputError('OVERWRITE_REFUSED', path, `${path} exists already; use --force to replace it`);
  }
  return true;
}

/** Whether two outputs are the same file. */
function isSame(one: OutputFile, other: OutputFile): boolean {
  if (one.path !== other.path || one.parts.length !== other.parts.length) return false;
  return one.parts.every((part, k) => part === other.parts[k] || Buffer.compare(part, other.parts[k]) === 0);
}

/** The outputs without those that come again: what several of them name comes with each. */
function withoutRepeats(files: readonly OutputFile[]): OutputFile[] {
  const byPath = new Map<string, OutputFile[]>();
  for (const file of files) {
    const known = byPath.get(file.path) ?? [];
    if (!known.some((other) => isSame(file, other))) byPath.set(file.path, [...known, file]);
  }
  const kept = new Set([...byPath.values()].flat());
  return files.filter((file) => kept.has(file));
}

/** Whether a file holds exactly these parts. */
function holds(path: string, parts: readonly Uint8Array[]): boolean {
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

function checkTwice(outputs: readonly OutputFile[]): void {
  const taken = new Set<string>();
  for (const { path } of outputs) {
    const truth = truePath(path);
    if (taken.has(truth)) {
      throw new OutputError('CANNOT_WRITE', path, `${path} would be written twice; choose another name for the output`);
    }
    taken.add(truth);
  }
}

function checkInputs(outputs: readonly OutputFile[], inputs: readonly string[]): void {
  const truths = outputs.length > 1 ? new Set(inputs.map(truePath)) : new Set();
  for (const { path } of outputs.slice(0, -1)) {
    if (!truths.has(truePath(path))) continue;
    const message = `${path}, a file that comes with the output, would replace an input; choose another name or folder`;
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

/** Writes one file beside its place. */
function writeBeside({ path, parts }: OutputFile, existed: boolean, pending: Pending[]): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.anyrig-${process.pid}-${Date.now().toString(36)}-${pending.length}.tmp`);
  const file = openSync(temporary, 'wx');
  pending.push({ path, temporary, existed, renamed: false });
  try {
    writeParts(file, parts);
  } finally {
    closeSync(file);
  }
}

/** Takes back what was written: temporary files, and files that were not there before. */
function takeBack(pending: readonly Pending[]): void {
  for (const { path, temporary, existed, renamed } of pending) {
    if (renamed && existed) continue;
    try {
      rmSync(renamed ? path : temporary, { force: true });
    } catch {
      // The reason why it could not be written is what the caller hears.
    }
  }
}

/**
 * Writes files whole or not at all: each goes to a temporary file beside its place, and only when all are complete they
 * are renamed, in the order given: put a file that names others last. Those others are left alone where they are there
 * already with the same content, and may be given several times. Folders are made. The files may be inputs that are still in memory: nothing is written
 * through them. All is done at once, without letting other work in between.
 *
 * @throws OutputError `OVERWRITE_REFUSED` when a file is in the way, `CANNOT_WRITE` when the system refuses.
 */
export function writeFiles(files: readonly OutputFile[], options: WriteFilesOptions = {}): void {
  const given = withoutRepeats(files);
  checkTwice(given);
  const outputs = given.filter(({ path, parts }, k) => k === given.length - 1 || !holds(path, parts));
  const existed = outputs.map(({ path }) => checkPlace(path, options.force ?? false));
  checkInputs(outputs, options.inputs ?? []);
  const pending: Pending[] = [];
  let current = '';
  try {
    for (const [k, output] of outputs.entries()) {
      current = output.path;
      writeBeside(output, existed[k], pending);
    }
    for (const file of pending) {
      current = file.path;
      renameSync(file.temporary, file.path);
      file.renamed = true;
    }
  } catch (error) {
    takeBack(pending);
    throw new OutputError('CANNOT_WRITE', current, `${current} cannot be written: ${systemReason(error)}`);
  }
}
