import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { measureLimbErrors } from '../../../src/core/measure/limb-errors.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { randomClip } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { tPoseHumanoid } from '../../make/tiny-humanoid.ts';
import { angle } from '../../reference/plain.ts';
import { worldDeltas } from '../../reference/world-retarget.ts';
import { LAW_F64 } from '../../tolerances.ts';

const hero = tPoseHumanoid();
const knee = hero.skeleton.names.indexOf('leftLowerLeg');

/** Bends the left knee by an angle within one second. */
function bend(radians: number): Clip {
  const values = Float64Array.of(0, 0, 0, 1, Math.sin(radians / 2), 0, 0, Math.cos(radians / 2));
  const times = Float32Array.of(0, 1);
  return {
    name: '',
    duration: 1,
    tracks: [{ target: knee, path: 'rotation', interpolation: 'LINEAR', times, values }],
  };
}

describe('measureLimbErrors', () => {
  test('measures a bent knee in the leg and in the foot below it, over time', () => {
    const { times, parts } = measureLimbErrors(hero, bend(0), hero, bend(Math.PI / 2), { fps: 10 });
    expect(times).toHaveLength(11);
    for (const part of ['leftLeg', 'leftFoot'] as const) {
      expect(Array.from(parts[part]!, (error) => Math.round(error))).toEqual(
        times.length === 11 ? [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90] : [],
      );
    }
    expect(Math.max(...parts.rightLeg!, ...parts.trunk!, ...parts.head!, ...parts.leftArm!)).toBe(0);
  });

  test('is the largest angle between the world deltas of the bones, as in the slow twin', () => {
    const random = makeRandom(5);
    const { humanoid } = randomRig(random, { bones: 'all', detached: false });
    const [a, b] = [0, 1].map(() => randomClip(random, humanoid, { style: 'smooth', isShort: true }));
    const { times, parts, bones } = measureLimbErrors(humanoid, a, humanoid, b, { fps: 7 });
    for (const [k, time] of times.entries()) {
      const [p, q] = [a, b].map((clip) => {
        const local = restPose(humanoid.skeleton);
        sampleClip(clip, time, local);
        return worldDeltas(humanoid, local);
      });
      const leg = [BONE.leftUpperLeg, BONE.leftLowerLeg];
      const worst = Math.max(...leg.map((bone) => angle(p[bone]!, q[bone]!))) * (180 / Math.PI);
      expect(Math.abs(parts.leftLeg![k] - worst)).toBeLessThan(1e3 * LAW_F64);
      const knee = angle(p[BONE.leftLowerLeg]!, q[BONE.leftLowerLeg]!) * (180 / Math.PI);
      expect(Math.abs(bones.leftLowerLeg![k] - knee)).toBeLessThan(1e3 * LAW_F64);
    }
  });
});
