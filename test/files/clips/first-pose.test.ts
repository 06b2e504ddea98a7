/** Recordings with a T-pose in the first frame, which is reported, and left out with an option. */
import { describe, expect, it } from 'vitest';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';

/** The BVH of the demo with its zero pose, a T-pose, as an additional first frame. */
async function recording(): Promise<OpenFile> {
  const text = new TextDecoder().decode(demoBytes('turn.bvh'));
  const [head, ...frames] = text.slice(text.indexOf('Frame Time')).trimEnd().split('\n');
  const values = frames[0]
    .trim()
    .split(/\s+/)
    .map((value, k) => (k < 3 ? value : '0'));
  const count = frames.length + 1;
  const hierarchy = text.slice(0, text.indexOf('Frame Time')).replace(/Frames:\s*\d+/, `Frames: ${count}`);
  return openBytes(new TextEncoder().encode([hierarchy + head, values.join(' '), ...frames, ''].join('\n')), {
    name: 'a.bvh',
  });
}

describe('a T-pose in the first frame', () => {
  it('is reported by retarget, convert and extract, and left out with skipFirstPose', async () => {
    const motion = await recording();
    const duration = motion.asset.clips[0].duration;
    const frame = 1 / Math.round((motion.asset.clips[0].clips[0].tracks[0].times.length - 1) / duration);
    const character = await openDemo('mixamo.glb');
    const jobs = [
      (skipFirstPose: boolean) =>
        retargetMotions([motion], character, { output: 'a.glb', contacts: 'off', edits: { skipFirstPose } }),
      (skipFirstPose: boolean) => convertFile(motion, { output: 'a.glb', edits: { skipFirstPose } }),
      (skipFirstPose: boolean) => extractMotions([motion], { output: 'a.glb', edits: { skipFirstPose } }),
    ];
    for (const job of jobs) {
      const [kept, skipped] = [(await job(false)).report, (await job(true)).report];
      expect(kept.issues.filter(({ code }) => code === 'FIRST_POSE_APART')).toHaveLength(1);
      expect(skipped.issues.filter(({ code }) => code === 'FIRST_POSE_APART')).toEqual([]);
      expect(kept.clips[0].duration).toBeCloseTo(duration, 4);
      expect(skipped.clips[0].duration).toBeCloseTo(duration - frame, 4);
    }
  });

  it('is not reported where the trim begins later, nor in motions that begin in the first frame', async () => {
    const motion = await recording();
    const trimmed = await convertFile(motion, { output: 'a.glb', edits: { trim: { from: 0.5 } } });
    expect(trimmed.report.issues.map(({ code }) => code)).not.toContain('FIRST_POSE_APART');
    const plain = await convertFile(await openDemo('turn.bvh'), { output: 'a.glb' });
    expect(plain.report.issues.map(({ code }) => code)).not.toContain('FIRST_POSE_APART');
  });

  it('is left out at the same time of all people of a take', async () => {
    const people = [await recording(), await openDemo('turn.bvh')];
    const options = { output: 'a.glb', contacts: 'off', together: true } as const;
    const character = await openDemo('mixamo.glb');
    const [whole, skipped] = await Promise.all(
      [false, true].map((skipFirstPose) =>
        retargetMotions(people, character, { ...options, edits: { skipFirstPose } }),
      ),
    );
    const seconds = whole.report.clips.map(({ duration }) => duration);
    const frame = seconds[0] - seconds[1];
    expect(frame).toBeGreaterThan(0);
    expect(skipped.report.clips.map(({ duration }) => duration)).toEqual(
      seconds.map((duration) => expect.closeTo(duration - frame, 4)),
    );
  });
});

describe.skipIf(!HAS_ASSETS)('a T-pose in the first frame of real recordings', () => {
  it.each([
    ['bvh/pybvh_cmu_12_01_walk.bvh', true],
    ['bvh/mocopi_arm-raise-turn.bvh', true],
    ['bvh/makehuman_walk1.bvh', false],
    ['bvh/slope_cmu_03_03_uneven_terrain.bvh', false],
    ['fbx/mixamo_Walking.fbx', false],
    ['vrma/threevrm_test.vrma', false],
  ])('%s: %s', async (path, hasPose) => {
    const { report } = await convertFile(await openFile(asset('assets', path)), { output: 'a.glb', mesh: false });
    expect(report.issues.some(({ code }) => code === 'FIRST_POSE_APART')).toBe(hasPose);
  });
});
