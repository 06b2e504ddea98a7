import { type SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { createHumanoid, createRetargeter } from '../../../src/engines/three/index.ts';
import { retargetAnimationClip } from '../../../src/engines/three/retarget-animation-clip.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { NO_ALLOCATION, RESAMPLED_RADIANS, SECOND_OPINION } from '../../support/tolerances.ts';
import { apart, type Loaded, loadBytes, player, shown } from './scenes.ts';

const demo = (name: string): Promise<Loaded> => loadBytes(name, demoBytes(name));

describe('createRetargeter of anyrig/three', () => {
  it.each(['unreal.glb', 'blender.glb', 'child.vrm', 'odd-axes.glb'])(
    '%s: gives the same poses as retargetAnimationClip',
    async (name) => {
      const source = await demo('walk.glb');
      const [live, played] = [await demo(name), await demo(name)];
      const hero = createHumanoid(played.vrm ?? played.root);
      const { clip } = retargetAnimationClip(source.animations[0], source.root, hero);
      const retargeter = createRetargeter(source.root, live.vrm ?? live.root, { contacts: 'off' });
      const players = [player(source.root, source.animations[0]), player(played.root, clip)];
      for (const part of [0, 0.3, 0.61, 1]) {
        for (const { show } of players) show(part * clip.duration);
        retargeter.update();
        const { rotations, positions, compared } = apart(shown(live.root), shown(played.root), hero.humanoid.height);
        expect(compared).toBeGreaterThan(20);
        // The clip is resampled where the target lacks bones.
        expect(rotations).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
        expect(positions).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
      }
    },
  );

  it('ignores the transforms of both roots and keeps that of the target', async () => {
    const source = await demo('walk.glb');
    const target = await demo('unreal.glb');
    const retargeter = createRetargeter(source.root, target.root);
    player(source.root, source.animations[0]).show(0.4);
    retargeter.update(0);
    const before = shown(target.root);
    source.root.position.set(1, 2, 3);
    source.root.rotation.set(1, 2, 3);
    target.root.position.set(4, 5, 6);
    retargeter.update(0);
    expect(apart(shown(target.root), before, 1).rotations).toBeLessThan(SECOND_OPINION);
    expect(target.root.position.toArray()).toEqual([4, 5, 6]);
  });

  it('stands on the ground of a BVH whose root is at the origin at rest, where a motion shows that ground', async () => {
    const hipsHeight = async (withMotion: boolean): Promise<number> => {
      const { root, animations } = await demo('turn.bvh');
      root.position.set(0, 0, 0);
      const source = createHumanoid(root, withMotion ? { motion: animations[0] } : {});
      const { root: hero } = await demo('unreal.glb');
      const target = createHumanoid(hero);
      const retargeter = createRetargeter(source, target);
      player(root, animations[0]).show(0);
      retargeter.update(0);
      const hips = target.objects[target.humanoid.map.nodes[BONE.hips]];
      return (hips.getWorldPosition(new Vector3()).y * target.humanoid.metersPerUnit) / target.humanoid.hipsHeight;
    };
    expect(Math.abs((await hipsHeight(true)) - 1)).toBeLessThan(0.1);
    expect(await hipsHeight(false)).toBeGreaterThan(1.5);
  });

  it.each([
    ['bones of the file', 'plain'],
    ['normalized bones of a VRM', 'vrm'],
  ])('keeps feet on the floor with contacts, and below it without: %s', async (_, rig) => {
    const lowest = async (contacts: 'auto' | 'off'): Promise<number> => {
      const source = await demo('walk.glb');
      const target = await demo('child.vrm');
      const retargeter = createRetargeter(source.root, (rig === 'vrm' ? target.vrm : null) ?? target.root, {
        contacts,
      });
      if (contacts === 'auto') expect(retargeter.contacts!.plan.targetSurface.from).toBe('skin');
      const { show } = player(source.root, source.animations[0]);
      const meshes: SkinnedMesh[] = [];
      target.root.traverse((object) => {
        if ((object as Partial<SkinnedMesh>).isSkinnedMesh === true) meshes.push(object as SkinnedMesh);
      });
      let low = Number.POSITIVE_INFINITY;
      for (let frame = 0; frame < 30; frame++) {
        show(frame / 30);
        retargeter.update(1 / 30);
        if (rig === 'vrm') target.vrm!.humanoid.update();
        target.root.updateMatrixWorld(true);
        for (const mesh of meshes) {
          mesh.computeBoundingBox();
          low = Math.min(low, mesh.boundingBox!.clone().applyMatrix4(mesh.matrixWorld).min.y);
        }
      }
      return low;
    };
    expect(await lowest('off')).toBeLessThan(-0.003);
    expect(await lowest('auto')).toBeGreaterThan(-0.002);
  });

  it('exposes the plan and its issues', async () => {
    const source = await demo('walk.glb');
    const target = await demo('odd-axes.glb');
    const { issues, plan } = createRetargeter(source.root, target.root, { hipsScale: 'none' });
    expect(plan.hipsScale).toBe(1);
    expect(issues.map(({ code }) => code)).toContain('BONES_MISSING_IN_TARGET');
  });

  it.skipIf(!IS_FULL_RUN)(
    'allocates nothing in a frame',
    async () => {
      expect(await bytesPerCall(new URL('retargeter.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
    },
    30_000,
  );
});
