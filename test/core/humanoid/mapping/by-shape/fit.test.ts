import { describe, expect, it } from 'vitest';
import { fitHumanoid } from '../../../../../src/core/humanoid/mapping/by-shape/fit.ts';
import type { HumanoidFit } from '../../../../../src/core/humanoid/mapping/by-shape/humanoid-fit.ts';
import { limbFits } from '../../../../../src/core/humanoid/mapping/by-shape/limb-joints.ts';
import { endsOfPairs, limbPairs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-pairs.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { HUMAN, HUMANOIDS, OTHERS } from '../rigs.ts';

/** The interpretation of a rig with the pairs that start with these joints. */
function read(
  text: string,
  leg = 'thigh',
  arm = 'clavicle',
): { fit: HumanoidFit | null; name: (node: number) => string } {
  const rig = positionedRig(text);
  const [posed] = createPosedRigs(rig, null);
  const pairs = limbPairs(posed);
  const startsWith = (joint: string) =>
    pairs.find(({ sides }) => sides.every(([first]) => rig.names[first].startsWith(`${joint}.`)));
  const [legs, arms] = [startsWith(leg), startsWith(arm)];
  if (legs === undefined || arms === undefined) throw new Error('no such pairs');
  const [legFit] = limbFits(posed, legs, false, 1);
  const [armFit] = limbFits(posed, arms, true, 1);
  const fit = fitHumanoid(posed, legFit, armFit, endsOfPairs(pairs));
  return { fit, name: (node) => rig.names[node] ?? '-' };
}

describe('fitHumanoid', () => {
  it('finds hips, spine, neck, head, shoulders and toes', () => {
    const { fit, name } = read(HUMAN);
    expect([fit?.hips, ...(fit?.spine ?? []), fit?.head.neck, fit?.head.head].map((node) => name(node ?? -1))).toEqual([
      'hips',
      'spine',
      'chest',
      'neck',
      'head',
    ]);
    expect(fit?.shoulders.map(name)).toEqual(['clavicle.L', 'clavicle.R']);
    expect(fit?.toes.map(name)).toEqual(['toe.L', 'toe.R']);
    expect(fit?.isQuadruped).toBe(false);
    expect(fit?.score).toBeGreaterThan(0.5);
  });

  it('finds the hips above the spine bone that the thighs are parented to (Biped)', () => {
    const biped = `
pelvis 0 0.92 0
 spine 0 1.08 0
  chest 0 1.25 -0.02
   *clavicle 0.03 1.42 0 > upperarm 0.18 1.42 -0.02 > forearm 0.45 1.42 -0.03 > hand 0.7 1.42 0
   neck 0 1.48 -0.01 > head 0 1.58 0.02
  *thigh 0.09 0.92 0 > shin 0.09 0.5 0.02 > foot 0.09 0.08 -0.02 > toe 0.09 0.02 0.12`;
    const { fit, name } = read(biped);
    expect([name(fit?.hips ?? -1), ...(fit?.spine ?? []).map(name)]).toEqual(['pelvis', 'spine', 'chest']);
  });

  it('drops a pelvis below the hip joints and all coincident joints but the last', () => {
    const doubled = HUMAN.replace(
      ' spine 0 1.08 0\n  chest',
      ' pelvis 0 0.85 0\n  spine0 0 1.08 0\n   spine 0 1.08 0\n    chest',
    )
      .split('\n')
      .join('\n');
    const rig = doubled.replace(/\n {3}(\*clavicle|neck)/g, '\n     $1');
    const { fit, name } = read(rig);
    expect(fit?.spine.map(name)).toEqual(['spine', 'chest']);
  });

  it('scores lower when upside down, with a skirt as legs, or on four legs', () => {
    const right = read(HUMAN).fit?.score ?? 0;
    expect(read(HUMAN, 'clavicle', 'thigh').fit?.score ?? 0).toBeLessThan(right / 5);
    const skirt = HUMANOIDS['a humanoid in a skirt with twin tails of hair'];
    expect(read(skirt, 'skirtFront1').fit?.score ?? 0).toBeLessThan(read(skirt).fit?.score ?? 0);
    const dog = read(OTHERS['a dog'], 'thigh', 'shoulder').fit;
    expect([dog?.isQuadruped, (dog?.score ?? 1) < 0.05]).toEqual([true, true]);
  });

  it('rejects pairs on one another, and pairs without a head', () => {
    const tangled = 'hips 0 1 0\n *a 0.1 0.9 0 > b 0.1 0.5 0 > c 0.1 0.1 0\n  *d 0.2 0.1 0 > e 0.4 0.1 0 > f 0.6 0.1 0';
    expect(() => read(tangled, 'a', 'd')).toThrow('no such pairs');
    expect(read(HUMAN.replace(/\n +neck.*/, '')).fit).toBeNull();
  });
});
