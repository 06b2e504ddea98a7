/** Damages files of NumPy: bytes of any, and the arrays of an archive, which keeps its checksums. */
import { pick, type Random } from '../../../src/demo/random.ts';
import { readZip } from '../../../src/formats/npz/container/read-zip.ts';
import { makeZip, npyHeader } from '../../support/make/numpy-files.ts';
import { mutateBytes } from './mutate-bytes.ts';

const TYPES = ['<f4', '<f8', '<i8', '|b1', '<U3', '|O', '|S2', '<f2', '<c8', '<M8[ns]'];
const LENGTHS = [0, 1, 2, 3, 22, 24, 63, 72, 165, 263, 2 ** 20, 2 ** 31, 2 ** 40];
const KEYS = [
  'poses',
  'trans',
  'global_orient',
  'body_pose',
  'joints',
  'motion',
  'smplVersion',
  'fps',
  '__proto__',
  '',
];

/** Replaces the header of a `.npy` by one with any type and shape. */
function withHeader(random: Random, npy: Uint8Array): Uint8Array {
  const start = 10 + npy[8] + 256 * npy[9];
  const shape = Array.from({ length: Math.floor(random() * 5) }, () => pick(random, LENGTHS));
  const header = npyHeader(pick(random, TYPES), shape, random() < 0.5, pick(random, [1, 2, 3]));
  return new Uint8Array(Buffer.concat([header, npy.subarray(start)]));
}

/** Changes numbers of a `.npy` and leaves its header. */
function withNumbers(random: Random, npy: Uint8Array): Uint8Array {
  const start = 10 + npy[8] + 256 * npy[9];
  if (start >= npy.length) return mutateBytes(random, npy);
  return new Uint8Array(Buffer.concat([npy.subarray(0, start), mutateBytes(random, npy.subarray(start), true)]));
}

/**
 * Damages a file of NumPy.
 *
 * @param bytes An archive, an array or a pickle; it stays unchanged.
 * @returns The damaged copy.
 */
export function mutateNpz(random: Random, bytes: Uint8Array): Uint8Array {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isArray = bytes[0] === 0x93;
  if (random() < 0.3 || (!isArchive && !isArray)) return mutateBytes(random, bytes);
  const change = pick(random, [withHeader, withNumbers, withNumbers, mutateBytes]);
  if (isArray) return change(random, bytes);
  const files: [string, Uint8Array][] = readZip(bytes).map((member) => [member.name, member.bytes()]);
  for (let count = pick(random, [1, 1, 3]); count > 0 && files.length > 0; count--) {
    const at = Math.floor(random() * files.length);
    const [name, npy] = files[at];
    const way = random();
    if (way < 0.1) files.splice(at, 1);
    else if (way < 0.2) files[at] = [`${pick(random, KEYS)}.npy`, npy];
    else files[at] = [name, change(random, npy)];
  }
  return makeZip(Object.fromEntries(files), { deflate: random() < 0.5, zip64: random() < 0.5 });
}
