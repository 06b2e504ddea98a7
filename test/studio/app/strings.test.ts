import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { MOTION_OPTIONS } from '../../../src/files/options/motion-options.ts';
import { JAPANESE as TRANSLATED } from '../../../studio/src/app/japanese.ts';
import { ENGLISH, type StringKey, t } from '../../../studio/src/app/strings.ts';
import { changeView } from '../../../studio/src/app/view.ts';

const SOURCES = fileURLToPath(new URL('../../../studio/src', import.meta.url));
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
/** Texts that are the same in both languages, or units. */
const NO_JAPANESE: readonly string[] = [];

afterEach(() => changeView({ language: 'en' }));

it('strings: every text has English and Japanese with the same placeholders', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([one]) => one).sort();
  expect(Object.keys(TRANSLATED)).toEqual(Object.keys(ENGLISH));
  for (const [key, en] of Object.entries(ENGLISH)) {
    const ja = TRANSLATED[key as StringKey];
    expect(en, key).not.toMatch(JAPANESE);
    if (!NO_JAPANESE.includes(key)) expect(ja, key).toMatch(JAPANESE);
    expect(placeholders(ja), key).toEqual(placeholders(en));
  }
});

/** Names of options and their words, whose controls come from the table of options. */
const isOption = (key: string): boolean => key.split('.')[0] in MOTION_OPTIONS;

it('strings: every text is used, and every option and word has one', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const code = files
    .filter((name) => !/(?:strings|japanese)\.ts$/.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  const all = code.join('\n');
  for (const [name, { type }] of Object.entries(MOTION_OPTIONS)) {
    const words = type.kind === 'choice' ? type.values.map((word) => `${name}.${word}`) : [];
    for (const key of [name, ...words]) expect(ENGLISH, key).toHaveProperty([key]);
  }
  expect(Object.keys(ENGLISH).filter((key) => !isOption(key) && !all.includes(`'${key}'`))).toEqual([]);
});

it('t: takes the language of the page, once it is loaded, and fills in values', async () => {
  const key: StringKey = 'clips';
  expect(t(key, { count: 3 })).toBe('3 clips');
  changeView({ language: 'ja' });
  await vi.waitFor(() => expect(t(key, { count: 3 })).toBe('クリップ 3 個'));
  changeView({ language: 'en' });
  expect(t(key, { count: 3 })).toBe('3 clips');
});
