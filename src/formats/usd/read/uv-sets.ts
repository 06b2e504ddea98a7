/** Which uv set is which: USD names them, glTF and the hub count them. */

/**
 * The names of uv primvars, without `primvars:`, in the order in which the hub counts them: `st` first, all others by name (code units), each once; so `st`,
 * `st1`, `st2`, which the writer writes, keep their numbers. A material counts along the order of all names that its meshes have and that it asks for
 * (`uvSets` of readMaterials); a mesh that lacks one of them has a gap there, which USD shows as uv (0, 0).
 */
export function uvSetOrder(names: Iterable<string>): string[] {
  const rank = (name: string): number => (name === 'st' ? 0 : 1);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The name under which the writer puts uv set n: `st`, `st1`, … */
export function uvSetName(set: number): string {
  return set === 0 ? 'st' : `st${set}`;
}
