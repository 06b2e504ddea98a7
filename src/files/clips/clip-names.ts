import { uniqueName } from '../../core/text/unique-name.ts';
import { OptionError } from '../option-error.ts';

/** Names that exporters give to every clip, which therefore identify none. */
const GENERIC_NAMES = new Set(['', 'mixamo.com', 'take 001']);

export interface ClipNameParts {
  /** `{clip}`: name of the clip in its file, or the stem of the file where that name is generic. */
  readonly clip: string;
  /** `{file}`: stem of the motion file. */
  readonly file: string;
  /** `{character}`: stem of the character file. */
  readonly character: string;
  /** `{index}`: index of the clip in its file. */
  readonly index: number;
}

export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Returns a file name without folders and extension, such as `walk` of `motions/walk.glb`. */
export function stemOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Checks for a clip name that does not identify the clip: empty, `mixamo.com` or `Take 001`. */
export function isGenericName(name: string): boolean {
  return GENERIC_NAMES.has(name.trim().toLowerCase());
}

/** Returns the name of a clip, or the stem of its file where the name is generic. */
export function defaultClipName(name: string, file: string): string {
  return isGenericName(name) ? stemOf(file) : name;
}

/** Fills the placeholders of a template. Throws OptionError for an unknown placeholder. */
export function expandTemplate(template: string, parts: ClipNameParts, option = 'name'): string {
  return template.replace(/\{([^{}]*)\}/g, (_, key: string) => {
    if (Object.hasOwn(parts, key)) return String(parts[key as keyof ClipNameParts]);
    throw new OptionError(option, `The template contains {${key}}; use {clip}, {file}, {character} or {index}`);
  });
}

/** Makes a name unique by appending a free number: `walk`, `walk 2`, `walk 3`. */
export function makeUnique(name: string, taken: Set<string>): string {
  const unique = uniqueName(name, (one) => taken.has(one), ' ', 2);
  taken.add(unique);
  return unique;
}

/** Names clips by a template and numbers repeated names. Throws OptionError (`name`) for an unknown placeholder. */
export function uniqueNames(template: string, clips: readonly ClipNameParts[], taken: Set<string>): string[] {
  return clips.map((parts) => makeUnique(expandTemplate(template, parts) || parts.file, taken));
}
