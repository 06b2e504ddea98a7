import { closestNames } from '../../core/report/closest-names.ts';

/** Suggests the known word closest to a mistyped one. */
export function didYouMean(word: string, known: readonly string[]): string {
  const [nearest] = closestNames(word, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
