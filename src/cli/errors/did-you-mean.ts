import { closestNames } from '../../core/report/closest-names.ts';

/**
 * Suggests the known word closest to a mistyped one.
 * @param word what was typed
 * @param known words that exist
 * @returns `; did you mean …?`, or an empty string when no word is close
 */
export function didYouMean(word: string, known: readonly string[]): string {
  const [nearest] = closestNames(word, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
