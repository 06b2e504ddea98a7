import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { STRINGS, type StringKey, t } from '../../../studio/src/app/strings.ts';
import { changeView } from '../../../studio/src/app/view.ts';

const SOURCES = fileURLToPath(new URL('../../../studio/src', import.meta.url));
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Texts that are the same in both languages, or units. */
const NO_JAPANESE: readonly string[] = [];

afterEach(() => changeView({ language: 'en' }));

it('strings: every text has English and Japanese with the same placeholders', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([one]) => one).sort();
  for (const [key, [en, ja]] of Object.entries(STRINGS)) {
    expect(en, key).not.toMatch(JAPANESE);
    if (!NO_JAPANESE.includes(key)) expect(ja, key).toMatch(JAPANESE);
    expect(placeholders(ja), key).toEqual(placeholders(en));
  }
});

it('strings: every text is used', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const code = files
    .filter((name) => !name.endsWith('strings.ts'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  const all = code.join('\n');
  expect(Object.keys(STRINGS).filter((key) => !all.includes(`'${key}'`))).toEqual([]);
});

it('t: takes the language of the page and fills in values', () => {
  const key: StringKey = 'clips';
  expect(t(key, { count: 3 })).toBe('3 clips');
  changeView({ language: 'ja' });
  expect(t(key, { count: 3 })).toBe('クリップ 3 個');
});
