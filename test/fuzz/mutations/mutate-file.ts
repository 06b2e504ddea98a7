/** Makes the damaged files of a run: the same seed and index give the same file on every machine. */
import { makeRandom, pick, type Random } from '../../../src/demo/random.ts';
import { isBinaryFbx } from '../../../src/formats/fbx/document/parse-binary.ts';
import { outputOf } from '../find-fault.ts';
import type { FuzzFormat, Seed } from '../seeds.ts';
import { amplify } from './amplify.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateFbx } from './mutate-fbx.ts';
import { mutateGlb, mutateGltfText } from './mutate-gltf.ts';
import { mutateNpz } from './mutate-npz.ts';
import { mutateText } from './mutate-text.ts';
import { mutateUsdc, mutateUsdz } from './mutate-usd.ts';

/** A damaged file and the job to run on it. */
export interface FuzzInput {
  readonly name: string;
  readonly format: FuzzFormat;
  readonly bytes: Uint8Array;
  /** Chooses the job and its options. */
  readonly job: number;
}

/** Part of the files that ask for much work instead of being damaged. They take longer than others. */
const AMPLIFIED = 0.02;

/** Which files and jobs a run has. */
export interface InputChoice {
  /** Extension that the output of the job has; null for all jobs. */
  readonly output: string | null;
  /** Whether files that ask for much work are left out. */
  readonly isSmall: boolean;
}

function mutated(random: Random, { format, bytes }: Seed, isSmall: boolean): Uint8Array {
  const amplified = random() < AMPLIFIED && !isSmall ? amplify(random, format, bytes) : null;
  if (amplified !== null) return amplified;
  if (format === 'gltf' || (format === 'json' && random() < 0.7)) return mutateGltfText(random, bytes);
  if (format === 'glb' || format === 'vrm' || format === 'vrma') return mutateGlb(random, bytes);
  if (format === 'npz') return mutateNpz(random, bytes);
  if (random() < 0.1) return mutateBytes(random, bytes);
  if (format === 'usdc') return mutateUsdc(random, bytes);
  if (format === 'usdz') return mutateUsdz(random, bytes);
  if (format === 'fbx' && isBinaryFbx(bytes)) return mutateFbx(random, bytes);
  if (format === 'vmd' || format === 'pmx' || format === 'pmd') return mutateBytes(random, bytes);
  return mutateText(random, bytes);
}

/**
 * Makes one damaged file.
 *
 * @param seeds Valid files.
 * @param seed Seed of the run.
 * @param index Index of the file in the run.
 * @returns The file and its job.
 */
export function makeInput(
  seeds: readonly Seed[],
  seed: number,
  index: number,
  { output, isSmall }: InputChoice,
): FuzzInput {
  const random = makeRandom((seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0);
  const format = pick(random, [...new Set(seeds.map((one) => one.format))]);
  const file = pick(
    random,
    seeds.filter((one) => one.format === format),
  );
  const drawJob = (): number => Math.floor(random() * 2 ** 30);
  let job = drawJob();
  while (output !== null && !outputOf({ format, job })?.endsWith(`.${output}`)) job = drawJob();
  return { name: file.name, format, bytes: mutated(random, file, isSmall), job };
}
