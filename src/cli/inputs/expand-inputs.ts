/** Arguments that stand for several files: patterns, folders, and lists of paths. */
import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { FormatError } from '../../core/report/format-error.ts';
import { decodeText } from '../../core/text/decode-text.ts';
import { INPUT_EXTENSIONS, listFormats } from '../../files/detect.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { InputError, UsageError } from '../errors/cli-errors.ts';
import { blame } from '../open-input.ts';
import { findFiles, isPattern, listFiles } from './glob.ts';

/** Whether the usual file system of this system takes upper and lower case as the same. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates a test for the files that a path template could have written. */
function outputMatcher(output: string): (path: string) => boolean {
  const escaped = resolve(output).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const source = escaped.replace(/\\\{(?:clip|file|character|index)\\\}/g, '[^/\\\\]*');
  const pattern = new RegExp(`^${source}$`, IGNORES_CASE ? 'i' : '');
  return (path) => pattern.test(resolve(path));
}

function isReadable(path: string): boolean {
  return INPUT_EXTENSIONS.includes(extname(path).toLowerCase());
}

/** Reads a list of paths, one per line. Empty lines and lines that start with # are skipped. */
async function readList(path: string): Promise<string[]> {
  const { text } = await blame(path, () => decodeText(readInputSync(path), 'FORMAT_UNKNOWN'));
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Finds the files of a folder or pattern that have an extension of an input. */
function candidates(arg: string): string[] {
  return (isFolder(arg) ? listFiles(arg) : findFiles(arg, IGNORES_CASE)).filter(isReadable);
}

function noFile(arg: string, skipped: number): InputError {
  const what = isFolder(arg) ? `The folder ${arg} contains` : `The pattern ${arg} matches`;
  const found =
    skipped > 0
      ? `${what} only files that this command writes or reads as something else. Write to another folder, or name the files.`
      : `${what} no file with an extension that anyrig reads: ${listFormats(INPUT_EXTENSIONS, 'or')}.`;
  return new InputError(arg, new FormatError('FILE_NOT_FOUND', found));
}

/**
 * Replaces patterns (`*`, `?`, `[a-z]`, `{a,b}`, `**`), folders and lists (`@list.txt`) by the files that they stand for. A path that exists as a
 * file is taken literally. Patterns and folders stand for the files with an extension that can be read, a folder without its subfolders. The paths of
 * a list are relative to the working folder, and may be patterns and folders. Throws InputError for a list that cannot be read, and for a pattern or
 * folder without files. `output`: path or template of results of earlier runs, and `except`: inputs with another role, such as the character; neither a
 * pattern nor a folder stands for them. Returns the paths of the `files`, in the order of the arguments, sorted within each; `outputs`: those that were skipped
 * because the output matches them.
 */
export async function expandInputs(
  args: readonly string[],
  { output, except }: { readonly output: string; readonly except: readonly string[] },
): Promise<{ files: readonly string[]; outputs: readonly string[] }> {
  const isOutput = outputMatcher(output);
  const others = new Set(except.map((path) => resolve(path)));
  const outputs = new Set<string>();
  const expand = (arg: string): string[] => {
    // Batches list object storage themselves.
    if (arg.startsWith('s3://')) return [arg];
    if (existsSync(arg) ? !isFolder(arg) : !isPattern(arg)) return [arg];
    const all = candidates(arg);
    for (const path of all) if (isOutput(path) && !others.has(resolve(path))) outputs.add(path);
    const files = all.filter((path) => !isOutput(path) && !others.has(resolve(path)));
    if (files.length === 0) throw noFile(arg, all.length);
    return files;
  };
  const files: string[] = [];
  for (const arg of args) {
    const isList = arg.startsWith('@') && arg.length > 1 && !existsSync(arg);
    for (const one of isList ? await readList(arg.slice(1)) : [arg]) files.push(...expand(one));
  }
  return { files, outputs: [...outputs] };
}

/**
 * Replaces a pattern by the only file that it matches. Throws InputError for a pattern that matches no file; UsageError for one that matches
 * several.
 */
export function expandSingleInput(arg: string): string {
  if (existsSync(arg) || !isPattern(arg)) return arg;
  const files = candidates(arg);
  if (files.length === 0) throw noFile(arg, 0);
  if (files.length === 1) return files[0];
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ', …' : ''}`;
  throw new UsageError(
    `The pattern ${arg} matches ${files.length} files (${named}); expected one file. Name the file.`,
  );
}
