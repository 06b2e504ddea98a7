import { describe, expect, it } from 'vitest';
import { BONE_COUNT } from '../../src/core/humanoid/bones.ts';
import { modelPose } from '../../src/core/humanoid/model-pose.ts';
import { demoFiles } from '../../src/demo/index.ts';
import { drawnBodies } from '../../src/preview/drawn-body.ts';
import { referencePositions } from '../../src/preview/reference-positions.ts';
import { openDemo } from '../make/demo-files.ts';
import { tinyHumanoid } from '../make/tiny-humanoid.ts';
import { expectNear } from '../near.ts';
import { EXACT_CHAIN } from '../tolerances.ts';

describe('referencePositions', () => {
  it.each(demoFiles().map(({ name }) => name))('puts the bones of %s where the reference has them', async (name) => {
    const { humanoid } = drawnBodies(await openDemo(name))[0];
    const positions = referencePositions(humanoid!);
    const { map, reference } = humanoid!;
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      const node = map.nodes[bone];
      if (node < 0) continue;
      expectNear(
        positions.subarray(3 * node, 3 * node + 3),
        reference.positions.subarray(3 * bone, 3 * bone + 3),
        EXACT_CHAIN,
      );
    }
  });

  it.each(demoFiles().map(({ name }) => name))('keeps the lengths between the nodes of %s', async (name) => {
    const { humanoid } = drawnBodies(await openDemo(name))[0];
    const { skeleton, shape, metresPerUnit, map } = humanoid!;
    const positions = referencePositions(humanoid!);
    const taken = modelPose('', skeleton.parents, shape ?? Float64Array.from(skeleton.rest)).positions;
    const lengthOf = (points: Float64Array, node: number): number => {
      const parent = skeleton.parents[node];
      return Math.hypot(...[0, 1, 2].map((axis) => points[3 * node + axis] - points[3 * parent + axis]));
    };
    for (let node = 0; node < skeleton.parents.length; node++) {
      // Bones hang on bones, and a bone below a node of its own is no stick.
      if (skeleton.parents[node] < 0 || map.nodes.includes(node)) continue;
      expect(lengthOf(positions, node)).toBeCloseTo(metresPerUnit * lengthOf(taken, node), 9);
    }
  });

  it('carries nodes below a bone along when the reference turns it', () => {
    const humanoid = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'leftUpperArm', parent: 'hips', at: [0.2, 0.5, 0] },
      { name: 'ring', parent: 'leftUpperArm', at: [0.3, 0, 0] },
    );
    const half = Math.SQRT1_2;
    // The reference has the arm a quarter turn about Z: what was to its left is above it.
    humanoid.reference.rotations.set([0, 0, half, half], 4 * Array.from(humanoid.map.nodes).indexOf(1));
    expectNear(referencePositions(humanoid).subarray(6, 9), [0.2, 1.8, 0], EXACT_CHAIN);
  });
});
