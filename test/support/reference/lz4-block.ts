/** Decodes a valid LZ4 block byte by byte, as in the format description. */
export function lz4BlockByBytes(block: Uint8Array): Uint8Array {
  const out: number[] = [];
  const bytes = [...block];
  const long = (start: number): number => {
    let length = start;
    if (start !== 15) return length;
    for (;;) {
      const more = bytes.shift() as number;
      length += more;
      if (more !== 255) return length;
    }
  };
  while (bytes.length > 0) {
    const token = bytes.shift() as number;
    out.push(...bytes.splice(0, long(token >> 4)));
    if (bytes.length === 0) break;
    const distance = (bytes.shift() as number) + 256 * (bytes.shift() as number);
    const length = long(token & 15) + 4;
    for (let k = 0; k < length; k++) out.push(out[out.length - distance]);
  }
  return Uint8Array.from(out);
}
