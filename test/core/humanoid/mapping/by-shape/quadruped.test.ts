import { describe, expect, it } from 'vitest';
import { allFits } from '../../../../../src/core/humanoid/mapping/by-shape/interpretations.ts';
import { limbFits } from '../../../../../src/core/humanoid/mapping/by-shape/limb-joints.ts';
import { limbPairs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-pairs.ts';
import { mapByShape } from '../../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import {
  hasHocks,
  hasMoreLegs,
  hasQuadrupedStance,
} from '../../../../../src/core/humanoid/mapping/by-shape/quadruped.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN, HUMANOIDS, OTHERS } from '../rigs.ts';

/** Lists the best interpretation of each pair of limbs as legs. */
function limbsOf(text: string) {
  const [rig] = createPosedRigs(positionedRig(text), null);
  return { rig, limbs: limbPairs(rig).flatMap((pair) => limbFits(rig, pair, false, 1)) };
}

const bestOf = (text: string) => allFits(positionedRig(text), null).fits[0];

/** Hind legs with hocks below an upright trunk. */
const REARING = HUMAN.replace(
  'thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12',
  'thigh 0.09 0.92 0 > shin 0.09 0.6 0.25 > foot 0.09 0.32 -0.1 > toe 0.09 0.02 0',
);

describe('hasQuadrupedStance', () => {
  it('is true for the legs and fore legs of a dog', () => {
    const { rig, limbs } = limbsOf(OTHERS['a dog']);
    expect(limbs.some((hind) => limbs.some((fore) => fore !== hind && hasQuadrupedStance(rig, hind, fore)))).toBe(true);
  });

  it.each(Object.keys(HUMANOIDS))('is false for the limbs of %s', (name) => {
    const { rig, legFit, armFit } = bestOf(HUMANOIDS[name]);
    expect(hasQuadrupedStance(rig, legFit, armFit)).toBe(false);
  });
});

describe('hasMoreLegs', () => {
  it.each(Object.keys(HUMANOIDS))('is false for %s', (name) => {
    expect(hasMoreLegs(bestOf(HUMANOIDS[name]), limbsOf(HUMANOIDS[name]).limbs)).toBe(false);
  });
});

describe('mapByShape', () => {
  it('refuses a dog with wings', () => {
    const wings = '  *wing1 0.1 0.7 0.2 > wing2 0.3 1 0.1 > wing3 0.4 1.3 0';
    const winged = OTHERS['a dog'].replace('  *shoulder', `${wings}\n  *shoulder`);
    expect(mapByShape(positionedRig(winged), null)).toEqual({ nodes: null, reason: 'it stands on four legs' });
  });
});

describe('hasHocks', () => {
  it('is true for a monster on its hind legs, false for humanoids', () => {
    expect(hasHocks(bestOf(REARING))).toBe(true);
    for (const text of Object.values(HUMANOIDS)) expect(hasHocks(bestOf(text))).toBe(false);
  });
});
