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

/** Weights in 255ths. */
const inBytes = (...weights: number[]): SmallAccessor => {
  return { type: 'VEC4', array: Uint8Array.from(weights), normalized: true };
};

describe('readInfluences', () => {
  it('returns the values of the file', () => {
    const { part, messages } = skinned(3, [JOINTS, WEIGHTS]);
    const { influences } = part;
    expect(influences).toMatchObject({ kind: 'vertex', jointsPerVertex: 4, indices: Uint16Array.from(JOINTS.array) });
    expect(influences!.weights).toEqual(WEIGHTS.array);
    expect(messages).toEqual([]);
  });

  it('returns views of the file where weights sum to 1 up to rounding', () => {
    const rounded = Float32Array.of(0.1, 0.2, 0.7, 0, 1 / 3, 1 / 3, 1 / 3, 0, 1 - 1e-7, 0, 0, 0);
    const { influences, positions } = skinned(3, [JOINTS, { type: 'VEC4', array: rounded }]).part;
    expect(influences!.weights).toEqual(rounded);
    expect(influences!.weights.buffer).toBe(positions.buffer);
  });

  it('normalizes and reports weights that do not sum to 1; other vertices keep their bits', () => {
    const weights = Float32Array.of(0.5, 0.25, 0, 0, 0.1, 0.2, 0.7, 0, 2, 2, 0, 0);
    const { part, messages } = skinned(3, [JOINTS, { type: 'VEC4', array: weights }]);
    const normal = [2 / 3, 1 / 3, 0, 0, 0.1, 0.2, 0.7, 0, 0.5, 0.5, 0, 0];
    expect(part.influences!.weights).toEqual(Float32Array.from(normal));
    expect(messages).toEqual(['2 vertices have joint weights that do not sum to 1; they were normalized']);
    expect(weights[8]).toBe(2);
  });

  it('reads normalized byte weights', () => {
    const bytes = inBytes(127, 127, 0, 0, 255, 0, 0, 0, 55, 200, 0, 0);
    const { part, messages } = skinned(3, [JOINTS, bytes]);
    expect([...part.influences!.weights.subarray(0, 4)]).toEqual([0.5, 0.5, 0, 0]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^1 vertex has/);
  });

  it('binds a vertex without weights to its first joint', () => {
    const { influences } = skinned(3, [JOINTS, inBytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0)]).part;
    expect([...influences!.weights]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
  });

  it('joins several sets in order', () => {
    const second: SmallAccessor = { type: 'VEC4', array: Uint16Array.of(2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0) };
    const first = inBytes(128, 127, 0, 0, 204, 0, 0, 0, 255, 0, 0, 0);
    const bytes = inBytes(0, 0, 0, 0, 51, 0, 0, 0, 0, 0, 0, 0);
    const { part, messages } = skinned(3, [JOINTS, first, second, bytes]);
    const { influences } = part;
    expect(influences!.jointsPerVertex).toBe(8);
    expect([...influences!.indices.subarray(0, 16)]).toEqual([0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    expect(influences!.weights.subarray(0, 8)).toEqual(Float32Array.of(128 / 255, 127 / 255, 0, 0, 0, 0, 0, 0));
    expect(influences!.weights[8]).toBeCloseTo(0.8, 6);
    expect(influences!.weights[12]).toBeCloseTo(0.2, 6);
    expect(messages).toEqual([]);
  });

  it('removes and reports joints that the skin does not have', () => {
    const { part, messages } = skinned(2, [JOINTS, WEIGHTS]);
    expect([...part.influences!.indices.subarray(8)]).toEqual([1, 0, 0, 0]);
    expect([...part.influences!.weights.subarray(8)]).toEqual([1, 0, 0, 0]);
    expect(messages).toEqual([
      '1 mesh primitive references joints that the skin does not have; their weights were set to 0',
      '1 vertex has joint weights that do not sum to 1; they were normalized',
    ]);
    expect([...(WEIGHTS.array as Float32Array).subarray(8)]).toEqual([0.25, 0.75, 0, 0]);
  });

  it('does not report missing joints without a weight', () => {
    const strays: SmallAccessor = { type: 'VEC4', array: Uint8Array.of(0, 1, 9, 9, 1, 9, 9, 9, 1, 0, 200, 0) };
    const { part, messages } = skinned(2, [strays, WEIGHTS]);
    expect([...part.influences!.indices]).toEqual([0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    expect(messages).toEqual([]);
  });

  it('limits joints to the smallest skin that a mesh is used with', () => {
    const { geometry, messages } = skinned(3, [JOINTS, WEIGHTS], 2);
    expect(geometry.instances.map(({ skin }) => skin)).toEqual([0, 1]);
    expect(messages[0]).toMatch(/^1 mesh primitive references joints/);
  });

  it('keeps influences without a skin', () => {
    const { part, messages } = read(meshFile({ attributes: { JOINTS_0: 1, WEIGHTS_0: 2 } }, [JOINTS, WEIGHTS]));
    expect(Math.max(...part.influences!.indices)).toBe(2);
    expect(messages).toEqual([]);
  });

  it('throws for joints that are not unsigned integers', () => {
    expect(() => skinned(3, [WEIGHTS, WEIGHTS])).toThrow(
      expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/1')),
    );
  });
});
