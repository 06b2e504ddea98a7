import { expect, it } from 'vitest';
import { travellerOf } from '../../../src/core/humanoid/traveller.ts';
import { tBody } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

it('says up and the height of the hips in the axes and the unit of the file', () => {
  // A file with Z up, in centimeters.
  const body = { ...tBody(), frame: Float64Array.from(aboutAxis([1, 0, 0], -Math.PI / 2)), metersPerUnit: 0.01 };
  const { hips, up, hipsHeight } = travellerOf(body);
  expect(hips).toBe(body.map.nodes[0]);
  expectNear(up, [0, 0, 1], EXACT);
  expect(hipsHeight).toBeCloseTo(100, 10);
});

it('takes half of the body for hips that are on the ground', () => {
  const body = tBody();
  expect(travellerOf({ ...body, hipsHeight: 0 }).hipsHeight).toBeCloseTo(body.height / 2, 12);
});
