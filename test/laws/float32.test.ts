/** Retargeting with float32 storage: clips read from GLB files, results stored in GLB files. */
import { describe } from 'vitest';
import { type Clip, lastKeyTime } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between } from '../../src/demo/random.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { type RigOptions, randomRig } from '../support/make/random-rig.ts';
import { throughGlb } from '../support/make/rig-glb.ts';
import { apart } from '../support/reference/plain.ts';
import { expectedDeltas, expectedHips, hipsPosition, worldDeltas } from '../support/reference/world-retarget.ts';
import { LAW_F32 } from '../support/tolerances.ts';
import { largest, law, rotationError } from './law.ts';

/** In such rigs one rotation of the source drives each bone, so that no track is resampled. */
const MATCHED: RigOptions = { bones: 'all', detached: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

describe('retargetClip with float32 storage', () => {
  law(
    'a clip from a GLB, retargeted and stored in another GLB, has the world deltas of the original clip',
    LAW_F32,
    (random) => {
      const source = randomRig(random, MATCHED).humanoid;
      const target = randomRig(random, MATCHED).humanoid;
      const clip = randomClip(random, source);
      const stored = throughGlb(source, clip);
      const result = retargetClip(planRetarget(stored.humanoid, target), stored.clip);
      const shown = throughGlb(target, result);
      return largest(
        ...[0, 1, 2].map(() => {
          const time = between(random, 0, lastKeyTime(clip.tracks));
          const pose = sampled(source, clip, time);
          const resultPose = sampled(shown.humanoid, shown.clip, time);
          const hips =
            apart(hipsPosition(shown.humanoid, resultPose), expectedHips(source, target, pose)) / target.hipsHeight;
          return largest(
            rotationError(worldDeltas(shown.humanoid, resultPose), expectedDeltas(source, target, pose)),
            hips,
          );
        }),
      );
    },
    // Each case writes and reads two files.
    500,
  );
});
