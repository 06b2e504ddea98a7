/** Selects the clips of files that are drawn, and pairs the clips of two files. */
import { type ChosenClip, chooseClips } from '../files/clips/choose-clips.ts';
import { defaultClipName } from '../files/clips/clip-names.ts';
import type { OpenFile } from '../files/open.ts';

export interface FileClip extends ChosenClip {
  readonly file: number;
}

/** A single clip, or a motion clip with its retargeted result. */
export type ClipGroup = readonly [FileClip] | readonly [motion: FileClip, result: FileClip];

/**
 * Finds the clip that `retarget` wrote for a clip: the last one with its name, or with the default name of an unnamed clip. The
 * name may have a number appended, which `retarget` adds when the character already has a clip of that name.
 */
function namesake(
  { name: file, asset }: OpenFile,
  { clip }: FileClip,
  others: readonly FileClip[],
): FileClip | undefined {
  const written = defaultClipName(clip.name, file);
  const own = new Set(asset.clips.map(({ name }) => name));
  return others.findLast(({ clip: { name } }) => {
    if (name === clip.name || name === written) return true;
    return name.startsWith(`${written} `) && /^\d+$/.test(name.slice(written.length + 1)) && !own.has(name);
  });
}

/**
 * Groups clips whose rows are drawn below each other.
 *
 * - One file: every clip is a group.
 * - Two files: each clip of the first is paired with the clip of the second that has its name. Without any match, the first clip of
 *   the first file is paired with the last clip of the second, where `retarget` appends it.
 * - Two files, one without clips: every clip is a group.
 *
 * @param selectors Names or indices of clips; empty for all clips.
 * @returns The groups, in the order of the clips.
 * @throws OptionError when a selector matches no clip although there are clips.
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
