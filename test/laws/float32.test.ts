/** The law where it is lived: motions read from float32 files, results stored in float32 files. */
import { describe } from 'vitest';
import { type Clip, lastKeyTime } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between } from '../../src/demo/random.ts';
import { randomClip } from '../make/random-clip.ts';
import { type RigOptions, randomRig } from '../make/random-rig.ts';
import { throughGlb } from '../make/rig-glb.ts';
import { apart } from '../reference/plain.ts';
import { hipsPosition, lawfulDeltas, lawfulHips, worldDeltas } from '../reference/world-law.ts';
import { LAW_F32 } from '../tolerances.ts';
import { largest, law, RIGS, rotationError } from './law.ts';

/** Every bone of such rigs is driven by one rotation of the source, so that nothing is resampled. */
const MATCHED: RigOptions = { bones: 'all', tangled: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

describe('through float32', () => {
  law(
    'a motion from a GLB, retargeted into another GLB, shows the world deltas of the motion before it was stored',
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
            apart(hipsPosition(shown.humanoid, resultPose), lawfulHips(source, target, pose)) / target.hipsHeight;
          return largest(
            rotationError(worldDeltas(shown.humanoid, resultPose), lawfulDeltas(source, target, pose)),
            hips,
          );
        }),
      );
    },
    // Each writes and reads two files.
    RIGS / 2,
  );
});
