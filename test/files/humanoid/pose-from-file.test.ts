import { describe, expect, it } from 'vitest';
import { bindModelPose, restModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import { poseFromFile } from '../../../src/files/humanoid/pose-from-file.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { LAW_F32 } from '../../support/tolerances.ts';

/** Returns the largest difference between two lists of rotations; q and −q are equal. */
function rotationGap(a: Float64Array, b: Float64Array): number {
  let gap = 0;
  for (let i = 0; i < a.length; i += 4) {
    const dot = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
    const sign = dot < 0 ? -1 : 1;
    gap = Math.max(gap, Math.hypot(...[0, 1, 2, 3].map((c) => a[i + c] - sign * b[i + c])));
  }
  return gap;
}

describe('poseFromFile', () => {
  it('uses the bind pose of the file instead of its rest pose', async () => {
    const file = await openDemo('blender.glb');
    const { skeleton } = file.asset.skeletons[0];
    const borrowed = poseFromFile(skeleton, file, null);
    const bind = bindModelPose(skeleton);
    expect(borrowed?.pose.from).toBe('blender.glb');
    expect(rotationGap(borrowed!.pose.rotations, bind!.rotations)).toBeLessThan(LAW_F32);
    expect(rotationGap(restModelPose(skeleton).rotations, bind!.rotations)).toBeGreaterThan(0.1);
    expect(borrowed?.matched.every((one) => one === 1)).toBe(true);
  });

  it('rotates only nodes with common names; others keep their rest pose', async () => {
    const file = await openDemo('blender.glb');
    const [part] = file.asset.skeletons;
    const renamed = part.skeleton.names.map((name) => (name.endsWith('.L') ? `other ${name}` : name));
    const other: OpenFile = {
      ...file,
      asset: { ...file.asset, skeletons: [{ ...part, skeleton: { ...part.skeleton, names: renamed } }] },
    };
    const borrowed = poseFromFile(part.skeleton, other, null);
    const left = part.skeleton.names.flatMap((name, node) => (name.endsWith('.L') ? [node] : []));
    expect(left.length).toBeGreaterThan(10);
    expect(left.every((node) => borrowed?.matched[node] === 0)).toBe(true);
    expect(borrowed?.matched.reduce((sum, one) => sum + one, 0)).toBe(renamed.length - left.length);
  });

  it('returns null without common names', async () => {
    const { skeleton } = (await openDemo('blender.glb')).asset.skeletons[0];
    expect(poseFromFile(skeleton, await openDemo('turn.bvh'), null)).toBeNull();
  });
});
