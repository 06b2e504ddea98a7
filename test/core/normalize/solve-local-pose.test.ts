import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES } from '../../../src/core/humanoid/bones.ts';
import type { BonePose } from '../../../src/core/humanoid/t-pose/bone-pose.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { computeExactTPose } from '../../../src/core/normalize/exact-t-pose.ts';
import { solveLocalPose } from '../../../src/core/normalize/solve-local-pose.ts';
import { rotation, vector } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { worldPose } from '../../support/reference/plain.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

describe('solveLocalPose', () => {
  it('gives every bone its transform of the pose, with any parent and any scale', () => {
    const poses = fc.array(fc.tuple(rotation(), vector(2)), { minLength: BONE_COUNT, maxLength: BONE_COUNT });
    fc.assert(
      fc.property(poses, rotation(), vector(), (values, rotated, shift) => {
        // A foot parented to the hips, a non-uniformly scaled thigh, a scaled spine, and a non-bone node.
        const body = tPoseHumanoid(
          { leftFoot: { parent: 'hips' }, rightUpperLeg: { scale: [1, 1.2, 0.9] }, spine: { scale: [2, 2, 2] } },
          { name: 'prop', parent: 'leftHand', at: [0.1, 0, 0] },
        );
        const pose: BonePose = {
          rotations: Float64Array.from(values.flatMap(([q]) => q)),
          positions: Float64Array.from(values.flatMap(([, p]) => p)),
        };
        const space = new Float64Array(16);
        mat4.compose(space, 0, [...shift, ...rotated, 1, 1, 1], 0);
        const local = solveLocalPose(body, pose, space);
        const { rotations, positions } = worldPose(body.skeleton.parents, local);
        for (let bone = 0; bone < BONE_COUNT; bone++) {
          const node = body.map.nodes[bone];
          if (node < 0) continue;
          const position = new Float64Array(3);
          mat4.transformPoint(position, 0, space, 0, pose.positions, 3 * bone);
          expectNear(positions[node], position, 1e-5);
          expectSameRotation(
            worldPose(Int32Array.of(-1, 0), [0, 0, 0, ...rotated, 1, 1, 1, 0, 0, 0, ...values[bone][0], 1, 1, 1])
              .rotations[1],
            rotations[node],
            LAW_F64,
          );
        }
      }),
      { seed: 16, numRuns: lawRuns(40) },
    );
  });

  it('returns the exact rest pose for a pose that differs from it by rounding', () => {
    const body = tPoseHumanoid({ head: { at: [0.01, 0.5, 0.02] } });
    const shaken = body.reference.positions.map((x, i) => x + (i % 2 === 0 ? 1e-9 : -1e-9));
    const local = solveLocalPose(body, { rotations: body.reference.rotations, positions: shaken }, IDENTITY);
    expect(local).toEqual(body.skeleton.rest);
  });

  it('changes the corrected bone only', () => {
    const half = Math.SQRT1_2;
    const body = tPoseHumanoid({ leftUpperArm: { turn: [0, 0, -half, half] } });
    const local = solveLocalPose(body, computeExactTPose(body), IDENTITY);
    const changed = body.skeleton.names.filter((_, node) => {
      return [0, 1, 2, 3, 4, 5, 6].some((c) => local[10 * node + c] !== body.skeleton.rest[10 * node + c]);
    });
    expect(changed).toEqual(['leftUpperArm']);
    expect(BONES[BONE.leftUpperArm]).toBe('leftUpperArm');
  });
});
