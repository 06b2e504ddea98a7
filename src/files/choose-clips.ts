/** Which clips of the motion files are wanted. */
import type { AssetClip } from '../core/asset/asset.ts';
import { defaultClipName } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';

/** A clip and where it stands in its file. */
export interface ChosenClip {
  readonly clip: AssetClip;
  /** Index in the file. */
  readonly index: number;
}

/** Clips that are named in a message at most. */
const LISTED = 40;

/** Whether a selector takes a clip: by its name, by the name that it is given where it has none, by its index where no name is so. */
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
  return `there are:\n${shown.join('\n')}`;
}

/**
 * The clips of every motion file that any of the selectors (a name or an index in the file; a name goes first) takes, in
 * the order of the files; all of them without selectors. Files without any clips give none, whatever is asked for.
 *
 * @throws OptionError when a selector takes no clip although there are clips; the message lists them.
 */
export function chooseClips(motions: readonly OpenFile[], selectors: readonly (string | number)[]): ChosenClip[][] {
  const texts = selectors.map(String);
  const all = motions.map(({ asset }) => asset.clips.map((clip, index): ChosenClip => ({ clip, index })));
  const isEmpty = all.every((clips) => clips.length === 0);
  for (const text of isEmpty ? [] : texts) {
    const found = motions.some((file, m) => all[m].some((one) => matches(text, one, file)));
    if (!found) throw new OptionError('clip', `There is no clip ${JSON.stringify(text)}; ${listClips(motions)}`);
  }
  if (texts.length === 0) return all;
  return all.map((chosen, m) => chosen.filter((one) => texts.some((text) => matches(text, one, motions[m]))));
}
