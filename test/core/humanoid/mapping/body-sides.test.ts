import { describe, expect, it } from 'vitest';
import { thumbLine } from '../../../../src/core/humanoid/mapping/body-sides.ts';
import { mapByShape } from '../../../../src/core/humanoid/mapping/map-shape.ts';
import { placedRig } from '../../../make/placed-rig.ts';
import { HUMAN } from './rigs.ts';

function signsOf(text: string): Record<string, number> {
  const shape = mapByShape(placedRig(text), null);
  if (shape.nodes === null) throw new Error(shape.reason);
  return Object.fromEntries(shape.signs.map(({ what, says }) => [what, says]));
}

describe('signs of the front', () => {
  it('agree in a body that stands as people do', () => {
    const { toes, knees, elbows } = signsOf(HUMAN);
    expect(Math.sign(toes)).toBe(Math.sign(knees));
    expect(Math.abs(toes)).toBe(3);
    expect(elbows * toes).toBeGreaterThanOrEqual(0);
  });

  it('include what hangs on the front of the head, and not what hangs at its sides', () => {
    const head = 'head 0 1.58 0.02';
    expect(signsOf(HUMAN.replace(head, `${head} > nose 0 1.6 0.1`))['face']).toBeDefined();
    expect(signsOf(HUMAN.replace(head, `${head} > top 0 1.8 0.02`))['face']).toBeUndefined();
  });

  it('say nothing where a limb is straight', () => {
    const straight = HUMAN.replace('shin 0.09 0.5 0.02', 'shin 0.09 0.5 -0.01');
    expect(signsOf(straight)['knees']).toBe(0);
  });

  it('take a thumb across the hand, not along it', () => {
    expect(thumbLine([0, 0, 0], [0.04, 0, 0.06], [[0.1, 0, 0]])).toEqual([0, 0, 0.03]);
    expect(thumbLine([0, 0, 0], [0, 0, 0], [[0.1, 0, 0]])).toBeNull();
    expect(thumbLine([0, 0, 0], [0, 0, 1], [])).toBeNull();
  });
});
