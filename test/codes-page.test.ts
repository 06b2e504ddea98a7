import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesPage } from '../scripts/codes-page.ts';
import { CODES } from '../src/core/report/codes.ts';

it('docs/codes.md: is up to date with codes.ts (regenerate with npx tsx scripts/codes-page.ts)', () => {
  const page = readFileSync(new URL('../docs/codes.md', import.meta.url), 'utf8');
  expect(page).toBe(codesPage());
});

it('docs/codes.md: has every code once', () => {
  const listed = [...codesPage().matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual(Object.keys(CODES).sort());
});

it('codes.ts: has no unused code', () => {
  const sources = new URL('../src/', import.meta.url);
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('codes.ts'))
    .map((path) => readFileSync(new URL(path, sources), 'utf8'));
  const unused = Object.keys(CODES).filter((code) => !texts.some((text) => text.includes(`'${code}'`)));
  expect(unused).toEqual([]);
});
