import { describe, expect, it } from 'vitest';
import { CORNERS, failure, meshFile, type Read, read } from '../geometry-file.ts';
import { type SmallAccessor, smallFile } from '../small-file.ts';

const JOINTS: SmallAccessor = { type: 'VEC4', array: Uint8Array.of(0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0) };
const WEIGHTS: SmallAccessor = { type: 'VEC4', array: Float32Array.of(0.5, 0.5, 0, 0, 1, 0, 0, 0, 0.25, 0.75, 0, 0) };

function skinned(jointCount: number, sets: readonly SmallAccessor[], skins = 1): Read {
  const names = ['JOINTS_0', 'WEIGHTS_0', 'JOINTS_1', 'WEIGHTS_1'].slice(0, sets.length);
  const attributes = Object.fromEntries(names.map((name, i) => [name, i + 1]));
  const joints = Array.from({ length: jointCount }, (_, i) => i + 2);
  return read(
    smallFile(
      {
        nodes: [{ mesh: 0, skin: 0 }, { mesh: 0, skin: skins - 1 }, ...joints.map(() => ({}))],
        skins: [{ joints }, { joints: joints.slice(0, 2) }].slice(0, skins),
        meshes: [{ primitives: [{ attributes: { POSITION: 0, ...attributes } }] }],
      },
      [CORNERS, ...sets],
    ),
  );
}

describe('influences', () => {
  it('are as the file has them', () => {
    const { influences } = skinned(3, [JOINTS, WEIGHTS]).part;
    expect(influences).toMatchObject({ kind: 'vertex', jointsPerVertex: 4, indices: Uint16Array.from(JOINTS.array) });
    expect(influences!.weights).toEqual(WEIGHTS.array);
  });

  it('of several sets are joined, the first one first', () => {
    const second: SmallAccessor = { type: 'VEC4', array: Uint16Array.of(2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0) };
    const bytes: SmallAccessor = {
      type: 'VEC4',
      array: Uint8Array.of(255, 0, 0, 0, 51, 0, 0, 0, 0, 0, 0, 0),
      normalized: true,
    };
    const { influences } = skinned(3, [JOINTS, WEIGHTS, second, bytes]).part;
    expect(influences!.jointsPerVertex).toBe(8);
    expect([...influences!.indices.subarray(0, 16)]).toEqual([0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    expect([...influences!.weights.subarray(0, 8)]).toEqual([0.5, 0.5, 0, 0, 1, 0, 0, 0]);
    expect(influences!.weights[12]).toBeCloseTo(0.2, 6);
  });

  it('of joints that the skin does not have lose their weight, and say so', () => {
    const { part, messages } = skinned(2, [JOINTS, WEIGHTS]);
    expect([...part.influences!.indices.subarray(8)]).toEqual([1, 0, 0, 0]);
    expect([...part.influences!.weights.subarray(8)]).toEqual([0.25, 0, 0, 0]);
    expect(messages).toEqual(['1 part of a mesh names joints that the skin does not have; their weights were made 0']);
    expect([...(WEIGHTS.array as Float32Array).subarray(8)]).toEqual([0.25, 0.75, 0, 0]);
  });

  it('of such joints without a weight are no fault', () => {
    const strays: SmallAccessor = { type: 'VEC4', array: Uint8Array.of(0, 1, 9, 9, 1, 9, 9, 9, 1, 0, 200, 0) };
    const { part, messages } = skinned(2, [strays, WEIGHTS]);
    expect([...part.influences!.indices]).toEqual([0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    expect(messages).toEqual([]);
  });

  it('are held to the smallest of the skins that a mesh is used with', () => {
    const { geometry, messages } = skinned(3, [JOINTS, WEIGHTS], 2);
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([0, 1]);
    expect(messages).toHaveLength(1);
  });

  it('without a skin are kept', () => {
    const { part, messages } = read(meshFile({ attributes: { JOINTS_0: 1, WEIGHTS_0: 2 } }, [JOINTS, WEIGHTS]));
    expect(Math.max(...part.influences!.indices)).toBe(2);
    expect(messages).toEqual([]);
  });

  it('are refused with joints that are no whole numbers', () => {
    expect(() => skinned(3, [WEIGHTS, WEIGHTS])).toThrow(
      expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/1')),
    );
  });
});
