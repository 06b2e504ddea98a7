/** The shipped bundle: built here, run as users run it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'tsdown';
import { beforeAll, describe, expect, it } from 'vitest';
import configs from '../../tsdown.config.ts';
import { temporaryFolder, writeDemo } from '../make/demo-files.ts';

const at = temporaryFolder();
const cache = (): string[] => (existsSync(at('dist/cli/.cache')) ? readdirSync(at('dist/cli/.cache')) : []);

function anyrig(argv: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, [at('dist/cli/main.js'), ...argv], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

beforeAll(async () => {
  for (const config of configs) await build({ ...config, outDir: at('dist/cli'), logLevel: 'silent', config: false });
  cpSync('package.json', at('package.json'));
});

describe('the bundle', () => {
  it('runs every command', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(anyrig(['--version'])).toBe(`${version}\n`);
    expect(anyrig(['retarget', '--help'])).toContain('EXAMPLES');
    const walk = writeDemo(at, 'walk.glb');
    expect(anyrig(['retarget', walk, writeDemo(at, 'giant.glb'), '-o', at('out.glb')])).toContain('1 clip written');
    expect(anyrig(['inspect', writeDemo(at, 'turn.bvh')])).toContain('turn.bvh  bvh');
    expect(JSON.parse(anyrig(['map', walk]))).toHaveProperty('bones.hips');
    expect(anyrig(['demo', '-o', at('demo')])).toContain('sheet.svg');
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
