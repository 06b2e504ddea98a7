/** Selection of clips by name or index. */
import type { AssetClip } from '../../core/asset/asset.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { defaultClipName } from './clip-names.ts';

/** A clip and its index in its file. */
export interface ChosenClip {
  /** The clip as read. */
  readonly clip: AssetClip;
  /** Index in the file. */
  readonly index: number;
}

/** Maximum number of clips listed in a message. */
const LISTED = 40;

/** Matches a clip by its own name, by its default name, or by its index unless a clip has that number as its name. */
function matches(selector: string, { clip, index }: ChosenClip, { name: file, asset: { clips } }: OpenFile): boolean {
  if (clip.name === selector || defaultClipName(clip.name, file) === selector) return true;
  return selector === String(index) && !clips.some(({ name }) => name === selector);
}

function listClips(motions: readonly OpenFile[]): string {
  const lines = motions.flatMap(({ name, asset }) =>
    asset.clips.map((clip, index) => `  ${index}  ${JSON.stringify(defaultClipName(clip.name, name))} of ${name}`),
  );
  const shown = lines.slice(0, LISTED);
  if (lines.length > LISTED) shown.push(`  and ${lines.length - LISTED} more`);
  return shown.join('\n');
}

/**
 * Selects clips of motion files by name or index. Names take precedence over indices. Files without clips contribute none, whatever the selectors.
 *
 * @param motions Motion files.
 * @param selectors Names or indices; none selects all clips.
 * @returns The selected clips of each file, in file order.
 * @throws OptionError (`clip`) for a selector that matches no clip although there are clips; the message lists them.
 */
export function chooseClips(motions: readonly OpenFile[], selectors: readonly (string | number)[]): ChosenClip[][] {
  const texts = selectors.map(String);
  const all = motions.map(({ asset }) => asset.clips.map((clip, index): ChosenClip => ({ clip, index })));
  const isEmpty = all.every((clips) => clips.length === 0);
  for (const text of isEmpty ? [] : texts) {
    const found = motions.some((file, m) => all[m].some((one) => matches(text, one, file)));
    if (found) continue;
    throw new OptionError('clip', `There is no clip ${JSON.stringify(text)}; choose one of:\n${listClips(motions)}`);
  }
  if (texts.length === 0) return all;
  return all.map((chosen, m) => chosen.filter((one) => texts.some((text) => matches(text, one, motions[m]))));
}
