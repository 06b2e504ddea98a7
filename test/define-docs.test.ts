/** Checks docs/define.md against the code. */
import { expect, it } from 'vitest';
import { CODES } from '../src/core/report/codes.ts';
import { documentText } from './support/documents.ts';

const text = documentText('docs/define.md');

it('docs/define.md: explains every code of the command, and no other', () => {
  const named = new Set([...text.matchAll(/`(DEFINE_[A-Z0-9_]+)`/g)].map(([, code]) => code));
  expect([...named].sort()).toEqual(
    Object.keys(CODES)
      .filter((code) => code.startsWith('DEFINE_'))
      .sort(),
  );
});
