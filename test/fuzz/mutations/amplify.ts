/** Files that ask for much work: instances, chains, siblings, clips. */
import { pick, type Random } from '../../../src/demo/random.ts';
import {
  bonesGlb,
  chainBvh,
  chainFbx,
  chainGlb,
  clipsGlb,
  siblingsBvh,
  siblingsGlb,
  withInstances,
  withPrimitives,
} from '../../support/make/amplified.ts';
import { hostileName } from './hostile-names.ts';

/** Counts below, at and above those that limits refuse; larger files take the fuzzer too long to make. */
const COUNTS = [10, 300, 1000, 3000, 10_000];

/**
 * Makes a file that amplifies work.
 *
 * @param random Random source.
 * @param format Format of the file.
 * @param bytes A valid file of the format.
 * @returns The file; null for a format without such a world, and for a GLB without a skin.
 */
export function amplify(random: Random, format: string, bytes: Uint8Array): Uint8Array | null {
  const count = pick(random, COUNTS);
  const names = Array.from({ length: 3 }, () => hostileName(random).slice(0, 40));
  const nameOf = pick(random, [() => 'a', (k: number) => `b${k}`, (k: number) => names[k % 3]]);
  const word = (k: number): string => nameOf(k).replace(/[\s\p{Cc}{}]/gu, '_') || 'a';
  if (format === 'bvh') return pick(random, [() => chainBvh(count), () => siblingsBvh(count, word)])();
  if (format === 'fbx') return chainFbx(count);
  if (format !== 'glb') return null;
  const make = pick(random, [
    () => withInstances(bytes, count),
    () => withPrimitives(bytes, count),
    () => chainGlb(count),
    () => siblingsGlb(count, nameOf),
    () => clipsGlb(Math.min(count, 3000), nameOf),
    () => bonesGlb(count),
  ]);
  return make();
}
