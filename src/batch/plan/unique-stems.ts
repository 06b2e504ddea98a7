/** Names of outputs after their inputs. */
import { createHash } from 'node:crypto';
import { stemOf } from '../../files/clips/clip-names.ts';

/** Digits of a hash that tell files with equal names apart. */
const DIGITS = 8;

/** Replaces what file systems reject in a file name. */
function toFileName(name: string): string {
  const safe = name.replace(/[\p{Cc}<>:"/\\|?*]/gu, '_').replace(/[. ]+$/, '');
  return safe === '' ? '_' : safe.slice(0, 120);
}

/** Names of a path, from the shortest to one that no other path has. */
function candidates(path: string): string[] {
  const parts = path.split(/[/\\]/).filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const stem = stemOf(name);
  const hash = createHash('sha256').update(path).digest('hex').slice(0, DIGITS);
  return [stem, name, [...parts.slice(-2, -1), name].join('-'), `${stem}-${hash}`].map(toFileName);
}

/**
 * Names files after their paths: by the file name without extension; where several have the same, with the extension, the folder or a hash of the path. The
 * order of the paths does not matter, and upper and lower case are the same.
 *
 * @param paths Different paths.
 * @returns One name per path.
 */
export function uniqueStems(paths: readonly string[]): Map<string, string> {
  const choices = new Map(paths.map((path) => [path, candidates(path)]));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let left = [...choices.keys()];
  for (let level = 0; left.length > 0; level++) {
    const nameOf = (path: string): string => choices.get(path)?.[level] ?? path.replace(/[/\\:]/g, '_');
    const counts = new Map<string, number>();
    for (const path of left) counts.set(nameOf(path).toLowerCase(), (counts.get(nameOf(path).toLowerCase()) ?? 0) + 1);
    const isFree = (path: string): boolean => {
      const name = nameOf(path).toLowerCase();
      return (counts.get(name) === 1 && !taken.has(name)) || level > 3;
    };
    for (const path of left.filter(isFree)) names.set(path, nameOf(path));
    for (const name of names.values()) taken.add(name.toLowerCase());
    left = left.filter((path) => !names.has(path));
  }
  return names;
}
