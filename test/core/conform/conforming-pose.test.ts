import { describe, expect, it } from 'vitest';
import { conformingPose } from '../../../src/core/conform/conforming-pose.ts';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { lowestFoot } from '../../../src/core/humanoid/reference/reference-pose.ts';
import { deviationFromTPose } from '../../../src/core/humanoid/reference/t-pose.ts';
import { handedBody, tBody } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { ESTIMATE_AGAIN } from '../../tolerances.ts';

function about(x: number, y: number, z: number, degrees: number): [number, number, number, number] {
  const half = (degrees * Math.PI) / 360;
  return [x * Math.sin(half), y * Math.sin(half), z * Math.sin(half), Math.cos(half)];
}

function direction(positions: Float64Array, from: keyof typeof BONE, to: keyof typeof BONE): number[] {
  const way = [0, 1, 2].map((c) => positions[3 * BONE[to] + c] - positions[3 * BONE[from] + c]);
  return way.map((x) => x / Math.hypot(...way));
}

describe('conformingPose', () => {
  it('leaves an exact T-pose as it is', () => {
    const body = handedBody();
    const { rotations, positions } = conformingPose(body);
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      if (body.map.nodes[bone] < 0) continue;
      expectNear(rotations.subarray(4 * bone, 4 * bone + 4), [0, 0, 0, 1], ESTIMATE_AGAIN);
      const at = body.reference.positions.subarray(3 * bone, 3 * bone + 3);
      expectNear(positions.subarray(3 * bone, 3 * bone + 3), at, ESTIMATE_AGAIN);
    }
  });

  it('makes a T-pose of one that a format declares to be one, and is none', () => {
    const body = handedBody({
      leftUpperArm: { turn: about(0, 0, 1, -40) },
      rightLowerArm: { turn: about(0, 1, 0, 30) },
      leftUpperLeg: { turn: about(0, 0, 1, 12) },
      rightFoot: { turn: about(0, 1, 0, -25) },
    });
    const { positions } = conformingPose(body);
    for (const degrees of Object.values(deviationFromTPose(positions, body.map.nodes))) {
      expect(degrees).toBeLessThan(1e-4);
    }
    const foot = direction(positions, 'rightFoot', 'rightToes');
    expect(Math.atan2(foot[0], foot[2])).toBeCloseTo(0, 6);
    expect(lowestFoot(positions, body.map.nodes)).toBeCloseTo(lowestFoot(body.reference.positions, body.map.nodes), 9);
  });

  it('keeps the bend of spine and neck, but for strictness, which keeps the rest of the body', () => {
    const body = tBody({ spine: { turn: about(1, 0, 0, 15) }, head: { at: [0, 0.5, 0.05] } });
    const own = conformingPose(body);
    const strict = conformingPose(body, { strict: true });
    expect(direction(own.positions, 'spine', 'head')[2]).toBeGreaterThan(0.2);
    expectNear(direction(strict.positions, 'spine', 'head'), [0, 1, 0], ESTIMATE_AGAIN);
    const head = 4 * BONE.head;
    expectNear(strict.rotations.subarray(head, head + 4), own.rotations.subarray(head, head + 4), ESTIMATE_AGAIN);
    for (const degrees of Object.values(deviationFromTPose(strict.positions, body.map.nodes))) {
      expect(degrees).toBeLessThan(1e-4);
    }
  });
});
