import { describe, expect, it } from 'vitest';
import { bodyTrees } from '../../../../src/core/humanoid/mapping/body-tree.ts';
import { limbPairs } from '../../../../src/core/humanoid/mapping/limb-pairs.ts';
import { placedRig } from '../../../make/placed-rig.ts';
import { BODIES, HUMAN, OTHERS } from './rigs.ts';

/** The pairs of a rig: where they leave, and the joints of their first side without the side. */
function pairsOf(text: string): string[] {
  const rig = placedRig(text);
  const [body] = bodyTrees(rig, null);
  return limbPairs(body).map(({ parent, sides }) => {
    const chain = sides[0].map((node) => rig.names[node].replace(/\.[LR]$/, ''));
    return `${rig.names[parent]}: ${chain.join(' ')}`;
  });
}

describe('pairs of limbs', () => {
  it('are the chains that leave one node with the same lengths, longest first', () => {
    expect(pairsOf(HUMAN)).toEqual(['hips: thigh shin foot toe', 'chest: clavicle upperarm forearm hand']);
  });

  it('go on as far as both sides do', () => {
    const armed = HUMAN.replace('hand 0.7 1.42 0', 'hand 0.7 1.42 0').replace(' > toe 0.09 0.02 0.12', '');
    expect(pairsOf(armed)).toEqual(['hips: thigh shin foot', 'chest: clavicle upperarm forearm hand']);
  });

  it('are ears and hair as well, where these have three joints', () => {
    expect(pairsOf(BODIES['a body with a tail and long ears'])).toContain('head: ear1 ear2 ear3');
  });

  it('do not come from chains of different lengths, nor from one place', () => {
    expect(pairsOf(OTHERS['a snake'])).toEqual([]);
    expect(pairsOf('a 0 0 0\n b 1 0 0 > c 2 0 0 > d 3 0 0\n e -1 0 0 > f -4 0 0 > g -5 0 0')).toEqual([]);
    expect(pairsOf('a 0 0 0\n b 1 0 0 > c 2 0 0 > d 3 0 0\n e 1 0 0 > f 2 0 0 > g 3 0 0')).toEqual([]);
  });
});
