import { expect, it } from 'vitest';
import { PAGE_STYLE } from '../../../src/batch/report/page-style.ts';

it('PAGE_STYLE: loads no other file, and every color that it uses is defined in light and dark', () => {
  expect(PAGE_STYLE).not.toMatch(/url\(|@import/);
  const used = new Set([...PAGE_STYLE.matchAll(/var\((--\w+)\)/g)].map(([, name]) => name));
  const defined = new Set([...PAGE_STYLE.matchAll(/(--\w+): light-dark\(#\w+, #\w+\)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual([...defined].sort());
});
