import { describe, expect, it } from 'vitest';
import { createRetargeter, retargetAnimationGroup } from '../../../src/engines/babylon/index.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { RESAMPLED_RADIANS, SECOND_OPINION } from '../../support/tolerances.ts';
import { apart, emptyScene, loadGlb, show, shown } from './scenes.ts';

describe('createRetargeter of anyrig/babylon', () => {
  it.each(
    sampledCases(
      [
        ['unreal.glb', false],
        ['blender.glb', true],
        ['odd-axes.glb', false],
      ] as const,
      2,
    ),
  )('%s: gives the same poses as retargetAnimationGroup', async (name, rightHanded) => {
    const source = await loadGlb(demoBytes('walk.glb'));
    const live = await loadGlb(demoBytes(name), emptyScene(rightHanded));
    const played = await loadGlb(demoBytes(name));
    const { group } = retargetAnimationGroup(source.groups[0], source.root, played.root);
    const retargeter = createRetargeter(source.root, live.root, { contacts: 'off' });
    const { plan } = createRetargeter(source.root, live.root).contacts!;
    expect([plan.sourceSurface.from, plan.targetSurface.from]).toEqual(['skin', 'skin']);
    expect(plan.targetSurface.floor).toBeCloseTo(0, 2);
    for (const time of [0, 0.3, 0.61, 1]) {
      show(source.groups[0], time);
      show(group, time);
      retargeter.update();
      const { rotations, positions, compared } = apart(shown(live.root), shown(played.root), 2);
      expect(compared).toBeGreaterThan(20);
      // The group is resampled where the target lacks bones.
      expect(rotations).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
      expect(positions).toBeLessThan(SECOND_OPINION + RESAMPLED_RADIANS);
    }
  });
});
