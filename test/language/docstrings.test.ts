/** Docstrings of exported declarations: a sentence, parameters, result, errors. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lintDocstrings } from './lint-docstrings.ts';

const src = resolve(fileURLToPath(new URL('../../src', import.meta.url)));

it('every exported declaration has a docstring; functions have @param, @returns and @throws', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const findings = lintDocstrings(file, readFileSync(join(src, file), 'utf8'));
    return findings.map(({ line, name, lacks }) => `src/${file}:${line}: ${name} lacks ${lacks}`);
  });
  expect(found).toEqual([]);
});

describe('lintDocstrings', () => {
  const lacks = (source: string): string[] => lintDocstrings('a.ts', source).map((one) => one.lacks);

  it('asks for parameters, the result and errors of exported functions only', () => {
    expect(
      lacks(
        '/** Adds. */\nexport function add(a: number, b: number): number { if (a > b) throw new Error(); return a + b; }',
      ),
    ).toEqual(['@param a, b', '@returns', '@throws']);
    expect(lacks('function add(a: number): number { return a; }')).toEqual([]);
  });

  it('takes one @param for a destructured parameter, under any name', () => {
    const source = 'export function size({ width }: Box): number { return width; }';
    expect(lacks(`/**\n * Measures.\n * @param box the box\n * @returns its width\n */\n${source}`)).toEqual([]);
    expect(lacks(`/**\n * Measures.\n * @returns its width\n */\n${source}`)).toEqual([
      '@param of a destructured parameter',
    ]);
  });

  it('finds names of parameters that do not exist', () => {
    expect(
      lacks('/**\n * Runs.\n * @param old gone\n * @param a new\n */\nexport function run(a: number): void {}'),
    ).toEqual(['a parameter named old']);
  });

  it('asks for a docstring of exported types, their members, and constants', () => {
    expect(lacks('export interface A { b: number }\nexport const C = 1;\nexport type D = A;')).toEqual([
      'a docstring',
      'a docstring',
      'a docstring',
      'a docstring',
    ]);
  });

  it('sees no error in a function that a function throws, or that it catches', () => {
    const source =
      'export function run(): void { const f = () => { throw new Error(); }; try { throw new Error(); } catch { f(); } }';
    expect(lacks(`/** Runs. */\n${source}`)).toEqual([]);
  });
});
