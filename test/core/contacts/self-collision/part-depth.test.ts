import { describe, expect, test } from 'vitest';
import {
  BONE_STRIDE,
  FRAME_STRIDE,
  POSITION_OFFSET,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { createPartDepth, findPartDepth } from '../../../../src/core/contacts/self-collision/part-depth.ts';
import { BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { between, makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('findPartDepth', () => {
  test('finds the deepest bone of a part, as the depths in its bones one by one have it, where it is deeper than asked for', async () => {
    const { humanoid, surface } = await demoBody();
    const random = makeRandom(6);
    const [together, alone] = [createPartDepth(), createPartDepth()];
    const bones = new Float64Array(FRAME_STRIDE);
    let found = 0;
    for (let k = 0; k < 40; k++) {
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        bones.set(randomRotation(random), BONE_STRIDE * bone);
        const joint = humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3);
        bones.set(joint, BONE_STRIDE * bone + POSITION_OFFSET);
      }
      const limb = Float64Array.from(randomRotation(random));
      const position = Float64Array.of(
        between(random, -0.4, 0.4),
        between(random, 0.5, 1.8),
        between(random, -0.3, 0.3),
      );
      const least = between(random, -0.3, 0.05);
      const points = findArms(humanoid, surface)[0].points.flatMap((point) => point ?? []);
      for (const part of findParts(surface)) {
        for (const point of points) {
          const depthIn = (radii: typeof part): number => {
            findPartDepth(alone, radii, bones, 0, point, position, limb, 0, Number.NEGATIVE_INFINITY);
            return alone.depth;
          };
          const deepest = Math.max(...part.map((bone) => depthIn([bone])));
          findPartDepth(together, part, bones, 0, point, position, limb, 0, least);
          expect(together.depth).toBe(Math.max(least, deepest));
          if (deepest <= least) expect(together.size).toBe(0);
          else {
            found++;
            expect(depthIn(part)).toBe(deepest);
            expect(together).toEqual(alone);
          }
        }
      }
    }
    expect(found).toBeGreaterThan(100);
  });
});
