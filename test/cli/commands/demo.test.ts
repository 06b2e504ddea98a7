import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { expect, it } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { runDemo } from '../../../src/demo/run-demo.ts';
import { openFile } from '../../../src/files/node.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

it.runIf(IS_FULL_RUN)(
  'anyrig demo: writes every character with every motion and a sheet, and lists them in at most twelve lines',
  async () => {
    const { exit, stdout, stderr } = await runHere(['demo', '-o', at('demo')], { script: resolve('src/cli/main.ts') });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
    const files = readdirSync(at('demo'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => statSync(at('demo', name)).isFile()).sort()).toEqual(
      [
        ...DEMO_MOTIONS.map(({ name }) => join('motions', name)),
        ...DEMO_CHARACTERS.flatMap(({ name }) => [join('characters', name), join('results', name)]),
        // A .vrm shows its clips only in glTF players: VRM players play these.
        ...['child', 'chibi'].flatMap((name) =>
          ['walk', 'wave', 'turn'].map((motion) => join('results', `${name}-${motion}.vrma`)),
        ),
        'sheet.svg',
      ].sort(),
    );
    for (const { name } of DEMO_CHARACTERS) {
      expect(stdout).toContain(at('demo/results', name));
      const { asset } = await openFile(at('demo/results', name));
      expect(asset.clips.map((clip) => clip.name)).toEqual(['walk', 'wave', 'turn']);
      expect((await validateBytes(new Uint8Array(readFileSync(at('demo/results', name))))).issues.numErrors).toBe(0);
    }
    const sheet = readFileSync(at('demo/sheet.svg'), 'utf8');
    for (const { name } of DEMO_CHARACTERS)
      for (const motion of ['walk', 'wave', 'turn']) {
        expect(sheet.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(`${motion} on ${name}`);
      }
    expect(sheet).not.toMatch(/NaN|Infinity|undefined/);
    // The last line is a command line for the current folder; test/newcomer/ runs it where anyrig is installed.
    const words = /^Try it: (npx tsx \S+main\.ts) (retarget \S+ \S+) -o out\.glb$/.exec(
      stdout.trimEnd().split('\n').at(-1) ?? '',
    );
    expect(words?.[1]).toBe(`npx tsx ${join('src', 'cli', 'main.ts')}`);
    expect((await runHere([...(words?.[2] ?? '').split(' '), '-o', at('out.glb')])).exit).toBe(0);
  },
);

it.skipIf(!IS_FULL_RUN)(
  'anyrig demo: writes what runDemo makes, replaces it only with --force, and prints reports as JSON',
  async () => {
    const steps: string[] = [];
    const demo = await runDemo((text) => steps.push(text));
    expect(steps).toHaveLength(DEMO_MOTIONS.length + DEMO_CHARACTERS.length + 1);
    const differs = ({ path, parts }: OutputFile): boolean =>
      !readFileSync(at('demo', path)).equals(Buffer.concat(parts));
    expect(demo.files.filter(differs).map(({ path }) => path)).toEqual([]);
    const refused = await runHere(['demo', '--out', at('demo')]);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringMatching(/^error OVERWRITE_REFUSED: .*--force/)]);
    const { exit, stdout } = await runHere(['demo', '--out', at('demo'), '--force', '--json']);
    expect(exit).toBe(0);
    const { ok, files, results } = JSON.parse(stdout) as {
      ok: boolean;
      files: string[];
      results: { clips: unknown[] }[];
    };
    expect(files).toEqual(demo.files.map(({ path }) => at('demo', path)));
    expect([ok, results.map(({ clips }) => clips.length)]).toEqual([true, DEMO_CHARACTERS.map(() => 3)]);
  },
  180_000,
);
