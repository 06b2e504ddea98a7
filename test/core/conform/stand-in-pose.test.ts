import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conformingPose } from '../../../src/core/conform/conforming-pose.ts';
import { standInPose } from '../../../src/core/conform/stand-in-pose.ts';
import { BONE, BONE_COUNT, BONES } from '../../../src/core/humanoid/bones.ts';
import type { TurnedPose } from '../../../src/core/humanoid/reference/reference-pose.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { rotation, vector } from '../../arbitraries.ts';
import { tBody } from '../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { worldPose } from '../../reference/plain.ts';
import { LAW_F64 } from '../../tolerances.ts';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

describe('standInPose', () => {
  it('puts every bone where the pose has it, wherever its node hangs and whatever is scaled', () => {
    const poses = fc.array(fc.tuple(rotation(), vector(2)), { minLength: BONE_COUNT, maxLength: BONE_COUNT });
    fc.assert(
      fc.property(poses, rotation(), vector(), (values, turn, shift) => {
        // A foot that hangs at a root of its own, a stretched thigh, an animated node between.
        const body = tBody(
          { leftFoot: { parent: 'hips' }, rightUpperLeg: { scale: [1, 1.2, 0.9] }, spine: { scale: [2, 2, 2] } },
          { name: 'prop', parent: 'leftHand', at: [0.1, 0, 0] },
        );
        const pose: TurnedPose = {
          rotations: Float64Array.from(values.flatMap(([q]) => q)),
          positions: Float64Array.from(values.flatMap(([, p]) => p)),
        };
        const space = new Float64Array(16);
        mat4.compose(space, 0, [...shift, ...turn, 1, 1, 1], 0);
        const local = standInPose(body, pose, space);
        const { rotations, positions } = worldPose(body.skeleton.parents, local);
        for (let bone = 0; bone < BONE_COUNT; bone++) {
          const node = body.map.nodes[bone];
          if (node < 0) continue;
          const place = new Float64Array(3);
          mat4.transformPoint(place, 0, space, 0, pose.positions, 3 * bone);
          expectNear(positions[node], place, 1e-5);
          expectSameRotation(
            worldPose(Int32Array.of(-1, 0), [0, 0, 0, ...turn, 1, 1, 1, 0, 0, 0, ...values[bone][0], 1, 1, 1])
              .rotations[1],
            rotations[node],
            LAW_F64,
          );
        }
      }),
      { seed: 16, numRuns: 40 },
    );
  });

  it('is the rest pose to the bit where the body stands so, but for a rounding', () => {
    const body = tBody({ head: { at: [0.01, 0.5, 0.02] } });
    const shaken = body.reference.positions.map((x, i) => x + (i % 2 === 0 ? 1e-9 : -1e-9));
    const local = standInPose(body, { rotations: body.reference.rotations, positions: shaken }, IDENTITY);
    expect(local).toEqual(body.skeleton.rest);
  });

  it('moves nothing but the bones of a limb that is turned', () => {
    const half = Math.SQRT1_2;
    const body = tBody({ leftUpperArm: { turn: [0, 0, -half, half] } });
    const local = standInPose(body, conformingPose(body), IDENTITY);
    const changed = body.skeleton.names.filter((_, node) => {
      return [0, 1, 2, 3, 4, 5, 6].some((c) => local[10 * node + c] !== body.skeleton.rest[10 * node + c]);
    });
    expect(changed).toEqual(['leftUpperArm']);
    expect(BONES[BONE.leftUpperArm]).toBe('leftUpperArm');
  });
});
