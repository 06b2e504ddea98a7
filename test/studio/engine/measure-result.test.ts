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

test('a result on a character whose map has one hip joint or none gets no verdict', async () => {
  expect(await verdictOn(withoutBones(/Leg$|Foot$|Toes$/))).toBeNull();
  expect(await verdictOn(withoutBones(/^right.*(Leg|Foot|Toes)$/))).toBeNull();
  const verdict = await verdictOn(whole);
  expect(verdict?.pose.level).toBe('good');
  expect(verdict?.arms.centimeters).toBe(0);
});
