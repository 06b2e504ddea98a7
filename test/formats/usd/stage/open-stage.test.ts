import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { targetsOf } from '../../../../src/formats/usd/stage/relationship-targets.ts';
import { childrenOf, isUsable, primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { plain, resolveTexts, stageOf } from './scene.ts';

const paths = (stage: ReturnType<typeof stageOf>): string[] => stage.prims.map(({ path }) => path);

describe('openStage', () => {
  it('lists parents before children, siblings in order', () => {
    const stage = stageOf('def "A" { def "B" {}\n def "C" { def "D" {} } }\ndef "E" {}');
    expect(paths(stage)).toEqual(['/A', '/A/B', '/A/C', '/A/C/D', '/E']);
    expect(childrenOf(stage, '/A').map(({ name }) => name)).toEqual(['B', 'C']);
    expect(childrenOf(stage, '/').map(({ name }) => name)).toEqual(['A', 'E']);
  });

  it('prefers an override over the overridden value, through sublayers', () => {
    const stage = stageOf('(subLayers = [@./strong.usda@, @./weak.usda@])\nover "A" { int b = 1 }', {
      'strong.usda': 'def SkelRoot "A" { int b = 2\n int c = 2 }',
      'weak.usda': 'def Xform "A" { int b = 3\n int c = 3\n int d = 3 }',
    });
    expect(['b', 'c', 'd'].map((name) => plain(stage, '/A', name))).toEqual([1, 2, 3]);
    expect(primAt(stage, '/A')?.typeName).toBe('SkelRoot');
  });

  it('an over with another type disables skinning', () => {
    const stage = stageOf('(subLayers = [@a.usda@])\nover Xform "Root" {}', { 'a.usda': 'def SkelRoot "Root" {}' });
    expect(primAt(stage, '/Root')).toMatchObject({ typeName: 'Xform', specifier: 'def', isDefined: true });
  });

  it('distinguishes defined, abstract and over prims', () => {
    const stage = stageOf('over "A" { def "B" {} }\nclass "C" { def "D" {} }\ndef "E" {}');
    expect(stage.prims.map((prim) => [prim.path, prim.isDefined, prim.isAbstract, isUsable(prim)])).toEqual([
      ['/A', false, false, false],
      ['/A/B', false, false, false],
      ['/C', true, true, false],
      ['/C/D', true, true, false],
      ['/E', true, false, true],
    ]);
  });

  it('keeps an inactive prim without its descendants', () => {
    const stage = stageOf('(subLayers = [@a.usda@])\nover "A" (active = false) {}', {
      'a.usda': 'def "A" { def "B" {} }',
    });
    expect(paths(stage)).toEqual(['/A']);
    expect(primAt(stage, '/A')).toMatchObject({ isActive: false, isDefined: true });
  });

  it('lists children of weaker layers first and applies reorder statements', () => {
    const stage = stageOf('(subLayers = [@a.usda@])\nover "A" { def "Z" {}\n reorder nameChildren = ["Y", "X"] }', {
      'a.usda': 'def "A" { def "X" {}\n def "Y" {} }',
    });
    expect(paths(stage)).toEqual(['/A', '/A/Y', '/A/Z', '/A/X']);
  });

  it('composes applied schemas over layers', () => {
    const stage = stageOf(
      '(subLayers = [@a.usda@])\nover "A" (prepend apiSchemas = ["SkelBindingAPI"]\n delete apiSchemas = ["X"]) {}',
      {
        'a.usda': 'def "A" (prepend apiSchemas = ["X", "MaterialBindingAPI"]) {}',
      },
    );
    expect(primAt(stage, '/A')?.apiSchemas).toEqual(['SkelBindingAPI', 'MaterialBindingAPI']);
  });

  it('instances of the same sites share a prototype; overrides below them are ignored', () => {
    const stage = stageOf(`
      def "Char" (instanceable = true) { int a = 1
        def Mesh "Body" { point3f[] points = [(1, 2, 3)]
          rel skel:skeleton = </Char/Skel> }
        def "Skel" {} }
      def "One" (references = </Char>) { int a = 2
        over "Body" { point3f[] points = [(9, 9, 9)] } }
      def "Two" (references = </Char>) {}`);
    expect(primAt(stage, '/Char')).toMatchObject({ isInstance: false, prototype: null });
    expect(primAt(stage, '/One')).toMatchObject({ isInstance: true, isInstanceProxy: false, prototype: '/One' });
    expect(primAt(stage, '/Two/Body')).toMatchObject({
      isInstance: false,
      isInstanceProxy: true,
      prototype: '/One/Body',
    });
    expect(plain(stage, '/One', 'a')).toBe(2);
    expect(plain(stage, '/One/Body', 'points')).toEqual([1, 2, 3]);
    expect(targetsOf(stage, '/Two/Body', 'skel:skeleton')).toEqual(['/Two/Skel']);
  });

  it('instances with other variants have another prototype; prims without arcs have none', () => {
    const stage = stageOf(`
      def "Char" (instanceable = true
        variants = { string look = "red" }
        prepend variantSets = "look") { variantSet "look" = { "red" { def "R" {} } "blue" { def "B" {} } } }
      def "One" (references = </Char>) {}
      def "Two" (references = </Char>
        variants = { string look = "blue" }) {}
      def "Bare" (instanceable = true) { def "X" {} }`);
    expect(paths(stage)).toEqual(['/Char', '/Char/R', '/One', '/One/R', '/Two', '/Two/B', '/Bare', '/Bare/X']);
    expect(primAt(stage, '/Two/B')?.prototype).toBe('/Two/B');
    expect(primAt(stage, '/Bare')?.isInstance).toBe(false);
  });

  it('nested instances share prototypes', () => {
    const stage = stageOf(`
      def "Eye" { def "Ball" {} }
      def "Head" { def "L" (references = </Eye>
        instanceable = true) {} }
      def "A" (references = </Head>
        instanceable = true) {}
      def "B" (references = </Head>
        instanceable = true) {}`);
    expect(primAt(stage, '/B/L/Ball')).toMatchObject({ isInstanceProxy: true, prototype: '/Head/L/Ball' });
  });

  it('reports unsupported relocates', () => {
    const stage = stageOf('(relocates = { </A/B>: </A/C> })\ndef "A" { def "B" {} }');
    expect(stage.issues).toMatchObject([{ code: 'USD_COMPOSITION', message: expect.stringContaining('Relocates') }]);
  });

  it('throws quickly for more prims than allowed', () => {
    const level = (i: number): string =>
      `class "L${i}" { ${[...'abcdefghij'].map((name) => `def "${name}" (references = </L${i + 1}>) {}`).join('\n')} }`;
    const text = `${Array.from({ length: 9 }, (_, i) => level(i)).join('\n')}\nclass "L9" {}`;
    const milliseconds = cpuTimer();
    expect(() => stageOf(text, {}, { maxPrims: 20_000 })).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
    expect(milliseconds()).toBeLessThan(5000);
  });
});

/** Texts of a prim R with parts that refer to, inherit from and choose variants of each other, also in circles. */
const targets = fc.constantFrom('/R/A', '/R/B', '/R/C', '/R/A/K', '/R/B/K', '/R/C/K');
const part = fc
  .record({
    references: fc.uniqueArray(targets, { maxLength: 2 }),
    payload: fc.uniqueArray(targets, { maxLength: 1 }),
    inherits: fc.uniqueArray(targets, { maxLength: 1 }),
    specializes: fc.uniqueArray(targets, { maxLength: 1 }),
    choice: fc.constantFrom('x', 'y', 'z'),
    variant: fc.uniqueArray(targets, { maxLength: 1 }),
    own: fc.subarray(['p', 'q', 'r']),
    kid: fc.subarray(['p', 'q', 'r']),
    hasKid: fc.boolean(),
    isActive: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  })
  .map((said) => (name: string, seed: number): string => {
    const list = (paths: readonly string[]): string => `[${paths.map((path) => `<${path}>`).join(', ')}]`;
    const values = (names: readonly string[], shift: number): string =>
      names.map((p, i) => `int ${p} = ${seed + shift + i}\n`).join('');
    return `def "${name}" (
      active = ${said.isActive}
      references = ${list(said.references)}
      payload = ${list(said.payload)}
      inherits = ${list(said.inherits)}
      specializes = ${list(said.specializes)}
      variants = { string v = "${said.choice}" }
      prepend variantSets = "v") {
      ${values(said.own, 0)}
      rel t = [</R/A/K>, </R/${name}.p>]
      ${said.hasKid ? `def "K" { ${values(said.kid, 10)} }` : ''}
      variantSet "v" = { "x" { int p = ${seed + 20} } "y" (references = ${list(said.variant)}) { int q = ${seed + 21}\n over "K" { int r = ${seed + 22} } } } }`;
  });
const scenes = fc
  .tuple(part, part, part)
  .map((parts) => `def "R" { ${parts.map((print, i) => print('ABC'[i], 100 * i)).join('\n')} }`);

describe('openStage on any scene', () => {
  it('lists every child after its parent, and nothing else', () => {
    fc.assert(
      fc.property(scenes, (text) => {
        const stage = stageOf(text);
        const seen = new Set(['/']);
        for (const { path, parent, name } of stage.prims) {
          expect(seen.has(parent)).toBe(true);
          expect(parent === '/' ? stage.children : primAt(stage, parent)?.children).toContain(name);
          seen.add(path);
        }
        const named = stage.children.length + stage.prims.reduce((sum, { children }) => sum + children.length, 0);
        expect(stage.prims).toHaveLength(named);
      }),
      { seed: 51, numRuns: lawRuns(60) },
    );
  });

  it('gives the same values and targets through a reference', () => {
    fc.assert(
      fc.property(scenes, (text) => {
        const direct = stageOf(text);
        const referred = stageOf('def "W" { def "X" (references = @scene@</R>) {} }', { scene: text });
        const moved = (path: string): string => path.replace(/^\/R(?=[/.]|$)/, '/W/X');
        expect(referred.prims.slice(2).map(({ path }) => path)).toEqual(
          direct.prims.slice(1).map(({ path }) => moved(path)),
        );
        for (const { path, properties } of direct.prims) {
          for (const name of properties)
            expect(plain(referred, moved(path), name), `${path}.${name}`).toEqual(plain(direct, path, name));
          expect(targetsOf(referred, moved(path), 't')).toEqual(targetsOf(direct, path, 't')?.map(moved) ?? null);
        }
      }),
      { seed: 52, numRuns: lawRuns(60) },
    );
  });
});

describe.skipIf(!HAS_ASSETS)('openStage on real files', () => {
  it('opens every text file of the corpus without composition issues other than missing files', () => {
    const files = assetFiles('assets/usd', 'usda');
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const stage = openStage(parseUsda(readFileSync(file, 'utf8')), { id: file });
      expect(stage.prims.length, file).toBeGreaterThan(0);
      expect(
        stage.issues.filter(({ code }) => code !== 'RESOURCE_MISSING'),
        file,
      ).toEqual([]);
    }
  });

  it("composes OpenUSD's scene for binding and instancing", () => {
    const file = asset('conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelCache/populate.usda');
    const stage = openStage(parseUsda(readFileSync(file, 'utf8')), { resolve: resolveTexts({}) });
    expect(stage.issues).toEqual([]);
    expect(primAt(stage, '/AnimBinding/Instance')).toMatchObject({
      isInstance: true,
      isDefined: true,
      typeName: 'Scope',
    });
    expect(primAt(stage, '/AnimBinding/Instance/Override')).toMatchObject({
      isInstanceProxy: true,
      typeName: 'Skeleton',
    });
    expect(targetsOf(stage, '/AnimBinding/Instance/Override', 'skel:animationSource')).toEqual([
      '/AnimBinding/Instance/Anim',
    ]);
    expect(targetsOf(stage, '/AnimBinding/Instance', 'skel:animationSource')).toEqual(['/Anim1']);
    expect(targetsOf(stage, '/AnimBinding/Scope/Block', 'skel:animationSource')).toEqual([]);
    expect(targetsOf(stage, '/AnimBinding/Scope/Inherit', 'skel:animationSource')).toBeNull();
    expect(plain(stage, '/SkelBinding/Instance/Override', 'skel:joints')).toEqual(['override']);
  });
});
