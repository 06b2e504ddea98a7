/** Compares the poses of readGltf over time with three.js and Babylon.js. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Asset } from '../../../src/core/asset/asset.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { type GltfDocument, readGltf } from '../../../src/formats/gltf/index.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { BYTE_QUATERNIONS, SECOND_OPINION } from '../../support/tolerances.ts';
import { type BabylonPlayer, loadInBabylon } from './babylon-player.ts';
import { bareGlb, openDocument } from './open.ts';
import { loadInThree, threeMatrices } from './three-player.ts';

const PARTS = [0, 0.31, 0.77, 1];
/** Generated files with quaternions of integers. */
const HAS_INTEGERS = /SamplerType_0[12]|SparseType_0[34]/;

type Show = (animation: number, time: number) => Map<number, readonly number[]>;

/**
 * Largest difference of a matrix element, as part of the largest element of that matrix, over rest and clips; and how
 * many matrices were compared. `turn` is put before ours.
 */
function compare({ clips, skeletons }: Asset, show: Show, clipCount = clips.length, turn?: readonly number[]) {
  let worst = 0;
  let compared = 0;
  for (let c = -1; c < clipCount; c++) {
    for (const part of c < 0 ? [0] : PARTS) {
      const time = c < 0 ? 0 : part * clips[c].duration;
      const shown = show(c, time);
      skeletons.forEach(({ skeleton, sourceNodes }, s) => {
        const pose = restPose(skeleton);
        if (c >= 0) sampleClip(clips[c].clips[s], time, pose);
        for (let at = 3; at < pose.length; at += 10) quat.normalize(pose, at, pose, at);
        const worlds = new Float64Array(skeleton.parents.length * 16);
        localToModelMatrices(worlds, skeleton.parents, pose);
        sourceNodes.forEach((node, i) => {
          const expected = shown.get(node);
          if (expected === undefined) throw new Error(`node ${node} is not shown`);
          if (turn !== undefined) mat4.multiply(worlds, i * 16, turn, 0, worlds, i * 16);
          const size = Math.max(1, ...expected.map(Math.abs));
          for (let e = 0; e < 16; e++) worst = Math.max(worst, Math.abs(worlds[i * 16 + e] - expected[e]) / size);
          compared++;
        });
      });
    }
  }
  return { worst, compared };
}

/** Adds a child to trees of one node: a single node is not a skeleton. */
function plantTrees(doc: GltfDocument): void {
  const nodes = doc.json['nodes'] as JsonObject[];
  const below = new Set(nodes.flatMap(({ children }) => (children ?? []) as number[]));
  nodes.slice().forEach((node, i) => {
    if (!below.has(i) && node['children'] === undefined) node['children'] = [nodes.push({}) - 1];
  });
}

const shortName = (path: string): readonly [string, string] => [path.split('/').slice(-2).join('/'), path];

describe.skipIf(!HAS_ASSETS)('readGltf compared with three.js', () => {
  it.each(sampledCases(assetFiles('assets', 'glb', 'vrm', 'vrma')).map(shortName))(
    'gives the same world matrices for %s',
    async (_, path) => {
      const doc = await openDocument(path);
      const read = readGltf(doc);
      // A mesh without a skeleton.
      if (read.skeletons.length === 0) return;
      const player = await loadInThree(bareGlb(doc));
      const { worst, compared } = compare(read, (animation, time) => threeMatrices(player, animation, time));
      expect(compared).toBe(read.skeletons[0].sourceNodes.length * (1 + PARTS.length * read.clips.length));
      expect(worst).toBeLessThan(SECOND_OPINION);
    },
  );

  const generator = 'conformance/gltf/khronos-asset-generator/Output/Positive';
  const generated = assetFiles(generator, 'gltf');
  // Babylon.js does not read the draft of glTF 2.1.
  const inBabylon = generated.filter((path) => !path.endsWith('Compatibility_04.gltf'));

  it.each(sampledCases(generated, 4).map(shortName))(
    'gives the same world matrices for the generated file %s',
    async (file, path) => {
      const doc = await openDocument(path);
      if (doc.json['skins'] === undefined) plantTrees(doc);
      const read = readGltf(doc);
      const player = await loadInThree(bareGlb(doc));
      const { worst, compared } = compare(read, (animation, time) => threeMatrices(player, animation, time));
      expect(compared).toBeGreaterThan(0);
      // Quaternions of bytes and shorts are not unit quaternions; three.js interpolates them without normalizing.
      expect(worst).toBeLessThan(HAS_INTEGERS.test(file) ? BYTE_QUATERNIONS : SECOND_OPINION);
    },
  );

  it.each(sampledCases(inBabylon, 8).map(shortName))(
    'gives the same world matrices as Babylon.js for the generated file %s',
    async (file, path) => {
      const doc = await openDocument(path);
      if (doc.json['skins'] === undefined) plantTrees(doc);
      const read = readGltf(doc);
      const player = await loadInBabylon(bareGlb(doc));
      const { worst, compared } = compare(read, player.matrices, read.clips.length, player.root);
      player.dispose();
      expect(compared).toBeGreaterThan(0);
      expect(worst).toBeLessThan(HAS_INTEGERS.test(file) ? BYTE_QUATERNIONS : SECOND_OPINION);
    },
  );
});

describe.skipIf(!HAS_ASSETS)('readGltf compared with Babylon.js', () => {
  const files = ['CesiumMan', 'RobotExpressive', 'm2mold_human-addon-animations', 'pc_lumberjack', 'Xbot'].map(
    (name) => `glb/${name}.glb`,
  );
  let player: BabylonPlayer | null = null;
  beforeAll(() => () => player?.dispose());

  it.each(sampledCases([...files, 'negative/Fox.glb', 'vrma/threevrm_test.vrma']))(
    'gives the same world matrices for %s, mirrored into its left-handed world',
    async (file) => {
      const doc = await openDocument(asset('assets', file));
      const read = readGltf(doc);
      player?.dispose();
      player = await loadInBabylon(bareGlb(doc));
      const { root, matrices } = player;
      expect(mat4.determinant(root, 0)).toBe(-1);
      const { worst, compared } = compare(read, matrices, Math.min(3, read.clips.length), root);
      expect(compared).toBeGreaterThan(read.skeletons[0].sourceNodes.length);
      expect(worst).toBeLessThan(SECOND_OPINION);
    },
  );
});
