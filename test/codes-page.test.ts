import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesPage } from '../scripts/codes-page.ts';
import { CODES } from '../src/core/report/codes.ts';

it('docs/codes.md: is up to date with codes.ts (regenerate with npx tsx scripts/codes-page.ts)', () => {
  const page = readFileSync(new URL('../docs/codes.md', import.meta.url), 'utf8');
  expect(page).toBe(codesPage());
});

it('docs/codes.md: has every code once, described in one complete sentence', () => {
  const listed = [...codesPage().matchAll(/^\| `([A-Z0-9_]+)` \| \w+ \| (.*) \|$/gm)];
  expect(listed.map(([, code]) => code).sort()).toEqual(Object.keys(CODES).sort());
  for (const [, code, about] of listed) expect(about, code).toMatch(/^[A-Z].*[^.]\.$/);
});

it('codes.ts: has no unused code', () => {
  const sources = new URL('../src/', import.meta.url);
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('codes.ts'))
    .map((path) => readFileSync(new URL(path, sources), 'utf8'));
  const unused = Object.keys(CODES).filter((code) => !texts.some((text) => text.includes(`'${code}'`)));
  expect(unused).toEqual([]);
});
