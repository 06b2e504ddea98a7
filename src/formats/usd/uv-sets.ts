/** Maps UV sets between USD, which names them, and glTF, which numbers them. */

/**
 * Orders the names of UV primvars: `st` first, all others by code units, each once. The names that we write (`st`, `st1`, `st2`) keep their numbers.
 * The UV sets of a material are the ordered names of all its meshes and textures; a set that a mesh lacks is (0, 0), as in USD.
 */
export function uvSetOrder(names: Iterable<string>): string[] {
  const rank = (name: string): number => (name === 'st' ? 0 : 1);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

export function uvSetName(set: number): string {
  return set === 0 ? 'st' : `st${set}`;
}
