import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { NAMINGS, type NamingName } from '../../../src/demo/characters/naming.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';

const NAMED = Object.entries(NAMINGS).filter(([name]) => name !== 'none');

describe('NAMINGS', () => {
  it.each(NAMED)('%s gives every joint a unique name', (_, naming) => {
    const names = BONES.flatMap((bone) => [naming.bone(bone), naming.between(bone), naming.twist(bone)]);
    expect(names).not.toContain('');
    expect(names.join()).not.toContain('undefined');
    expect(new Set(names).size).toBe(names.length);
  });

  it('has the names of the authoring tools', () => {
    expect(NAMINGS.mixamo.bone('leftLittleDistal')).toBe('mixamorig:LeftHandPinky3');
    expect(NAMINGS.mixamo.end('head')).toBe('mixamorig:HeadTop_End');
    expect(NAMINGS.unreal.bone('rightLowerLeg')).toBe('calf_r');
    expect(NAMINGS.unreal.twist('leftUpperArm')).toBe('upperarm_twist_01_l');
    expect(NAMINGS.blender.bone('upperChest')).toBe('upper_chest');
    expect(NAMINGS.blender.bone('leftUpperArm')).toBe('upper_arm.L');
    expect(NAMINGS.cmu.bone('spine')).toBe('LowerBack');
    expect(NAMINGS.biped.bone('rightThumbMetacarpal')).toBe('Bip001 R Finger0');
    expect(NAMINGS.biped.bone('leftLittleDistal')).toBe('Bip001 L Finger42');
    expect(NAMINGS.none.bone('hips')).toBe('');
  });

  describe.skipIf(!HAS_ASSETS)('compared with naming tables of other projects', () => {
    const tables: readonly (readonly [NamingName, string])[] = [
      ['mixamo', 'mixamo'],
      ['plain', 'ready_player_me'],
      ['unreal', 'unreal_ue4_mannequin'],
      ['vrm', 'vrm1'],
      ['blender', 'vrm_addon_blender'],
      ['biped', 'biped_3dsmax'],
    ];
    it.each(tables)('%s agrees with %s on every bone in both', (name, table) => {
      const all = JSON.parse(readFileSync(asset('research', 'bone-names.json'), 'utf8'));
      const known = BONES.filter((bone) => all[table][bone] !== undefined);
      expect(known.length).toBeGreaterThan(40);
      for (const bone of known) expect(all[table][bone]).toContain(NAMINGS[name].bone(bone));
    });
  });
});
