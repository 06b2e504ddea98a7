/** Plays written characters in three.js and Babylon.js: the poses are those of the retargeted clips. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from '../../../src/demo/index.ts';
import { readBvh } from '../../../src/formats/bvh/index.ts';
import { type GltfDocument, parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { appendClips } from '../../../src/formats/gltf/write/write-clips.ts';
import { loadInBabylon } from '../../formats/gltf/babylon-player.ts';
import { bareGlb, glbBytes, openDocument } from '../../formats/gltf/open.ts';
import { loadInThree, threeMatrices } from '../../formats/gltf/three-player.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { type AssetHumanoid, findAssetHumanoid, retargeted, worldPose } from './retargeted.ts';

const PARTS = [0, 0.17, 0.5, 0.83, 1];

/** A character with appended motions: the bytes that players load, and the expected clips. */
interface WrittenCharacter {
  readonly glb: Uint8Array;
  readonly target: AssetHumanoid;
  /** The new clips before writing, and their index in the file. */
  readonly added: readonly { readonly clip: Clip; readonly animation: number }[];
}

function make(doc: GltfDocument, motions: readonly AssetHumanoid[]): WrittenCharacter {
  const target = findAssetHumanoid(readGltf(doc));
  const added = motions.map((motion) => {
    const clip = retargeted(motion, target);
    return {
      clip,
      animation: appendClips(doc, [{ name: clip.name, clip, sourceNodes: target.sourceNodes }]).animations[0],
    };
  });
  return { glb: bareGlb(parseGltf(glbBytes(doc))), target, added };
}

/** World matrices by node of the file. */
type Show = (animation: number, time: number) => Map<number, readonly number[]>;

/**
 * Returns the largest differences over all nodes: of axes relative to their length, and of positions relative to the height. `root` is the
 * transform that the player adds above the file.
 */
function largestDifference(
  { target, added }: WrittenCharacter,
  show: Show,
  root: readonly number[],
): { axes: number; positions: number } {
  const { humanoid, sourceNodes } = target;
  const height = humanoid.height / humanoid.metersPerUnit;
  const ours = new Float64Array(16);
  let axes = 0;
  let positions = 0;
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
        positions = Math.max(positions, vec3.distance(ours, 12, other, 12) / height);
      });
    }
  }
  return { axes, positions };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

async function expectThree(made: WrittenCharacter): Promise<void> {
  const gltf = await loadInThree(made.glb);
  const { axes, positions } = largestDifference(
    made,
    (animation, time) => threeMatrices(gltf, animation, time),
    IDENTITY,
  );
  expect(axes).toBeLessThan(SECOND_OPINION);
  expect(positions).toBeLessThan(SECOND_OPINION);
}

async function expectBabylon(made: WrittenCharacter): Promise<void> {
  const { root, matrices, dispose } = await loadInBabylon(made.glb);
  const { axes, positions } = largestDifference(made, matrices, root);
  dispose();
  expect(axes).toBeLessThan(SECOND_OPINION);
  expect(positions).toBeLessThan(SECOND_OPINION);
}

function readHumanoid(name: string, bytes: Uint8Array): AssetHumanoid {
  return findAssetHumanoid(name.endsWith('.bvh') ? readBvh(bytes) : readGltf(parseGltf(bytes)));
}

describe('demo characters with all demo motions', () => {
  const motions = DEMO_MOTIONS.map(({ name, bytes }) => readHumanoid(name, bytes()));
  const characters = DEMO_CHARACTERS.map((file): [string, DemoFile] => [file.name, file]);

  it.each(sampledCases(characters))('three.js and Babylon.js show the retargeted poses of %s', async (_, { bytes }) => {
    const made = make(parseGltf(bytes()), motions);
    await expectThree(made);
    await expectBabylon(made);
  });
});

describe.skipIf(!HAS_ASSETS)('third-party characters with third-party motions', () => {
  const motions = ['glb/Xbot.glb', 'bvh/AD_cmu1_jumping_jacks.bvh', 'vrma/ChatVRM_idle_loop.vrma'];
  const characters = ['glb/RobotExpressive.glb', 'glb/pc_lumberjack.glb', 'glb/m2m_human-zombie.glb'];

  it.each(sampledCases([...characters, 'glb/KayKit_Knight.glb', 'vrm/Godette_vrm_v4.vrm', 'vrm/cool_loops.vrm']))(
    'three.js and Babylon.js show the retargeted poses of %s',
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
