/** Copies parts of a text. JavaScript engines keep a long part as a reference to the whole text, which then stays in memory: for a name, a file of 100 MB. */

/** Parts below this length are copies already. */
const LEAST_REFERENCE = 13;
/** UTF-16 codes that become a string at once. */
const CHUNK = 4096;
const codes = new Uint16Array(CHUNK);

export function copyText(text: string): string {
  if (text.length < LEAST_REFERENCE) return text;
  let copy = '';
  for (let start = 0; start < text.length; start += CHUNK) {
    const count = Math.min(CHUNK, text.length - start);
    for (let k = 0; k < count; k++) codes[k] = text.charCodeAt(start + k);
    copy += String.fromCharCode.apply(null, codes.subarray(0, count) as unknown as number[]);
  }
  return copy;
}
