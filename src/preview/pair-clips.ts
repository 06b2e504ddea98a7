/** Which clips of a file are drawn, and of two files which belong together. */
import { type ChosenClip, chooseClips } from '../files/clips/choose-clips.ts';
import { defaultClipName } from '../files/clips/clip-names.ts';
import type { OpenFile } from '../files/open.ts';

/** A clip of a file. */
export interface FileClip extends ChosenClip {
  /** Index of the file. */
  readonly file: number;
}

/** A clip, or a motion and what became of it. */
export type ClipGroup = readonly [FileClip] | readonly [motion: FileClip, result: FileClip];

/**
 * The clip that retargeting made of one: the last that has its name (or the one that `retarget` gives to clips without a
 * name), as it is or numbered, as `retarget` does where the character has a clip of that name.
 */
function namesake(
  { name: file, asset }: OpenFile,
  { clip }: FileClip,
  others: readonly FileClip[],
): FileClip | undefined {
  const given = defaultClipName(clip.name, file);
  const own = new Set(asset.clips.map(({ name }) => name));
  return others.findLast(({ clip: { name } }) => {
    if (name === clip.name || name === given) return true;
    return name.startsWith(`${given} `) && /^\d+$/.test(name.slice(given.length + 1)) && !own.has(name);
  });
}

/**
 * Clips in groups that are drawn below each other. Of one file every clip is a group. Of two, each clip of the first with that
 * of the second that has its name; where no names agree, the first with the last (which is where `retarget` adds it); where
 * only one of the files has clips, each alone. `selectors` (names or indices) leave only these clips.
 *
 * @throws OptionError when a selector takes no clip although there are clips.
 */
export function pairClips(files: readonly OpenFile[], selectors: readonly (string | number)[]): ClipGroup[] {
  const chosen = chooseClips(files, selectors).map((clips, file) => clips.map((clip): FileClip => ({ ...clip, file })));
  if (files.length < 2) return chosen.flat().map((clip) => [clip]);
  const [motions, results] = chosen;
  const others = files[1].asset.clips.map((clip, index): FileClip => ({ clip, index, file: 1 }));
  const pairs = motions.flatMap((clip): ClipGroup[] => {
    const result = namesake(files[0], clip, others);
    return result === undefined ? [] : [[clip, result]];
  });
  if (pairs.length > 0) return pairs;
  const last = (results.length > 0 ? results : others).at(-1);
  if (motions.length > 0 && last !== undefined) return [[motions[0], last]];
  return [...motions, ...results].map((clip) => [clip]);
}
