import { describe, expect, it } from 'vitest';
import { readNpz } from '../../../../src/formats/npz/read-npz.ts';
import { type MakeObject, makeObjectNpy } from '../../../support/make/numpy-files.ts';
import { matrixOf, posed, product } from '../posed.ts';

const NAMES = ['pelvis', 'torso', 'head'];
const ROTATIONS = [
  [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  [0.6, 0, 0, 0.8],
  [0, 0.8, 0, 0.6],
];

function motion(isLocal: boolean, rotations: readonly number[][], change: Record<string, MakeObject> = {}): Uint8Array {
  const tensor = (shape: number[], values: number[], descr = '<f4'): MakeObject => ({
    dict: { arr: { array: { shape, values, descr } }, context: { dict: { dtype: 'torch.float32' } } },
  });
  return makeObjectNpy({
    dict: {
      rotation: tensor([1, 3, 4], rotations.flat()),
      root_translation: tensor([1, 3], [1, 2, 0.9]),
      skeleton_tree: {
        dict: {
          node_names: NAMES,
          parent_indices: tensor([3], [-1, 0, 1], '<i8'),
          local_translation: tensor([3, 3], [0, 0, 0.9, 0, 0, 0.2, 0, 0, 0.3]),
        },
      },
      is_local: isLocal,
      fps: 29.998859,
      ...change,
    },
  });
}

describe('readNpz: poselib', () => {
  it('reads quaternions xyzw relative to the parents', () => {
    const read = readNpz(motion(true, ROTATIONS));
    const [a, b, c] = ROTATIONS.map(matrixOf);
    expect(posed(read, 0, 0).matrices[2]).toEqual(product(product(a, b), c).map((value) => expect.closeTo(value, 5)));
    expect([read.up, read.skeletons[0].skeleton.names]).toEqual([[0, 0, 1], NAMES]);
  });

  it('reads quaternions in the world', () => {
    const read = readNpz(motion(false, ROTATIONS));
    for (const [joint, rotation] of ROTATIONS.entries())
      expect(posed(read, 0, 0).matrices[joint]).toEqual(matrixOf(rotation).map((value) => expect.closeTo(value, 5)));
    expect(posed(read, 0, 0).places[0]).toEqual([1, 2, 0.9].map((value) => expect.closeTo(value, 6)));
  });

  it.each([
    [
      'a skeleton with parents after their children',
      {
        dict: {
          node_names: NAMES,
          parent_indices: { array: { shape: [3], values: [-1, 2, 0], descr: '<i4' } },
          local_translation: { array: { shape: [3, 3], values: new Array<number>(9).fill(0) } },
        },
      },
    ],
    [
      'a skeleton with fewer joints',
      {
        dict: {
          node_names: NAMES,
          parent_indices: { array: { shape: [2], values: [-1, 0], descr: '<i4' } },
          local_translation: { array: { shape: [2, 3], values: new Array<number>(6).fill(0) } },
        },
      },
    ],
    [
      'no lengths',
      { dict: { node_names: NAMES, parent_indices: { array: { shape: [3], values: [-1, 0, 1], descr: '<i4' } } } },
    ],
  ])('refuses %s', (_, tree) => {
    expect(() => readNpz(motion(true, ROTATIONS, { skeleton_tree: tree as MakeObject }))).toThrow(
      expect.objectContaining({ code: 'NPZ_LAYOUT' }),
    );
  });
});
