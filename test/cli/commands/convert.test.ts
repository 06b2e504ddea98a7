import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVrmOptions } from '../../../src/cli/commands/convert.ts';
import { InputError, UsageError } from '../../../src/cli/errors/cli-errors.ts';
import type { ConvertReport } from '../../../src/files/reports/job-reports.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { type CommandResult, runHere } from '../run-here.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const turn = writeDemo(at, 'turn.bvh');
const child = writeDemo(at, 'child.vrm');
let outputs = 0;
const fresh = (extension: string): string => at('out', `${outputs++}.${extension}`);

async function convert(...argv: string[]): Promise<CommandResult & { report: ConvertReport }> {
  const ran = await runHere(['convert', ...argv, '--json']);
  return { ...ran, report: JSON.parse(ran.stdout || 'null') as ConvertReport };
}

describe('anyrig convert', () => {
  it.each(['glb', 'gltf', 'vrma', 'bvh'])('writes a BVH as .%s and reports it', async (extension) => {
    const out = fresh(extension);
    const { exit, report, stderr } = await convert(turn, '-o', out);
    expect([exit, stderr]).toEqual([0, '']);
    expect(report).toMatchObject({ ok: true, file: turn, format: 'bvh', output: out, clips: [{ name: 'turn' }] });
    expect(report.humanoid).toMatchObject({ humanoid: true, file: turn });
    expect(existsSync(out)).toBe(true);
  });

  it('prints one line when all is well, and clips and the humanoid with --verbose', async () => {
    const [out, verbose] = [fresh('vrma'), fresh('vrma')];
    const { exit, stdout } = await runHere(['convert', walk, '-o', out]);
    const size = /[\d.]+ [kM]B, \d+ keys/;
    expect([exit, stdout.replace(size, 'SIZE')]).toEqual([0, `${out}: 1 clip (walk, 2.20 s), SIZE\n`]);
    const more = await runHere(['convert', turn, '-o', verbose, '--verbose']);
    expect(more.stdout).toMatch(/: 1 clip \(turn, 4\.23 s\), .* keys\n +turn +4\.23 s .*\nhumanoid +/);
    expect(more.stdout).toMatch(new RegExp(`\\nhumanoid +${turn} .*\\n(?:.*\\n)*info UNIT_GUESSED: `));
  });

  it('edits clips by flags', async () => {
    const { report } = await convert(
      walk,
      '-o',
      fresh('glb'),
      '--trim',
      '0.2:1.2',
      '--speed',
      '2',
      '--mirror',
      '--loop',
      '--reduce',
      '1',
    );
    expect(report).toMatchObject({ ok: true, clips: [{ name: 'walk', duration: expect.closeTo(0.5, 6) }] });
  });

  it('writes one file per clip with a template', async () => {
    const { report } = await convert(walk, '-o', at('clips', '{file}-{clip}.bvh'), '--name', 'my {clip}');
    expect(report.outputs).toEqual([at('clips', 'walk-my walk.bvh')]);
    expect(existsSync(at('clips', 'walk-my walk.bvh'))).toBe(true);
  });

  it('keeps the bytes of an unedited file', async () => {
    const out = fresh('vrm');
    expect((await convert(child, '-o', out)).exit).toBe(0);
    expect(readFileSync(out).equals(readFileSync(child))).toBe(true);
  });

  it('does not overwrite a file or its input without --force', async () => {
    const out = fresh('bvh');
    expect((await convert(turn, '-o', out)).exit).toBe(0);
    expect((await convert(turn, '-o', out)).exit).toBe(2);
    expect((await convert(turn, '-o', out, '--force')).exit).toBe(0);
    expect((await convert(turn, '-o', turn)).exit).toBe(2);
  });

  it('ends with 1 when there is nothing to write', async () => {
    const { exit, report } = await convert(child, '-o', fresh('vrma'));
    expect(exit).toBe(1);
    expect(report).toMatchObject({ ok: false, output: null, clips: [] });
    expect((await runHere(['convert', child, '-o', fresh('vrma')])).stdout).toMatch(/^Nothing was written\.\n/);
  });

  it.each([
    [['--trim', '9:10'], /--trim: Clip "walk"/],
    [['--speed', '0'], /--speed is "0"/],
    [['--clip', 'dance'], /no clip "dance"/],
    [['--reduce', 'much'], /--reduce is "much"/],
  ])('refuses %j as a usage error', async (flags, message) => {
    const { exit, stderr } = await runHere(['convert', walk, '-o', fresh('glb'), ...flags]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each(['a.obj', 'a', 'a.png'])('refuses to write %s', async (out) => {
    expect((await runHere(['convert', walk, '-o', at(out)])).exit).toBe(2);
  });
});

function file(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'anyrig-meta-')), 'meta.json');
  writeFileSync(path, text);
  return path;
}

describe('readVrmOptions', () => {
  it('returns null without --vrm, and refuses --meta alone', async () => {
    expect(await readVrmOptions(undefined, undefined)).toBeNull();
    await expect(readVrmOptions(undefined, 'meta.json')).rejects.toThrow(/no effect without --vrm/);
  });

  it('reads the version and the metadata', async () => {
    expect(await readVrmOptions('1', undefined)).toEqual({ vrm: 1 });
    expect(await readVrmOptions('0', undefined)).toEqual({ vrm: 0 });
    expect(await readVrmOptions('1', file('{"name":"A"}'))).toEqual({ vrm: 1, meta: { name: 'A' } });
  });

  it('refuses other versions, files that are not a JSON object, and files that do not exist', async () => {
    await expect(readVrmOptions('2', undefined)).rejects.toThrow(/expected 1 \(VRM 1\.0\) or 0/);
    await expect(readVrmOptions('1', file('{'))).rejects.toThrow(UsageError);
    await expect(readVrmOptions('1', file('[]'))).rejects.toThrow(/not a JSON object/);
    await expect(readVrmOptions('1', '/nowhere/meta.json')).rejects.toThrow(InputError);
  });
});
