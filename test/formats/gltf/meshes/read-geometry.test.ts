import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { readMovingVertices } from '../../../../src/formats/gltf/meshes/read-geometry.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { CORNERS, failure, meshFile, read } from '../geometry-file.ts';
import { moved, type SmallAccessor, smallFile, vectors } from '../small-file.ts';

const PART = { attributes: { POSITION: 0 } };

describe('readGeometry', () => {
  it('returns a mesh that several nodes reference once, with an instance per node', () => {
    const nodes = [{ mesh: 1, children: [2] }, { mesh: 0 }, { name: 'two', mesh: 1, translation: [1, 2, 3] }];
    const meshes = [
      { name: 'a', primitives: [PART] },
      { name: 'b', primitives: [PART, PART] },
    ];
    const { geometry, issues } = read(smallFile({ nodes, meshes }, [CORNERS]));
    expect(geometry.meshes.map(({ name, primitives }) => [name, primitives.length])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(geometry.instances).toEqual([
      { node: 0, mesh: 1, skin: -1, morphWeights: null },
      { node: 1, mesh: 1, skin: -1, morphWeights: null },
      { node: 2, mesh: 0, skin: -1, morphWeights: null },
    ]);
    expect([...geometry.sourceNodes]).toEqual([0, 2, 1]);
    expect(geometry.nodes.names).toEqual(['', 'two', '']);
    expect([...geometry.nodes.rest.subarray(10, 13)]).toEqual([1, 2, 3]);
    expect(issues).toEqual([]);
  });

  it('reads the nodes of the scene and reports unreferenced meshes', () => {
    const nodes = [{ mesh: 0 }, { mesh: 1 }];
    const meshes = [{ primitives: [{ ...PART, material: 1 }] }, { primitives: [{ attributes: { POSITION: 9 } }] }];
    const { geometry, messages } = read(
      smallFile({ nodes, meshes, scenes: [{ nodes: [0] }], materials: [{}, { name: 'seen' }] }, [CORNERS]),
    );
    expect(geometry.meshes).toHaveLength(1);
    expect(geometry.materials.map(({ name }) => name)).toEqual(['seen']);
    expect(geometry.meshes[0].primitives[0].material).toBe(0);
    expect(messages).toEqual(['1 mesh was dropped: unreferenced by the scene']);
  });

  it('reports unsupported data, one issue per kind', () => {
    const extensions = (name: string): object => ({ extensions: { [name]: {} } });
    const { issues, messages } = read(
      meshFile({ ...extensions('KHR_materials_variants') }, [], {
        nodes: [
          { mesh: 0, ...extensions('EXT_mesh_gpu_instancing') },
          { camera: 0, ...extensions('KHR_lights_punctual') },
          { camera: 0, ...extensions('KHR_lights_punctual') },
        ],
      }),
    );
    expect(messages).toEqual([
      '1 node draws instances of its mesh (EXT_mesh_gpu_instancing); only one instance was kept',
      '2 node extensions were dropped as unsupported: KHR_lights_punctual',
      '2 cameras were dropped',
      '1 mesh extension was dropped as unsupported: KHR_materials_variants',
    ]);
    expect(issues.map(({ code }) => code)).toEqual(Array(4).fill('GEOMETRY_DROPPED'));
    expect(issues[1].where).toEqual({ pointer: '/nodes/1' });
  });

  it('hides meshes of nodes that are not visible, and those below', () => {
    const hidden = { extensions: { KHR_node_visibility: { visible: false } } };
    const shown = { extensions: { KHR_node_visibility: { visible: true } } };
    const nodes = [
      { children: [1], ...hidden },
      { mesh: 0, ...shown },
      { mesh: 0, ...shown },
      { mesh: 0, ...hidden },
    ];
    const { geometry, messages } = read(smallFile({ nodes, meshes: [{ primitives: [PART] }] }, [CORNERS]));
    expect(geometry.instances.map(({ isHidden = false }) => isHidden)).toEqual([true, false, true]);
    expect(messages).toEqual([]);
  });

  it('reads extras of nodes as custom properties, and names the extras that it drops', () => {
    const kept = { name: 'Ann', age: 7, isTall: true, size: [1, 2], color: [1, 0, 0, 1] };
    const nodes = [{}, { mesh: 0, extras: { ...kept, list: [1], texts: ['a', 'b'], object: {} } }, { extras: 5 }];
    const meshes = [{ primitives: [{ ...PART, extras: { part: 1 } }], extras: { targetNames: [], tag: 1 } }];
    const asset = { version: '2.0', extras: { license: 'CC-BY' } };
    const { geometry, messages } = read(smallFile({ asset, nodes, meshes }, [CORNERS]));
    expect([...(geometry.customProperties ?? [])]).toEqual([[1, kept]]);
    expect(messages).toEqual([
      '7 values of extras were dropped; nodes keep text, numbers, booleans and lists of 2 to 4 numbers, other objects none: list, texts, object, license, tag, part',
    ]);
  });

  it('returns empty geometry for a file without meshes', () => {
    const { geometry, issues } = read(smallFile({}));
    expect(geometry).toMatchObject({ meshes: [], skins: [], instances: [], materials: [], textures: [] });
    expect(issues).toEqual([]);
  });

  it('returns the same arrays for a second call and allocates no more memory', () => {
    const colors = { type: 'VEC3', array: new Uint8Array(9), normalized: true };
    const doc = meshFile({ attributes: { COLOR_0: 1 }, indices: 2 }, [
      colors,
      { type: 'SCALAR', array: Uint8Array.of(0, 1, 2) },
    ]);
    const first = read(doc);
    const { decodedBytes } = doc.cache;
    expect(decodedBytes).toBe(36 + 48 + 12);
    expect(read(doc).geometry).toEqual(first.geometry);
    expect(doc.cache.decodedBytes).toBe(decodedBytes);
  });

  it('is independent of readGltf, which reads files with broken meshes', () => {
    const doc = meshFile({ attributes: { POSITION: 77 }, indices: -1, mode: 'x' }, [], { nodes: [{}, { mesh: 0 }] });
    expect(readGltf(doc).issues).toEqual([]);
    expect(() => read(doc)).toThrow(expect.objectContaining({ name: 'FormatError' }));
  });

  it('scans an accessor that a thousand primitives use once', () => {
    const corners = { type: 'VEC3', array: new Float32Array(300_000) };
    const order = { type: 'SCALAR', array: new Uint32Array(300_000) };
    const part = { attributes: { POSITION: 0, COLOR_0: 0 }, indices: 1, targets: [{ POSITION: 0 }] };
    const doc = smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives: Array(2000).fill(part) }] }, [corners, order]);
    const spent = cpuTimer();
    expect(read(doc).geometry.meshes[0].primitives).toHaveLength(2000);
    expect(spent()).toBeLessThan(2000);
  });
});

