/** Files with randomly damaged JSON or data: readGeometry throws a FormatError or returns consistent geometry, quickly. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Geometry, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { validateTopology } from '../../../src/core/skeleton/topology.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { loadDracoDecoder } from '../../../src/files/adapters/gltf/draco-decoder.ts';
import type { DracoDecoder } from '../../../src/formats/gltf/document/decoders.ts';
import { parseGlb } from '../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { attachDracoDecoder, parseGltf, readGeometry } from '../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { glbOf } from '../../support/make/glb.ts';
import { damageJson } from './damage.ts';
import { CORNERS } from './geometry-file.ts';
import { glbBytes } from './open.ts';
import { moved, smallFile, vectors } from './small-file.ts';

const SECTIONS = [
  ...['accessors', 'accessors', 'bufferViews', 'images', 'materials', 'meshes', 'meshes', 'meshes', 'nodes'],
  ...['samplers', 'scene', 'scenes', 'skins', 'textures'],
];

/** A file with all features: two skins, sparse and dense morph targets, integer attributes, all kinds of textures. */
function smallBody(): Uint8Array {
  const doc = smallFile(
    {
      scene: 0,
      scenes: [{ nodes: [0, 3] }],
      nodes: [
        { name: 'rig', children: [1, 2] },
        { name: 'hips', translation: [0, 1, 0] },
        { name: 'body', mesh: 0, skin: 0, weights: [0.5, 0] },
        { name: 'again', mesh: 0, skin: 1, extensions: { EXT_mesh_gpu_instancing: {} } },
      ],
      skins: [{ joints: [0, 1], inverseBindMatrices: 8 }, { joints: [1, 0] }],
      meshes: [
        {
          weights: [0, 1],
          extras: { targetNames: ['smile', 'blink'] },
          primitives: [
            {
              attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2, COLOR_0: 3, JOINTS_0: 4, WEIGHTS_0: 5 },
              indices: 6,
              targets: [{ POSITION: 0, NORMAL: 7 }, { POSITION: 7 }],
              material: 0,
            },
          ],
        },
      ],
      materials: [
        {
          pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1], baseColorTexture: { index: 0, texCoord: 0 } },
          normalTexture: { index: 1, scale: 1, extensions: { KHR_texture_transform: { offset: [0, 1], texCoord: 0 } } },
          emissiveFactor: [1, 1, 1],
          extensions: { KHR_materials_emissive_strength: { emissiveStrength: 2 } },
          alphaMode: 'MASK',
        },
      ],
      textures: [
        { source: 0, sampler: 0 },
        { source: 0, extensions: { EXT_texture_webp: { source: 1 } } },
      ],
      samplers: [{ wrapS: 33_071, magFilter: 9728 }],
      images: [{ uri: 'data:image/png;base64,iVBORw0KGgo=' }, { bufferView: 6 }],
    },
    [
      CORNERS,
      { type: 'VEC3', array: Int8Array.of(0, 0, 127, 0, 0, 127, 0, 0, 127), normalized: true },
      { type: 'VEC2', array: new Uint16Array(6), normalized: true },
      { type: 'VEC3', array: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), normalized: true },
      { type: 'VEC4', array: Uint8Array.of(0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) },
      { type: 'VEC4', array: Float32Array.of(0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) },
      { type: 'SCALAR', array: Uint16Array.of(0, 1, 2) },
      vectors('VEC3', 0, 0, 0, 0, 0, 1, 0, 0, 0),
      vectors('MAT4', ...moved(0, -1, 0), ...moved(0, -2, 0)),
    ],
  );
  const sparse = (doc.json['accessors'] as JsonObject[])[7];
  delete sparse['bufferView'];
  sparse['sparse'] = { count: 1, indices: { bufferView: 6, componentType: 5123 }, values: { bufferView: 7 } };
  return glbBytes(doc);
}

const areFinite = (array: ArrayLike<number> | null): boolean =>
  array === null || Array.from(array).every(Number.isFinite);

function expectSoundPart(part: MeshPrimitive, targetCount: number, geometry: Geometry): void {
  const { vertexCount, indices, influences, uvs, colors } = part;
  const arrays = [
    [part.positions, 3],
    [part.normals, 3],
    [part.tangents, 4],
    ...uvs.map((set) => [set, 2]),
    ...colors.map((set) => [set, 4]),
  ] as [Float32Array | null, number][];
  for (const [array, width] of arrays) {
    expect(array?.length ?? width * vertexCount).toBe(width * vertexCount);
    expect(areFinite(array)).toBe(true);
  }
  expect(indices?.every((index) => index < vertexCount) ?? true).toBe(true);
  expect(part.material).toBeLessThan(geometry.materials.length);
  if (influences !== null) {
    expect(influences.indices.length).toBe(influences.jointsPerVertex * vertexCount);
    expect(influences.weights.length).toBe(influences.indices.length);
    expect(areFinite(influences.weights)).toBe(true);
  }
  expect(part.morphTargets).toHaveLength(targetCount);
  for (const { vertices, positions, normals, tangents } of part.morphTargets) {
    const count = 3 * (vertices?.length ?? vertexCount);
    expect(vertices?.every((vertex, i) => vertex < vertexCount && (i === 0 || vertex > vertices[i - 1])) ?? true).toBe(
      true,
    );
    for (const deltas of [positions, normals, tangents]) {
      expect(deltas?.length ?? count).toBe(count);
      expect(areFinite(deltas)).toBe(true);
    }
  }
}

