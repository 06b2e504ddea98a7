import { describe, expect, it } from 'vitest';
import { type BodyFit, fitBody } from '../../../../src/core/humanoid/mapping/body-fit.ts';
import { bodyTrees } from '../../../../src/core/humanoid/mapping/body-tree.ts';
import { limbFits } from '../../../../src/core/humanoid/mapping/limb-joints.ts';
import { limbPairs } from '../../../../src/core/humanoid/mapping/limb-pairs.ts';
import { placedRig } from '../../../make/placed-rig.ts';
import { BODIES, HUMAN, OTHERS } from './rigs.ts';

/** The reading of a rig with the pairs that start with these joints. */
function read(text: string, leg = 'thigh', arm = 'clavicle'): { fit: BodyFit | null; name: (node: number) => string } {
  const rig = placedRig(text);
  const [body] = bodyTrees(rig, null);
  const startsWith = (joint: string) =>
    limbPairs(body).find(({ sides }) => sides.every(([first]) => rig.names[first].startsWith(`${joint}.`)));
  const [legs, arms] = [startsWith(leg), startsWith(arm)];
  if (legs === undefined || arms === undefined) throw new Error('no such pairs');
  const fit = fitBody(body, limbFits(body, legs, false, 1)[0], limbFits(body, arms, true, 1)[0]);
  return { fit, name: (node) => rig.names[node] ?? '-' };
}

describe('two pairs of limbs as a body', () => {
  it('meet in the hips, have the spine between and the head above', () => {
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
    expect(fit?.onFour).toBe(false);
    expect(fit?.score).toBeGreaterThan(0.5);
  });

  it('have hips above the node where they meet, where thighs hang on the spine (Biped)', () => {
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

  it('leave out a pelvis below the hip joints, and of joints in one place all but the last', () => {
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

  it('are worth less the less human they are: upside down, with a skirt for legs, on four legs', () => {
    const right = read(HUMAN).fit?.score ?? 0;
    expect(read(HUMAN, 'clavicle', 'thigh').fit?.score ?? 0).toBeLessThan(right / 5);
    const skirt = BODIES['a body in a skirt with twin tails of hair'];
    expect(read(skirt, 'skirtFront1').fit?.score ?? 0).toBeLessThan(read(skirt).fit?.score ?? 0);
    const dog = read(OTHERS['a dog'], 'thigh', 'shoulder').fit;
    expect([dog?.onFour, (dog?.score ?? 1) < 0.05]).toEqual([true, true]);
  });

  it('make no body where one hangs on the other, or nothing goes up between them', () => {
    const tangled = 'hips 0 1 0\n *a 0.1 0.9 0 > b 0.1 0.5 0 > c 0.1 0.1 0\n  *d 0.2 0.1 0 > e 0.4 0.1 0 > f 0.6 0.1 0';
    expect(() => read(tangled, 'a', 'd')).toThrow('no such pairs');
    expect(read(HUMAN.replace(/\n +neck.*/, '')).fit).toBeNull();
  });
});
