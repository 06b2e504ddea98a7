/** Checks the format pages against the code. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES } from '../src/core/report/codes.ts';
import { blocks, commandLines, documentText, inProject, namedPaths } from './support/documents.ts';
import { IS_FULL_RUN, sampledCases } from './support/law-runs.ts';
import { exampleFolder, runCommandLines, runModules, runModulesHere } from './support/run-docs.ts';

/** Codes of the Khronos glTF Validator. */
const VALIDATOR_CODES = Array.from(
  readFileSync(inProject('node_modules/gltf-validator/ISSUES.md'), 'utf8').matchAll(/^\|([A-Z0-9_]+)\|/gm),
  ([, code]) => code,
);
const codes = Object.keys(CODES);
const pages = readdirSync(inProject('docs/formats')).map((name) => `docs/formats/${name}`);
/** Codes that only readers and writers of a format issue, and the page that explains them. */
const GROUPS = [
  ['docs/formats/gltf.md', /^(?:GLB|GLTF|JSON|VRM)_|^(?:NODE_MATRIX_DECOMPOSED|ANIMATION_REFERENCED)$/],
  ['docs/formats/bvh.md', /^BVH_/],
  ['docs/formats/fbx.md', /^FBX_/],
  ['docs/formats/npz.md', /^NPZ_/],
  ['docs/formats/usd.md', /^USD_/],
  ['docs/formats/mmd.md', /^MMD_/],
  ['docs/formats/points.md', /^POINTS_/],
] as const;

/** Lists the issue codes that a document names: everything spelled like one, except environment variables. */
function namedCodes(path: string): string[] {
  return [...documentText(path).matchAll(/`((?!ANYRIG_|AWS_)[A-Z]+(?:_[A-Z0-9]+)+)`/g)].map(([, code]) => code);
}

/** Pages about other subjects. */
const others = ['docs', 'docs/recipes'].flatMap((folder) =>
  readdirSync(inProject(folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);

it('docs: have a page for every format', () => {
  expect(pages.sort()).toEqual(GROUPS.map(([page]) => page).sort());
});

it.each(pages)('%s: shows command lines and library code', (page) => {
  expect(commandLines(documentText(page)).length).toBeGreaterThanOrEqual(5);
  expect(blocks(documentText(page), 'ts').length).toBeGreaterThan(0);
});

// The README runs in full in every run.
describe.each(sampledCases([...pages, ...others], 100))('%s', (page) => {
  const folder = exampleFolder();

  it('command lines end with the documented exit codes', async () => {
    expect(await runCommandLines(commandLines(documentText(page)), folder)).toEqual([]);
  }, 180_000);

  it('library code runs', async (context) => {
    const modules = blocks(documentText(page), 'ts');
    // Plugins of Babylon.js are registered per process: other test files must not see them. A process that loads Babylon.js takes seconds.
    if (modules.some((source) => source.includes('anyrig/babylon'))) {
      if (!IS_FULL_RUN) return context.skip();
      await runModules(
        modules.map((source) => ({ source })),
        folder,
      );
    } else await runModulesHere(modules, folder);
  }, 180_000);
});

describe.each([...pages, ...others])('%s', (page) => {
  // docs/api.md lists constants, which are spelled like codes.
  it.skipIf(page === 'docs/api.md')('names only existing codes', () => {
    expect(namedCodes(page).filter((code) => ![...codes, ...VALIDATOR_CODES].includes(code))).toEqual([]);
  });

  it('names only existing files', () => {
    expect(namedPaths(page).filter((path) => !existsSync(inProject(path)))).toEqual([]);
  });
});

it.each(GROUPS)('%s: explains every code of its format', (page, group) => {
  // Codes of validation are explained there.
  const named = new Set([...namedCodes(page), ...namedCodes('docs/validate.md')]);
  const own = codes.filter((code) => group.test(code));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter((code) => !named.has(code))).toEqual([]);
});

it('docs/ext-skeleton-humanoid.md: explains every code of the extension reader', () => {
  const named = new Set(namedCodes('docs/ext-skeleton-humanoid.md'));
  const own = codes.filter((code) =>
    /^(?:EXT_(?:SKELETON|SINGLE_OBJECT|CHANNEL|FACING|BIND_NOT_REST)|CHARACTER_DRAFT)$/.test(code),
  );
  expect(own).toHaveLength(6);
  expect(own.filter((code) => !named.has(code))).toEqual([]);
});

it('docs: pictures are small and used', () => {
  const names = readdirSync(inProject('docs/images'));
  const shown = new Set(['README.md', ...pages, ...others].flatMap(namedPaths));
  expect(names.length).toBeGreaterThanOrEqual(6);
  expect(names.filter((name) => !shown.has(`docs/images/${name}`))).toEqual([]);
  // The picture that moves is also the first thing that the home page of the site loads, which may have 1.5 MB. Pictures of the studio have two pixels per point.
  const limitOf = (name: string): number => (name.endsWith('.webp') ? 1_100_000 : 240_000);
  expect(names.filter((name) => statSync(inProject('docs/images', name)).size >= limitOf(name))).toEqual([]);
});
