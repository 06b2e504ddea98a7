import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import { limitRest } from '../../../src/core/skeleton/limit-rest.ts';

const pose = (x: number, scale: number): number[] => [x, 0, 0, 0, 0, 0, 1, scale, scale, scale];

it('limitRest: keeps transforms in range and reports nothing', () => {
  const rest = Float64Array.from([pose(1e9, 0.01), pose(-3, 100), pose(2, 0)].flat());
  const before = rest.slice();
  expect(limitRest(Int32Array.of(-1, 0, 1), rest, ['a', 'b', 'c'])).toEqual([]);
  expect(rest).toEqual(before);
});

it('limitRest: replaces far translations by 0, large scales by 1 and tiny scales by 0, also where only their product is out of range', () => {
  const rest = Float64Array.from([pose(1e10, 1e5), pose(1, 1e5), pose(Number.NaN, 1), pose(1, 1e-20)].flat());
  const issues = limitRest(Int32Array.of(-1, 0, 1, 2), rest, ['a', 'b', 'c', 'd']);
  expect(issues.map(({ code }) => code)).toEqual(['NUMBERS_OUT_OF_RANGE']);
  expect(issues[0].message).toContain('"a" and of 2 more nodes');
  expect([0, 1, 2, 3].map((node) => [rest[10 * node], rest[10 * node + 7]])).toEqual([
    [0, 1e5],
    [1, 1],
    [0, 1],
    [1, 0],
  ]);
});

it('limitRest: makes the model-space positions of any chain finite as float32', () => {
  const extreme = fc.double({ noDefaultInfinity: false });
  fc.assert(
    fc.property(fc.array(fc.tuple(extreme, extreme), { minLength: 1, maxLength: 80 }), (chain) => {
      const rest = Float64Array.from(chain.flatMap(([x, scale]) => pose(x, scale)));
      const parents = Int32Array.from(chain, (_, node) => node - 1);
      limitRest(
        parents,
        rest,
        chain.map(() => ''),
      );
      expect(toModelPose('', parents, rest).positions.every((value) => Number.isFinite(Math.fround(value)))).toBe(true);
    }),
  );
});
