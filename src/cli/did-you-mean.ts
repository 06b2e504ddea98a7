import { closestNames } from '../core/report/closest-names.ts';

/** `; did you mean …?` with the nearest of the words, empty when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const [nearest] = closestNames(word, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
