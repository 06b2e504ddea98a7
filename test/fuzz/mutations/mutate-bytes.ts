/** Damages bytes without regard to their meaning. */
import { pick, type Random } from '../../../src/demo/random.ts';

const EDGES: readonly bigint[] = [
  0n,
  1n,
  0xffn,
  0xffffn,
  -1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n - 1n,
];

/** Float32 bits: ±3e38, infinity, NaN, a subnormal number, 1e37, 1e15. */
const FLOATS: readonly number[] = [3e38, -3e38, Number.POSITIVE_INFINITY, Number.NaN, 1e-42, 1e37, 1e15, -1];

function withNumber(random: Random, bytes: Uint8Array): void {
  const width = pick(random, [1, 2, 4, 8]);
  const at = Math.floor(random() * Math.max(1, bytes.length - width));
  const value = BigInt.asUintN(64, pick(random, EDGES));
  for (let k = 0; k < width && at + k < bytes.length; k++) bytes[at + k] = Number((value >> BigInt(8 * k)) & 0xffn);
}

/** Overwrites one to sixteen aligned floats in a row. */
function withFloats(random: Random, bytes: Uint8Array): void {
  if (bytes.length < 4) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const value = pick(random, FLOATS);
  let at = 4 * Math.floor((random() * (bytes.length - 3)) / 4);
  for (let count = random() < 0.5 ? 1 : 16; count > 0 && at + 4 <= bytes.length; count--, at += 4)
    view.setFloat32(at, value, true);
}

/**
 * Damages a copy of bytes: changes single bytes, integers or floats, cuts the end off, removes or repeats a part.
 *
 * @param random Random source.
 * @param bytes The bytes; they stay unchanged.
 * @param keepsLength Whether the length must stay the same.
 * @returns The damaged copy.
 */
export function mutateBytes(random: Random, bytes: Uint8Array, keepsLength = false): Uint8Array {
  const way = random() * (keepsLength ? 0.8 : 1);
  const at = Math.floor(random() * bytes.length);
  const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 64));
  if (way >= 0.95) return bytes.slice(0, at);
  if (way >= 0.9) return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(end)]);
  if (way >= 0.8) return Uint8Array.from([...bytes.subarray(0, end), ...bytes.subarray(at)]);
  const out = bytes.slice();
  if (way < 0.3)
    for (let k = 1 + Math.floor(random() * 4); k > 0; k--) out[Math.floor(random() * out.length)] = random() * 256;
  else if (way < 0.5) withNumber(random, out);
  else withFloats(random, out);
  return out;
}
