import { describe, expect, it } from 'vitest';
import { failure, read } from '../geometry-file.ts';
import { moved, type SmallAccessor, smallFile, vectors } from '../small-file.ts';

const IDENTITY = moved(0, 0, 0);

function skins(json: Record<string, unknown>, accessors: readonly SmallAccessor[] = []): ReturnType<typeof read> {
  return read(smallFile({ nodes: [{}, { children: [2] }, {}], ...json }, accessors));
}

describe('readSceneSkins', () => {
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
