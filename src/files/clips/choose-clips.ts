import type { AssetClip } from '../../core/asset/asset.ts';
import { closestNames } from '../../core/report/closest-names.ts';
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

/** Name and index of a clip in its file, for names and reports. */
export interface ClipOrigin {
  readonly clip: Pick<AssetClip, 'name'>;
  readonly index: number;
}

const LISTED = 40;
/** Selectors up to this length are only compared without regard to case, characters. */
const SHORT = 2;

/** Matches a clip by its own name, by its default name, or by its index unless a clip has that number as its name. */
function matches(selector: string, { clip, index }: ChosenClip, { name: file, asset: { clips } }: OpenFile): boolean {
  if (clip.name === selector || defaultClipName(clip.name, file) === selector) return true;
  return selector === String(index) && !clips.some(({ name }) => name === selector);
}

/** Suggests the names that a selector may mean; empty where none is close. */
function suggest(selector: string, names: readonly string[]): string {
  const listed = selector.split(',').map((part) => part.trim());
  if (listed.length > 1 && listed.every((part) => names.includes(part)))
    return `; select ${listed.length === 2 ? 'both' : 'them'} one by one: ${listed.map((name) => JSON.stringify(name)).join(', ')}`;
  // Any two short names are close to each other.
  const isMeant = (name: string): boolean => selector.length > SHORT || name.toLowerCase() === selector.toLowerCase();
  const near = closestNames(selector, names).filter(isMeant);
  return near.length === 0 ? '' : `; did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?`;
}

interface ClipChooser {
  readonly choose: (file: OpenFile) => ChosenClip[];
  /** Checks that each selector has found a clip. */
  readonly isComplete: () => boolean;
  /**
   * Rejects selectors that found no clip in any file, although there are clips. Throws OptionError (`clip`); the message lists the clips of all
   * files.
   */
  readonly check: () => void;
}

/** Starts to select clips by name or index. Names take precedence over indices. Files without clips contribute none, whatever the selectors. */
export function createClipChooser(selectors: readonly (string | number)[]): ClipChooser {
  const texts = selectors.map(String);
  const missing = new Set(texts);
  const names: string[] = [];
  const lines: string[] = [];
  const choose = (file: OpenFile): ChosenClip[] => {
    const all = file.asset.clips.map((clip, index): ChosenClip => ({ clip, index }));
    for (const one of all) {
      const name = defaultClipName(one.clip.name, file.name);
      names.push(name);
      lines.push(`  ${one.index}  ${JSON.stringify(name)} of ${file.name}`);
      for (const text of missing) if (matches(text, one, file)) missing.delete(text);
    }
    return texts.length === 0 ? all : all.filter((one) => texts.some((text) => matches(text, one, file)));
  };
  const check = (): void => {
    const [text] = missing;
    if (text === undefined || lines.length === 0) return;
    const shown = lines.slice(0, LISTED);
    if (lines.length > LISTED) shown.push(`  and ${lines.length - LISTED} more`);
    const head = `There is no clip ${JSON.stringify(text)}${suggest(text, names)}`;
    throw new OptionError('clip', `${head}${head.endsWith('?') ? ' Choose' : '; choose'} one of:\n${shown.join('\n')}`);
  };
  return { choose, isComplete: () => missing.size === 0, check };
}

/**
 * Selects clips of motion files by name or index, as {@link createClipChooser} does. Throws OptionError (`clip`) for a selector that matches no clip
 * although there are clips; the message lists them.
 */
export function chooseClips(motions: readonly OpenFile[], selectors: readonly (string | number)[]): ChosenClip[][] {
  const { choose, check } = createClipChooser(selectors);
  const chosen = motions.map(choose);
  check();
  return chosen;
}
