/** Numbers names that are taken. */

/**
 * Makes a name unique by appending a free number: the lowest where the numbers in use have no gaps. The search doubles its steps, so that n equal
 * names take n · log n tries.
 */
export function uniqueName(name: string, isTaken: (name: string) => boolean, separator: string, first: number): string {
  if (!isTaken(name)) return name;
  const numbered = (number: number): string => `${name}${separator}${number}`;
  let taken = first - 1;
  let free = first;
  while (isTaken(numbered(free))) [taken, free] = [free, 2 * free - first + 1];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (isTaken(numbered(middle))) taken = middle;
    else free = middle;
  }
  return numbered(free);
}
