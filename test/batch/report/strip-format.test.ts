import { expect, it } from 'vitest';
import { STRIP_BONES } from '../../../src/batch/report/strip-format.ts';
import { BONE, BONE_PARENTS } from '../../../src/core/humanoid/bones.ts';

it('STRIP_BONES: every line leads to the nearest drawn ancestor, which comes first', () => {
  const drawn = STRIP_BONES.map(([bone]) => BONE[bone]);
  expect(new Set(drawn).size).toBe(drawn.length);
  STRIP_BONES.forEach(([bone, parent], k) => {
    let ancestor = BONE_PARENTS[BONE[bone]];
    while (ancestor >= 0 && !drawn.includes(ancestor)) ancestor = BONE_PARENTS[ancestor];
    expect([bone, parent]).toEqual([bone, drawn.indexOf(ancestor)]);
    expect(parent).toBeLessThan(k);
  });
});