describe('readMovingVertices', () => {
  it('reads indices, positions, joints and weights as readGeometry does, and nothing else', () => {
    const attributes = { POSITION: 0, NORMAL: 0, TEXCOORD_0: 99, JOINTS_0: 1, WEIGHTS_0: 2 };
    const doc = smallFile(
      {
        nodes: [{ mesh: 0, skin: 0 }, {}],
        skins: [{ joints: [1] }],
        meshes: [{ primitives: [{ attributes, indices: 3, material: 7, targets: [{ POSITION: 99 }] }], weights: [1] }],
      },
      [
        CORNERS,
        { type: 'VEC4', array: new Uint8Array(12) },
        { type: 'VEC4', array: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) },
        { type: 'SCALAR', array: Uint8Array.of(2, 1, 0) },
      ],
    );
    const [part] = readMovingVertices(doc).meshes[0].primitives;
    expect([...part.positions]).toEqual([...CORNERS.array]);
    expect([...part.indices!]).toEqual([2, 1, 0]);
    expect(part.influences).toMatchObject({ kind: 'vertex', jointsPerVertex: 4 });
    expect(part).toMatchObject({ normals: null, tangents: null, uvs: [], colors: [], morphTargets: [], material: -1 });
    expect(() => read(doc)).toThrow(expect.objectContaining({ code: 'GLTF_REFERENCE' }));
  });
});

const IDENTITY = moved(0, 0, 0);

function skins(json: Record<string, unknown>, accessors: readonly SmallAccessor[] = []): ReturnType<typeof read> {
  return read(smallFile({ nodes: [{}, { children: [2] }, {}], ...json }, accessors));
}

describe('readGeometry skins', () => {
  it('keeps the index and matrix of every joint, repeated joints too', () => {
    const matrices = vectors('MAT4', ...moved(1, 0, 0), ...moved(2, 0, 0), ...moved(3, 0, 0));
    const { geometry, messages } = skins({ skins: [{ name: 's', joints: [2, 1, 2], inverseBindMatrices: 0 }] }, [
      matrices,
    ]);
    expect(geometry.skins).toHaveLength(1);
    expect(geometry.skins[0].name).toBe('s');
    expect([...geometry.skins[0].joints]).toEqual([2, 1, 2]);
    expect(geometry.skins[0].inverseBindMatrices).toEqual(matrices.array);
    expect([...geometry.nodes.joints]).toEqual([0, 1, 1]);
    expect(geometry.nodes.bind).toBeNull();
    expect(messages).toEqual([]);
  });

  it('uses the identity for missing matrices', () => {
    const none = skins({ skins: [{ joints: [1] }] });
    expect([...none.geometry.skins[0].inverseBindMatrices]).toEqual(IDENTITY);
    expect(none.messages).toEqual([]);
    const few = skins({ skins: [{ joints: [1, 2], inverseBindMatrices: 0 }] }, [vectors('MAT4', ...moved(1, 0, 0))]);
    expect([...few.geometry.skins[0].inverseBindMatrices]).toEqual([...moved(1, 0, 0), ...IDENTITY]);
    expect(few.messages).toEqual([
      '1 skin has fewer inverse bind matrices than joints; the missing ones were set to the identity',
    ]);
  });

  it('ignores extra matrices', () => {
    const matrices = vectors('MAT4', ...moved(1, 0, 0), ...moved(2, 0, 0));
    const { geometry } = skins({ skins: [{ joints: [1], inverseBindMatrices: 0 }] }, [matrices]);
    expect([...geometry.skins[0].inverseBindMatrices]).toEqual(moved(1, 0, 0));
  });

  it('drops skins without joints or with joints outside of the scene; their instances are rigid', () => {
    const json = {
      nodes: [{ mesh: 0, skin: 0 }, { children: [2] }, {}],
      scenes: [{ nodes: [0] }],
      skins: [{ joints: [] }, { joints: [2] }],
      meshes: [{ primitives: [] }],
    };
    const { geometry } = skins(json);
    expect(geometry.skins).toEqual([]);
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([-1]);
  });

  it('throws GLTF_ACCESSOR for matrices of another type', () => {
    const vector = vectors('VEC4', 1, 2, 3, 4);
    expect(() => skins({ skins: [{ joints: [1], inverseBindMatrices: 0 }] }, [vector])).toThrow(
      expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/0')),
    );
  });
});
