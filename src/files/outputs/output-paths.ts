import { type ClipNameParts, expandTemplate } from '../clips/clip-names.ts';
import { OptionError } from '../option-error.ts';
import { fitFileName, numberPath, safeFileName } from './file-names.ts';
import type { OutputFile } from './output-file.ts';
import { holdsOneClip, outputFormat } from './output-format.ts';

export function isTemplate(output: string): boolean {
  return output.includes('{');
}

/** Rejects unknown placeholders and extensions in a path. Throws OptionError (`output`). */
export function checkTemplate(output: string): void {
  outputFormat(output);
  expandTemplate(output, { clip: '', file: '', character: '', index: 0 }, 'output');
}

/** A segment of a path, in which braces may hold anything. */
const SEGMENT = /(?:\{[^{}]*\}|[^/\\])+/g;

/** Fills a path without extension. What comes from files stays in its segment of the path, and segments fit file systems; literal segments stay. */
function fillPath(template: string, parts: ClipNameParts): string {
  const safe = {
    ...parts,
    clip: safeFileName(parts.clip),
    file: safeFileName(parts.file),
    character: safeFileName(parts.character),
  };
  return template.replace(SEGMENT, (segment) =>
    isTemplate(segment) ? fitFileName(expandTemplate(segment, safe, 'output')) : segment,
  );
}

/**
 * Assigns clips to output files. A path with `{clip}`, `{file}`, `{character}` or `{index}` gives one file per clip, numbered where names repeat;
 * any other path gives one file for all clips. Throws OptionError (`output`) for several clips in a format that holds one, and for unknown
 * placeholders.
 */
export function outputGroups(
  output: string,
  clips: readonly ClipNameParts[],
  taken: Set<string> = new Set(),
): { readonly path: string; readonly clips: readonly number[] }[] {
  const format = outputFormat(output);
  if (!isTemplate(output)) {
    if (holdsOneClip(format) && clips.length > 1) {
      const message = `There are ${clips.length} clips, but a .${format} file holds one; include {clip} in the path to write one file per clip, such as ${output.replace(/(\.[^.]*)$/, '-{clip}$1')}, or choose one clip`;
      throw new OptionError('output', message);
    }
    return [{ path: output, clips: [...clips.keys()] }];
  }
  return clips.map((parts, index) => {
    const end = output.lastIndexOf('.');
    return { path: numberPath(fillPath(output.slice(0, end), parts), taken) + output.slice(end), clips: [index] };
  });
}

export function pathsOf(files: readonly Pick<OutputFile, 'path'>[]): string[] {
  return [...new Set(files.map(({ path }) => path))];
}

/** Resolves a path relative to the folder of another file. `relative`: path relative to the folder of that file. */
export function siblingPath(path: string, relative: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return path.slice(0, end) + relative;
}
