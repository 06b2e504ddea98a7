/** Where clips go: all into one file, or each into a file of its own by a template. */
import { type ClipNameParts, expandTemplate, takeName } from './clip-names.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { holdsOneClip, outputFormat } from './output-format.ts';

/** One output file, and the clips in it by their index. */
export interface OutputGroup {
  readonly path: string;
  readonly clips: readonly number[];
}

/** Whether a path has a place for the name of a clip. */
export function isTemplate(output: string): boolean {
  return output.includes('{');
}

/** What file systems take for something else than a part of a name: separators, drives, control characters, dots alone. */
function fileName(name: string): string {
  const safe = name.replace(/[\p{Cc}<>:"/\\|?*]/gu, '_').replace(/[. ]+$/, '');
  return safe === '' ? '_' : safe.slice(0, 120);
}

/**
 * The files of clips: with `{clip}`, `{file}`, `{character}` or `{index}` in the path one a clip, numbered where the names are equal; else one
 * for all of them.
 *
 * @throws OptionError when one file has to hold several clips and cannot, or for other words in braces.
 */
export function outputGroups(output: string, clips: readonly ClipNameParts[]): OutputGroup[] {
  const format = outputFormat(output);
  if (!isTemplate(output)) {
    if (holdsOneClip(format) && clips.length > 1) {
      const message = `a .${format} holds one clip and there are ${clips.length}; put {clip} into the path for a file each, or choose one`;
      throw new OptionError('output', message);
    }
    return [{ path: output, clips: [...clips.keys()] }];
  }
  const taken = new Set<string>();
  return clips.map((parts, index) => {
    const safe = {
      ...parts,
      clip: fileName(parts.clip),
      file: fileName(parts.file),
      character: fileName(parts.character),
    };
    const path = expandTemplate(output, safe, 'output');
    const end = path.lastIndexOf('.');
    return { path: `${takeName(path.slice(0, end), taken)}${path.slice(end)}`, clips: [index] };
  });
}

/** Of the files of an output those that hold clips, not what they name: those with its extension that do not come along. */
export function mainPaths(files: readonly OutputFile[], output: string): string[] {
  const extension = output.slice(output.lastIndexOf('.'));
  return files.flatMap(({ path, comesAlong = false }) => (path.endsWith(extension) && !comesAlong ? [path] : []));
}

/** Path of a file below the folder of another. */
export function beside(path: string, relative: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return path.slice(0, end) + relative;
}
