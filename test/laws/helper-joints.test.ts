/** Helper joints between and beside the bones: the mapped bones stay exact. */
import { describe } from 'vitest';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, type Random } from '../../src/demo/random.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { withHelpers } from '../support/make/helper-joints.ts';
import { randomClip, randomPose } from '../support/make/random-clip.ts';
import { randomRig } from '../support/make/random-rig.ts';
import { apart } from '../support/reference/plain.ts';
import { expectedDeltas, expectedHips, hipsPosition, worldDeltas } from '../support/reference/world-retarget.ts';
import { LAW_F64, LAW_HELPED, RESAMPLED_RADIANS } from '../support/tolerances.ts';
import { validateClip } from '../support/validate-clip.ts';
import { deltaError, largest, law, rotationError } from './law.ts';

/** Cases per law; the rigs are large. */
const CASES = 300;

/** Returns a humanoid with any optional bones and any helper joints. */
function rigWithHelpers(random: Random): Humanoid {
  return withHelpers(random, randomRig(random).humanoid);
}

function sampled(humanoid: Humanoid, clip: Parameters<typeof sampleClip>[0], time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

describe('retargeting with helper joints', () => {
  for (const distribute of [false, true]) {
    law(
      `retargetPose: bones and hips are exact with distribute ${distribute}`,
      LAW_HELPED,
      (random) => {
        const source = rigWithHelpers(random);
        const target = rigWithHelpers(random);
        const pose = randomPose(random, source, { others: true, stretch: true });
        const result = retargetPose(planRetarget(source, target, { distribute }), pose, restPose(target.skeleton));
        return largest(
          rotationError(worldDeltas(target, result), expectedDeltas(source, target, pose)),
          apart(hipsPosition(target, result), expectedHips(source, target, pose)),
        );
      },
      CASES,
    );
  }

  law(
    'retargetPose: twist and distribute do not change the world rotations of bones',
    LAW_HELPED,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = rigWithHelpers(random);
      const pose = randomPose(random, source, { others: true });
      const shown = (options: { twist: boolean; distribute: boolean }): Float64Array =>
        retargetPose(planRetarget(source, target, options), pose, restPose(target.skeleton));
      const plain = shown({ twist: false, distribute: false });
      return largest(
        deltaError(target, plain, target, shown({ twist: true, distribute: false })),
        deltaError(target, plain, target, shown({ twist: false, distribute: true })),
        deltaError(target, plain, target, shown({ twist: true, distribute: true })),
      );
    },
    CASES,
  );

  law(
    'retargetClip: matches retargetPose at keys, and between keys within the tolerance',
    1,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = rigWithHelpers(random);
      const clip = randomClip(random, source, { others: true, style: 'smooth', isShort: !IS_FULL_RUN });
      const plan = planRetarget(source, target, { distribute: random() < 0.5 });
      const result = retargetClip(plan, clip);
      const { valid, reasons } = validateClip(result, target.skeleton.names.length);
      if (!valid) throw new Error(reasons.join('; '));
      const times = [0, clip.duration, between(random, 0, clip.duration), between(random, 0, clip.duration)];
      return largest(
        ...times.map((time) => {
          const pose = sampled(source, clip, time);
          const lawful = retargetPose(plan, pose, restPose(target.skeleton));
          return deltaError(target, lawful, target, sampled(target, result, time)) / RESAMPLED_RADIANS;
        }),
      );
    },
    150,
  );

  law(
    'retargetPose: helper joints of the source do not change the result',
    LAW_F64,
    (random) => {
      const source = randomRig(random).humanoid;
      const helped = withHelpers(random, source);
      const target = randomRig(random).humanoid;
      const pose = randomPose(random, helped, { others: true });
      const result = retargetPose(planRetarget(helped, target), pose, restPose(target.skeleton));
      return rotationError(worldDeltas(target, result), expectedDeltas(helped, target, pose));
    },
    CASES,
  );
});
