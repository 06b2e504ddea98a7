/** The humanoids to dress: those of the asset folder with their expected bones, and procedural ones. */
import { readFileSync } from 'node:fs';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { rightNodes, TRUTH, type Truth, UNNAMED_TRUTH, USD_TRUTH } from '../../../core/humanoid/mapping/truth.ts';
import { asset } from '../../assets.ts';
import { randomCharacterOptions } from '../demo-character.ts';
import type { Dressable } from './growing-rig.ts';

const ALL: Readonly<Record<string, Truth>> = { ...TRUTH, ...UNNAMED_TRUTH, ...USD_TRUTH };

/** Names of the files with humanoids in the asset folder. */
export const HUMANOID_FILES: readonly string[] = Object.keys(ALL);

/** Reads the largest skeleton of a file with its first clip; the expected bones are all absent for other than humanoids. */
export async function readDressable(name: string): Promise<Dressable> {
  const file = await openBytes(readFileSync(asset('assets', name)), { name, wantsClip: (_, index) => index === 0 });
  const sizes = file.asset.skeletons.map(({ skeleton }) => skeleton.names.length);
  const index = sizes.indexOf(Math.max(...sizes));
  const { skeleton, sourceNodes } = file.asset.skeletons[index];
  const clip = file.asset.clips.map(({ clips }) => clips[index]).find(({ tracks }) => tracks.length > 0) ?? null;
  const truth = ALL[name];
  return { name, skeleton, clip, right: truth === undefined ? [] : rightNodes(truth, skeleton, sourceNodes) };
}

/** Maximum ratio of shoulder width to arm length: beyond it, clavicles look like arms. */
const BROADEST = 0.85;

/** Creates a procedural humanoid with random proportions, bones and axes. */
export function makeDressable(seed: number): Dressable {
  let options = randomCharacterOptions(seed);
  for (let next = seed; ; next += 7919) {
    options = randomCharacterOptions(next);
    const { shoulderWidth = 1, arm = 1 } = options.proportions ?? {};
    if (shoulderWidth < BROADEST * arm) break;
  }
  const { skeleton, bones } = makeCharacter(options);
  const right = Array.from(bones, (node) => [node]);
  // A joint between hips and spine is accepted as the spine.
  const [hips, spine] = [bones[BONE.hips], bones[BONE.spine]];
  for (let node = skeleton.parents[spine]; node !== hips && node >= 0; node = skeleton.parents[node]) {
    right[BONE.spine].push(node);
  }
  return { name: `demo ${seed}`, skeleton, clip: null, right };
}
