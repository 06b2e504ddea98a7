import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DefineReport } from '../../../src/files/jobs/define-humanoid.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();
const hero = writeDemo(at, 'unreal.glb');
const walk = writeDemo(at, 'walk.glb');
const turn = writeDemo(at, 'turn.bvh');

describe('anyrig define', () => {
  it('writes the definition and reports it as JSON', async () => {
    const out = at('json.glb');
    const { exit, stdout, stderr } = await runHere(['define', hero, '-o', out, '--axes', '--t-pose', '--json']);
    expect([exit, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as DefineReport;
    expect(report).toMatchObject({ ok: true, output: out, definition: { axes: true, tPose: true } });
    expect(existsSync(out)).toBe(true);
    expect((await runHere(['validate', out])).exit).toBe(0);
  });

  it('prints one line, and the humanoid and changes with --verbose', async () => {
    const quiet = await runHere(['define', walk, '-o', at('quiet.glb'), '--axes']);
    expect(quiet.stdout).toMatch(/^.*quiet\.glb: \d+ bones defined, canonical axes, root node \d+\n$/);
    const { exit, stdout } = await runHere(['define', walk, '-o', at('text.glb'), '--axes', '--verbose']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/\nhumanoid .*walk\.glb .* bones/);
    expect(stdout).toMatch(/text\.glb: \d+ bones defined, canonical axes, root node \d+\n/);
    expect(stdout).toMatch(/\d+ channels rewritten, 0 added, 0 meshes baked\n/);
  });

  it('lists the files that belong to the output', async () => {
    const out = at('listed.gltf');
    const { stdout } = await runHere(['define', hero, '-o', out]);
    expect(stdout.split('\n')[1]).toBe(`  ${at('listed.bin')}`);
    const { files } = JSON.parse(
      (await runHere(['define', hero, '-o', out, '--force', '--json'])).stdout,
    ) as DefineReport;
    expect(files).toEqual([at('listed.bin'), out]);
  });

  it('replaces a file only with --force, and leaves it complete', async () => {
    const bytes = readFileSync(hero);
    const { exit, stderr } = await runHere(['define', hero, '-o', hero]);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('OVERWRITE_REFUSED');
    expect(readFileSync(hero).equals(bytes)).toBe(true);
  });

  it('ends with 2 for wrong flags, and has help', async () => {
    expect((await runHere(['define', hero])).exit).toBe(2);
    expect((await runHere(['define', hero, '-o', at('x.glb'), '--strict'])).exit).toBe(2);
    expect((await runHere(['define', turn, '-o', at('x.bvh')])).exit).toBe(2);
    const { exit, stdout } = await runHere(['define', '--help']);
    expect(exit).toBe(0);
    expect(stdout).toContain('--t-pose');
  });
});
