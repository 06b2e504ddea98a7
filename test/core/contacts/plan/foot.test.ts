import { expect, test } from 'vitest';
import {
  type Foot,
  findStrain,
  measureStretch,
  reachAt,
  straightExtension,
} from '../../../../src/core/contacts/plan/foot.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const PEAK = 30;

/** A straight leg of 1 m whose foot is on the ground and wants to be as far to the front as `shift` says. */
function straightFoot(shift: (frame: number) => number, touching = 1): Omit<Foot, 'strain'> {
  const points = (at: readonly number[]): Float64Array => Float64Array.from({ length: 3 * COUNT }, (_, i) => at[i % 3]);
  const leg = { leg: { length: 1 }, hip: points([0, 1, 0]), knee: points([0, 0.5, 0]), ankle: points([0, 0, 0]) };
  return {
    from: leg,
    to: leg,
    stretch: measureStretch(leg as unknown as Foot['from'], leg as unknown as Foot['to']),
    path: { touching: new Float64Array(COUNT).fill(touching) },
    lifts: new Float64Array(COUNT),
    shift: Float64Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 1 ? shift(i >> 1) : 0)),
  } as unknown as Omit<Foot, 'strain'>;
}

test('findStrain: a foot on the ground that is far out of reach strains its leg, also shortly before and after', () => {
  const strain = findStrain(
    straightFoot((frame) => (frame === PEAK ? 1 : 0)),
    TIMING,
  );
  expect(strain[PEAK]).toBeGreaterThan(0.5);
  expect(strain[PEAK - 4]).toBeGreaterThan(0.2);
  expect(strain[0]).toBe(0);
});

test('findStrain: feet within reach, a little out of reach or in the air strain nothing', () => {
  for (const foot of [straightFoot(() => 0), straightFoot(() => 0.3), straightFoot(() => 1, 0)]) {
    expect(findStrain(foot, TIMING)).toEqual(new Float64Array(COUNT));
  }
});

test('reachAt: a leg that is straight in the motion stays straight where its foot is moved', () => {
  const moved: Foot = { ...straightFoot(() => 0.1), strain: new Float64Array(COUNT) };
  expect(reachAt(moved, PEAK)).toBe(1);
});

test('reachAt: a strained leg bends its knee', () => {
  const moved: Foot = { ...straightFoot(() => 1), strain: new Float64Array(COUNT) };
  const strained: Foot = { ...moved, strain: new Float64Array(COUNT).fill(1) };
  expect(reachAt(strained, PEAK)).toBeCloseTo(0.97, 9);
  expect(straightExtension(strained, PEAK)).toBeLessThan(straightExtension(moved, PEAK));
});

test('measureStretch: a leg that is folded into a point has a length, so that reaches stay finite', () => {
  const point = new Float64Array(3);
  const leg = { leg: { length: 1 }, hip: point, knee: point, ankle: point } as unknown as Foot['to'];
  expect(measureStretch(leg, leg).lengths[0]).toBeGreaterThan(0);
});
