import { describe, expect, it } from 'vitest';
import { hasFingers, hasFoot, weighLimbs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-evidence.ts';
import { limbFits } from '../../../../../src/core/humanoid/mapping/by-shape/limb-joints.ts';
import { limbPairs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-pairs.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN } from '../rigs.ts';

const HAND = `
    thumb1 0.72 1.42 0.03 > thumb2 0.74 1.42 0.05
    index1 0.79 1.42 0.03 > index2 0.83 1.42 0.03
    little1 0.78 1.42 -0.03 > little2 0.81 1.42 -0.03`;
const FINGERED = HUMAN.replace(
  /\n {3}\*clavicle.*/,
  `
   *clavicle 0.03 1.42 0
    upperarm 0.18 1.42 -0.02
     forearm 0.45 1.42 -0.03
      hand 0.7 1.42 0${HAND.replaceAll('\n', '\n   ')}`,
);
const WINGED = `${FINGERED}
 *wing1 0.1 1.3 -0.1 > wing2 0.5 1.5 -0.2 > wing3 0.9 1.3 -0.2`;
const SKIRT = [0.1, 0.05, 0, -0.05, -0.1]
  .map((z) => `\n *panel1 0.1 0.9 ${z} > panel2 0.14 0.7 ${1.5 * z} > panel3 0.17 0.5 ${2 * z}`)
  .join('');

/** Reads the limbs of a rig by the name of their first joint, before and after they are weighed. */
function limbsOf(text: string) {
  const skeleton = positionedRig(text);
  const [rig] = createPosedRigs(skeleton, null);
  const pairs = limbPairs(rig);
  const legs = pairs.map((pair) => limbFits(rig, pair, false, 1));
  const arms = pairs.map((pair) => limbFits(rig, pair, true, 1));
  const weighed = weighLimbs(rig, legs, arms);
  const at = (name: string): number => {
    const found = pairs.findIndex(({ sides }) => sides.every(([first]) => skeleton.names[first].startsWith(name)));
    if (found < 0) throw new Error(`no pair ${name}`);
    return found;
  };
  return {
    rig,
    leg: (name: string) => legs[at(name)][0],
    arm: (name: string) => arms[at(name)][0],
    legFactor: (name: string) => weighed.legs[at(name)][0].score / legs[at(name)][0].score,
    armFactor: (name: string) => weighed.arms[at(name)][0].score / arms[at(name)][0].score,
  };
}

describe('hasFingers, hasFoot', () => {
  it('tell hands and feet from the ends of wings and panels', () => {
    const { rig, leg, arm } = limbsOf(WINGED + SKIRT);
    expect(hasFingers(rig, arm('clavicle'))).toBe(true);
    expect(hasFingers(rig, arm('wing'))).toBe(false);
    expect(hasFoot(rig, leg('thigh'))).toBe(true);
    expect(hasFoot(rig, leg('panel'))).toBe(false);
  });
});

describe('weighLimbs', () => {
  it('keeps the scores of a humanoid without other chains', () => {
    const { legFactor, armFactor } = limbsOf(HUMAN);
    expect([legFactor('thigh'), armFactor('clavicle')]).toEqual([1, 1]);
  });

  it('lowers wings beside hands with fingers, and chains without feet beside legs', () => {
    const { legFactor, armFactor } = limbsOf(WINGED);
    expect(armFactor('clavicle')).toBe(1);
    expect(armFactor('wing')).toBeLessThan(0.5);
    expect(legFactor('thigh')).toBe(1);
    expect(legFactor('wing')).toBeLessThan(0.7);
  });

  it('lowers the panels of a skirt, which are many', () => {
    const { legFactor } = limbsOf(HUMAN + SKIRT);
    expect(legFactor('thigh')).toBe(1);
    expect(legFactor('panel')).toBeLessThan(0.3);
  });
});
