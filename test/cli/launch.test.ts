/** The shipped bundle: built here, run as users run it: exit codes, streams and pipes, and its cache of compiled code. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'tsdown';
import { beforeAll, describe, expect, it } from 'vitest';
import { MIXAMO_RIG } from '../../src/demo/characters/rigs.ts';
import configs from '../../tsdown.config.ts';
import { IS_FULL_RUN } from '../law-runs.ts';
import { temporaryFolder, writeDemo } from '../make/demo-files.ts';
import { gltfWithCharacters } from '../make/two-characters.ts';

const at = temporaryFolder();
const MAIN = at('dist/cli/main.js');
const cache = (): string[] => (existsSync(at('dist/cli/.cache')) ? readdirSync(at('dist/cli/.cache')) : []);

function anyrig(argv: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, [MAIN, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(async () => {
  // The other bundles are built by npm run build, and run in test/newcomer/.
  const needed = configs.filter(({ entry }) => IS_FULL_RUN || 'main' in Object(entry) || 'anyrig' in Object(entry));
  for (const config of needed) await build({ ...config, outDir: at('dist/cli'), logLevel: 'silent', config: false });
  cpSync('package.json', at('package.json'));
});

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

  it('ends without an error when the reader closes the pipe', async () => {
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
  it('runs every command', () => {
    expect(anyrig(['retarget', '--help'])).toContain('EXAMPLES');
    const walk = writeDemo(at, 'walk.glb');
    expect(anyrig(['retarget', walk, writeDemo(at, 'giant.glb'), '-o', at('out.glb')])).toContain('1 clip written');
    expect(anyrig(['inspect', writeDemo(at, 'turn.bvh')])).toContain('turn.bvh  bvh');
    expect(JSON.parse(anyrig(['map', walk]))).toHaveProperty('bones.hips');
    // All files of the demo take seconds.
    if (IS_FULL_RUN) expect(anyrig(['demo', '-o', at('demo')])).toContain('sheet.svg');
  });

  it('caches compiled code in its folder and reuses it', () => {
    const walk = writeDemo(at, 'walk.glb');
    rmSync(at('dist/cli/.cache'), { recursive: true, force: true });
    const first = anyrig(['inspect', walk]);
    expect(cache()).toEqual([expect.stringMatching(/^inspect-[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+\.bin$/)]);
    const file = at('dist/cli/.cache', cache()[0]);
    const { mtimeMs, size } = statSync(file);
    expect(size).toBeGreaterThan(10_000);
    expect(anyrig(['inspect', walk])).toBe(first);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  it('ignores a damaged code cache, and rebuilds it', () => {
    const walk = writeDemo(at, 'walk.glb');
    const first = anyrig(['inspect', walk]);
    const file = at('dist/cli/.cache', cache().find((name) => name.startsWith('inspect')) as string);
    const good = readFileSync(file);
    writeFileSync(file, 'nonsense');
    expect(anyrig(['inspect', walk])).toBe(first);
    expect(statSync(file).size).toBeGreaterThan(good.length / 2);
  });

  it('caches nothing with NODE_DISABLE_COMPILE_CACHE, and nothing of failed runs', () => {
    rmSync(at('dist/cli/.cache'), { recursive: true, force: true });
    anyrig(['inspect', writeDemo(at, 'walk.glb')], { NODE_DISABLE_COMPILE_CACHE: '1' });
    anyrig(['--version']);
    expect(() => anyrig(['inspect'], {})).toThrow();
    expect(cache()).toEqual([]);
  });

  it('works when the cache cannot be written', () => {
    rmSync(at('dist/cli/.cache'), { recursive: true, force: true });
    writeFileSync(at('dist/cli/.cache'), 'a file is in the way');
    expect(anyrig(['inspect', writeDemo(at, 'walk.glb')])).toContain('walk.glb');
    rmSync(at('dist/cli/.cache'));
  });
});
