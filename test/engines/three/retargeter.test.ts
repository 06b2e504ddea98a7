import { describe, expect, it } from 'vitest';
import { createRetargeter, humanoidOf, retargetClip } from '../../../src/engines/three/index.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { demoBytes } from '../../make/demo-files.ts';
import { NO_ALLOCATION, RESAMPLED_RADIANS, SECOND_OPINION } from '../../tolerances.ts';
import { apart, type Loaded, loadBytes, player, shown } from './scenes.ts';

const demo = (name: string): Promise<Loaded> => loadBytes(name, demoBytes(name));

describe('a character that does what another does', () => {
  it.each(['unreal.glb', 'blender.glb', 'child.vrm', 'odd-axes.glb'])(
    '%s shows what the clip for it shows',
    async (name) => {
      const source = await demo('walk.glb');
      const [live, dead] = [await demo(name), await demo(name)];
      const body = humanoidOf(dead.vrm ?? dead.root);
      const { clip } = retargetClip(source.animations[0], source.root, body);
      const retargeter = createRetargeter(source.root, live.vrm ?? live.root);
      const players = [player(source.root, source.animations[0]), player(dead.root, clip)];
      for (const part of [0, 0.3, 0.61, 1]) {
        for (const { show } of players) show(part * clip.duration);
        retargeter.update();
        const { rotations, positions, compared } = apart(shown(live.root), shown(dead.root), body.humanoid.height);
        expect(compared).toBeGreaterThan(20);
        // The clip has keys where several bones are folded into one.
        expect(rotations).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
        expect(positions).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
      }
    },
  );

  it('goes on where the source is moved about, and stays where it was put', async () => {
    const source = await demo('walk.glb');
    const target = await demo('unreal.glb');
    const retargeter = createRetargeter(source.root, target.root);
    player(source.root, source.animations[0]).show(0.4);
    retargeter.update();
    const before = shown(target.root);
    source.root.position.set(1, 2, 3);
    source.root.rotation.set(1, 2, 3);
    target.root.position.set(4, 5, 6);
    retargeter.update();
    expect(apart(shown(target.root), before, 1).rotations).toBe(0);
    expect(target.root.position.toArray()).toEqual([4, 5, 6]);
  });

  it('tells what the plan tells', async () => {
    const source = await demo('walk.glb');
    const target = await demo('odd-axes.glb');
    const { issues, plan } = createRetargeter(source.root, target.root, { hipsScale: 'none' });
    expect(plan.hipsScale).toBe(1);
    expect(issues.map(({ code }) => code)).toContain('BONES_MISSING_IN_TARGET');
  });

  it('allocates nothing in a frame', async () => {
    expect(await bytesPerCall(new URL('retargeter.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
  }, 30_000);
});
