/** Names of outputs after their inputs. */
import { stemOf } from '../../files/clips/clip-names.ts';
import { fileNameKey, safeFileName } from '../../files/outputs/file-names.ts';
import { sha256 } from '../sha256.ts';

/** Digits of a hash that tell files with equal names apart. */
const DIGITS = 8;

/**
 * The first level at which the whole hash is in the name. Higher levels take other hashes, for a file that is called like the name of another one.
 * UTF-16 tells lone surrogates apart, which are all the same in UTF-8.
 */
const WHOLE_HASH = 4;

/** Names a path, from the shortest name at level 0 to those that no other path has. No name starts with a dot, as the folder of the journal does. */
function nameAt(path: string, level: number): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '');
  const name = (parts.at(-1) ?? '').replace(/^\./, '_');
  const stem = stemOf(name);
  if (level === 0) return safeFileName(stem);
  if (level === 1) return safeFileName(name);
  if (level === 2) return safeFileName([...parts.slice(-2, -1), name].join('-').replace(/^\./, '_'));
  const end =
    level < WHOLE_HASH ? `-${sha256(path).slice(0, DIGITS)}` : `-${sha256(Buffer.from(`${level} ${path}`, 'utf16le'))}`;
  return safeFileName(stem, end.length) + end;
}

/**
 * Names files after their paths: by the file name without extension; where several have the same, with the extension, the folder or a hash of the path. The
 * order of the paths does not matter, and names that are one file on some system are the same.
 */
export function uniqueStems(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let left = [...new Set(paths)];
  for (let level = 0; left.length > 0; level++) {
    const found = left.map((path) => {
      const name = nameAt(path, level);
      return { path, name, key: fileNameKey(name) };
    });
    const counts = new Map<string, number>();
    for (const { key } of found) counts.set(key, (counts.get(key) ?? 0) + 1);
    const free = found.filter(({ key }) => counts.get(key) === 1 && !taken.has(key));
    for (const { path, name, key } of free) {
      names.set(path, name);
      taken.add(key);
    }
    left = left.filter((path) => !names.has(path));
  }
  return names;
}
