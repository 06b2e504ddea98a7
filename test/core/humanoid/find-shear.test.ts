import { expect, it } from 'vitest';
import { findShear } from '../../../src/core/humanoid/find-shear.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';

it('names the node with the largest scale that is not uniform, not a bone that is off by rounding', () => {
  const { skeleton, map } = tinyHumanoid(
    { name: 'Armature', scale: [1, 1.3, 1] },
    { name: 'hips', parent: 'Armature', scale: [1, 1.00001, 1] },
    { name: 'spine', parent: 'hips', scale: [1, 1.00001, 1] },
    { name: 'head', parent: 'spine' },
  );
  const [{ message }] = findShear(skeleton, map.nodes);
  expect(message).toMatch(/^Node "Armature" above bones has the scale 1, 1\.3, 1;/);
});
