/** Scenes whose layers lead in circles, or that a few lines blow up: they end in an error or an issue within a second. */
import { describe, expect, it } from 'vitest';
import { createFileResolver } from '../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { forwardedTargetsOf } from '../../../../src/formats/usd/stage/relationship-targets.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { HOSTILE_USD_MS } from '../../../support/tolerances.ts';

/** What comes of a scene: the code of its error, or how many prims it has, and of what codes its issues are. */
function outcome(root: string, read: (path: string) => string | null = () => null, maxPrims = 200_000): string {
  const resolve = createFileResolver((path) => {
    const text = path === 'root.usda' ? root : read(path);
    return text === null ? null : new TextEncoder().encode(`#usda 1.0\n${text}`);
  });
  const milliseconds = cpuTimer();
  let found: string;
  try {
    const opened = resolve('root.usda', '');
    if (opened === null) throw new Error('there is no root');
    const { prims, issues } = openStage(opened.layer, { id: opened.id, resolve, maxPrims });
    found = [`${prims.length} prims`, ...new Set(issues.map(({ code }) => code))].join(', ');
  } catch (error) {
    expect(error).toMatchObject({ name: 'FormatError' });
    found = (error as { code: string }).code;
  }
  expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  return found;
}

const DEPTH = 30;
/** What bounds the work of composing, to have it soon. */
const FEW_PRIMS = 20_000;
const lines = (count: number, line: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => line(k)).join('\n');
/** Thirty prims, each with arcs to the next. */
const fan = (arcs: (next: string) => string): string =>
  lines(DEPTH, (k) => `def "P${k}" (\n${arcs(`</P${k + 1}>`)}\n)\n{\n}`);
/** The same, each with two children that lead to the next: 2^30 prims. */
const tree = (arc: (next: string) => string): string =>
  lines(
    DEPTH,
    (k) => `def "P${k}" {\n${['A', 'B'].map((name) => `def "${name}" (\n${arc(`</P${k + 1}>`)}\n)\n{\n}\n`).join('')}}`,
  );
const layers = (names: readonly string[]): string =>
  `(\nsubLayers = [${names.map((name) => `@${name}@`).join(', ')}]\n)\n`;
const references = (names: readonly string[]): string =>
  `(\ndefaultPrim = "A"\n)\ndef "A" (\nreferences = [${names.map((name) => `@${name}@`).join(', ')}]\n)\n{\n}\n`;
/** Files by their number: each leads to two of the next. */
const pairs =
  (of: (names: readonly string[]) => string) =>
  (path: string): string => {
    const k = Number.parseInt(path, 10);
    return of(k < DEPTH ? [`${k + 1}a.usda`, `${k + 1}b.usda`] : []);
  };
const clips = (k: number, file: string, end: number): string => `def "A${k}" (
clips = {
dictionary default = {
string primPath = "/A"
string templateAssetPath = "./${file}.#.usda"
double templateStartTime = 0
double templateEndTime = ${end}
double templateStride = 1
}
}
)
{
}`;

describe('openStage with cycles', () => {
  it.each<[string, string, string]>([
    ['a reference to itself', 'def "A" (\nreferences = </A>\n)\n{\n}\n', '1 prims, USD_COMPOSITION'],
    [
      'a child that refers to its parent',
      'def "A" {\ndef "C" (\nreferences = </A>\n)\n{\n}\n}\n',
      '2 prims, USD_COMPOSITION',
    ],
    [
      'two that refer to each other',
      'def "A" (\nreferences = </B>\n)\n{\n}\ndef "B" (\npayload = </A>\n)\n{\n}\n',
      '2 prims, USD_COMPOSITION',
    ],
    [
      'classes',
      'class "A" (\ninherits = </B>\n)\n{\n}\nclass "B" (\nspecializes = </A>\n)\n{\n}\ndef "X" (\ninherits = </A>\n)\n{\n}\n',
      '3 prims, USD_COMPOSITION',
    ],
    ['a layer below itself', layers(['root.usda']), '0 prims, USD_COMPOSITION'],
  ])('terminates: %s', (_, text, expected) => {
    expect(outcome(text)).toBe(expected);
  });

  it('terminates between files', () => {
    expect(outcome(layers(['a.usda']), () => layers(['root.usda', 'a.usda']))).toBe('0 prims, USD_COMPOSITION');
    expect(outcome(references(['a.usda']), () => references(['root.usda']))).toBe('1 prims, USD_COMPOSITION');
    const next = (path: string): string => `${Number.parseInt(path, 10) + 1}.usda`;
    expect(outcome(layers(['0.usda']), (path) => layers([next(path)]))).toBe('USD_LIMIT');
    expect(outcome(references(['0.usda']), (path) => references([next(path)]))).toBe('USD_LIMIT');
  });

  it('terminates for relationships that forward each other', () => {
    const rels = lines(40, (k) => {
      const both = `[</R.a${k + 1}>, </R.b${k + 1}>]`;
      return `rel a${k} = ${both}\nrel b${k} = ${both}`;
    });
    const stage = openStage(parseUsda(`#usda 1.0\ndef "R" {\n${rels}\nrel a40 = </R.a0>\nrel b40 = </R/X>\n}\n`));
    const milliseconds = cpuTimer();
    expect(forwardedTargetsOf(stage, '/R', 'a0')).toEqual(['/R/X']);
    expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  });
});

