import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { cpuTimer } from '../../../cpu-time.ts';
import { CORNERS, meshFile, read } from '../geometry-file.ts';
import { smallFile } from '../small-file.ts';

const PART = { attributes: { POSITION: 0 } };

describe('readGeometry', () => {
  it('gives a mesh that stands at several nodes once, with an instance for each', () => {
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

  it('reads what the scene shows, and says what it does not', () => {
    const nodes = [{ mesh: 0 }, { mesh: 1 }];
    const meshes = [{ primitives: [{ ...PART, material: 1 }] }, { primitives: [{ attributes: { POSITION: 9 } }] }];
    const { geometry, messages } = read(
      smallFile({ nodes, meshes, scenes: [{ nodes: [0] }], materials: [{}, { name: 'seen' }] }, [CORNERS]),
    );
    expect(geometry.meshes).toHaveLength(1);
    expect(geometry.materials.map(({ name }) => name)).toEqual(['seen']);
    expect(geometry.meshes[0].primitives[0].material).toBe(0);
    expect(messages).toEqual(['1 mesh was left out: not in the scene']);
  });

  it('reports what it has no place for, one issue a kind', () => {
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
      '1 node draws many copies of its mesh (EXT_mesh_gpu_instancing); one stands in their place',
      '2 extensions of nodes were left out: KHR_lights_punctual',
      '2 cameras were left out',
      '1 extension of a mesh was left out: KHR_materials_variants',
    ]);
    expect(issues.map(({ code }) => code)).toEqual(Array(4).fill('GEOMETRY_DROPPED'));
    expect(issues[1].where).toEqual({ pointer: '/nodes/1' });
  });

  it('is empty of a file without meshes', () => {
    const { geometry, issues } = read(smallFile({}));
    expect(geometry).toMatchObject({ meshes: [], skins: [], instances: [], materials: [], textures: [] });
    expect(issues).toEqual([]);
  });

  it('gives the same again, and takes no more memory for it', () => {
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

  it('is no part of reading joints and clips: broken meshes do not matter there', () => {
    const doc = meshFile({ attributes: { POSITION: 77 }, indices: -1, mode: 'x' }, [], { nodes: [{}, { mesh: 0 }] });
    expect(readGltf(doc).issues).toEqual([]);
    expect(() => read(doc)).toThrow(expect.objectContaining({ name: 'FormatError' }));
  });

  it('looks once at what a thousand parts share', () => {
    const corners = { type: 'VEC3', array: new Float32Array(300_000) };
    const order = { type: 'SCALAR', array: new Uint32Array(300_000) };
    const part = { attributes: { POSITION: 0, COLOR_0: 0 }, indices: 1, targets: [{ POSITION: 0 }] };
    const doc = smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives: Array(2000).fill(part) }] }, [corners, order]);
    const spent = cpuTimer();
    expect(read(doc).geometry.meshes[0].primitives).toHaveLength(2000);
    expect(spent()).toBeLessThan(2000);
  });
});
