/** The code of the README and the examples runs as it stands there, on files of the demo. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoFiles } from '../src/demo/index.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const run = promisify(execFile);
const NODE = `node --conditions=@anyrig/source --import ${join(root, 'node_modules/tsx/dist/esm/index.mjs')}`;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anyrig-readme-'));
  const bytesOf = (name: string): Uint8Array =>
    demoFiles()
      .find((file) => file.name === name)
      ?.bytes() ?? new Uint8Array();
  const names = {
    'walk.glb': 'walk.glb',
    'avatar.vrm': 'child.vrm',
    'turn.bvh': 'turn.bvh',
    'hero.glb': 'unreal.glb',
    'odd-rig.glb': 'odd-axes.glb',
  };
  for (const [name, from] of Object.entries(names)) writeFileSync(join(folder, name), bytesOf(from));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Blocks of a language in the README. */
function blocks(language: string): string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block);
}

/** Runs a module that imports anyrig by its name, from inside the package and in the folder of the files. */
async function runModule(source: string, args: readonly string[]): Promise<string> {
  const path = join(root, 'test', `.readme-${process.pid}.ts`);
  writeFileSync(path, source);
  try {
    const [command, ...flags] = NODE.split(' ');
    return (await run(command, [...flags, path, ...args], { cwd: folder })).stdout;
  } finally {
    rmSync(path, { force: true });
  }
}

describe('the README', () => {
  it('has command lines that work one after the other', async () => {
    const lines = blocks('sh')
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('anyrig '));
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const script = ['set -e', `anyrig() { ${NODE} ${join(root, 'src/cli/main.ts')} "$@"; }`, ...lines].join('\n');
    await run('bash', ['-c', script], { cwd: folder });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['out.vrm', 'hero-mocap.glb', 'map.json', 'out.glb']));
  });

  it('has library code that works', async () => {
    const [block] = blocks('ts');
    rmSync(join(folder, 'out.vrm'), { force: true });
    await runModule(block, []);
    expect(readdirSync(folder)).toContain('out.vrm');
  });

  it('names only files that exist', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    const paths = [...text.matchAll(/\]\(((?:docs|[A-Z]+\.md)[^)]*)\)|`(test\/[a-z/-]+)`/g)].map(
      ([, link, code]) => link ?? code,
    );
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('the examples', () => {
  const args: Record<string, string[]> = {
    'retarget-files.ts': ['walk.glb', 'hero.glb', 'example.glb'],
    'pose-by-pose.ts': ['turn.bvh', 'avatar.vrm'],
  };
  const names = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

  it.each(names)('%s runs', async (name) => {
    expect(args).toHaveProperty([name]);
    const stdout = await runModule(readFileSync(join(root, 'examples', name), 'utf8'), args[name]);
    expect(stdout).not.toBe('');
  });
});
