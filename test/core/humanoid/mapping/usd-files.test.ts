import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../../../src/core/asset/asset.ts';
import { BONE, BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import { convertFile } from '../../../../src/files/jobs/convert-file.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { disguise } from '../../../support/make/disguise.ts';
import { rightNodes, TRUTH, USD_TRUTH } from './truth.ts';

interface LoadedFile {
  readonly part: AssetSkeleton;
  readonly clip: Clip | null;
}

const files = new Map<string, LoadedFile>();
const HUMANOIDS = { ...TRUTH, ...USD_TRUTH };
/** Has nothing that shows its front: straight limbs, no toes, no fingers, no face. */
const FRONTLESS = 'vrma/saturday06_hips_spine_twisting.vrma';
/** Files that are slow to read and similar to others. */
const SLOW = /ozz|ufbx_maya_human|character_7500|AIAN|KayKit|SeedSan/;
/** In a short run, all USD files and some of the others, which are converted. */
const NAMES = [...Object.keys(USD_TRUTH), ...sampledCases(Object.keys(TRUTH), 3)].filter((name) => !SLOW.test(name));

/** Reads the largest skeleton of a file; other formats are converted to USD first, with their first clip. */
async function readAsUsd(name: string): Promise<LoadedFile> {
  const path = asset('assets', name);
  const file = await openBytes(readFileSync(path), { name, wantsClip: (_, index) => index === 0 });
  let usd = file;
  if (file.format !== 'usd') {
    const clips = file.asset.clips.length > 0 ? [0] : [];
    const { outputs } = await convertFile(file, { output: 'a.usdc', clips });
    usd = await openBytes(concatParts(outputs[outputs.length - 1].parts), { name: 'a.usdc' });
  }
  expect(usd.asset.format).toBe('usd');
  const sizes = usd.asset.skeletons.map(({ skeleton }) => skeleton.names.length);
  const index = sizes.indexOf(Math.max(...sizes));
  const clip = usd.asset.clips.map(({ clips }) => clips[index]).find(({ tracks }) => tracks.length > 0) ?? null;
  return { part: usd.asset.skeletons[index], clip };
}

beforeAll(async () => {
  if (!HAS_ASSETS) return;
  for (const name of NAMES) files.set(name, await readAsUsd(name));
}, 30_000);

describe.skipIf(!HAS_ASSETS)('mapBones: USD files', () => {
  it.each(NAMES)('finds every bone of %s', (name) => {
    const { part, clip } = files.get(name)!;
    const { map, missing } = mapBones(part.skeleton, { motion: clip });
    const right = rightNodes(HUMANOIDS[name], part.skeleton, part.sourceNodes);
    const wrong = BONES.filter((_, b) => !right[b].includes(map.nodes[b]));
    expect(wrong.map((bone) => `${bone} is ${part.skeleton.names[map.nodes[BONE[bone]]]}`)).toEqual([]);
    expect(missing).toEqual([]);
    expect(whyNotHumanoid(part.skeleton, map)).toBeNull();
  });

  it.each(NAMES)('finds every required bone of %s without names', (name) => {
    const { part, clip } = files.get(name)!;
    const changes = { name: () => '', seed: 1, turn: [0, 0, 0, 1], scale: 1 };
    const { skeleton, clip: motion, place } = disguise(part.skeleton, clip, changes);
    const { map, missing } = mapBones(skeleton, { motion });
    const nodes = Array.from(map.nodes, (node) => (node < 0 ? -1 : place.indexOf(node)));
    const right = rightNodes(HUMANOIDS[name], part.skeleton, part.sourceNodes);
    const wrong = REQUIRED_BONES.filter((bone) => !right[BONE[bone]].includes(nodes[BONE[bone]]));
    if (name !== FRONTLESS) expect(wrong).toEqual([]);
    expect([map.from, missing]).toEqual(['shape', []]);
  });
});
