/** Which of the files that a user drops go on stage. */
import type { FileRole, FileSummary } from '../engine/protocol.ts';

/** Indices of the files that go on stage; −1 where none of them fits. */
export interface ChosenFiles {
  readonly motion: number;
  readonly character: number;
}

/**
 * Chooses the first motion and the first character, of files whose bones were recognized where those are enough.
 *
 * @param summaries Description of every file, in the order of the user; null for files that could not be opened.
 */
export function chooseFiles(summaries: readonly (Pick<FileSummary, 'role' | 'humanoid'> | null)[]): ChosenFiles {
  const known = chooseByRole(summaries.map((one) => (one === null || one.humanoid === null ? undefined : one.role)));
  const any = chooseByRole(summaries.map((one) => one?.role));
  return known.character >= 0 && (known.motion >= 0 || any.motion < 0) ? known : any;
}

/**
 * Chooses the first motion and the first character. A character with clips serves as what the other files lack; of several such files, the first is the
 * motion and the next the character, as on the command line, where the last file is the character.
 */
function chooseByRole(roles: readonly (FileRole | undefined)[]): ChosenFiles {
  let [motion, character] = [roles.indexOf('motion'), roles.indexOf('character')];
  const both = roles.indexOf('both');
  const next = roles.indexOf('both', both + 1);
  // A single character with clips is a character; the motion on stage stays.
  const isMotion = motion < 0 && (character >= 0 || next > both);
  if (character < 0) character = isMotion ? next : both;
  if (isMotion) motion = both;
  return { motion, character };
}
