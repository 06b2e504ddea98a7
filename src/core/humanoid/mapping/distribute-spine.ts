/** Distributes a spine of any number of joints over the three spine bones. */

/** Assigns the joints of a spine to spine, chest and upperChest: the first joint, the middle one, and the last one, where the arms branch off. */
export function distributeSpine(spine: readonly number[]): [spine: number, chest: number, upperChest: number] {
  const count = spine.length;
  if (count === 0) return [-1, -1, -1];
  if (count === 1) return [spine[0], -1, -1];
  if (count === 2) return [spine[0], spine[1], -1];
  return [spine[0], spine[Math.floor((count - 1) / 2)], spine[count - 1]];
}
