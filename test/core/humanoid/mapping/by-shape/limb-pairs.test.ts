import { describe, expect, it } from 'vitest';
import { limbPairs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-pairs.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN, HUMANOIDS, OTHERS } from '../rigs.ts';

/** The pairs of a rig: their parent, and the joints of their first side without the side suffix. */
function pairsOf(text: string): string[] {
  const rig = positionedRig(text);
  const [posed] = createPosedRigs(rig, null);
  return limbPairs(posed).map(({ parent, sides }) => {
    const chain = sides[0].map((node) => rig.names[node].replace(/\.[LR]$/, ''));
    return `${rig.names[parent]}: ${chain.join(' ')}`;
  });
}

describe('limbPairs', () => {
  it('finds chains of equal lengths from one node, longest first', () => {
    expect(pairsOf(HUMAN)).toEqual(['hips: thigh shin foot toe', 'chest: clavicle upperarm forearm hand']);
  });

  it('follows chains as long as both sides continue', () => {
    const armed = HUMAN.replace('hand 0.7 1.42 0', 'hand 0.7 1.42 0').replace(' > toe 0.09 0.02 0.12', '');
    expect(pairsOf(armed)).toEqual(['hips: thigh shin foot', 'chest: clavicle upperarm forearm hand']);
  });

  it('includes ears and hair with three joints', () => {
    expect(pairsOf(HUMANOIDS['a humanoid with a tail and long ears'])).toContain('head: ear1 ear2 ear3');
  });

  it('rejects chains of different lengths and coincident chains', () => {
    expect(pairsOf(OTHERS['a snake'])).toEqual([]);
    expect(pairsOf('a 0 0 0\n b 1 0 0 > c 2 0 0 > d 3 0 0\n e -1 0 0 > f -4 0 0 > g -5 0 0')).toEqual([]);
    expect(pairsOf('a 0 0 0\n b 1 0 0 > c 2 0 0 > d 3 0 0\n e 1 0 0 > f 2 0 0 > g 3 0 0')).toEqual([]);
  });
});
