/** Thousands of hostile names: what is written stays in the output folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { expect, it } from 'vitest';
import { uniqueStems } from '../../src/batch/plan/plan-batch.ts';
import { makeRandom } from '../../src/demo/random.ts';
import { fileNameKey, toFileName } from '../../src/files/outputs/file-names.ts';
import { outputGroups } from '../../src/files/outputs/output-paths.ts';
import { runHere } from '../cli/run-here.ts';
import { hostileName } from '../fuzz/mutations/hostile-names.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { clipsGlb } from '../support/make/amplified.ts';
import { demoBytes, temporaryFolder } from '../support/make/demo-files.ts';

const COUNT = 20_000;
/** Of the names, as clips: each part of a path is a name as above. */
const CLIPS = 5000;
const random = makeRandom(34);
const names = Array.from({ length: COUNT }, () => hostileName(random));
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** Why a name is no plain file name; null for one that is. */
function faultOf(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'a folder';
  if (/[\p{Cc}\p{Cs}<>:"/\\|?*\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u.test(name))
    return 'a character';
  if (DEVICE.test(name)) return 'a device';
  return Buffer.byteLength(name) > 230 ? 'too long' : null;
}

it('toFileName: 20,000 hostile names become 20,000 plain names, each once', () => {
  const taken = new Set<string>();
  const made = names.map((name) => toFileName(name, taken));
  expect(made.filter((name) => faultOf(name) !== null)).toEqual([]);
  expect(new Set(made.map(fileNameKey)).size).toBe(COUNT);
});

it('outputGroups: 5,000 hostile clips stay in their folder, in any template', () => {
  const folder = resolve('out');
  for (const template of [
    'out/{clip}.bvh',
    'out/{character}/{clip}{index}.vrma',
    'out/{file}-{character}-{clip}.bvh',
  ]) {
    const parts = names.slice(0, CLIPS).map((clip, k) => ({
      clip,
      file: names[COUNT - 1 - k],
      character: names[(7 * k) % COUNT],
      index: k,
    }));
    const paths = outputGroups(template, parts).map(({ path }) => path);
    expect(new Set(paths.map(fileNameKey)).size).toBe(CLIPS);
    for (const path of paths) {
      if (!resolve(path).startsWith(folder + sep)) throw new Error(`${JSON.stringify(path)} is outside`);
      const segments = path.split('/').slice(1);
      if (segments.length !== template.split('/').length - 1 || segments.some((one) => faultOf(one) !== null))
        throw new Error(`${JSON.stringify(path)} is not plain`);
    }
  }
});

it('uniqueStems: 2,000 files with hostile names get plain names, each once', () => {
  const paths = [...new Set(names.slice(0, 2000))];
  const made = [...uniqueStems(paths).values()];
  expect(made.filter((name) => faultOf(name) !== null || name.startsWith('.'))).toEqual([]);
  expect(new Set(made.map(fileNameKey)).size).toBe(paths.length);
});

/** Lists all files below a folder with their content. */
function treeOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, 'latin1')]);
}

const at = temporaryFolder();

it.runIf(IS_FULL_RUN)(
  'convert and batch write clips and files with hostile names into the output folder only',
  async () => {
    for (const folder of ['beside', 'work/m', 'work/out']) mkdirSync(at(folder), { recursive: true });
    writeFileSync(at('beside', 'victim.txt'), 'untouched');
    writeFileSync(
      at('work', 'clips.glb'),
      clipsGlb(100, (k) => names[k]),
    );
    writeFileSync(at('work', 'hero.glb'), demoBytes('mixamo.glb'));
    // Names that a file can have here: no slash, no NUL, at most 255 bytes.
    const possible = names.filter(
      (name) => name !== '' && !/[/\0\p{Cs}]|^\./u.test(name) && Buffer.byteLength(name) < 245,
    );
    for (const name of possible.slice(0, 8)) writeFileSync(at('work', 'm', `${name}.bvh`), demoBytes('turn.bvh'));
    const inputs = treeOf(at());
    const converted = await runHere([
      'convert',
      at('work', 'clips.glb'),
      '-o',
      at('work', 'out', '{clip}.bvh'),
      '--json',
    ]);
    expect(JSON.parse(converted.stdout)).toMatchObject({ ok: true });
    const made = await runHere([
      'batch',
      at('work', 'm'),
      '--onto',
      at('work', 'hero.glb'),
      '-o',
      at('work', 'out', 'batch'),
      '--contacts',
      'off',
      '-j',
      '1',
      '--json',
    ]);
    expect(JSON.parse(made.stdout)).toMatchObject({ ok: true });
    const after = treeOf(at());
    const isInside = ([path]: [string, string]): boolean => path.startsWith(at('work', 'out') + sep);
    expect(after.filter((file) => !isInside(file))).toEqual(inputs);
    const written = after.filter(isInside).map(([path]) => path);
    expect(written.filter((path) => path.endsWith('.bvh'))).toHaveLength(100);
    expect(written.filter((path) => dirname(path) === at('work', 'out', 'batch', 'hero'))).toHaveLength(8);
    expect(written.filter((path) => !path.includes('.anyrig') && faultOf(basename(path)) !== null)).toEqual([]);
    expect(existsSync(at('out'))).toBe(false);
  },
  60_000,
);
