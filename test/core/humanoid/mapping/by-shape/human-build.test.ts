import { describe, expect, it } from 'vitest';
import { hasHumanBuild } from '../../../../../src/core/humanoid/mapping/by-shape/human-build.ts';
import { allFits } from '../../../../../src/core/humanoid/mapping/by-shape/interpretations.ts';
import { mapByShape } from '../../../../../src/core/humanoid/mapping/by-shape/map-by-shape.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN, HUMANOIDS, OTHERS } from '../rigs.ts';

const bestOf = (text: string) => allFits(positionedRig(text), null).fits[0];

const PLAIN_ARM = 'clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.45 1.42 -0.03 > hand 0.7 1.42 0';
const PLAIN_LEG = 'thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12';
const withArm = (arm: string): string => HUMAN.replace(PLAIN_ARM, arm);
const withLeg = (leg: string): string => HUMAN.replace(PLAIN_LEG, leg);

const FINGERS = ['index', 'middle', 'ring'].map((name, k) => {
  const z = 0.03 * (k - 1);
  return `\n    *${name}1 0.8 1.42 ${z} > ${name}2 0.84 1.42 ${z} > ${name}3 0.87 1.42 ${z}`;
});

describe('hasHumanBuild', () => {
  it.each(Object.keys(HUMANOIDS))('is true for %s', (name) => {
    expect(hasHumanBuild(bestOf(HUMANOIDS[name]))).toBe(true);
  });

  it('is false for arms as short as jaws', () => {
    const arm = 'clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.24 1.42 -0.03 > hand 0.3 1.42 0';
    expect(hasHumanBuild(bestOf(withArm(arm)))).toBe(false);
  });

  it('is false for arms that start in the middle of the trunk', () => {
    const arm = 'upperarm 0.04 1.42 -0.02 > forearm 0.3 1.42 -0.03 > hand 0.55 1.42 0';
    expect(hasHumanBuild(bestOf(withArm(arm)))).toBe(false);
  });

  it('is false for legs that point to the side like fins', () => {
    const leg = 'thigh 0.09 0.92 0 > shin 0.5 0.75 0.02 > foot 0.9 0.58 -0.02 > toe 0.95 0.5 0.12';
    expect(hasHumanBuild(bestOf(withLeg(leg)))).toBe(false);
  });

  it('is false for legs that point forward from a trunk across them', () => {
    const leg = 'thigh 0.09 0.92 0 > shin 0.09 0.8 0.4 > foot 0.09 0.7 0.8 > toe 0.09 0.8 0.92';
    expect(hasHumanBuild(bestOf(withLeg(leg)))).toBe(false);
  });

  it('is false for a trunk that bends like a neck', () => {
    const bent = HUMAN.replace('spine 0 1.08 0', 'spine 0 1.08 0.25');
    expect(hasHumanBuild(bestOf(bent))).toBe(false);
  });

  it('is true without toes for a spine as curved as that of a realistic avatar', () => {
    const curved = HUMAN.replace('spine 0 1.08 0', 'spine 0 1.08 -0.08').replace(' > toe 0.09 0.02 0.12', '');
    expect(hasHumanBuild(bestOf(curved))).toBe(true);
  });

  it('is true for the same trunk where the arms have fingers', () => {
    const bent = HUMAN.replace('spine 0 1.08 0', 'spine 0 1.08 0.25');
    const hand = `${PLAIN_ARM}${FINGERS.join('')}`;
    expect(hasHumanBuild(bestOf(bent.replace(PLAIN_ARM, hand)))).toBe(true);
  });
});

describe('mapByShape', () => {
  it('refuses a chair with wings and a hat, whose back is a trunk of one joint', () => {
    const wings =
      ' back 0 0.9 -0.25\n  *wing1 0.1 0.95 -0.3 > wing2 0.35 1 -0.35 > wing3 0.6 0.95 -0.4\n  hat 0 1.05 -0.25';
    const dressed = OTHERS['a chair'].replace(' back 0 0.9 -0.25', wings);
    expect(mapByShape(positionedRig(dressed), null).nodes).toBeNull();
  });
});
