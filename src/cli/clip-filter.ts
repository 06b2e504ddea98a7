/**
 * Which clips of a file must be read for these selectors (names or indices): all without any, else those that they take and
 * the first, which has a say in the reference pose.
 */
export function clipFilter(selectors: readonly (string | number)[]): (name: string, index: number) => boolean {
  const texts = selectors.map(String);
  return (name, index) => texts.length === 0 || index === 0 || texts.includes(name) || texts.includes(String(index));
}
