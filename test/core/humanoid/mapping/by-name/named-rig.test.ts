import { describe, expect, it } from 'vitest';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { rigOf } from '../../../../support/make/rig-text.ts';

describe('createNamedRig', () => {
  it('rates nodes without joints below 0, but not ancestors of joints', () => {
    const rig = createNamedRig(
      rigOf(`
      Armature !
       Hips
        Sword !`),
    );
    expect([...rig.quality].map((value) => value >= 0)).toEqual([true, true, false]);
  });

  it('rates all nodes 0 in a rig without joints', () => {
    expect([...createNamedRig(rigOf('Root ! > Hips ! > Spine !')).quality]).toEqual([0, 0, 0]);
  });

  it('rates deforming bones above the layers of a control rig', () => {
    const { quality } = createNamedRig(rigOf('DEF-spine > ORG-spine > MCH-spine'));
    expect(quality[0]).toBeGreaterThan(quality[1]);
    expect(quality[1]).toBeGreaterThan(quality[2]);
  });

  it('marks a stub before its bone as a helper', () => {
    const { readings } = createNamedRig(rigOf('__Clavicle_L > Clavicle_L > __Hand_L'));
    expect(readings.map(({ helper }) => helper)).toEqual([true, false, false]);
    const prefixed = createNamedRig(rigOf('Take001___Eye_L > Take001_Eye_L'));
    expect(prefixed.readings.map(({ helper }) => helper)).toEqual([true, false]);
    expect(prefixed.quality[0]).toBeLessThan(prefixed.quality[1]);
  });
});
