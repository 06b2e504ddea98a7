/** What three.js and Babylon.js show of characters that got a motion from us: the poses that we meant, from the written bytes. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../src/core/animation/clip.ts';
import * as mat4 from '../../src/core/math/mat4.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from '../../src/demo/index.ts';
import { readBvh } from '../../src/formats/bvh/index.ts';
import { appendClip, type GltfDocument, parseGltf, readGltf } from '../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../assets.ts';
import { loadInBabylon } from '../formats/gltf/babylon-player.ts';
import { bareGlb, glbBytes, openDocument } from '../formats/gltf/open.ts';
import { loadInThree, threeMatrices } from '../formats/gltf/three-player.ts';
import { SECOND_OPINION } from '../tolerances.ts';
import { type AssetHumanoid, findAssetHumanoid, retargeted, worldPose } from './retargeted.ts';

const PARTS = [0, 0.17, 0.5, 0.83, 1];

/** A character with motions behind its own, as bytes that players load, and what we meant. */
interface Made {
  readonly glb: Uint8Array;
  readonly target: AssetHumanoid;
  /** The new clips as they were before they were written, and their index in the file. */
  readonly added: readonly { readonly clip: Clip; readonly animation: number }[];
}

function make(doc: GltfDocument, motions: readonly AssetHumanoid[]): Made {
  const target = findAssetHumanoid(readGltf(doc));
  const added = motions.map((motion) => {
    const clip = retargeted(motion, target);
    return { clip, animation: appendClip(doc, { name: clip.name, clip, sourceNodes: target.sourceNodes }).animation };
  });
  return { glb: bareGlb(parseGltf(glbBytes(doc))), target, added };
}

/** World matrices by node of the file. */
type Show = (animation: number, time: number) => Map<number, readonly number[]>;

/**
 * How far the axes of all nodes are off, by their length (radians, where they turn), and their places, by the height of the body.
 * `root` is what the player puts above the file.
 */
function largestDifference(
  { target, added }: Made,
  show: Show,
  root: readonly number[],
): { axes: number; places: number } {
  const { humanoid, sourceNodes } = target;
  const height = humanoid.height / humanoid.metersPerUnit;
  const ours = new Float64Array(16);
  let axes = 0;
  let places = 0;
  for (const { clip, animation } of added) {
    for (const part of PARTS) {
      const { matrices } = worldPose(target, clip, part * clip.duration);
      const shown = show(animation, part * clip.duration);
      sourceNodes.forEach((node, i) => {
        const other = shown.get(node);
        if (other === undefined) throw new Error(`node ${node} is not shown`);
        mat4.multiply(ours, 0, root, 0, matrices, 16 * i);
        for (const column of [0, 4, 8]) {
          axes = Math.max(axes, vec3.distance(ours, column, other, column) / vec3.length(other, column));
        }
        places = Math.max(places, vec3.distance(ours, 12, other, 12) / height);
      });
    }
  }
  return { axes, places };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

async function expectThree(made: Made): Promise<void> {
  const gltf = await loadInThree(made.glb);
  const { axes, places } = largestDifference(made, (animation, time) => threeMatrices(gltf, animation, time), IDENTITY);
  expect(axes).toBeLessThan(SECOND_OPINION);
  expect(places).toBeLessThan(SECOND_OPINION);
}

async function expectBabylon(made: Made): Promise<void> {
  const { root, matrices, dispose } = await loadInBabylon(made.glb);
  const { axes, places } = largestDifference(made, matrices, root);
  dispose();
  expect(axes).toBeLessThan(SECOND_OPINION);
  expect(places).toBeLessThan(SECOND_OPINION);
}

function readHumanoid(name: string, bytes: Uint8Array): AssetHumanoid {
  return findAssetHumanoid(name.endsWith('.bvh') ? readBvh(bytes) : readGltf(parseGltf(bytes)));
}

describe('characters of the demo with all its motions', () => {
  const motions = DEMO_MOTIONS.map(({ name, bytes }) => readHumanoid(name, bytes()));
  const characters = DEMO_CHARACTERS.map((file): [string, DemoFile] => [file.name, file]);

  it.each(characters)('%s is shown by three.js and by Babylon.js as we mean it', async (_, { bytes }) => {
    const made = make(parseGltf(bytes()), motions);
    await expectThree(made);
    await expectBabylon(made);
  });
});

describe.skipIf(!HAS_ASSETS)('characters of others with motions of others', () => {
  const motions = ['glb/Xbot.glb', 'bvh/AD_cmu1_jumping_jacks.bvh', 'vrma/ChatVRM_idle_loop.vrma'];
  const characters = ['glb/RobotExpressive.glb', 'glb/pc_lumberjack.glb', 'glb/m2m_human-zombie.glb'];

  it.each([...characters, 'glb/KayKit_Knight.glb', 'vrm/Godette_vrm_v4.vrm', 'vrm/cool_loops.vrm'])(
    '%s is shown by three.js and by Babylon.js as we mean it',
    async (character) => {
      const doc = await openDocument(asset('assets', character));
      const made = make(
        doc,
        motions.map((path) => readHumanoid(basename(path), readFileSync(asset('assets', path)))),
      );
      await expectThree(made);
      await expectBabylon(made);
    },
  );
});
