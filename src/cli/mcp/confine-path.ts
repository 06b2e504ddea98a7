/** Confines the paths of tool calls to the folders that the server was started with: whoever calls the tools can name any path. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { FormatError } from '../../core/report/format-error.ts';
import { isInside } from '../../files/node/read-input.ts';
import { OptionError } from '../../files/option-error.ts';
import { systemReason } from '../../files/reports/system-reason.ts';
import { InputError, UsageError } from '../errors/cli-errors.ts';

export interface ServedFolder {
  /** Absolute path as it was named. */
  readonly path: string;
  /** The same with links resolved. */
  readonly truth: string;
}

/** An address; on Windows, `C:` is none. */
const URL_START = /^(?:[a-z][\w+.-]*:\/\/|(?:data|file):)/i;

/** Finds the folders that a command line names. Throws UsageError for a path that is no folder. */
export function findServedFolders(paths: readonly string[]): readonly ServedFolder[] {
  return paths.map((named) => {
    const path = resolve(named);
    let reason = 'it is not a folder';
    try {
      if (statSync(path).isDirectory()) return { path, truth: realpathSync(path) };
    } catch (error) {
      reason = systemReason(error);
    }
    throw new UsageError(`${JSON.stringify(named)} cannot be served: ${reason}; expected a folder`);
  });
}

function refusal(folders: readonly ServedFolder[], argument: string, path: string, what: string): OptionError {
  const expected = `a path inside ${folders.map((folder) => folder.path).join(' or ')}`;
  return new OptionError(
    argument,
    `${argument} is ${JSON.stringify(path)}, ${what}; expected ${expected}, without hidden files and folders`,
  );
}

/** Checks that a path is inside a folder, with no hidden part below it. */
function checkInside(folders: readonly string[], path: string): string | null {
  const folder = folders.find((one) => isInside(one, path));
  if (folder === undefined) return 'which is outside of the folders of this server';
  const isHidden = relative(folder, path)
    .split(sep)
    .some((part) => part.startsWith('.'));
  return isHidden ? 'which is hidden' : null;
}

/** Resolves a path by its text, before anything is asked of the disk: on Windows, that can reach other machines. */
function resolveInside(folders: readonly ServedFolder[], argument: string, path: string): string {
  const refuse = (what: string): OptionError => refusal(folders, argument, path, what);
  if (path === '' || path.includes('\0')) throw refuse('which is no path');
  if (URL_START.test(path)) throw refuse('which is a URL');
  const whole = resolve(folders[0].path, path);
  const wrong = checkInside(
    folders.flatMap((folder) => [folder.path, folder.truth]),
    whole,
  );
  if (wrong !== null) throw refuse(wrong);
  return whole;
}

function checkTruth(folders: readonly ServedFolder[], argument: string, path: string, truth: string): void {
  const wrong = checkInside(
    folders.map((folder) => folder.truth),
    truth,
  );
  if (wrong !== null) throw refusal(folders, argument, path, `${wrong} once links are resolved`);
}

/**
 * Resolves the path of a file to read. Relative paths start at the first folder. Returns its absolute path without links. Throws OptionError for a
 * path outside of the folders, also through links, and for hidden files; InputError for no regular file.
 */
export function inputPath(folders: readonly ServedFolder[], argument: string, path: string): string {
  const whole = resolveInside(folders, argument, path);
  const unreadable = (reason: string): InputError =>
    new InputError(path, new FormatError('FILE_NOT_FOUND', `The file cannot be read: ${reason}`));
  let truth: string;
  try {
    truth = realpathSync(whole);
  } catch (error) {
    throw unreadable(systemReason(error));
  }
  checkTruth(folders, argument, path, truth);
  // A pipe would be read forever.
  if (!statSync(truth).isFile()) throw unreadable('it is not a regular file');
  return truth;
}

/** Resolves the links of a folder, as far as it exists; null where a link leads nowhere. */
function trueFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
    const parent = trueFolder(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  }
}

/**
 * Resolves the path of a file to write, which need not exist. Relative paths start at the first folder. The file itself may be a link: links are
 * replaced and not followed. Returns its absolute path without links. Throws OptionError for a path outside of the folders, also through links, and
 * for hidden files.
 */
export function outputPath(folders: readonly ServedFolder[], argument: string, path: string): string {
  const whole = resolveInside(folders, argument, path);
  const folder = trueFolder(dirname(whole));
  if (folder === null) throw refusal(folders, argument, path, 'whose folder is a link that leads nowhere');
  const truth = join(folder, basename(whole));
  checkTruth(folders, argument, path, truth);
  return truth;
}
