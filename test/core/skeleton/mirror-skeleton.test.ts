import { describe, expect, it } from 'vitest';
import { mirrorPose, mirrorSkeleton } from '../../../src/core/skeleton/mirror-skeleton.ts';
import { bindPose, localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { randomPose } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { expectNear } from '../../near.ts';
import { worldPose } from '../../reference/plain.ts';
import { EXACT_CHAIN } from '../../tolerances.ts';

/** A random rig, bound in a random pose. */
function boundRig(seed: number): Skeleton {
  const { humanoid } = randomRig(makeRandom(seed), { metersPerUnit: 1 });
  const { parents } = humanoid.skeleton;
  const bind = new Float64Array(16 * parents.length);
  localToModelMatrices(bind, parents, randomPose(makeRandom(seed), humanoid));
  return { ...humanoid.skeleton, bind };
}

describe('mirrorSkeleton', () => {
  it('puts every joint at its mirror image, in rest and bind pose', () => {
    for (let seed = 0; seed < 50; seed++) {
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

  it('twice is the skeleton again, to the last bit', () => {
    const skeleton = boundRig(3);
    expect(mirrorSkeleton(mirrorSkeleton(skeleton))).toEqual(skeleton);
    expect(mirrorSkeleton({ ...skeleton, bind: null }).bind).toBeNull();
  });

  it('leaves the pose that it is given as it was', () => {
    const pose = new Float32Array([1, 2, 3, 0.5, 0.5, 0.5, 0.5, 1, 2, 3]);
    expect(Array.from(mirrorPose(pose))).toEqual([-1, 2, 3, 0.5, -0.5, -0.5, 0.5, 1, 2, 3]);
    expect(pose[0]).toBe(1);
  });
});
