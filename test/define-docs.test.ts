/** Checks docs/define.md against the code. */
import { expect, it } from 'vitest';
import { CODES } from '../src/core/report/codes.ts';
import { blocks, commandLines, documentText } from './documents.ts';
import { exampleFolder, runCommandLines, runModulesHere } from './run-docs.ts';

const text = documentText('docs/define.md');
const folder = exampleFolder();

it('docs/define.md: command lines end with the documented exit codes', async () => {
  const lines = commandLines(text);
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(await runCommandLines(lines, folder)).toEqual([]);
}, 60_000);

it('docs/define.md: library code runs', async () => {
  const modules = blocks(text, 'ts');
  expect(modules).toHaveLength(1);
  await runModulesHere(modules, folder);
}, 60_000);

it('docs/define.md: explains every code of the command, and no other', () => {
  const named = new Set([...text.matchAll(/`(DEFINE_[A-Z0-9_]+)`/g)].map(([, code]) => code));
  expect([...named].sort()).toEqual(
    Object.keys(CODES)
      .filter((code) => code.startsWith('DEFINE_'))
      .sort(),
  );
});