function expectSound(geometry: Geometry): void {
  const { nodes, sourceNodes, meshes, skins, instances, materials, textures } = geometry;
  expect(validateTopology(nodes.parents, nodes.names).reasons).toEqual([]);
  expect(sourceNodes.length).toBe(nodes.names.length);
  expect(areFinite(nodes.rest)).toBe(true);
  for (const mesh of meshes) {
    expect(mesh.morphWeights.length).toBe(mesh.morphNames.length);
    for (const part of mesh.primitives) expectSoundPart(part, mesh.morphNames.length, geometry);
  }
  for (const { joints, inverseBindMatrices } of skins) {
    expect(joints.every((joint) => joint >= 0 && nodes.joints[joint] === 1)).toBe(true);
    expect(inverseBindMatrices.length).toBe(16 * joints.length);
    expect(areFinite(inverseBindMatrices)).toBe(true);
  }
  for (const { node, mesh, skin, morphWeights } of instances) {
    expect(node).toBeLessThan(nodes.names.length);
    expect(morphWeights?.length ?? meshes[mesh].morphNames.length).toBe(meshes[mesh].morphNames.length);
    if (skin < 0) continue;
    for (const { influences } of meshes[mesh].primitives) {
      expect(influences?.indices.every((joint) => joint < skins[skin].joints.length) ?? true).toBe(true);
    }
  }
  for (const { baseColorTexture, normalTexture } of materials) {
    for (const use of [baseColorTexture, normalTexture]) expect(use?.texture ?? -1).toBeLessThan(textures.length);
  }
}

function damageMany(glb: Uint8Array, fullRuns: number, decoder: DracoDecoder | null = null): void {
  const runs = lawRuns(fullRuns);
  const { json, bin } = parseGlb(glb);
  const text = new TextDecoder().decode(json);
  const counts = { read: 0, refused: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const random = makeRandom(seed);
    const damaged: JsonObject = JSON.parse(text);
    const data = Uint8Array.from(bin ?? []);
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
      if (random() < 0.8) damageJson(random, damaged, SECTIONS);
      else data[Math.floor(random() * data.length)] = random() < 0.5 ? 255 : Math.floor(random() * 256);
    }
    try {
      const doc = parseGltf(glbOf(damaged, data));
      if (decoder !== null) attachDracoDecoder(doc, decoder);
      expectSound(readGeometry(doc).geometry);
      counts.read++;
    } catch (error) {
      if (error instanceof FormatError) counts.refused++;
      else throw new Error(`seed ${seed}: ${error}\n${JSON.stringify(damaged).slice(0, 4000)}`, { cause: error });
    }
  }
  expect(counts.read).toBeGreaterThan(runs * 0.05);
  expect(counts.refused).toBeGreaterThan(runs * 0.05);
}

describe('readGeometry on damaged files', () => {
  it('reads the undamaged file', () => {
    const { geometry, issues } = readGeometry(parseGltf(smallBody()));
    expectSound(geometry);
    expect(geometry.textures).toHaveLength(2);
    expect([...geometry.meshes[0].primitives[0].morphTargets[1].vertices!]).toEqual([0]);
    expect(issues).toHaveLength(1);
  });

  it('returns valid geometry or throws a FormatError for a small character', () => {
    damageMany(smallBody(), 3000);
  });

  it
    .skipIf(!HAS_ASSETS)
    .each([
      'assets/negative/RiggedSimple.glb',
      'assets/vrm/saturday06_debug_robot.vrm',
      'conformance/gltf/own-vrm-like/hazards.glb',
    ])('returns valid geometry or throws a FormatError for %s', (file) => {
    damageMany(new Uint8Array(readFileSync(asset(file))), 200);
  });

  it.skipIf(!HAS_ASSETS)('returns valid geometry or throws a FormatError for a Draco mesh', async () => {
    const file = asset('conformance/gltf/draco-testdata/testdata/Box/glTF_Binary/Box_Draco.glb');
    damageMany(new Uint8Array(readFileSync(file)), 500, await loadDracoDecoder());
  });
});
