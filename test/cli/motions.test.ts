/** Jobs over many motions through the command line: exit codes, reports, and arguments that stand for several files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ExtractReport, RetargetReport } from '../../src/files/reports/job-reports.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../support/make/demo-files.ts';
import { runHere } from './run-here.ts';

const at = temporaryFolder();
const hero = writeDemo(at, 'giant.glb');
const avatar = writeDemo(at, 'child.vrm');
mkdirSync(at('motions'));
writeDemo(at, 'turn.bvh', 'motions/turn.bvh');
writeDemo(at, 'walk.glb', 'motions/walk.glb');
writeDemo(at, 'wave.vrma', 'motions/wave.vrma');
const cut = at('motions/cut.glb');
writeFileSync(cut, demoBytes('walk.glb').subarray(0, 5000));
writeFileSync(at('motions/notes.txt'), 'not a motion');

const retarget = async (...args: string[]) => {
  const { exit, stdout, stderr } = await runHere(['retarget', ...args, '--contacts', 'off', '--json']);
  return { exit, stderr, report: JSON.parse(stdout) as RetargetReport };
};
const failed = ({ issues }: RetargetReport | ExtractReport): (string | undefined)[] => {
  return issues.filter(({ severity }) => severity === 'error').map(({ where }) => where.resource);
};

describe('retarget and extract with many motions', () => {
  it('writes the good motions of a folder, reports the broken one as an error, and ends with 1', async () => {
    for (const output of [at('one.glb'), at('many/{file}.vrma')]) {
      const character = output.endsWith('.vrma') ? avatar : hero;
      const { exit, stderr, report } = await retarget(at('motions'), character, '-o', output);
      expect([exit, stderr, report.ok]).toEqual([1, '', false]);
      expect(report.clips.map(({ name }) => name)).toEqual(['turn', 'walk', 'wave']);
      expect(failed(report)).toEqual([cut]);
      for (const file of report.files) expect(existsSync(file)).toBe(true);
    }
    expect(readdirSync(at('many'))).toEqual(['turn.vrma', 'walk.vrma', 'wave.vrma']);
    const { exit, stdout } = await runHere(['extract', at('motions/*'), '-o', at('clips.glb'), '--json']);
    const report = JSON.parse(stdout) as ExtractReport;
    expect([exit, report.clips.length, failed(report)]).toEqual([1, 3, [cut]]);
  });

  it('ends with the exit code of the first motion when none can be used', async () => {
    const { exit, report } = await retarget(cut, at('gone.fbx'), hero, '-o', at('none.glb'));
    expect([exit, report.output, failed(report)]).toEqual([3, null, [cut, at('gone.fbx')]]);
    const only = await runHere(['retarget', cut, hero, '-o', at('none.glb')]);
    expect([only.exit, only.stdout]).toEqual([3, '']);
    expect(only.stderr).toMatch(/^error GLB_CHUNK_INVALID: .*\n$/);
    expect(existsSync(at('none.glb'))).toBe(false);
  });

  it('lists every written file in text and in JSON', async () => {
    const output = at('listed/{clip}.gltf');
    const args = [at('motions/{turn,walk}.*'), hero, '-o', output];
    const { stdout } = await runHere(['retarget', ...args, '--contacts', 'off']);
    const { report } = await retarget(...args, '--force');
    const files = readdirSync(at('listed')).map((name) => at('listed', name));
    expect([...report.files].sort()).toEqual(files.sort());
    expect(report.outputs).toEqual([at('listed/turn.gltf'), at('listed/walk.gltf')]);
    for (const file of files) expect(stdout).toContain(file);
    expect(files.length).toBeGreaterThan(2);
  });

  it('takes lists of motions, and a pattern for the character', async () => {
    writeFileSync(at('list.txt'), `${at('motions/walk.glb')}\n${at('motions/t*.bvh')}\n`);
    const { exit, report } = await retarget(`@${at('list.txt')}`, at('gi*.glb'), '-o', at('list.glb'));
    expect([exit, report.clips.map(({ name }) => name), report.target.file]).toEqual([0, ['walk', 'turn'], hero]);
  });

  it('does not take its outputs for motions in the next run, and says so', async () => {
    mkdirSync(at('same'));
    writeDemo(at, 'turn.bvh', 'same/turn.bvh');
    const args = [at('same'), avatar, '-o', at('same/{file}.vrma')];
    expect((await retarget(...args)).exit).toBe(0);
    const { exit, stderr, report } = await retarget(...args, '--force');
    expect([exit, report.clips.length]).toEqual([0, 1]);
    expect(stderr).toMatch(/^1 file is not read as a motion, .*same\/turn\.vrma\n$/);
  });

  it('never replaces a motion that is still to be read', async () => {
    mkdirSync(at('swap'));
    const [first, second] = [writeDemo(at, 'turn.bvh', 'swap/walk.bvh'), writeDemo(at, 'turn.bvh', 'swap/x.bvh')];
    writeDemo(at, 'walk.glb', 'swap/a.glb');
    const files = [at('swap/a.glb'), first, second];
    const { exit, report } = await retarget(...files, hero, '-o', at('swap/{clip}.bvh'), '--force');
    expect(exit).toBe(1);
    expect(report.issues.find(({ code }) => code === 'FILE_LEFT_OUT')?.message).toMatch(
      /a\.glb was left out: .*still to be read/,
    );
    expect(Buffer.from(demoBytes('turn.bvh')).equals(readFileSync(second))).toBe(false);
    expect(report.clips.map(({ from }) => from.file)).toEqual([first, second]);
  });
});
