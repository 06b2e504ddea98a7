/** The pages of the formats, held to what the code does. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES } from '../src/core/report/codes.ts';
import {
  blocks,
  commandLines,
  documentText,
  exampleFolder,
  inProject,
  namedPaths,
  runCommandLines,
  runModules,
  runModulesHere,
} from './run-docs.ts';

const codes = Object.keys(CODES);
const pages = readdirSync(inProject('docs/formats')).map((name) => `docs/formats/${name}`);
/** Codes that only readers and writers of a format give, and the page that has to explain them. */
const GROUPS = [
  ['docs/formats/gltf.md', /^(?:GLB|GLTF|JSON|VRM)_|^(?:NODE_MATRIX_DECOMPOSED|ANIMATION_REFERENCED)$/],
  ['docs/formats/bvh.md', /^BVH_/],
  ['docs/formats/fbx.md', /^FBX_/],
  ['docs/formats/usd.md', /^USD_/],
] as const;

/** Lists the issue codes that a document names: everything spelled like one, except environment variables. */
function namedCodes(path: string): string[] {
  return [...documentText(path).matchAll(/`((?!ANYRIG_)[A-Z]+(?:_[A-Z0-9]+)+)`/g)].map(([, code]) => code);
}

/** Pages about other things than formats. */
const others = readdirSync(inProject('docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

it('has a page for every format', () => {
  expect(pages.sort()).toEqual(GROUPS.map(([page]) => page).sort());
});

it.each(pages)('%s shows command lines and library code', (page) => {
  expect(commandLines(documentText(page)).length).toBeGreaterThanOrEqual(5);
  expect(blocks(documentText(page), 'ts').length).toBeGreaterThan(0);
});

describe.each([...pages, ...others])('%s', (page) => {
  const folder = exampleFolder();

  it('has command lines that end as it says', async () => {
    expect(await runCommandLines(commandLines(documentText(page)), folder)).toEqual([]);
  }, 180_000);

  it('has library code that runs', async () => {
    const modules = blocks(documentText(page), 'ts');
    // Plugins of Babylon.js are registered per process: other test files must not see them.
    if (modules.some((source) => source.includes('anyrig/babylon'))) await runModules(modules, [], folder);
    else await runModulesHere(modules, folder);
  }, 180_000);

  it('names only codes that there are', () => {
    expect(namedCodes(page).filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('names only files that exist', () => {
    expect(namedPaths(page).filter((path) => !existsSync(inProject(path)))).toEqual([]);
  });
});

it.each(GROUPS)('%s explains every code of its format', (page, group) => {
  const named = new Set(namedCodes(page));
  const own = codes.filter((code) => group.test(code));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((code) => !named.has(code))).toEqual([]);
});

it('docs/ext-skeleton-humanoid.md explains every code of reading the extension', () => {
  const named = new Set(namedCodes('docs/ext-skeleton-humanoid.md'));
  const own = codes.filter((code) =>
    /^(?:EXT_(?:SKELETON|SINGLE_OBJECT|CHANNEL|FACING|BIND_NOT_REST)|CHARACTER_DRAFT)$/.test(code),
  );
  expect(own).toHaveLength(6);
  expect(own.filter((code) => !named.has(code))).toEqual([]);
});

it('has pictures that are small and shown somewhere', () => {
  const names = readdirSync(inProject('docs/images'));
  const shown = new Set(['README.md', ...pages, ...others].flatMap(namedPaths));
  expect(names.length).toBeGreaterThanOrEqual(6);
  expect(names.filter((name) => !shown.has(`docs/images/${name}`))).toEqual([]);
  expect(names.filter((name) => statSync(inProject('docs/images', name)).size >= 150_000)).toEqual([]);
});
