import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../../../src/core/asset/asset.ts';
import { BONE, BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/refuse.ts';
import { convertFile } from '../../../../src/files/convert-file.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { concatParts } from '../../../../src/formats/gltf/glb.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { disguise } from '../../../make/disguise.ts';
import { rightNodes, TRUTH, USD_TRUTH } from './truth.ts';

interface Body {
  readonly part: AssetSkeleton;
  readonly clip: Clip | null;
}

const bodies = new Map<string, Body>();
const HUMANOIDS = { ...TRUTH, ...USD_TRUTH };
/** Nothing of it tells front from back: straight limbs, no toes, no fingers, no face. */
const FRONTLESS = 'vrma/saturday06_hips_spine_twisting.vrma';
/** Files that are slow to read, and of which there are others alike. */
const SLOW = /ozz|ufbx_maya_human|character_7500|AIAN|KayKit|SeedSan/;
const NAMES = Object.keys(HUMANOIDS).filter((name) => !SLOW.test(name));

/** The body of a file of others; what is no USD is made one first, its first clip at most. */
async function readBody(name: string): Promise<Body> {
  const path = asset('assets', name);
  const file = await openBytes(readFileSync(path), { name, wantsClip: (_, index) => index === 0 });
  let usd = file;
  if (file.usd === null) {
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
  for (const name of NAMES) bodies.set(name, await readBody(name));
}, 30_000);

describe.skipIf(!HAS_ASSETS)('mapping bodies of USD files', () => {
  it.each(NAMES)('finds every bone of %s', (name) => {
    const { part, clip } = bodies.get(name)!;
    const { map, missing } = mapBones(part.skeleton, { motion: clip });
    const right = rightNodes(HUMANOIDS[name], part.skeleton, part.sourceNodes);
    const wrong = BONES.filter((_, b) => !right[b].includes(map.nodes[b]));
    expect(wrong.map((bone) => `${bone} is ${part.skeleton.names[map.nodes[BONE[bone]]]}`)).toEqual([]);
    expect(missing).toEqual([]);
    expect(whyNotHumanoid(part.skeleton, map)).toBeNull();
  });

  it.each(NAMES)('finds what a body must have of %s without names', (name) => {
    const { part, clip } = bodies.get(name)!;
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
