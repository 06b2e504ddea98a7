import { expect, test } from 'vitest';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { travelUnit } from '../../../src/core/root-motion/travel-unit.ts';

test('travelUnit: the height of the hips; half of the height without usable hips, 1 m without either', () => {
  const of = (hipsHeight: number, height: number): number => travelUnit({ hipsHeight, height } as Humanoid);
  expect(of(0.9, 1.7)).toBe(0.9);
  expect(of(0, 1.7)).toBe(0.85);
  expect(of(0, 0)).toBe(1);
});
