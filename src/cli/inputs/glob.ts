/** Patterns of paths, for shells that do not expand them: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for folders of any depth. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Most paths that the alternatives in braces may expand to. */
const MOST_ALTERNATIVES = 1000;

export function isPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** Splits `a{b,c{d,e}}f` at the first outer brace. Returns null without a brace that has its counterpart and a comma. */
function splitBraces(pattern: string): { before: string; choices: string[]; after: string } | null {
  const open = pattern.indexOf('{');
  if (open < 0) return null;
  const choices: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === '{') depth++;
    if (pattern[i] === '}') depth--;
    const isEnd = depth === 0;
    if (!isEnd && !(depth === 1 && pattern[i] === ',')) continue;
    choices.push(pattern.slice(start, i));
    start = i + 1;
    if (isEnd)
      return choices.length > 1 ? { before: pattern.slice(0, open), choices, after: pattern.slice(start) } : null;
  }
  return null;
}

/** Expands alternatives in braces: `walk{,-fast}.{fbx,bvh}` gives four patterns. */
export function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const next = patterns.flatMap((one) => {
      const found = splitBraces(one);
      return found === null ? [one] : found.choices.map((choice) => found.before + choice + found.after);
    });
    if (next.length > MOST_ALTERNATIVES) return [pattern];
    if (next.length === patterns.length) return next;
    patterns = next;
  }
}

/** Converts a set such as `[!a-c]` to the source of a regular expression; null if it is not closed. */
function setSource(segment: string, start: number): { source: string; end: number } | null {
  const isNegated = segment[start + 1] === '!' || segment[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  // A bracket directly after the opening one is a member of the set.
  const end = segment.indexOf(']', first + 1);
  if (end < 0) return null;
  const members = segment.slice(first, end).replace(/[\\\]^[]/g, '\\$&');
  return { source: `[${isNegated ? '^' : ''}${members}]`, end };
}

/** Converts one segment of a pattern, without slashes, to a regular expression. Names with a leading dot match only patterns with a leading dot. */
export function segmentMatcher(segment: string, ignoresCase: boolean): RegExp {
  let source = segment.startsWith('.') ? '' : '(?!\\.)';
  for (let i = 0; i < segment.length; i++) {
    const set = segment[i] === '[' ? setSource(segment, i) : null;
    if (set !== null) {
      source += set.source;
      i = set.end;
    } else if (segment[i] === '*') source += '.*';
    else if (segment[i] === '?') source += '.';
    else source += segment[i].replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  try {
    return new RegExp(`^${source}$`, ignoresCase ? 'isu' : 'su');
  } catch {
    // An invalid range such as [z-a] matches nothing.
    return /(?!)/;
  }
}

/** Lists a folder by name; empty for what cannot be listed. */
function listFolder(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isKind(path: string, kind: 'file' | 'folder'): boolean {
  try {
    const found = statSync(path);
    return kind === 'file' ? found.isFile() : found.isDirectory();
  } catch {
    return false;
  }
}

/** Finds the files of a pattern below a folder. `**` does not follow symbolic links, which can form cycles. */
function find(folder: string, segments: readonly string[], ignoresCase: boolean, found: Set<string>): void {
  const [segment, ...rest] = segments;
  const at = (name: string): string => (folder === '' ? name : join(folder, name));
  if (segment === '**') {
    if (rest.length > 0) find(folder, rest, ignoresCase, found);
    for (const entry of listFolder(folder)) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) find(at(entry.name), segments, ignoresCase, found);
      else if (rest.length === 0 && isKind(at(entry.name), 'file')) found.add(at(entry.name));
    }
    return;
  }
  const isLast = rest.length === 0;
  const path = at(segment);
  // A name that exists is taken literally, like one without the characters of patterns.
  if (!isPattern(segment) || isKind(path, isLast ? 'file' : 'folder')) {
    if (!isLast) find(path, rest, ignoresCase, found);
    else if (isKind(path, 'file')) found.add(path);
    return;
  }
  const matcher = segmentMatcher(segment, ignoresCase);
  for (const { name } of listFolder(folder)) {
    if (!matcher.test(name)) continue;
    if (!isLast && isKind(at(name), 'folder')) find(at(name), rest, ignoresCase, found);
    if (isLast && isKind(at(name), 'file')) found.add(at(name));
  }
}

export function listFiles(folder: string): string[] {
  const names = listFolder(folder).map(({ name }) => name);
  return names
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(folder, name))
    .filter((path) => isKind(path, 'file'));
}

/**
 * Finds the files that a pattern matches. Returns paths relative to the working folder, or absolute like the pattern; sorted within each folder,
 * each once.
 */
export function findFiles(pattern: string, ignoresCase: boolean): string[] {
  const found = new Set<string>();
  for (const one of expandBraces(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern)) {
    const [root] = (sep === '\\' ? /^(?:[A-Za-z]:)?\/*/ : /^\/*/).exec(one) ?? [''];
    const segments = one.slice(root.length).split('/');
    find(
      root,
      segments.filter((segment) => segment !== '' && segment !== '.'),
      ignoresCase,
      found,
    );
  }
  return [...found];
}
