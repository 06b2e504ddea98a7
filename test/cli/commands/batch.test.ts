import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BatchReport } from '../../../src/batch/report/batch-report.ts';
import { createStandardRig, findHumanoid, openFile } from '../../../src/files/node.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { walkArrays } from '../../support/make/demo-npz.ts';
import { handshake, shakerKeypoints } from '../../support/make/handshake.ts';
import { makeNpz } from '../../support/make/numpy-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();
const turn = writeDemo(at, 'turn.bvh');
const wave = writeDemo(at, 'wave.vrma');
const giant = writeDemo(at, 'giant.glb');
const chibi = writeDemo(at, 'chibi.vrm');

describe('anyrig batch', () => {
  it('runs in worker threads, reports what failed, and lists what a rerun would make', async () => {
    writeFileSync(at('broken.bvh'), 'HIERARCHY');
    const inputs = [turn, at('broken.bvh'), '--onto', giant];
    const argv = ['batch', ...inputs, '--contacts', 'off', '-o', at('out'), '--jobs', '1'];
    const first = await runHere(argv);
    expect(first.exit).toBe(1);
    // Where there is no terminal, a line of progress every ten seconds.
    expect(first.stderr).toMatch(/^((\[\d\/2\]|reading files) .*\n)*$/);
    expect(first.stdout).toMatch(
      /error BVH_\w+: .* \(giant\/broken\)\n1 made, 0 unchanged, 1 failed in .*\/s\)\nreport: /,
    );
    const report = JSON.parse(readFileSync(at('out/report.json'), 'utf8')) as BatchReport;
    expect(report).toMatchObject({ ok: false, made: 1, failed: 1 });
    expect(report.entries[1].figures?.errorMean).toBeLessThan(3);
    expect(readFileSync(at('out/report.html'), 'utf8')).toContain('<title>Batch: 1 result, 1 failed</title>');
    const dry = await runHere([...argv, wave, '--dry-run']);
    expect(dry.stdout).toMatch(/^to do +giant\/broken.glb\nunchanged +giant\/turn.glb|unchanged +giant\/turn.glb/m);
    expect(dry.stdout).toMatch(/1 unchanged, 0 unreadable\n$/);
  });

  it.runIf(IS_FULL_RUN)('puts motions on standard rigs with --to, and again only what has changed', async () => {
    const argv = ['batch', turn, '--to', 'ue5', '--to', 'smplx', '--contacts', 'off', '-o', at('rigs'), '--jobs', '1'];
    expect((await runHere(argv)).exit).toBe(0);
    const names = async (path: string): Promise<readonly string[]> =>
      (await openFile(at('rigs', path))).asset.skeletons[0].skeleton.names;
    expect(await names('ue5/turn.glb')).toContain('ik_hand_gun');
    expect((await names('smplx/turn.glb'))[0]).toBe('pelvis');
    expect((await runHere(argv)).stdout).toMatch(/^0 made, 2 unchanged/m);
  });

  it.runIf(IS_FULL_RUN)('gives standard rigs of a manifest the proportions of each motion', async () => {
    const manifest = {
      motions: [turn],
      characters: ['rig://mixamo'],
      options: { proportions: 'source', contacts: 'off' },
    };
    writeFileSync(at('rigs.json'), JSON.stringify(manifest));
    const { exit } = await runHere(['batch', '--manifest', at('rigs.json'), '-o', at('lengths'), '--jobs', '1']);
    expect(exit).toBe(0);
    const hipsOf = async (path: string): Promise<number> => findHumanoid(await openFile(path)).humanoid.height;
    const own = createStandardRig('mixamo', findHumanoid(await openFile(turn)).humanoid);
    expect(await hipsOf(at('lengths/mixamo/turn.glb'))).toBeCloseTo(findHumanoid(own).humanoid.height, 4);
  });

  it.runIf(IS_FULL_RUN)(
    'opens motions at the frame rate of --frame-rate; another rate would make other results',
    async () => {
      const { mocap_frame_rate: _, ...arrays } = walkArrays();
      writeFileSync(at('walk.npz'), makeNpz(arrays));
      const argv = ['batch', at('walk.npz'), '--onto', giant, '--contacts', 'off', '-o', at('rates'), '--jobs', '1'];
      expect((await runHere([...argv, '--frame-rate', '15', '--up', 'y'])).exit).toBe(0);
      const { clips } = (await openFile(at('rates/giant/walk.glb'))).asset;
      expect(clips.find(({ name }) => name === 'walk')!.duration).toBeCloseTo(
        ((arrays['trans']?.shape[0] ?? 0) - 1) / 15,
        3,
      );
      for (const [rate, state] of [
        ['15', 'unchanged'],
        ['60', 'to do'],
      ]) {
        const { stdout } = await runHere([...argv, '--frame-rate', rate, '--up', 'y', '--dry-run']);
        expect(stdout).toMatch(new RegExp(`^${state} +giant/walk.glb`, 'm'));
      }
    },
  );

  it.runIf(IS_FULL_RUN)('puts the people of a take into one file with --pack --together', async () => {
    const both = handshake(1.1, 1);
    const files = both.map((one, k) => {
      writeFileSync(at(`person${k}.json`), shakerKeypoints([one]));
      return at(`person${k}.json`);
    });
    const argv = [
      'batch',
      ...files,
      '--to',
      'mixamo',
      '--together',
      '--contacts',
      'off',
      '-o',
      at('duo'),
      '--jobs',
      '1',
    ];
    expect((await runHere([...argv, '--format', 'glb', '--pack'])).exit).toBe(0);
    expect((await openFile(at('duo/mixamo.glb'))).asset.clips).toHaveLength(2);
  });

  it('prints JSON, reads a manifest, and takes patterns after --onto up to the next flag', async () => {
    const pairs = [{ motion: wave, character: chibi, options: { fps: 30 } }];
    writeFileSync(at('cast.json'), JSON.stringify({ pairs }));
    const argv = [
      'batch',
      turn,
      '--onto',
      giant,
      chibi,
      '--dry-run',
      '--json',
      '--manifest',
      at('cast.json'),
      '-o',
      at('new'),
    ];
    const { exit, stdout } = await runHere(argv);
    const tasks = (JSON.parse(stdout) as { tasks: { id: string; state: string }[] }).tasks;
    expect([exit, tasks]).toEqual([
      0,
      ['giant/turn', 'chibi/turn', 'chibi/wave'].map((id) => ({ id, state: 'open', files: [] })),
    ]);
  });

  it.each([
    [['--shard', '8/7'], /--shard is "8\/7"; expected I\/N with I from 1 to N/],
    [['--jobs', '0'], /--jobs is "0"; expected a whole number from 1/],
    [['--format', 'gltf'], /--format is "gltf"; expected glb, vrm, vrma, bvh, usdz/],
    [['--pack', '--extract'], /--pack and --extract exclude each other/],
    [['--extract'], /--extract writes motions without characters/],
    [['--target-pose', chibi], /--target-pose is a file; a batch takes auto, declared/],
  ])('refuses %s', async (flags, message) => {
    const { exit, stderr } = await runHere(['batch', turn, '--onto', giant, '-o', at('none'), ...flags]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
