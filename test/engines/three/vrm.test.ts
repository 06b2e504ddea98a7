/** Checks that VRMs of three-vrm are animated on the rig that three-vrm expects. */
import { expect, it } from 'vitest';
import { createHumanoid } from '../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../src/engines/three/retarget-animation-clip.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { apart, loadBytes, player, shown } from './scenes.ts';

it.each(['child.vrm', 'chibi.vrm'])(
  'retargetAnimationClip: %s is animated on normalized bones, or on raw bones without autoUpdateHumanBones',
  async (name) => {
    const source = await loadBytes('walk.glb', demoBytes('walk.glb'));
    const normalized = await loadBytes(name, demoBytes(name));
    const raw = await loadBytes(name, demoBytes(name));
    const [vrm, rawVrm] = [normalized.vrm!, raw.vrm!];
    rawVrm.humanoid.autoUpdateHumanBones = false;
    const onNormalized = retargetAnimationClip(source.animations[0], source.root, vrm);
    const onRaw = retargetAnimationClip(source.animations[0], source.root, rawVrm);
    expect(onNormalized.clip.tracks.every((track) => track.name.startsWith('Normalized_'))).toBe(true);
    expect(onRaw.clip.tracks.some((track) => track.name.startsWith('Normalized_'))).toBe(false);
    for (const part of [0, 0.4, 1]) {
      player(vrm.scene, onNormalized.clip).show(part * onNormalized.clip.duration);
      player(rawVrm.scene, onRaw.clip).show(part * onRaw.clip.duration);
      vrm.update(0);
      rawVrm.update(0);
      const own = [...shown(raw.root)].filter(([object]) => !object.startsWith('Normalized_'));
      const { rotations, positions, compared } = apart(new Map(own), shown(normalized.root), 1);
      expect(compared).toBeGreaterThan(30);
      expect(rotations).toBeLessThan(SECOND_OPINION);
      expect(positions).toBeLessThan(SECOND_OPINION);
    }
  },
);

it('createHumanoid: uses the bones and pose that a VRM declares, facing −Z for VRM 0.x', async () => {
  for (const [name, from, y] of [
    ['child.vrm', 'vrm1', 0],
    ['chibi.vrm', 'vrm0', 1],
  ] as const) {
    const { vrm } = await loadBytes(name, demoBytes(name));
    const { humanoid } = createHumanoid(vrm!);
    expect([humanoid.map.from, humanoid.reference.kind, humanoid.ground]).toEqual([from, 'declared', 0]);
    expect([...humanoid.frame]).toEqual([0, y, 0, 1 - y]);
  }
});
