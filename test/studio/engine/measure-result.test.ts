import { expect, test } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { measureResult } from '../../../studio/src/engine/measure-result.ts';
import { clipOf, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';

const whole = tPoseHumanoid();

/** The character with the bones that match left out of its map. */
function withoutBones(pattern: RegExp): Humanoid {
  const nodes = whole.map.nodes.map((node, bone) => (pattern.test(BONES[bone]) ? -1 : node));
  return { ...whole, map: { ...whole.map, nodes } };
}

const clip = clipOf(
  track(
    whole,
    'leftUpperArm',
    'rotation',
    'LINEAR',
    [0, 1],
    [
      [0, 0, 0, 1],
      [0, 0, 0.6, 0.8],
    ],
  ),
);

async function verdictOn(target: Humanoid) {
  const { verdict } = await measureResult(
    { humanoid: whole, clip },
    { humanoid: target, clip },
    1,
    null,
    async () => null,
  );
  return verdict;
}

test('a result on a character whose map lacks legs is judged by what it has', async () => {
  for (const target of [withoutBones(/Leg$|Foot$|Toes$/), withoutBones(/^right.*(Leg|Foot|Toes)$/), whole]) {
    const { pose, feet, arms } = await verdictOn(target);
    expect(pose).toMatchObject({ level: 'good', degrees: expect.closeTo(0, 6) });
    expect([feet?.level ?? 'good', arms]).toEqual(['good', { level: 'good', centimeters: 0 }]);
  }
});
