/** Where a texture can be, as a file on another computer names it. */

/** Returns a path that stays in the folder, if it does, and the file name alone: paths of other computers are useless. */
export function texturePaths(written: string): string[] {
  const parts = written.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (last === undefined || last === '..' || last.includes('\0')) return [];
  const isLocal = !/^[\\/]|^\w:/.test(written) && !parts.includes('..');
  return isLocal && parts.length > 1 ? [parts.join('/'), last] : [last];
}
