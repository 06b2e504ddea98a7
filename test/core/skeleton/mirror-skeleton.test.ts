import { describe, expect, it } from 'vitest';
import { mirrorPose, mirrorSkeleton } from '../../../src/core/humanoid/mirror-humanoid.ts';
import { bindPose, localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { lawRuns } from '../../law-runs.ts';
import { randomPose } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { expectNear } from '../../near.ts';
import { worldPose } from '../../reference/plain.ts';
import { EXACT_CHAIN } from '../../tolerances.ts';

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
