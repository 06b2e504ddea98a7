/** What retargeted clips are called. */
import { OptionError } from './option-error.ts';

/** Names that tools give every clip, so that they say nothing. */
const EMPTY_NAMES = new Set(['', 'mixamo.com', 'take 001']);

/** What a template may contain. */
export interface ClipNameParts {
  /** Name of the clip in its file; the file's stem where that says nothing. */
  readonly clip: string;
  /** Stem of the motion file. */
  readonly file: string;
  /** Stem of the character file. */
  readonly character: string;
  /** Index of the clip in its file. */
  readonly index: number;
}

/** The file name without folders and extension: `walk` of `motions/walk.glb`. */
export function stemOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Whether a name says nothing, so that a clip is called like its file. */
export function isEmptyName(name: string): boolean {
  return EMPTY_NAMES.has(name.trim().toLowerCase());
}

/** A clip's own name; the stem of its file where that is empty, `mixamo.com` or `Take 001`. */
export function defaultClipName(name: string, file: string): string {
  return isEmptyName(name) ? stemOf(file) : name;
}

/**
 * A name by a template with `{clip}`, `{file}`, `{character}` and `{index}`. OptionError, for the option that holds the template,
 * for anything else in braces.
 */
export function expandTemplate(template: string, parts: ClipNameParts, option = 'name'): string {
  return template.replace(/\{([^{}]*)\}/g, (_, key: string) => {
    if (Object.hasOwn(parts, key)) return String(parts[key as keyof ClipNameParts]);
    throw new OptionError(option, `the template has {${key}}; there are {clip}, {file}, {character} and {index}`);
  });
}

/** The name, or with the first free number behind it: `walk`, `walk 2`, `walk 3`. It is taken afterwards. */
export function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  taken.add(free);
  return free;
}

/** A name a clip by a template; where one is taken already, with a number behind it. */
export function uniqueNames(
  template: string,
  clips: readonly ClipNameParts[],
  takenNames: readonly string[],
): string[] {
  const taken = new Set(takenNames);
  return clips.map((parts) => takeName(expandTemplate(template, parts) || parts.file, taken));
}
