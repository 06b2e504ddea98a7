import { describe, expect, it } from 'vitest';
import {
  createSampling,
  describeSample,
  sampledTimes,
} from '../../../../../src/formats/usd/skel/report/describe-skel-sample.ts';
import { readAnimatedSkeleton } from '../../../../../src/formats/usd/skel/skeleton-sample.ts';
import { stageOf } from '../scene.ts';

describe('sampledTimes', () => {
  it.each<[number, (number | 'default')[]]>([
    [0, ['default']],
    [1, ['default', 0]],
    [2, ['default', 0, 2.5, 10]],
    [4, ['default', 0, 2.5, 10, 12.5, 20, 22.5, 30]],
    [5, ['default', 0, 2.5, 20, 22.5, 40]],
    [9, ['default', 0, 2.5, 30, 32.5, 60, 62.5]],
    [30, ['default', 0, 2.5, 80, 82.5, 160, 162.5, 240, 242.5]],
  ])('picks times of %i samples', (count, picked) => {
    expect(sampledTimes(Array.from({ length: count }, (_, i) => 10 * i))).toEqual(picked);
  });
});

describe('describeSample', () => {
  const stage = stageOf(`def Skeleton "S" {
    uniform token[] joints = ["a"]
    uniform matrix4d[] bindTransforms = []
    uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(5,6,7,1))]
  }`);
  const { skeleton } = readAnimatedSkeleton(stage, '/S', null);
  if (skeleton === null) throw new Error('the skeleton is not valid');

  it('omits values that cannot be computed', () => {
    const rest = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1];
    const still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    expect(describeSample(createSampling(stage, []), skeleton, [], 'default')).toEqual({
      t: 'default',
      local: [rest],
      skel: [rest],
      restRelative: [still],
      prims: [],
    });
  });

  it('throws USD_LIMIT for a report longer than JavaScript strings', () => {
    const sampling = { ...createSampling(stage, []), entriesLeft: 47 };
    expect(() => describeSample(sampling, skeleton, [], 3)).toThrow(/more than 20000000 numbers and names/);
    expect(() => describeSample({ ...sampling, entriesLeft: 48 }, skeleton, [], 3)).not.toThrow();
  });
});
