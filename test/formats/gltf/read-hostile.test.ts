/** Files with randomly damaged JSON or data: readGltf throws a FormatError or returns an Asset of finite, valid data, quickly. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { validateTopology } from '../../../src/core/skeleton/topology.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { parseGlb } from '../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { appendClips } from '../../../src/formats/gltf/write/write-clips.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { glbOf } from '../../support/make/glb.ts';
import { validateClip } from '../../support/validate-clip.ts';
import { damageJson } from './damage.ts';
import { bareGlb, glbBytes, openDocument } from './open.ts';
import { moved, scalars, smallFile, vectors } from './small-file.ts';

/** A small character with all features: matrices, two skins, a humanoid, all interpolations, morph targets. */
function smallCharacter(): Uint8Array {
  const identity = moved(0, 0, 0);
  const json = {
    extensionsRequired: ['KHR_materials_unlit'],
    extensions: {
      VRMC_vrm: {
        specVersion: '1.0',
        meta: { name: 'Ava' },
        humanoid: { humanBones: { hips: { node: 1 }, spine: { node: 2 } } },
      },
    },
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: 'rig', matrix: identity, children: [1, 3] },
      { name: 'hips', translation: [0, 1, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1], children: [2] },
      { name: 'spine', translation: [0, 0.5, 0] },
      { name: 'face', mesh: 0, skin: 0 },
    ],
    meshes: [{ primitives: [{ attributes: {}, targets: [{}] }] }],
    skins: [
      { name: 'body', joints: [1, 2], inverseBindMatrices: 3, skeleton: 0 },
      { joints: [2], inverseBindMatrices: 4 },
    ],
    animations: [
      {
        name: 'move',
        channels: [
          { sampler: 0, target: { node: 1, path: 'translation' } },
          { sampler: 1, target: { node: 2, path: 'rotation' } },
          { sampler: 2, target: { node: 3, path: 'weights' } },
        ],
        samplers: [
          { input: 0, output: 1, interpolation: 'CUBICSPLINE' },
          { input: 0, output: 2 },
          { input: 0, output: 0, interpolation: 'STEP' },
        ],
      },
    ],
  };
  const accessors = [
    scalars(0, 1),
    vectors('VEC3', ...Array.from({ length: 18 }, (_, i) => i)),
    vectors('VEC4', 0, 0, 0, 1, 1, 0, 0, 0),
    vectors('MAT4', ...moved(0, -1, 0), ...moved(0, -1.5, 0)),
    vectors('MAT4', ...moved(3, -1.5, 0)),
  ];
  return glbBytes(smallFile(json, accessors));
}

function expectSound(glb: Uint8Array): 'read' | 'refused' {
  try {
    const doc = parseGltf(glb);
    const read = readGltf(doc);
    for (const { skeleton } of read.skeletons) {
      expect(validateTopology(skeleton.parents, skeleton.names).reasons).toEqual([]);
      expect(skeleton.rest.every(Number.isFinite)).toBe(true);
      expect(skeleton.bind?.every(Number.isFinite) ?? true).toBe(true);
    }
    for (const { clips, morphs, duration } of read.clips) {
      expect(Number.isFinite(duration)).toBe(true);
      clips.forEach((clip, s) => {
        expect(validateClip(clip, read.skeletons[s].skeleton.parents.length).reasons).toEqual([]);
      });
      for (const { times, values } of morphs)
        expect(times.every(Number.isFinite) && values.every(Number.isFinite)).toBe(true);
    }
    const moving = read.clips
      .flatMap(({ clips }) => clips.map((clip, s) => ({ clip, s })))
      .find(({ clip }) => clip.tracks.length > 0);
    if (moving !== undefined) {
      appendClips(doc, [{ name: 'again', clip: moving.clip, sourceNodes: read.skeletons[moving.s].sourceNodes }]);
      readGltf(parseGltf(glbBytes(doc)));
    }
    return 'read';
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.message.length).toBeGreaterThan(10);
    return 'refused';
  }
}

function damageMany(name: string, glb: Uint8Array, fullRuns: number): void {
  const runs = lawRuns(fullRuns);
  const { json, bin } = parseGlb(glb);
  const text = new TextDecoder().decode(json);
  const counts = { read: 0, refused: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const random = makeRandom(seed);
    const damaged: JsonObject = JSON.parse(text);
    const data = Uint8Array.from(bin ?? []);
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
      if (random() < 0.8) damageJson(random, damaged);
      else if (data.length > 0) data[Math.floor(random() * data.length)] = Math.floor(random() * 256);
    }
    try {
      counts[expectSound(glbOf(damaged, data))]++;
    } catch (error) {
      throw new Error(`${name}, seed ${seed}: ${error}\n${JSON.stringify(damaged).slice(0, 4000)}`, { cause: error });
    }
  }
  expect(counts.read).toBeGreaterThan(runs * 0.05);
  expect(counts.refused).toBeGreaterThan(runs * 0.05);
}

describe('readGltf on damaged files', () => {
  it('returns valid data or throws a FormatError for a small character', () => {
    damageMany('small character', smallCharacter(), 2500);
  });

  it
    .skipIf(!HAS_ASSETS)
    .each([
      'assets/negative/RiggedSimple.glb',
      'assets/vrma/threevrm_test.vrma',
      'assets/vrm/saturday06_debug_robot.vrm',
      'conformance/gltf/own-vrm-like/hazards.glb',
    ])('returns valid data or throws a FormatError for %s', (file) => {
    damageMany(file, new Uint8Array(readFileSync(asset(file))), 450);
  });

  it.skipIf(!HAS_ASSETS)(
    'returns valid data or throws a FormatError for a skin and its animation of the Asset-Generator',
    async () => {
      const path = asset(
        'conformance/gltf/khronos-asset-generator/Output/Positive/Animation_Skin/Animation_Skin_09.gltf',
      );
      damageMany(path, bareGlb(await openDocument(path)), 500);
    },
  );
});
