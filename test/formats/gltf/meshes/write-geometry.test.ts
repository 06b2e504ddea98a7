import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import type { MorphTrack, NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { mergeSkeletonClips } from '../../../../src/files/clips/merge-skeleton-clips.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { parseGltf, readGltf } from '../../../../src/formats/gltf/index.ts';
import { readGeometry } from '../../../../src/formats/gltf/meshes/read-geometry.ts';
import { loadImages } from '../../../../src/formats/gltf/meshes/read-textures.ts';
import { writeCharacterDocument } from '../../../../src/formats/gltf/meshes/write-geometry.ts';
import { seenError } from '../../../core/asset/seen.ts';
import { law } from '../../../laws/law.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { randomGeometry } from '../../../support/make/random-geometry.ts';
import { STORED_VERTICES } from '../../../support/tolerances.ts';
import { geometryOf, mesh } from '../../usd/write/small-geometry.ts';
import { firstDifference, geometryForm } from '../geometry-form.ts';
import { glbBytes, openDocument } from '../open.ts';
import { validatorCodes } from '../validator.ts';

/** Validator findings, without those that no writer of this data could avoid. */
async function objections(bytes: Uint8Array): Promise<string[]> {
  const codes = await validatorCodes(bytes);
  // Normal maps without tangents and color profiles inside images are properties of the source file.
  const given = /^(MESH_PRIMITIVE_GENERATED_TANGENT_SPACE|IMAGE_FEATURES_UNSUPPORTED)$/;
  return [...codes].flatMap(([code, severity]) => (severity < 2 && !given.test(code) ? [code] : []));
}

interface Written {
  readonly bytes: Uint8Array;
  readonly json: JsonObject;
  readonly geometry: Geometry;
  readonly issues: readonly Issue[];
}

function written(geometry: Geometry, animations: readonly NewAnimation[] = []): Written {
  const result = writeCharacterDocument(geometry, animations);
  const bytes = glbBytes(result.document);
  const document = parseGltf(bytes);
  return { bytes, json: document.json, geometry: readGeometry(document).geometry, issues: result.issues };
}

const node = (geometry: Geometry, index: number): number => geometry.sourceNodes[index];

function moves(targets: readonly number[], path: 'translation' | 'rotation' = 'translation'): Clip {
  return {
    name: 'move',
    duration: 1,
    tracks: targets.map((target) => ({
      target,
      path,
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
      values: path === 'rotation' ? Float32Array.of(0, 0, 0, 1, 0, 1, 0, 0) : Float32Array.of(0, 0, 0, 1, 2, 3),
    })),
  };
}

function smile(sourceNode: number, targetCount = 3): MorphTrack {
  const values = new Float32Array(2 * targetCount).fill(0.5, targetCount);
  return {
    sourceNode,
    nodeName: '',
    targetCount,
    interpolation: 'LINEAR',
    times: Float32Array.of(0, 1),
    values,
  };
}

describe('writeCharacterDocument', () => {
  law(
    'shows the same when it is read again',
    STORED_VERTICES,
    (random) => {
      const geometry = randomGeometry(random);
      return seenError(geometry, written(geometry).geometry);
    },
    100,
  );

  it('passes the Khronos validator', async () => {
    for (let seed = 0; seed < lawRuns(40); seed++) {
      const { bytes } = written(randomGeometry(makeRandom(seed)));
      expect(await objections(bytes)).toEqual([]);
    }
  });

  it('writes the same data again when its output is read', () => {
    for (let seed = 0; seed < lawRuns(40); seed++) {
      const first = written(randomGeometry(makeRandom(seed)));
      const second = written(first.geometry);
      const forms = [first, second].map(({ geometry }, k) => {
        // Node i of the second file is node i of the geometry read from the first one.
        return geometryForm(geometry, (place) => (k === 0 ? place : node(geometry, place)));
      });
      expect(firstDifference(forms[0], forms[1], 1e-15)).toBeNull();
      expect(second.issues).toEqual([]);
    }
  });

  it('hides a mesh without the nodes below it, and keeps custom properties', () => {
    const geometry = geometryOf(
      [
        ['hat', -1],
        ['feather', 0],
      ],
      {
        meshes: [mesh('felt'), mesh('down')],
        shown: [
          { node: 0, mesh: 0, isHidden: true },
          { node: 1, mesh: 1 },
        ],
      },
    );
    const properties = { owner: 'Ann', size: [1, 2, 3], isNew: false };
    const { json, geometry: again } = written({ ...geometry, customProperties: new Map([[1, properties]]) });
    expect(json['extensionsUsed']).toEqual(['KHR_node_visibility']);
    const seen = again.instances.map(({ node: at, isHidden = false }) => [again.nodes.names[at], isHidden]);
    expect(seen.sort()).toEqual([
      ['feather', false],
      ['felt', true],
    ]);
    expect([...(again.customProperties ?? [])].map(([at, found]) => [again.nodes.names[at], found])).toEqual([
      ['feather', properties],
    ]);
  });

  it('keeps index, name, parent and rest pose of every node except those of skinned meshes', () => {
    const geometry = randomGeometry(makeRandom(1));
    const again = written(geometry).geometry;
    for (const place of again.nodes.parents.keys()) {
      const former = node(again, place);
      if (former >= 5) continue;
      expect(again.nodes.names[place]).toBe(geometry.nodes.names[former]);
      const parent = again.nodes.parents[place];
      expect(parent < 0 ? -1 : node(again, parent)).toBe(geometry.nodes.parents[former]);
      again.nodes.rest.slice(10 * place, 10 * place + 10).forEach((value, c) => {
        expect(value).toBeCloseTo(geometry.nodes.rest[10 * former + c], 14);
      });
    }
  });

  it('stores accessors with equal content once', () => {
    const geometry = randomGeometry(makeRandom(2));
    const [mesh] = geometry.meshes;
    const twice = { ...geometry, meshes: [mesh, structuredClone(mesh), geometry.meshes[2]] };
    const count = (of: Geometry): number => (written(of).json['accessors'] as JsonObject[]).length;
    expect(count(twice)).toBe(count({ ...geometry, meshes: [mesh, mesh, geometry.meshes[2]] }));
  });

  it('makes the node of a skinned mesh a root, and adds a node where the original one has another purpose', () => {
    const geometry = randomGeometry(makeRandom(1));
    const bound = { ...geometry.meshes[0], primitives: [geometry.meshes[0].primitives[0]] };
    const at = (index: number): Geometry => ({
      ...geometry,
      meshes: [bound],
      instances: [{ node: index, mesh: 0, skin: 0, morphWeights: null }],
    });
    const nodesOf = (index: number, animations: NewAnimation[] = []) => {
      return written(at(index), animations).json['nodes'] as JsonObject[];
    };
    expect(nodesOf(6)[6]).toEqual({ name: 'hat', mesh: 0, skin: 0 });
    // A parent, a joint, an animated node.
    expect(nodesOf(0)[7]).toEqual({ name: 'mesh 0', mesh: 0, skin: 0 });
    expect(nodesOf(4)[7]).toEqual({ name: 'mesh 0', mesh: 0, skin: 0 });
    const animation = { name: 'move', clip: moves([0]), sourceNodes: [node(geometry, 6)] };
    expect(nodesOf(6, [animation])[7]).toEqual({ name: 'mesh 0', mesh: 0, skin: 0 });
  });

  it('adds a node with the same transform for each additional mesh of a node', () => {
    const geometry = randomGeometry(makeRandom(3));
    const instances = [
      { node: 2, mesh: 2, skin: -1, morphWeights: null },
      { node: 2, mesh: 2, skin: -1, morphWeights: Float32Array.of(1, 0, 0) },
    ];
    const doubled = { ...geometry, instances };
    const again = written(doubled);
    expect((again.json['nodes'] as JsonObject[])[7]).toMatchObject({ name: 'mesh 2', mesh: 2, weights: [1, 0, 0] });
    expect(seenError(doubled, again.geometry)).toBeLessThan(STORED_VERTICES);
  });

  it('adds a root above trees with joints of one skin and reports it', async () => {
    const geometry = randomGeometry(makeRandom(3));
    const parents = Int32Array.of(-1, 0, -1, 2, 1, 0, 0);
    const scattered = { ...geometry, nodes: { ...geometry.nodes, parents } };
    const { bytes, json, geometry: again, issues } = written(scattered);
    expect(issues.map(({ code }) => code)).toEqual(['GLTF_SKIN']);
    const nodes = json['nodes'] as JsonObject[];
    expect(nodes[nodes.length - 1]).toEqual({ name: 'root', children: [0, 2] });
    expect(await objections(bytes)).toEqual([]);
    expect(seenError(scattered, again)).toBeLessThan(STORED_VERTICES);
  });

  it('adds a node for a joint that is listed twice, with its own bind matrix', async () => {
    const geometry = randomGeometry(makeRandom(3));
    const skins = geometry.skins.map((skin) => ({ ...skin, joints: Int32Array.from(skin.joints, () => 2) }));
    const { bytes, geometry: again } = written({ ...geometry, skins });
    expect(await objections(bytes)).toEqual([]);
    expect(seenError({ ...geometry, skins }, again)).toBeLessThan(STORED_VERTICES);
  });

  it('drops a skin without joints; its meshes become rigid', async () => {
    const geometry = randomGeometry(makeRandom(3));
    const [skin, other] = geometry.skins;
    const bare = { ...skin, joints: new Int32Array(0), inverseBindMatrices: new Float64Array(0) };
    const { bytes, json } = written({ ...geometry, skins: [bare, other] });
    expect(json['skins']).toHaveLength(1);
    expect(await objections(bytes)).toEqual([]);
  });

  it('maps clips by source node, including morph weights of a mesh that moved to a new node', () => {
    const geometry = randomGeometry(makeRandom(1));
    const bound = { ...geometry.meshes[0], primitives: [geometry.meshes[0].primitives[0]] };
    const instances = [{ node: 4, mesh: 0, skin: 0, morphWeights: null }];
    const sourceNodes = [1, 4].map((index) => node(geometry, index));
    const clip = moves([0, 1]);
    const morphs = [smile(sourceNodes[1])];
    const { json } = written({ ...geometry, meshes: [bound], instances }, [{ name: 'a', clip, sourceNodes, morphs }]);
    const [{ channels }] = json['animations'] as { channels: { target: JsonObject }[] }[];
    expect(channels.map(({ target }) => target)).toEqual([
      { node: 1, path: 'translation' },
      { node: 4, path: 'translation' },
      { node: 7, path: 'weights' },
    ]);
  });

  it('drops and reports tracks of nodes that are not written', () => {
    const geometry = randomGeometry(makeRandom(1));
    const sourceNodes = [999, node(geometry, 1)];
    const wrong = [smile(node(geometry, 0)), smile(node(geometry, 2), 2)];
    const { json, issues } = written(geometry, [
      { name: 'half', clip: moves([0, 1]), sourceNodes, morphs: wrong },
      { name: 'none', clip: moves([0]), sourceNodes },
    ]);
    expect((json['animations'] as JsonObject[]).map(({ name }) => name)).toEqual(['half']);
    expect(issues.map(({ code }) => code)).toEqual(['CLIP_EMPTY', 'CHANNELS_DROPPED']);
    expect(issues[1].message).toMatch(/^4 tracks/);
  });

  it('writes a geometry without meshes, and an empty one', async () => {
    const geometry = { ...randomGeometry(makeRandom(1)), meshes: [], skins: [], instances: [] };
    expect(Object.keys(written(geometry).json).sort()).toEqual(['asset', 'nodes', 'scene', 'scenes']);
    const nothing = { ...geometry.nodes, names: [], parents: new Int32Array(0), rest: new Float64Array(0) };
    const { bytes } = written({ ...geometry, nodes: nothing, sourceNodes: new Int32Array(0) });
    expect(await objections(bytes)).toEqual([]);
  });

  it('throws for a number of bind matrices other than that of joints', () => {
    const geometry = randomGeometry(makeRandom(1));
    const skins = geometry.skins.map((skin) => ({ ...skin, inverseBindMatrices: new Float32Array(16) }));
    expect(() => written({ ...geometry, skins })).toThrow(RangeError);
  });

  it('replaces bind matrices with NaN or infinite values', async () => {
    const geometry = randomGeometry(makeRandom(1));
    const skins = geometry.skins.map((skin) => {
      return { ...skin, inverseBindMatrices: skin.inverseBindMatrices.map((x, c) => (c === 3 ? Number.NaN : x)) };
    });
    const { bytes, issues } = written({ ...geometry, skins });
    expect(issues.map(({ code }) => code)).toEqual(['GEOMETRY_REPAIRED', 'GEOMETRY_REPAIRED']);
    expect(await objections(bytes)).toEqual([]);
  });
});

const GENERATED = 'conformance/gltf/khronos-asset-generator';

describe.skipIf(!HAS_ASSETS)('writeCharacterDocument of real files', () => {
  const files = [
    ...assetFiles('assets/glb', 'glb'),
    ...assetFiles('assets/vrm', 'vrm'),
    ...assetFiles(GENERATED, 'gltf').filter((path) => {
      // Their images are large, and one of these files is representative.
      const isSameAgain = /(Node_Attribute|Node_NegativeScale|Mesh_PrimitiveVertexColor|Material\w*)_0[1-9]/.test(path);
      return !isSameAgain && !/Compatibility_04|Mesh_PrimitiveRestart|Mesh_NoPosition/.test(path);
    }),
  ]
    // 40 MB of images; other files have the same features.
    .filter((path) => !path.endsWith('VALID_AIAN_M_1_Casual.glb'))
    .map((path) => [basename(path), path] as const);

  it('finds asset files', () => {
    expect(files.length).toBeGreaterThan(100);
  });

  it.each(sampledCases(files, 8))('preserves the Geometry of %s', async (_, path) => {
    const doc = await openDocument(path);
    await loadImages(doc, (name) => readFile(join(dirname(path), name)));
    const geometry = readGeometry(doc).geometry;
    const { skeletons, clips } = readGltf(doc);
    const animations = clips.map((clip) => mergeSkeletonClips(clip, skeletons));
    const playing = animations.filter(({ clip, morphs = [] }) => clip.tracks.length + morphs.length > 0);
    const again = written(geometry, playing);
    expect(await objections(again.bytes)).toEqual([]);
    expect(again.issues.filter(({ code }) => !/MENDED|GLTF_SKIN/.test(code))).toEqual([]);
    const isNew = (place: number): boolean => node(again.geometry, place) >= geometry.nodes.parents.length;
    const before = geometryForm(geometry, (place) => place);
    const after = geometryForm(again.geometry, (place) => node(again.geometry, place));
    const hasNew = Array.from(again.geometry.nodes.parents.keys()).some(isNew);
    if (!hasNew) expect(firstDifference(before, after, 1e-6)).toBeNull();
    else expect(firstDifference(before.meshes, after.meshes, 1e-6)).toBeNull();
    expect(readGltf(parseGltf(again.bytes)).clips.map(({ name }) => name)).toEqual(playing.map(({ name }) => name));
  });
});
