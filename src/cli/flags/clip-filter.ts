import { isGenericName } from '../../files/clips/clip-names.ts';

/**
 * Creates a filter for the clips that must be read: the selected ones, clips with an empty name (they take the name of the file), and the first
 * one, which can define the reference pose. Without selectors, all. Returns whether a clip must be read, by name and index.
 */
export function clipFilter(selectors: readonly (string | number)[]): (name: string, index: number) => boolean {
  const texts = selectors.map(String);
  const isNamed = (name: string, index: number): boolean => texts.includes(name) || texts.includes(String(index));
  return (name, index) => texts.length === 0 || index === 0 || isGenericName(name) || isNamed(name, index);
}
