import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../src/core/asset/geometry-budget.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { readShape, shapeChannels, shapeWeight } from '../../../../src/formats/fbx/meshes/read-shapes.ts';
import { rec } from '../fbx-bytes.ts';
import { deformer, mesh, shape } from '../fbx-mesh.ts';
import { properties70, sceneOf } from '../fbx-scene.ts';

function channelsOf(...inside: ReturnType<typeof rec>[]) {
  const { scene } = sceneOf({
    objects: [
      mesh(9, []),
      deformer(10, 'BlendShape'),
      deformer(11, 'BlendShapeChannel', inside, 'Smile'),
      shape(12, [0], [1, 2, 3]),
      shape(13, [0], [4, 5, 6]),
    ],
    connections: [
      [10, 9],
      [11, 10],
      [12, 11],
      [13, 11],
    ],
  });
  return shapeChannels(scene, scene.objects.get('9')!);
}

describe('shapeChannels', () => {
  it('reads the last full weight', () => {
    const [channel] = channelsOf(rec('FullWeights', [Float64Array.of(50, 80)]), rec('DeformPercent', [40]));
    expect(channel).toMatchObject({ id: '11', name: 'Smile', fullWeight: 80, percent: 40, inBetweens: 1 });
    expect(channel.shape?.properties[0]).toBe(13);
    expect(shapeWeight(channel, channel.percent)).toBe(0.5);
  });

  it('uses 100 % for invalid full weights', () => {
    for (const weights of [[Number.NaN], [-1, -2], [0], []]) {
      expect(channelsOf(rec('FullWeights', [Float64Array.from(weights)]))[0].fullWeight).toBe(100);
    }
    expect(shapeWeight({ ...channelsOf()[0], fullWeight: 1e-300 }, 1)).toBe(0);
  });

  it('reads the percentage from a record or a property', () => {
    expect(channelsOf(properties70({ DeformPercent: [30] }), rec('DeformPercent', [40]))[0].percent).toBe(30);
  });

  it('accepts a channel without a shape', () => {
    const { scene } = sceneOf({
      objects: [mesh(9, []), deformer(10, 'BlendShape'), deformer(11, 'BlendShapeChannel', [], 'None')],
      connections: [
        [10, 9],
        [11, 10],
      ],
    });
    expect(shapeChannels(scene, scene.objects.get('9')!)).toMatchObject([{ name: 'None', shape: null, inBetweens: 0 }]);
  });
});

describe('readShape', () => {
  const read = (points: readonly number[], offsets: readonly number[], normals?: readonly number[]) => {
    const faults: IssueTally = new Map();
    const { name, properties, records } = shape(1, points, offsets);
    const more = normals === undefined ? [] : [rec('Normals', [Float64Array.from(normals)])];
    const {
      points: moved,
      offsets: by,
      normals: turns,
    } = readShape(rec(name, properties, [...records, ...more]), 5, faults, geometryBudget('FBX_LIMIT'));
    return { points: [...moved], offsets: [...by], normals: turns && [...turns], faults: [...faults.values()] };
  };

  it('sorts control points and uses the last of several offsets', () => {
    expect(read([3, 1, 3], [1, 1, 1, 2, 2, 2, 3, 3, 3], [0, 0, 1, 0, 1, 0, 1, 0, 0])).toEqual({
      points: [1, 3],
      offsets: [2, 2, 2, 3, 3, 3],
      normals: [0, 1, 0, 1, 0, 0],
      faults: [],
    });
  });

  it('returns null for normal deltas that are missing or all 0', () => {
    expect(read([0], [1, 1, 1]).normals).toBeNull();
    expect(read([0], [1, 1, 1], [0, 0, 0]).normals).toBeNull();
    expect(read([0, 1], [1, 1, 1, 2, 2, 2], [0, 0, 1]).normals).toEqual([0, 0, 1, 0, 0, 0]);
  });

  it('leaves out invalid offsets and those of missing control points', () => {
    const { points, faults } = read([0, 5, -1, 2, 1, 3], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, Number.NaN, 1, 1, 1, 1, 1]);
    expect(points).toEqual([0, 1]);
    expect(faults).toEqual([4]);
  });
});
