import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../../src/files/node.ts';
import type { ExtractReport, RetargetReport } from '../../../src/files/reports/job-reports.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { type CommandResult, runHere } from '../run-here.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const turn = writeDemo(at, 'turn.bvh');
const wave = writeDemo(at, 'wave.vrma');
const hero = writeDemo(at, 'unreal.glb');
let outputs = 0;
const fresh = (extension: string): string => at('out', `${outputs++}.${extension}`);

async function extract(...argv: string[]): Promise<CommandResult & { report: ExtractReport }> {
  const ran = await runHere(['extract', ...argv, '--json']);
  return { ...ran, report: JSON.parse(ran.stdout || 'null') as ExtractReport };
}

describe('anyrig extract', () => {
  it('writes one library of several motions that retarget accepts', async () => {
    const clips = fresh('glb');
    const { exit, report, stderr } = await extract(walk, turn, wave, '-o', clips);
    expect([exit, stderr]).toEqual([0, '']);
    expect(report).toMatchObject({
      ok: true,
      output: clips,
      clips: [{ name: 'walk' }, { name: 'turn' }, { name: 'wave' }],
    });
    expect(report.sources.map(({ file, humanoid }) => [file, humanoid])).toEqual([
      [walk, true],
      [turn, true],
      [wave, true],
    ]);
    const out = fresh('glb');
    const ran = await runHere(['retarget', clips, hero, '-o', out, '--clip', 'turn', '--clip', 'wave', '--json']);
    const retargeted = JSON.parse(ran.stdout) as RetargetReport;
    expect([ran.exit, retargeted.clips.map(({ name }) => name)]).toEqual([0, ['turn', 'wave']]);
  });

  it('writes only animations', async () => {
    const out = fresh('gltf');
    await extract(walk, '-o', out);
    const json = JSON.parse(readFileSync(out, 'utf8')) as object;
    expect(Object.keys(json).sort()).toEqual([
      'accessors',
      'animations',
      'asset',
      'bufferViews',
      'buffers',
      'extensionsUsed',
    ]);
  });

  it('makes equal clip names unique, and names clips by a template', async () => {
    const { report } = await extract(walk, walk, '-o', fresh('glb'));
    expect(report.clips.map(({ name }) => name)).toEqual(['walk', 'walk 2']);
    const named = await extract(walk, turn, '-o', fresh('glb'), '--name', '{file}/{index}');
    expect(named.report.clips.map(({ name }) => name)).toEqual(['walk/0', 'turn/0']);
  });

  it('writes one file per clip with a template in the path', async () => {
    const out = at('out', 'one', '{clip}.glb');
    const { report } = await extract(walk, turn, '-o', out);
    expect(report.outputs).toEqual([at('out', 'one', 'walk.glb'), at('out', 'one', 'turn.glb')]);
    expect(report.outputs?.every((path) => existsSync(path))).toBe(true);
  });

  it('edits clips by flags, and resamples at --fps', async () => {
    const { report } = await extract(
      turn,
      '-o',
      fresh('glb'),
      '--trim',
      '1:2',
      '--speed',
      '2',
      '--mirror',
      '--fps',
      '30',
    );
    expect(report.clips[0].duration).toBeCloseTo(0.5, 5);
    expect(report.clips[0].keys).toBeLessThanOrEqual(16 * report.clips[0].tracks);
  });

  it('merges libraries without changing their clips', async () => {
    const [first, second, both] = [fresh('glb'), fresh('glb'), fresh('glb')];
    await extract(walk, '-o', first);
    await extract(turn, '-o', second);
    const { exit, report } = await extract(first, second, '-o', both);
    expect([exit, report.clips.map(({ name }) => name)]).toEqual([0, ['walk', 'turn']]);
    const [one, joined] = [await openFile(first), await openFile(both)];
    const [a, b] = [one.asset.clips[0].clips[0], joined.asset.clips[0].clips[0]];
    expect(b.tracks.map(({ times }) => times.length)).toEqual(a.tracks.map(({ times }) => times.length));
    expect(joined.asset.skeletons).toHaveLength(2);
  });

  it('prints one line when all is well, and clips and motions with --verbose', async () => {
    const [out, verbose] = [fresh('glb'), fresh('glb')];
    const { exit, stdout } = await runHere(['extract', walk, '-o', out]);
    const size = /[\d.]+ [kM]B, \d+ keys/;
    expect([exit, stdout.replace(size, 'SIZE')]).toEqual([0, `${out}: 1 humanoid clip (walk, 2.20 s), SIZE\n`]);
    const more = await runHere(['extract', walk, '-o', verbose, '--verbose']);
    expect(more.stdout).toMatch(new RegExp(`: 1 humanoid clip .*\\n +walk +2\\.20 s .*\\nmotion +${walk} `));
  });

  it.each([
    [['-o', 'x.vrma'], 2, 'cannot hold humanoid clips; write .glb or .gltf'],
    [['-o', 'x.glb', '--clip', 'run'], 2, 'There is no clip'],
    [['-o', 'x.glb', '--fps', '0'], 2, '--fps'],
  ])('refuses %j', async (flags, code, message) => {
    const { exit, report } = await extract(walk, ...flags);
    expect(exit).toBe(code);
    expect(JSON.stringify(report)).toContain(message);
  });

  it('requires a motion, and reports inputs without one', async () => {
    expect((await runHere(['extract', '-o', 'x.glb'])).exit).toBe(2);
    const out = fresh('glb');
    const { exit, report } = await extract(hero, '-o', out);
    expect([exit, report.ok, report.output, existsSync(out)]).toEqual([1, false, null, false]);
    expect(report.issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
  });
});

describe('files of humanoid clips', () => {
  it('are inspected as bones without nodes', async () => {
    const clips = fresh('glb');
    await extract(wave, '-o', clips);
    const { exit, stdout } = await runHere(['inspect', clips]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/humanoid: skeleton 0, humanoid clips\n +bones +\d+, map: ext\n/);
    expect(stdout).toMatch(/\n +hips +100 % +hips\n/);
  });

  it('stay humanoid clips when converted with edits, and convert to motions of a skeleton', async () => {
    const clips = fresh('glb');
    await extract(walk, turn, wave, '-o', clips);
    const mirrored = fresh('glb');
    expect((await runHere(['convert', clips, '-o', mirrored, '--mirror', '--speed', '2'])).exit).toBe(0);
    const written = await openFile(mirrored);
    const { asset } = written;
    expect(asset.skeletons.map(({ isCanonicalRig }) => isCanonicalRig)).toEqual([true, true, true]);
    expect(
      asset.clips.map(({ name, clips: parts }) => [name, parts.filter(({ tracks }) => tracks.length > 0).length]),
    ).toEqual([
      ['walk', 1],
      ['turn', 1],
      ['wave', 1],
    ]);
    expect(documentOf(written).json['nodes']).toBeUndefined();
    for (const extension of ['vrma', 'bvh']) {
      expect((await runHere(['convert', clips, '-o', fresh(extension), '--clip', 'walk'])).exit).toBe(0);
    }
  });

  it('are refused as characters', async () => {
    const clips = fresh('glb');
    await extract(wave, '-o', clips);
    const { exit, stderr } = await runHere(['retarget', walk, clips, '-o', fresh('glb')]);
    expect(exit).toBe(2);
    expect(stderr).toContain('but no character to retarget to');
    expect((await runHere(['retarget', walk, clips, '-o', fresh('glb'), '--no-mesh'])).exit).toBe(0);
  });
});
