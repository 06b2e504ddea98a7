/** Names of files after names in files: V3 (bytes), V6 (archives), W6 (devices, marks of direction). */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { planBatch, uniqueStems } from '../../src/batch/plan/plan-batch.ts';

import { toFileName } from '../../src/files/outputs/file-names.ts';
import { outputGroups } from '../../src/files/outputs/output-paths.ts';
import { fileStem, outputName } from '../../studio/src/app/outputs.ts';

const bytesOf = (name: string): number => Buffer.byteLength(name);

describe('toFileName', () => {
  it('V3: cuts long names at 200 bytes of UTF-8, not in the middle of a character', () => {
    expect(bytesOf(toFileName('あ'.repeat(120)))).toBe(198);
    const faces = toFileName(`x${'😀'.repeat(120)}`);
    expect(bytesOf(faces)).toBe(197);
    expect(Buffer.from(faces).toString()).toBe(faces);
    expect(toFileName('a'.repeat(255))).toBe('a'.repeat(200));
    expect(toFileName('a'.repeat(200))).toBe('a'.repeat(200));
  });

  it('W6: makes no device of Windows, with or without an extension', () => {
    for (const name of ['CON', 'nul', 'Com1', 'LPT9', 'aux.', 'PRN ', 'com1.txt', 'CON .x', 'COM¹', 'conin$'])
      expect(toFileName(name)).toMatch(/^_/);
    expect(['console', 'com10', 'null', 'COM'].map((name) => toFileName(name))).toEqual([
      'console',
      'com10',
      'null',
      'COM',
    ]);
  });

  it('W6: removes marks that reorder or hide a name, and keeps the joiners that scripts and emoji need', () => {
    expect(toFileName('cod\u202efdp.bvh')).toBe('cod_fdp.bvh');
    expect(toFileName('a\u2066b\u200bc\ufeffd\u061ce\u200ef\u{e0041}g')).toBe('a_b_c_d_e_f_g');
    expect(toFileName('\ud800x')).toBe('_x');
    for (const name of ['👩‍💻', 'می‌خواهم', 'Füße 走る', '.hidden', '-rf']) expect(toFileName(name)).toBe(name);
  });

  it('V6: never leads to another folder', () => {
    for (const name of ['', '.', '..', '...', '.. ', '/', '\\', '\0']) expect(toFileName(name)).toBe('_');
    expect(toFileName('../../etc/passwd')).toBe('.._.._etc_passwd');
    expect(toFileName('C:\\x')).toBe('C__x');
  });

  it('numbers names that are one file on some system, in reasonable time', () => {
    const taken = new Set<string>();
    expect(['walk', 'Walk', 'e\u0301', '\u00e9', 'walk'].map((name) => toFileName(name, taken))).toEqual([
      'walk',
      'Walk 2',
      'e\u0301',
      '\u00e9 2',
      'walk 3',
    ]);
    const many = Array.from({ length: 20_000 }, () => toFileName('x', taken));
    expect(new Set(many).size).toBe(20_000);
  });
});

it('V3: a template of three long names makes a name that file systems take', () => {
  const parts = { clip: 'あ'.repeat(120), file: 'い'.repeat(120), character: 'う'.repeat(120), index: 0 };
  const [first, second] = outputGroups('out/{character}-{file}-{clip}.bvh', [
    parts,
    { ...parts, clip: `${parts.clip}x` },
  ]);
  for (const { path } of [first, second]) expect(bytesOf(path.slice('out/'.length))).toBeLessThan(220);
  expect(first.path).not.toBe(second.path);
});

it('W6: pieces of a template make no device together, and literal parts of a path stay', () => {
  const parts = { clip: 'com', file: 'x', character: 'y', index: 1 };
  const pathOf = (output: string): string => outputGroups(output, [parts])[0].path;
  expect(pathOf('out/{clip}{index}.bvh')).toBe('out/_com1.bvh');
  expect(pathOf('con/../a:b. /{file}/{clip}.bvh')).toBe('con/../a:b. /x/com.bvh');
});

it('V3: long names of different files in a batch stay different and short', () => {
  const paths = ['p', 'q'].map((folder) => `${folder}/${'あ'.repeat(80)}.bvh`);
  const names = [...uniqueStems(paths).values()];
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(bytesOf(name)).toBeLessThanOrEqual(200);
});

it('V3: a file that is called like the name of another one does not take it', () => {
  const names = uniqueStems(['a/walk.glb', 'b/a/walk.glb', 'c/a/walk.glb']);
  const planted = [...names.values()].map((name) => `d/${name}.bvh`);
  const all = uniqueStems([...names.keys(), ...planted]);
  expect(new Set([...all.values()].map((name) => name.toLowerCase())).size).toBe(6);
});

it('W6: a character called .anyrig does not get the folder of the journal', () => {
  const { tasks } = planBatch({ motions: ['m/walk.bvh'], characters: ['c/.anyrig.glb'] });
  expect(tasks.map(({ id }) => id)).toEqual(['_anyrig/walk']);
});

it('V6: folders and files in the archive of the studio stay in it, and equal names do not replace each other', () => {
  const folders = new Set<string>();
  expect(['...glb', 'hero.glb', 'Hero.vrm'].map((name) => fileStem(name, folders))).toEqual(['_', 'hero', 'Hero 2']);
  const taken = new Set<string>();
  expect(outputName('...bvh', '...glb', 'glb', taken)).toBe('..-.glb');
  expect(outputName('walk.bvh', 'hero.glb', 'glb', taken)).toBe('hero-walk.glb');
  expect(outputName('walk.fbx', 'hero.glb', 'glb', taken)).toBe('hero-walk 2.glb');
});