describe('openStage with exponential growth', () => {
  it.each<[string, string]>([
    ['references', fan((next) => `references = [${next}, ${next} (offset = 1)]`)],
    ['references and payloads', fan((next) => `references = ${next}\npayload = ${next}`)],
    ['inherits and specializes', fan((next) => `inherits = ${next}\nspecializes = ${next}`)],
    ['children with references', tree((next) => `references = ${next}`)],
    ['children with inherits', tree((next) => `inherits = ${next}`)],
    ['instances', tree((next) => `instanceable = true\nreferences = ${next}`)],
    [
      'very many references',
      `def "A" (\nreferences = [${lines(20_000, (k) => `</B> (offset = ${k}),`)}]\n)\n{\n}\ndef "B" {\n}\n`,
    ],
  ])('throws: %s', (_, text) => {
    expect(outcome(text, () => null, FEW_PRIMS)).toBe('USD_LIMIT');
  });

  // Composing that many prims takes seconds.
  it.skipIf(!IS_FULL_RUN)('throws with the default limit', () => {
    expect(outcome(tree((next) => `references = ${next}`))).toBe('USD_LIMIT');
  });

  it('throws between files', () => {
    expect(outcome(layers(['0a.usda', '0b.usda']), pairs(layers))).toBe('USD_LIMIT');
    expect(outcome(references(['0a.usda', '0b.usda']), pairs(references))).toBe('USD_LIMIT');
  });

  it('accepts large scenes: many instances of one character', () => {
    const bones = lines(60, (k) => `def Xform "b${k}" {\n}`);
    const crowd = lines(1000, (k) => `def "h${k}" (\nreferences = </Hero>\n)\n{\n}`);
    expect(outcome(`def "Hero" {\n${bones}\n}\n${crowd}`)).toBe('61061 prims');
  });
});

