import { describe, expect, it } from 'vitest';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { rigOf } from '../../../make/rig-text.ts';

describe('a rig as mapping sees it', () => {
  it('thinks less of nodes that no skin touches, but not of what is above a joint', () => {
    const rig = readRig(
      rigOf(`
      Armature !
       Hips
        Sword !`),
    );
    expect([...rig.quality].map((value) => value >= 0)).toEqual([true, true, false]);
  });

  it('holds nothing against nodes of a rig without skins', () => {
    expect([...readRig(rigOf('Root ! > Hips ! > Spine !')).quality]).toEqual([0, 0, 0]);
  });

  it('prefers deforming bones to the layers of a control rig', () => {
    const { quality } = readRig(rigOf('DEF-spine > ORG-spine > MCH-spine'));
    expect(quality[0]).toBeGreaterThan(quality[1]);
    expect(quality[1]).toBeGreaterThan(quality[2]);
  });

  it('takes a stub for no bone where the bone follows it', () => {
    const { readings } = readRig(rigOf('__Clavicle_L > Clavicle_L > __Hand_L'));
    expect(readings.map(({ helper }) => helper)).toEqual([true, false, false]);
  });
});
