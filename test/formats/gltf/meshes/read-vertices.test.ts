import { describe, expect, it } from 'vitest';
import { failure, meshFile, read } from '../geometry-file.ts';
import type { SmallAccessor } from '../small-file.ts';

const three = (type: string, array: SmallAccessor['array'], normalized = false): SmallAccessor => {
  return { type, array, normalized };
};
const floats = (type: string, count: number): SmallAccessor => three(type, new Float32Array(3 * count).fill(0.5));

describe('readVertices', () => {
  it('reads every attribute', () => {
    const { part } = read(
      meshFile({ attributes: { NORMAL: 1, TANGENT: 2, TEXCOORD_0: 3, TEXCOORD_1: 4 } }, [
        three('VEC3', Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1)),
        three('VEC4', Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1)),
        three('VEC2', Float32Array.of(0, 0, 1, 0, 0, 1)),
        three('VEC2', Float32Array.of(0, 0, 0.5, 0, 0, 0.5)),
      ]),
    );
    expect(part).toMatchObject({ mode: 'triangles', vertexCount: 3, indices: null, material: -1, influences: null });
    expect([...part.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...part.normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect([...part.tangents!]).toEqual([1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1]);
    expect(part.uvs.map((set) => [...set])).toEqual([
      [0, 0, 1, 0, 0, 1],
      [0, 0, 0.5, 0, 0, 0.5],
    ]);
    expect(part.colors).toEqual([]);
  });

  it('converts integer attributes to floats', () => {
    const { part } = read(
      meshFile({ attributes: { POSITION: 1, NORMAL: 2, TEXCOORD_0: 3, COLOR_0: 4 } }, [
        three('VEC3', Int16Array.of(0, 1, 2, -3, 4, 5, 6, 7, 8)),
        three('VEC3', Int8Array.of(127, 0, 0, -128, 0, 0, 0, 0, -127), true),
        three('VEC2', Uint16Array.of(0, 65_535, 0, 0, 0, 0), true),
        three('VEC4', Uint8Array.of(255, 0, 51, 255, 0, 0, 0, 0, 0, 0, 0, 102), true),
      ]),
    );
    expect([...part.positions]).toEqual([0, 1, 2, -3, 4, 5, 6, 7, 8]);
    expect([...part.normals!]).toEqual([1, 0, 0, -1, 0, 0, 0, 0, -1]);
    expect([...part.uvs[0]]).toEqual([0, 1, 0, 0, 0, 0]);
    expect([...part.colors[0]]).toEqual([1, 0, 51 / 255, 1, 0, 0, 0, 0, 0, 0, 0, 102 / 255].map(Math.fround));
  });

  it('adds alpha 1 to RGB colors', () => {
    const { part } = read(meshFile({ attributes: { COLOR_0: 1 } }, [floats('VEC3', 3)]));
    expect([...part.colors[0]]).toEqual([0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1]);
  });

  it('returns views of the file where possible, the same for all uses of an accessor', () => {
    const doc = meshFile({});
    const { part } = read(doc);
    expect(part.positions.buffer).toBe(doc.bin!.buffer);
    const color = meshFile({ attributes: { COLOR_0: 1 } }, [floats('VEC3', 3)]);
    expect(read(color).part.colors[0]).toBe(read(color).part.colors[0]);
  });

  it('drops unsupported attributes with one issue', () => {
    const { part, issues, messages } = read(
      meshFile({ attributes: { _A: 1, TEXCOORD_1: 2, WEIGHTS_0: 3, COLOR_1: 3 } }, [
        floats('VEC3', 3),
        floats('VEC2', 2),
        floats('VEC4', 4),
      ]),
    );
    expect(part).toMatchObject({ uvs: [], colors: [], influences: null });
    expect(messages).toEqual(['4 vertex attributes were dropped as unsupported: _A, TEXCOORD_1, WEIGHTS_0, COLOR_1']);
    expect(issues[0]).toMatchObject({ code: 'GEOMETRY_DROPPED', severity: 'info' });
  });

  it('replaces NaN and infinite values by 0', () => {
    const doc = meshFile({ attributes: { POSITION: 1 } }, [
      three('VEC3', Float32Array.of(Number.NaN, 1, 2, 3, Number.POSITIVE_INFINITY, 5, 6, 7, Number.NEGATIVE_INFINITY)),
    ]);
    const { part, messages } = read(doc);
    expect([...part.positions]).toEqual([0, 1, 2, 3, 0, 5, 6, 7, 0]);
    expect(messages).toEqual(['1 accessor has NaN or infinite values; they were replaced by 0']);
    expect(read(doc).messages).toEqual(messages);
  });

  it.each([
    ['positions of another type than VEC3', { POSITION: 1 }, floats('VEC4', 4)],
    ['a different number of normals', { NORMAL: 1 }, three('VEC3', new Float32Array(12))],
    ['a matrix for a VEC4', { TANGENT: 1 }, { ...floats('VEC4', 4), type: 'MAT2' }],
  ])('throws GLTF_ACCESSOR for %s', (_, attributes, accessor) => {
    const doc = meshFile({ attributes }, [accessor.type === 'MAT2' ? { ...accessor, type: 'VEC4' } : accessor]);
    if (accessor.type === 'MAT2') (doc.json['accessors'] as { type: string }[])[1].type = 'MAT2';
    expect(() => read(doc)).toThrow(expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/1')));
  });
});
