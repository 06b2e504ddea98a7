import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { createLiveRetarget } from '../../../src/playback/live/live-retarget.ts';
import { setModelPosition, setModelRotations } from '../../../src/playback/live/model-pose.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { BOXED_NUMBER, EXACT_CHAIN } from '../../support/tolerances.ts';

describe('createLiveRetarget', () => {
  it('shows the rest poses at first, and follows the source after an update', () => {
    const source = tPoseHumanoid();
    const target = tPoseHumanoid({ hips: { at: [0, 2, 0] } });
    const live = createLiveRetarget(source, target);
    expect(live.sourcePose).toEqual(restPose(source.skeleton));
    expect(live.targetPose).toEqual(restPose(target.skeleton));
    live.sourcePose.set([0.1, 1.2, 0], 0);
    live.update();
    // The hips of the target are twice as high.
    expect(Array.from(live.targetPose.slice(0, 3), (value) => Number(value.toFixed(9)))).toEqual([0.2, 2.4, 0]);
  });

  it('keeps what is written to nodes that the plan does not drive', () => {
    const target = tPoseHumanoid({}, { name: 'tail', parent: 'hips', at: [0, 0, -0.1] });
    const live = createLiveRetarget(tPoseHumanoid(), target);
    const at = POSE_STRIDE * target.skeleton.names.indexOf('tail');
    live.targetPose[at] = 5;
    live.update();
    expect(live.targetPose[at]).toBe(5);
  });

  it.runIf(IS_FULL_RUN)(
    'allocates at most a few boxed numbers in a frame, with poses from model space',
    async () => {
      expect(await bytesPerCall(new URL('live-retarget.probe.ts', import.meta.url), 4 * BOXED_NUMBER)).toBeLessThan(
        4 * BOXED_NUMBER,
      );
    },
    30_000,
  );
});

describe('setModelRotations and setModelPosition', () => {
  it('restore a pose from its model-space rotations and the position of its hips', () => {
    const random = makeRandom(3);
    const { humanoid } = randomRig(random);
    const { parents } = humanoid.skeleton;
    const posed = restPose(humanoid.skeleton);
    const clip = randomClip(random, humanoid, { style: 'smooth' });
    sampleClip(clip, clip.duration / 3, posed);
    const rotations = new Float64Array(4 * parents.length);
    localToModelRotations(rotations, parents, posed);
    const matrices = new Float64Array(16 * parents.length);
    localToModelMatrices(matrices, parents, posed);
    const pose = posed.slice();
    const hips = humanoid.map.nodes[0];
    for (let at = 0; at < pose.length; at += POSE_STRIDE) pose.set([0, 0, 0, 1], at + PATH_OFFSET.rotation);
    pose.fill(9, hips * POSE_STRIDE, hips * POSE_STRIDE + 3);
    setModelRotations(pose, parents, rotations);
    setModelPosition(pose, parents, hips, matrices, 16 * hips + 12);
    const restored = new Float64Array(16 * parents.length);
    localToModelMatrices(restored, parents, pose);
    expect(Math.max(...restored.map((value, k) => Math.abs(value - matrices[k])))).toBeLessThan(EXACT_CHAIN);
  });
});