describe('openStage with repeated work', () => {
  // What other specs a file has makes no difference.
  const padding = `over "Pad" {\n${lines(4000, (k) => `int x${k}`)}\n}\n`;
  const grid = `def "G" {\n${lines(30, (i) => `def "r${i}" {\n${lines(30, (k) => `def "c${k}" {\n}`)}\n}`)}\n}\n`;
  const list = (field: string, count: number, item: (k: number) => string): string =>
    `${field} = [${lines(count, (k) => `${item(k)},`)}]`;
  /** A class with these fields and contents, and very many prims that inherit it. */
  const inherited = (fields: string, inside: string): string =>
    `class "C" (\n${fields}\n)\n{\n${inside}\n}\n${lines(2000, (k) => `def "A${k}" (\ninherits = </C>\n)\n{\nint own\n}`)}`;

  it.each<[string, string]>([
    ['children that double, among many specs', padding + tree((next) => `references = ${next}`)],
    [
      'references to a grid',
      `${padding}${grid}def "A" (\n${list('references', 2900, (k) => `</G> (offset = ${k})`)}\n)\n{\n}\n`,
    ],
    [
      'references to what is not there',
      inherited(
        list('references', 1000, (k) => `</Nope${k}>`),
        '',
      ),
    ],
    [
      'classes of classes',
      inherited(
        list('inherits', 1000, (k) => `</Nope${k}>`),
        '',
      ),
    ],
    [
      'variant sets',
      inherited(
        list('variantSets', 1500, (k) => `"v${k}"`),
        '',
      ),
    ],
    [
      'schemas',
      inherited(
        list('apiSchemas', 1500, (k) => `"s${k}"`),
        '',
      ),
    ],
    [
      'properties',
      inherited(
        '',
        lines(1500, (k) => `int x${k}`),
      ),
    ],
    [
      'missing files',
      inherited(
        list('references', 1000, (k) => `@m${k}.usda@`),
        '',
      ),
    ],
    [
      'files of value clips',
      inherited(`clips = {\ndictionary a = {\nasset[] assetPaths = [${'@x@, '.repeat(5000)}]\n}\n}`, ''),
    ],
  ])('throws: %s', (_, text) => {
    expect(outcome(text, () => null, FEW_PRIMS)).toBe('USD_LIMIT');
  });

  it('accepts small amounts', () => {
    expect(outcome(`${grid}${lines(20, (k) => `def "A${k}" (\nreferences = </G>\n)\n{\n}`)}`)).toBe('19551 prims');
    const sets = lines(40, (k) => `variantSet "v${k}" = {\n"x" {\nint p${k}\n}\n}`);
    const chosen = `variants = {\n${lines(40, (k) => `string v${k} = "x"`)}\n}`;
    expect(outcome(inherited(`${list('variantSets', 40, (k) => `"v${k}"`)}\n${chosen}`, sets))).toBe('2001 prims');
  });
});

describe('openStage with endless value clips', () => {
  it('throws or ignores them', () => {
    expect(outcome(clips(0, 'c', 1e9))).toBe('1 prims, USD_COMPOSITION');
    const many = (file: (k: number) => string): string => lines(300, (k) => clips(k, file(k), 9999));
    expect(
      outcome(
        many((k) => `c${k}`),
        () => null,
        FEW_PRIMS,
      ),
    ).toBe('USD_LIMIT');
    expect(
      outcome(
        many(() => 'c'),
        () => null,
        FEW_PRIMS,
      ),
    ).toBe('USD_LIMIT');
    const times = Array.from({ length: 20_000 }, (_, k) => `(${k}, 0)`).join(', ');
    const long = `clips = {\ndictionary a = {\nstring primPath = "/A"\nasset[] assetPaths = [@x@]\ndouble2[] active = [(0, 0)]\ndouble2[] times = [${times}]\n}\n}`;
    const users = lines(2000, (k) => `def "A${k}" (\ninherits = </C>\n)\n{\n}`);
    expect(outcome(`class "C" (\n${long}\n)\n{\n}\n${users}`, () => null, FEW_PRIMS)).toBe('USD_LIMIT');
    const sets = lines(20_000, (k) => `dictionary s${k} = {\nstring primPath = "/A"\n}`);
    expect(outcome(`def "A" (\nclips = {\n${sets}\n}\n)\n{\n}`)).toBe('1 prims');
  });
});

describe('openStage with a damaged layer that many layers reference', () => {
  it('reads it once and reports every reference', () => {
    let reads = 0;
    const damaged = `${lines(5000, (k) => `def "x${k}" {\n}`)}\n?`;
    const found = outcome(layers(Array.from({ length: 300 }, (_, k) => `l${k}.usda`)), (path) => {
      if (path.startsWith('l')) return layers(['damaged.usda', './damaged.usda']);
      reads++;
      return damaged;
    });
    expect(found).toBe('0 prims, RESOURCE_MISSING');
    expect(reads).toBe(1);
  });

  it('reports the same reason each time', () => {
    const both = `${references(['damaged.usda'])}def "B" (\nreferences = @damaged.usda@\n)\n{\n}\n`;
    const resolve = createFileResolver(() => new TextEncoder().encode('hello'));
    const { issues } = openStage(parseUsda(`#usda 1.0\n${both}`), { id: 'root.usda', resolve });
    expect(issues.map(({ message }) => message)).toEqual([
      'The layer @damaged.usda@ was ignored: Found neither #usda, PXR-USDC nor a zip signature at the start, expected a USD file.',
    ]);
  });
});
