import { describe, expect, it } from 'vitest';
import type { MorphTarget } from '../../../../src/core/asset/geometry.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { failure, meshFile, read } from '../geometry-file.ts';
import type { SmallAccessor } from '../small-file.ts';

const MOVES: SmallAccessor = { type: 'VEC3', array: Float32Array.of(0, 0, 1, 0, 0, 2, 0, 0, 3) };
const numbers = (target: MorphTarget): unknown => ({
  vertices: target.vertices && [...target.vertices],
  positions: target.positions && [...target.positions],
  normals: target.normals && [...target.normals],
});

/** Four corners and one target of sparse accessors; each is [indices, z of the deltas]. */
function sparseFile(accessors: Record<string, readonly [number[], number[]]>, base?: 'POSITION'): GltfDocument {
  const views: object[] = [];
  const parts: Buffer[] = [];
  let length = 0;
  const store = (array: Uint16Array | Float32Array): number => {
    const bytes = Buffer.alloc(Math.ceil(array.byteLength / 4) * 4);
    bytes.set(new Uint8Array(array.buffer));
    parts.push(bytes);
    views.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
    length += bytes.length;
    return views.length - 1;
  };
  const corners = store(new Float32Array(12));
  const plain = { componentType: 5126, count: 4, type: 'VEC3' };
  const list: object[] = [{ bufferView: corners, ...plain }];
  const target: Record<string, number> = {};
  for (const [name, [indices, heights]] of Object.entries(accessors)) {
    const values = Float32Array.from(heights.flatMap((z) => [0, 0, z]));
    const sparse = {
      count: indices.length,
      indices: { bufferView: store(Uint16Array.from(indices)), componentType: 5123 },
      values: { bufferView: store(values) },
    };
    target[name] = list.length;
    list.push({ ...plain, ...(name === base ? { bufferView: corners } : {}), sparse });
  }
  const primitives = [{ attributes: { POSITION: 0 }, targets: [target] }];
  return documentOf(
    { nodes: [{ mesh: 0 }], meshes: [{ primitives }], accessors: list, bufferViews: views },
    Buffer.concat(parts),
  );
}

describe('readMorphTarget', () => {
  it('reads plain accessors as deltas of all vertices', () => {
    const { part } = read(meshFile({ targets: [{ POSITION: 1 }, { NORMAL: 1 }, {}] }, [MOVES]));
    expect(part.morphTargets).toEqual([
      { vertices: null, positions: MOVES.array, normals: null, tangents: null },
      { vertices: null, positions: null, normals: MOVES.array, tangents: null },
      { vertices: null, positions: null, normals: null, tangents: null },
    ]);
  });

  it('keeps sparse accessors without a base sparse', () => {
    const { part } = read(
      sparseFile({
        POSITION: [
          [1, 3],
          [5, 6],
        ],
        NORMAL: [
          [1, 3],
          [7, 8],
        ],
      }),
    );
    expect(part.morphTargets.map(numbers)).toEqual([
      { vertices: [1, 3], positions: [0, 0, 5, 0, 0, 6], normals: [0, 0, 7, 0, 0, 8] },
    ]);
  });

  it('merges the vertices of attributes that change different vertices', () => {
    const doc = sparseFile({
      POSITION: [
        [1, 3],
        [5, 6],
      ],
      NORMAL: [
        [0, 3],
        [7, 8],
      ],
    });
    expect(read(doc).part.morphTargets.map(numbers)).toEqual([
      { vertices: [0, 1, 3], positions: [0, 0, 0, 0, 0, 5, 0, 0, 6], normals: [0, 0, 7, 0, 0, 0, 0, 0, 8] },
    ]);
    expect(read(doc).part.morphTargets).toEqual(read(doc).part.morphTargets);
  });

  it('reads dense deltas where any accessor has a base', () => {
    const { part } = read(sparseFile({ POSITION: [[2], [5]], NORMAL: [[3], [8]] }, 'POSITION'));
    expect(part.morphTargets.map(numbers)).toEqual([
      {
        vertices: null,
        positions: [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0],
        normals: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8],
      },
    ]);
  });

  it('returns no deltas for accessors without data', () => {
    const doc = meshFile({ targets: [{ POSITION: 1 }] }, [MOVES]);
    delete (doc.json['accessors'] as Record<string, unknown>[])[1]['bufferView'];
    expect(read(doc).part.morphTargets.map(numbers)).toEqual([{ vertices: null, positions: null, normals: null }]);
  });

  it('drops unsupported attributes', () => {
    const { messages } = read(meshFile({ targets: [{ POSITION: 1, COLOR_0: 1, TEXCOORD_0: 1 }] }, [MOVES]));
    expect(messages).toEqual([
      '2 morph target attributes were dropped; only positions, normals and tangents are morphed: COLOR_0, TEXCOORD_0',
    ]);
  });

  it.each([
    ['of another type', { type: 'VEC4', array: new Float32Array(12) }],
    ['of another number of vertices', { type: 'VEC3', array: new Float32Array(12) }],
  ])('throws GLTF_ACCESSOR for deltas %s', (_, accessor) => {
    const doc = meshFile({ targets: [{ POSITION: 1 }] }, [accessor]);
    expect(() => read(doc)).toThrow(expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/1')));
  });
});
