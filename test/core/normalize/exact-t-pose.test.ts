import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { lowestFootHeight } from '../../../src/core/humanoid/t-pose/bone-pose.ts';
import { deviationFromTPose } from '../../../src/core/humanoid/t-pose/t-pose-chains.ts';
import { computeExactTPose } from '../../../src/core/normalize/exact-t-pose.ts';
import { tPoseHumanoid, tPoseHumanoidWithHands } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { ESTIMATE_AGAIN } from '../../support/tolerances.ts';

function about(x: number, y: number, z: number, degrees: number): [number, number, number, number] {
  const half = (degrees * Math.PI) / 360;
  return [x * Math.sin(half), y * Math.sin(half), z * Math.sin(half), Math.cos(half)];
}

function direction(positions: Float64Array, from: keyof typeof BONE, to: keyof typeof BONE): number[] {
  const way = [0, 1, 2].map((c) => positions[3 * BONE[to] + c] - positions[3 * BONE[from] + c]);
  return way.map((x) => x / Math.hypot(...way));
}

describe('computeExactTPose', () => {
  it('returns an exact T-pose unchanged', () => {
    const body = tPoseHumanoidWithHands();
    const { rotations, positions } = computeExactTPose(body);
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      if (body.map.nodes[bone] < 0) continue;
      expectNear(rotations.subarray(4 * bone, 4 * bone + 4), [0, 0, 0, 1], ESTIMATE_AGAIN);
      const at = body.reference.positions.subarray(3 * bone, 3 * bone + 3);
      expectNear(positions.subarray(3 * bone, 3 * bone + 3), at, ESTIMATE_AGAIN);
    }
  });

  it('corrects a declared pose that is not a T-pose', () => {
    const body = tPoseHumanoidWithHands({
      leftUpperArm: { turn: about(0, 0, 1, -40) },
      rightLowerArm: { turn: about(0, 1, 0, 30) },
      leftUpperLeg: { turn: about(0, 0, 1, 12) },
      rightFoot: { turn: about(0, 1, 0, -25) },
    });
    const { positions } = computeExactTPose(body);
    for (const degrees of Object.values(deviationFromTPose(positions, body.map.nodes))) {
      expect(degrees).toBeLessThan(1e-4);
    }
    const foot = direction(positions, 'rightFoot', 'rightToes');
    expect(Math.atan2(foot[0], foot[2])).toBeCloseTo(0, 6);
    expect(lowestFootHeight(positions, body.map.nodes)).toBeCloseTo(
      lowestFootHeight(body.reference.positions, body.map.nodes),
      9,
    );
  });

  it('keeps the bend of spine and neck; strict straightens them and nothing else', () => {
    const body = tPoseHumanoid({ spine: { turn: about(1, 0, 0, 15) }, head: { at: [0, 0.5, 0.05] } });
    const own = computeExactTPose(body);
    const strict = computeExactTPose(body, { strict: true });
    expect(direction(own.positions, 'spine', 'head')[2]).toBeGreaterThan(0.2);
    expectNear(direction(strict.positions, 'spine', 'head'), [0, 1, 0], ESTIMATE_AGAIN);
    const head = 4 * BONE.head;
    expectNear(strict.rotations.subarray(head, head + 4), own.rotations.subarray(head, head + 4), ESTIMATE_AGAIN);
    for (const degrees of Object.values(deviationFromTPose(strict.positions, body.map.nodes))) {
      expect(degrees).toBeLessThan(1e-4);
    }
  });
});
