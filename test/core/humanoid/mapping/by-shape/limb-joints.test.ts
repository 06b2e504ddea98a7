import { describe, expect, it } from 'vitest';
import { limbFits } from '../../../../../src/core/humanoid/mapping/by-shape/limb-joints.ts';
import { limbPairs } from '../../../../../src/core/humanoid/mapping/by-shape/limb-pairs.ts';
import { createPosedRigs } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';

/** The best interpretation of the longest pair of a rig. */
function jointsOf(text: string, isArm: boolean): string[] {
  const rig = positionedRig(text);
  const [posed] = createPosedRigs(rig, null);
  const [fit] = limbFits(posed, limbPairs(posed)[0], isArm, 1);
  return fit.sides[0].map((node) => rig.names[node].replace(/\.[LR]$/, ''));
}

const FINGERS = `
  thumb1 0.73 1.4 0.03 > thumb2 0.75 1.39 0.05 > thumb3 0.77 1.38 0.07
  index1 0.79 1.4 0.03 > index2 0.83 1.4 0.03 > index3 0.85 1.4 0.03
  middle1 0.795 1.4 0.01 > middle2 0.84 1.4 0.01 > middle3 0.866 1.4 0.01
  ring1 0.79 1.4 -0.01 > ring2 0.83 1.4 -0.01 > ring3 0.856 1.4 -0.01`;

describe('limbFits', () => {
  it('finds upper arm, forearm and hand in a straight arm with shoulder and fingers', () => {
    const arm = `chest 0 1.3 0\n *clavicle 0.06 1.4 0 > upperarm 0.18 1.4 0 > forearm 0.45 1.4 0 > hand 0.7 1.4 0${FINGERS}`;
    expect(jointsOf(arm, true)).toEqual(['upperarm', 'forearm', 'hand']);
  });

  it('skips any number of twist joints', () => {
    const bent = `chest 0 1.3 0
 *upperarm 0.29 1.08 0 > twist 0.42 1 -0.03 > forearm 0.55 0.92 -0.06 > twist2 0.6 0.88 -0.045 > hand 0.65 0.84 -0.03`;
    expect(jointsOf(bent, true)).toEqual(['upperarm', 'forearm', 'hand']);
  });

  it('finds thigh, shin and foot between a central helper and the toes', () => {
    const leg = `hips 0 1 0\n *helper 0 1 0 > thigh 0.1 0.92 0 > shin 0.1 0.5 0 > foot 0.1 0.08 -0.02 > toe 0.1 0.02 0.12 > end 0.1 0.01 0.2`;
    // The helpers of both sides lie in one place.
    expect(jointsOf(leg, false)).toEqual(['thigh', 'shin', 'foot']);
  });

  it('accepts short and long bones, but not one long and one tiny bone', () => {
    const [posed] = createPosedRigs(positionedRig('hips 0 1 0\n *a 0.1 0.9 0 > b 0.1 0.1 0 > c 0.1 0.09 0'), null);
    expect(limbFits(posed, limbPairs(posed)[0], false, 1)).toEqual([]);
  });

  it('finds a foot that is parented to the root', () => {
    const rig = positionedRig(
      'root 0 0 0\n hips 0 1 0\n  *thigh 0.1 0.92 0 > shin 0.1 0.5 0.02 > end 0.1 0.08 0\n *foot 0.1 0.08 0',
    );
    const joints = Uint8Array.from(rig.names, (name) => (name.startsWith('end') ? 0 : 1));
    const [posed] = createPosedRigs({ ...rig, joints }, null);
    const [fit] = limbFits(posed, limbPairs(posed)[0], false, 1);
    expect(fit.sides.map((side) => side.map((node) => rig.names[node]))).toEqual([
      ['thigh.L', 'shin.L', 'foot.L'],
      ['thigh.R', 'shin.R', 'foot.R'],
    ]);
  });
});
