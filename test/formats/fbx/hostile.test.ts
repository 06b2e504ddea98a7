/** Reads damaged FBX files: any bytes give a valid Asset or a FormatError. */
import { expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { makeRandom, type Random } from '../../../src/demo/random.ts';
import { describeFileHumanoid } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectValidAsset } from '../bvh/valid-asset.ts';
import { animation, FLAGS } from './fbx-animation.ts';
import { fbxBinary } from './fbx-bytes.ts';
import { bindPose, model, moved, treeOf } from './fbx-scene.ts';
import { fbxText } from './fbx-text.ts';

/** Some limbs, a bind pose, and a clip of linear and cubic curves on two layers. */
const { objects, connections } = animation([
  {
    name: 'walk',
    layers: [
      {
        channels: [
          {
            model: 2,
            property: 'Lcl Rotation',
            curves: [
              { times: [0, 0.5, 1], values: [0, 40, 5] },
              { times: [0, 1], values: [0, 90], flags: FLAGS.auto },
              null,
            ],
          },
          { model: 1, property: 'Lcl Translation', curves: [{ times: [0, 1], values: [0, 5] }, null, null] },
        ],
      },
      { channels: [{ model: 2, property: 'Lcl Rotation', curves: [null, null, { times: [0], values: [10] }] }] },
    ],
  },
]);
const tree = treeOf({
  version: 7400,
  settings: { UnitScaleFactor: [1], UpAxis: [1], UpAxisSign: [1] },
  objects: [
    model(1, 'Hips', 'LimbNode', { 'Lcl Translation': [0, 100, 0], InheritType: [1] }),
    model(2, 'Spine', 'LimbNode', { 'Lcl Translation': [0, 10, 0], PreRotation: [10, 0, 5], RotationActive: [1] }),
    model(3, 'Head', 'LimbNode', { 'Lcl Translation': [0, 50, 0], 'Lcl Scaling': [1, 2, 1] }),
    bindPose(9, { 1: moved(0, 100, 0), 2: moved(0, 110, 0), 3: moved(0, 160, 0) }),
    ...objects,
  ],
  connections: [[1, 0], [2, 1], [3, 2], ...connections],
});
const files = [fbxBinary(tree), new TextEncoder().encode(fbxText(tree))];

/** Bytes overwritten, cut out, doubled, or the end cut off. */
function mutate(random: Random, bytes: Uint8Array): Uint8Array {
  const at = (): number => Math.floor(random() * bytes.length);
  const way = random();
  if (way < 0.05) return bytes.slice(0, at());
  if (way < 0.15) {
    const [from, to] = [at(), at()].sort((a, b) => a - b);
    const part = bytes.subarray(from, Math.min(to, from + 64));
    return Uint8Array.from([...bytes.subarray(0, to), ...part, ...bytes.subarray(to)]);
  }
  const out = bytes.slice();
  const count = 1 + Math.floor(random() * 6);
  for (let k = 0; k < count; k++) out[at()] = Math.floor(random() * 256);
  return out;
}

it('readFbx and readFbxGeometry survive seeded mutations', async () => {
  const random = makeRandom(2026);
  const ends = { read: 0, refused: 0 };
  const runs = lawRuns(5000);
  for (let k = 0; k < runs; k++) {
    const bytes = mutate(random, files[k % 2]);
    // Some damages leave no FBX: only those that still say so are asked of its reader.
    bytes.set(files[k % 2].subarray(0, Math.min(24, bytes.length)));
    let file: OpenFile;
    try {
      file = await openBytes(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError);
      ends.refused++;
      continue;
    }
    expectValidAsset(file.asset);
    for (const index of file.asset.skeletons.keys()) describeFileHumanoid(file, index);
    ends.read++;
  }
  expect(ends.read).toBeGreaterThan(0.1 * runs);
  expect(ends.refused).toBeGreaterThan(0.1 * runs);
}, 60_000);

it('readFbx and readFbxGeometry read the undamaged files', async () => {
  for (const bytes of files) {
    const { asset } = await openBytes(bytes);
    expect([asset.skeletons.length, asset.clips[0].clips[0].tracks.length]).toEqual([1, 2]);
  }
});
