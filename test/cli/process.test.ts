/** The command line as a separate process: exit codes, streams and pipes. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG } from '../../src/demo/characters/rigs.ts';
import { IS_FULL_RUN } from '../law-runs.ts';
import { temporaryFolder, writeDemo } from '../make/demo-files.ts';
import { gltfWithCharacters } from '../make/two-characters.ts';
import type { CommandResult } from './run-here.ts';

const at = temporaryFolder();
const MAIN = ['--import', 'tsx', 'src/cli/main.ts'];

function runThere(...argv: string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...MAIN, ...argv], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('the process', () => {
  it('ends with the exit code, and prints to the right streams', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runThere('--version')).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' });
    const wrong = await runThere('retarget', '--what');
    expect(wrong).toMatchObject({ exit: 2, stdout: '', stderr: 'error USAGE: Unknown option --what\n' });
    const missing = await runThere('inspect', at('nothing.glb'));
    expect([missing.exit, missing.stdout]).toEqual([3, '']);
  });

  it.skipIf(!IS_FULL_RUN)('writes output larger than a pipe buffer completely to a slow reader', async () => {
    writeFileSync(at('crowd.gltf'), gltfWithCharacters(Array.from({ length: 20 }, () => MIXAMO_RIG)));
    const child = spawn(process.execPath, [...MAIN, 'inspect', at('crowd.gltf'), '--json']);
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(text.length).toBeGreaterThan(2 ** 17);
    expect((JSON.parse(text) as { humanoids: unknown[] }).humanoids).toHaveLength(20);
  });

  it.skipIf(!IS_FULL_RUN)('ends without an error when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [...MAIN, 'inspect', writeDemo(at, 'walk.glb'), '--json']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect([exit, stderr]).toEqual([0, '']);
  });

  it('retargets', async () => {
    const args = [writeDemo(at, 'wave.vrma'), writeDemo(at, 'chibi.vrm'), '-o', at('out.vrm')];
    const { exit, stdout, stderr } = await runThere('retarget', ...args);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${at('out.vrm')}: 1 clip written`);
  });
});
