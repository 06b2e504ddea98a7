import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BONE } from '../../src/core/humanoid/bones.ts';
import { openBytes } from '../../src/files/open.ts';
import { drawnSkeletons } from '../../src/preview/drawn-skeleton.ts';
import { allPoses, distinctPoses, type SheetPose } from '../../src/preview/skeleton-poses.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { openDemo } from '../support/make/demo-files.ts';
import { gltfWithCharacters, PROP } from '../support/make/two-characters.ts';

function lowest({ positions }: SheetPose, joints: readonly number[]): number {
  return Math.min(...joints.map((joint) => positions[3 * joint + 1]));
}

describe('distinctPoses', () => {
  it.each(['mixamo.glb', 'turn.bvh', 'child.vrm'])(
    'has the reference pose and that of the nodes of %s, on one ground',
    async (name) => {
      const [body] = drawnSkeletons(await openDemo(name));
      const poses = distinctPoses(body);
      expect(poses.map((pose) => pose.name).slice(0, 2)).toEqual(['reference', 'node']);
      const bones = Array.from(body.humanoid!.map.nodes).filter((node) => node >= 0);
      for (const pose of poses) expect(lowest(pose, bones)).toBeCloseTo(lowest(poses[0], bones), 9);
    },
  );

  it('has arms along X in the reference pose', async () => {
    const [body] = drawnSkeletons(await openDemo('fighter.glb'));
    const [{ positions }] = distinctPoses(body);
    const at = (bone: number): number[] => {
      const node = body.humanoid!.map.nodes[bone];
      return Array.from(positions.subarray(3 * node, 3 * node + 3));
    };
    const arm = at(BONE.leftHand).map((v, axis) => v - at(BONE.leftUpperArm)[axis]);
    expect(arm[0]).toBeGreaterThan(0.999 * Math.hypot(...arm));
  });

  it('has no reference pose for non-humanoid skeletons', async () => {
    const file = await openBytes(new TextEncoder().encode(gltfWithCharacters([], [PROP])));
    expect(distinctPoses(drawnSkeletons(file)[0]).map(({ name }) => name)).toEqual(['node']);
  });
});

describe('allPoses', () => {
  it('includes a bind pose that equals the rest pose, and none without a skin', async () => {
    const [bound] = drawnSkeletons(await openDemo('mixamo.glb'));
    expect(distinctPoses(bound).map(({ name }) => name)).toEqual(['reference', 'node']);
    expect(allPoses(bound).map(({ name }) => name)).toEqual(['reference', 'node', 'bind']);
    const [unbound] = drawnSkeletons(await openDemo('turn.bvh'));
    expect(allPoses(unbound).map(({ name }) => name)).toEqual(['reference', 'node']);
  });
});

describe.skipIf(!HAS_ASSETS)('distinctPoses of real files', () => {
  it.each([
    ['RobotExpressive.glb', ['reference', 'node', 'bind']],
    ['Xbot.glb', ['reference', 'node']],
    ['pc_lumberjack.glb', ['reference', 'node', 'bind']],
    ['m2m_human-male.glb', ['reference', 'node']],
  ])('shows the bind pose of %s where it is another than that of the nodes', async (name, expected) => {
    const [body] = drawnSkeletons(await openBytes(readFileSync(asset('assets/glb', name)), { wantsClip: () => false }));
    expect(distinctPoses(body).map((pose) => pose.name)).toEqual(expected);
  });
});
