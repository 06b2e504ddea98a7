import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid, mirrorPose, mirrorSkeleton } from '../../../src/core/humanoid/mirror-humanoid.ts';
import { bindPose, localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { worldPose } from '../../support/reference/plain.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

describe('mirrorHumanoid', () => {
  const body = { ...tPoseHumanoid({ leftHand: { at: [0.5, 0, 0] } }), frame: new Float64Array([0.5, 0.5, 0.5, 0.5]) };
  const image = mirrorHumanoid({
    ...body,
    reference: { ...body.reference, deviationDegrees: { leftArm: 3, rightHand: 4 }, startDeviationDegrees: {} },
  });

  it('swaps left and right bones and mirrors their positions', () => {
    expect(image.map.nodes[BONE.rightHand]).toBe(body.map.nodes[BONE.leftHand]);
    expect(image.map.nodes[BONE.head]).toBe(body.map.nodes[BONE.head]);
    const [x, y, z] = body.reference.positions.subarray(3 * BONE.leftHand);
    expect(Array.from(image.reference.positions.subarray(3 * BONE.rightHand, 3 * BONE.rightHand + 3))).toEqual([
      -x,
      y,
      z,
    ]);
  });

  it('reflects the frame and swaps the deviations of left and right limbs', () => {
    expect(Array.from(image.frame)).toEqual([0.5, -0.5, -0.5, 0.5]);
    expect(image.reference.deviationDegrees).toEqual({ rightArm: 3, leftHand: 4 });
  });

  it('mirrors a declared pose like the reference pose', () => {
    const { reference } = body;
    const declaredPose = { format: 'vrm1' as const, reference, ground: 0.1, hipsHeight: 1, height: 2 };
    const mirrored = mirrorHumanoid({ ...body, declaredPose }).declaredPose!;
    expect(mirrored.reference.positions).toEqual(image.reference.positions);
    expect(mirrored.reference.rotations).toEqual(image.reference.rotations);
    expect([mirrored.format, mirrored.ground, mirrored.hipsHeight, mirrored.height]).toEqual(['vrm1', 0.1, 1, 2]);
    expect(image.declaredPose).toBeUndefined();
  });

  it('keeps heights, unit, names and issues', () => {
    const { hipsHeight, height, ground, metersPerUnit, issues, skeleton } = image;
    expect({ hipsHeight, height, ground, metersPerUnit, issues }).toEqual({
      hipsHeight: body.hipsHeight,
      height: body.height,
      ground: body.ground,
      metersPerUnit: body.metersPerUnit,
      issues: body.issues,
    });
    expect(skeleton.names).toBe(body.skeleton.names);
  });
});

/** Returns a random rig with a random bind pose. */
function boundRig(seed: number): Skeleton {
  const { humanoid } = randomRig(makeRandom(seed), { metersPerUnit: 1 });
  const { parents } = humanoid.skeleton;
  const bind = new Float64Array(16 * parents.length);
  localToModelMatrices(bind, parents, randomPose(makeRandom(seed), humanoid));
  return { ...humanoid.skeleton, bind };
}

describe('mirrorSkeleton', () => {
  it('mirrors every joint, in rest and bind pose', () => {
    for (let seed = 0; seed < lawRuns(50); seed++) {
      const skeleton = boundRig(seed);
      const image = mirrorSkeleton(skeleton);
      const poses = [
        [skeleton.rest, image.rest],
        [bindPose(skeleton) as Float64Array, bindPose(image) as Float64Array],
      ];
      for (const [pose, imagePose] of poses) {
        const { positions } = worldPose(skeleton.parents, pose);
        const images = worldPose(skeleton.parents, imagePose).positions;
        const size = Math.max(1, ...positions.flat().map(Math.abs));
        positions.forEach(([x, y, z], node) => {
          expectNear(images[node], [-x, y, z], EXACT_CHAIN * size);
        });
      }
    }
  });

  it('is its own inverse, exactly', () => {
    const skeleton = boundRig(3);
    expect(mirrorSkeleton(mirrorSkeleton(skeleton))).toEqual(skeleton);
    expect(mirrorSkeleton({ ...skeleton, bind: null }).bind).toBeNull();
  });

  it('does not change its input', () => {
    const pose = new Float32Array([1, 2, 3, 0.5, 0.5, 0.5, 0.5, 1, 2, 3]);
    expect(Array.from(mirrorPose(pose))).toEqual([-1, 2, 3, 0.5, -0.5, -0.5, 0.5, 1, 2, 3]);
    expect(pose[0]).toBe(1);
  });
});
