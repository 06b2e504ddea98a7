import { isEmptyName } from '../files/clip-names.ts';

/**
 * Which clips of a file must be read for these selectors (names or indices): all without any, else those that they take, those whose
 * name says nothing (they are called like the file), and the first, which has a say in the reference pose.
 */
export function clipFilter(selectors: readonly (string | number)[]): (name: string, index: number) => boolean {
  const texts = selectors.map(String);
  const isNamed = (name: string, index: number): boolean => texts.includes(name) || texts.includes(String(index));
  return (name, index) => texts.length === 0 || index === 0 || isEmptyName(name) || isNamed(name, index);
}
