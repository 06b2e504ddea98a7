import { expect, it } from 'vitest';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import type { ChosenClip } from '../../../src/files/clips/choose-clips.ts';
import { clipsInTrim } from '../../../src/files/clips/clips-in-trim.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../src/files/open.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const clipOf = (name: string, duration: number, index: number): ChosenClip => {
  const clip: AssetClip = { name, duration, clips: [], morphs: [], otherChannels: 0 };
  return { clip, index };
};
const chosen = [clipOf('idle', 2.5, 0), clipOf('', 0.7, 1), clipOf('pose', 0, 2)];
const left = (edits: Parameters<typeof clipsInTrim>[2]): number[] =>
  clipsInTrim('run.fbx', chosen, edits).clips.map(({ index }) => index);

it('clipsInTrim: keeps the clips that last longer than the start of the range', () => {
  expect(left({ trim: { from: 1, to: 9 } })).toEqual([0]);
  expect(left({ trim: { from: 0.5 } })).toEqual([0, 1]);
  expect(left({ trim: { to: 0.1 } })).toEqual([0, 1, 2]);
  expect(left({ speed: 2 })).toEqual([0, 1, 2]);
});

it('clipsInTrim: reports each other clip with its length', () => {
  const { issues } = clipsInTrim('run.fbx', chosen, { trim: { from: 1 } });
  expect(issues.map(({ code }) => code)).toEqual(['CLIP_OUTSIDE_TRIM', 'CLIP_OUTSIDE_TRIM']);
  expect(issues[0].message).toBe(
    'The clip "run" of run.fbx lasts 0.7 s, but the trimmed range begins at 1 s; it was left out',
  );
});

it('a trim that is longer than one of several clips trims the others', async () => {
  const [walk, turn, child] = await Promise.all(['walk.glb', 'turn.bvh', 'child.vrm'].map(openDemo));
  const { outputs } = await retargetMotions([walk, turn], child, { output: 'pack.vrm' });
  const pack = await openBytes(Buffer.concat(outputs[0].parts), { name: 'pack.vrm' });
  const lengths = pack.asset.clips.map(({ duration }) => duration);
  const from = (Math.min(...lengths) + Math.max(...lengths)) / 2;
  const edits = { trim: { from } };
  for (const { report } of [
    await retargetMotions([pack], child, { output: 'out.vrm', edits }),
    await extractMotions([pack], { output: 'out.glb', edits }),
    await convertFile(pack, { output: 'out.vrm', edits }),
  ]) {
    expect(report.ok).toBe(true);
    expect(report.clips.map(({ duration }) => duration)).toEqual([expect.closeTo(Math.max(...lengths) - from, 5)]);
    expect(report.issues.map(({ code }) => code)).toContain('CLIP_OUTSIDE_TRIM');
  }
  await expect(convertFile(pack, { output: 'out.vrm', edits: { trim: { from: 100 } } })).rejects.toThrow(/100 s/);
});
