/** Names in Shift-JIS: fields of a fixed length, in which a longer name is cut, also inside a character. */

/** Bytes of the name of a bone or morph in a VMD. */
export const NAME_BYTES = 15;

const decoder = new TextDecoder('shift_jis');

/** Decodes a field of a fixed length: up to the first zero, after which programs leave garbage. A character that was cut in half is left out. */
export function decodeField(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeShiftJis(end < 0 ? bytes : bytes.subarray(0, end)).replace(/\uFFFD+$/, '');
}

export function decodeShiftJis(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Counts the bytes of a name in Shift-JIS: ASCII and half-width katakana have one, all other characters two. */
function shiftJisLength(name: string): number {
  let length = 0;
  for (const character of name) {
    const code = character.codePointAt(0) as number;
    length += code < 0x80 || (code >= 0xff61 && code <= 0xff9f) ? 1 : 2;
  }
  return length;
}

/** Finds items by name as a VMD has it, where a name of more than 15 bytes is cut. The first of equal names is found. */
export function createNameFinder(names: readonly string[]): (written: string) => number {
  const byName = new Map<string, number>();
  const long: number[] = [];
  for (const [index, name] of names.entries()) {
    if (!byName.has(name)) byName.set(name, index);
    if (shiftJisLength(name) > NAME_BYTES) long.push(index);
  }
  return (written) => {
    const exact = byName.get(written);
    if (exact !== undefined) return exact;
    // One byte less where a character was cut in half.
    const isCut = written !== '' && shiftJisLength(written) >= NAME_BYTES - 1;
    return isCut ? (long.find((index) => names[index].startsWith(written)) ?? -1) : -1;
  };
}
