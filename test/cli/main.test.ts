/** The bundle that is shipped, run as users run it: exit codes, streams and pipes. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG } from '../../src/demo/characters/rigs.ts';
import { bundledProgram } from '../support/bundle.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../support/make/demo-files.ts';
import { gltfWithCharacters } from '../support/make/two-characters.ts';

const at = temporaryFolder();
const MAIN = await bundledProgram('anyrig');

function anyrig(argv: readonly string[]): string {
  return execFileSync(process.execPath, [MAIN, ...argv], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('the process', () => {
  it('ends with the exit code, and prints to the right streams', () => {
    const runThere = (...argv: string[]) => spawnSync(process.execPath, [MAIN, ...argv], { encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(runThere('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    const wrong = runThere('retarget', '--what');
    expect(wrong).toMatchObject({ status: 2, stdout: '', stderr: 'error USAGE: Unknown option --what\n' });
    const missing = runThere('inspect', at('nothing.glb'));
    expect([missing.status, missing.stdout]).toEqual([3, '']);
    const files = [writeDemo(at, 'wave.vrma'), writeDemo(at, 'chibi.vrm'), '-o', at('out.vrm')];
    const done = runThere('retarget', ...files);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toContain(`${at('out.vrm')}: 1 clip written`);
  });

  it.skipIf(!IS_FULL_RUN)('writes output larger than a pipe buffer completely to a slow reader', async () => {
    writeFileSync(at('crowd.gltf'), gltfWithCharacters(Array.from({ length: 20 }, () => MIXAMO_RIG)));
    const child = spawn(process.execPath, [MAIN, 'inspect', at('crowd.gltf'), '--json']);
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(text.length).toBeGreaterThan(2 ** 17);
    expect((JSON.parse(text) as { humanoids: unknown[] }).humanoids).toHaveLength(20);
  });

  it.runIf(IS_FULL_RUN)('ends without an error when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'inspect', writeDemo(at, 'walk.glb'), '--json']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect([exit, stderr]).toEqual([0, '']);
  });
});

describe('the bundle', () => {
  it.runIf(IS_FULL_RUN)('runs every command', () => {
    expect(anyrig(['retarget', '--help'])).toContain('EXAMPLES');
    const walk = writeDemo(at, 'walk.glb');
    expect(anyrig(['retarget', walk, writeDemo(at, 'giant.glb'), '-o', at('out.glb')])).toContain('1 clip written');
    expect(anyrig(['inspect', writeDemo(at, 'turn.bvh')])).toContain('turn.bvh  bvh');
    expect(JSON.parse(anyrig(['map', walk]))).toHaveProperty('bones.hips');
    // All files of the demo take seconds.
    if (IS_FULL_RUN) expect(anyrig(['demo', '-o', at('demo')])).toContain('sheet.svg');
  });

  it.runIf(IS_FULL_RUN)('writes nothing into its own folder', () => {
    const files = readdirSync(dirname(MAIN));
    anyrig(['inspect', writeDemo(at, 'walk.glb')]);
    expect(readdirSync(dirname(MAIN))).toEqual(files);
  });

  it.each(['usd', 'fbx'] as const)(
    'names the faults of a damaged %s file, whose reader is a chunk of its own',
    (format) => {
      writeFileSync(at(`damaged.${format}`), format === 'usd' ? '#usda 1.0\n(' : 'Kaydara FBX Binary  \0');
      const run = spawnSync(process.execPath, [MAIN, 'inspect', at(`damaged.${format}`)], { encoding: 'utf8' });
      expect(run.status).toBe(3);
      expect(run.stderr).toMatch(/^error [A-Z]+_[A-Z_]+: .*damaged/);
    },
  );
});
