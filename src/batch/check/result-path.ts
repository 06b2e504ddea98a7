/** Paths of results: relative to the output folder, with slashes, and never out of it. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of journals, temporary files and records, below the output folder. */
export const STATE_FOLDER = '.anyrig';

/** Characters that separate names or end them; on Windows also those of drives and streams. Elsewhere they are letters as all others. */
const SEPARATORS = process.platform === 'win32' ? /[/\\:\0]/ : /[/\0]/;

export function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !SEPARATORS.test(name);
}

export function isResultPath(path: string): boolean {
  const names = path.split('/');
  return names.every(isFileName) && names[0].toLowerCase() !== STATE_FOLDER;
}

/** Returns the kind of a path; links are not followed. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | null {
  try {
    const found = lstatSync(path);
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  } catch {
    return null;
  }
}

/**
 * Finds the first link, or file, among the folders of a result. Returns path of what is there instead of a folder; null when the result is really
 * below the output folder.
 */
export function obstacleOf(folder: string, path: string): string | null {
  const names = path.split('/');
  for (let k = 1; k < names.length; k++) {
    const parent = join(folder, ...names.slice(0, k));
    const kind = kindOf(parent);
    if (kind === null) return null;
    if (kind !== 'folder') return parent;
  }
  return null;
}
