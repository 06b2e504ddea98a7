import { describe, expect, it } from 'vitest';
import { mapByShape } from '../../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN } from '../rigs.ts';

function votesOf(text: string): Record<string, number> {
  const shape = mapByShape(positionedRig(text), null);
  if (shape.nodes === null) throw new Error(shape.reason);
  return Object.fromEntries(shape.sideCues.map(({ name, vote }) => [name, vote]));
}

describe('findSideCues', () => {
  it('agree for a standing human', () => {
    const { toes, knees, elbows } = votesOf(HUMAN);
    expect(Math.sign(toes)).toBe(Math.sign(knees));
    expect(Math.abs(toes)).toBe(3);
    expect(elbows * toes).toBeGreaterThanOrEqual(0);
  });

  it('include joints in front of the head, but not joints above it', () => {
    const head = 'head 0 1.58 0.02';
    expect(votesOf(HUMAN.replace(head, `${head} > nose 0 1.6 0.1`))['face']).toBeDefined();
    expect(votesOf(HUMAN.replace(head, `${head} > top 0 1.8 0.02`))['face']).toBeUndefined();
  });

  it('have no vote for a straight limb', () => {
    const straight = HUMAN.replace('shin 0.09 0.5 0.02', 'shin 0.09 0.5 -0.01');
    expect(votesOf(straight)['knees']).toBe(0);
  });
});
