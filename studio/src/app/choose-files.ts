/** Which of the files that a user drops go on stage. */
import type { FileRole } from '../engine/protocol.ts';

/** Indices of the files that go on stage; null where none of them fits. */
export interface ChosenFiles {
  readonly motion: number | null;
  readonly character: number | null;
}

/**
 * Chooses the first motion and the first character. A character with clips serves as what the other files lack; of several such files, the first is the
 * motion and the next the character, as on the command line, where the last file is the character.
 *
 * @param roles Role of every file, in the order of the user; null for files that could not be opened.
 * @returns The chosen files.
 */
export function chooseFiles(roles: readonly (FileRole | null)[]): ChosenFiles {
  const find = (role: FileRole, other: number): number | null => {
    const index = roles.findIndex((one, k) => one === role && k !== other);
    return index < 0 ? null : index;
  };
  const [onlyMotion, onlyCharacter] = [find('motion', -1), find('character', -1)];
  const both = find('both', -1);
  const next = find('both', both ?? -1);
  // A single character with clips is a character; the motion on stage stays.
  const motion = onlyMotion ?? (onlyCharacter !== null || next !== null ? both : null);
  const character = onlyCharacter ?? (motion === both ? next : both);
  return { motion, character };
}
