/** Returns the name of a UV set, by which textures refer to it. Maya's first set is called like that. */
export function uvSetName(index: number): string {
  return index === 0 ? 'map1' : `map${index + 1}`;
}
