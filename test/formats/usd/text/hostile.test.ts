import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { lawRuns } from '../../../support/law-runs.ts';

/** Whole numbers from 0 up to, but without, a limit: the same ones each run (Mulberry32). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

const PIECES = [
  '"',
  "'",
  '"""',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '@',
  '@@@',
  '=',
  ',',
  ';',
  '\n',
  '\\',
  '#',
  '/',
  '..',
  '.',
  '{a=',
  'None',
  'nan',
  '-',
  '1e999',
  '\udc80',
  '\0',
  'def "x" {',
  'rel',
  'delete ',
  '::',
  'double[]',
  '.connect',
  ': ',
];

function damaged(text: string, random: (limit: number) => number): string {
  const at = random(text.length);
  const piece = PIECES[random(PIECES.length)];
  const kind = random(4);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + piece + text.slice(at);
  if (kind === 2) return text.slice(0, at) + piece + text.slice(at + 1 + random(8));
  const from = random(text.length);
  return text.slice(0, at) + text.slice(from, from + random(60)) + text.slice(at);
}

/** Parses a text and round-trips the layer. Returns true if parsing throws a FormatError. */
function survives(text: string): boolean {
  try {
    const layer = parseUsda(text);
    expect(parseUsda(serializeUsda(layer)).specs).toEqual(layer.specs);
    return false;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.code === 'USD_SYNTAX' || error.code === 'USD_LIMIT').toBe(true);
    return true;
  }
}

const SMALL = `#usda 1.0
(
    "c"
    subLayers = [@a@ (offset = 1)]
)

def Xform "A" (
    prepend references = @b@</B> (scale = 2)
    customData = { int[] x = [1, 2]; dictionary d = { string "k" = """v""" } }
    variants = { string v = "a" }
    relocates = { <B>: <C> }
)
{
    uniform token[] t = ["a", 'b'] (doc = "d")
    quatf[] q.timeSamples = { 1: [(1, 0, 0, 0)], 2: None }
    delete rel r = [<../A>, </B.c>]
    matrix2d m = ((1, 2), (3, 4))
    variantSet "v" = {
        "a" {
            def "In" {
                asset p = @@@x@@@
            }
        }
    }
}
`;

describe('parseUsda on damaged texts', () => {
  it('throws a FormatError or returns a layer that round-trips', () => {
    const random = randomFrom(1);
    const runs = lawRuns(2000);
    let refused = 0;
    for (let k = 0; k < runs; k++) if (survives(damaged(SMALL, random))) refused++;
    expect(refused).toBeGreaterThan(0.25 * runs);
  });

  it.skipIf(!HAS_ASSETS)('throws a FormatError or returns a layer that round-trips: files of OpenUSD', () => {
    const files = assetFiles('conformance/usd/openusd/pxr/usd/sdf', 'sdf').filter((file) => !file.includes('_bad_'));
    const texts = files.map((file) => readFileSync(file, 'utf8')).filter((text) => text.length < 20_000);
    const random = randomFrom(2);
    const runs = lawRuns(500);
    let refused = 0;
    for (let k = 0; k < runs; k++) if (survives(damaged(texts[k % texts.length], random))) refused++;
    expect(refused).toBeGreaterThan(0.1 * runs);
  });
});

describe('parseUsda on excessive texts', () => {
  const many = (count: number, line: (k: number) => string): string =>
    Array.from({ length: count }, (_, k) => line(k)).join('\n');
  const body = (text: string): string => `#usda 1.0\ndef "a" {\n${text}\n}`;

  it.each<[string, string]>([
    ['deeply nested prims', `#usda 1.0\n${'def "a" {\n'.repeat(1e5)}`],
    ['deeply nested dictionaries', `#usda 1.0\n(customLayerData = ${'{ dictionary a = '.repeat(1e5)}`],
    ['deeply nested brackets', `#usda 1.0\n(foo = ${'['.repeat(1e6)}`],
    ['deeply nested variants', body('variantSet "a" = { "b" {\n'.repeat(5000))],
    [
      'short properties of a prim with a long name',
      `#usda 1.0\ndef "${'a'.repeat(1e6)}" {\n${many(1e5, (k) => `int x${k}`)}\n}`,
    ],
    [
      'short targets in a prim with a long name',
      `#usda 1.0\ndef "${'a'.repeat(1e6)}" {\nrel r = [${many(1e5, (k) => `<x${k}>,`)}]\n}`,
    ],
    ['a million digits', body(`int64 x = ${'9'.repeat(1e6)}`)],
    ['a path of blanks', body(`rel x = </a{b=${' '.repeat(1e6)}x y}>`)],
    ['an unclosed string of quotes', `#usda 1.0\n("""${'""\\"'.repeat(1e5)}`],
    ['escaped ends of an asset path', `#usda 1.0\n(foo = @@@${'\\@@@'.repeat(1e5)}`],
    ['a syntax error after many lines', `${body(many(1e5, (k) => `int x${k}`))}\n?`],
  ])('throws within two seconds: %s', (_, text) => {
    const milliseconds = cpuTimer();
    expect(survives(text)).toBe(true);
    expect(milliseconds()).toBeLessThan(2000);
  });

  it('reads long valid texts in linear time', () => {
    const texts = [
      body(many(1e4, (k) => `int x${k}.connect = </b.c> @ now`)),
      `#usda 1.0\n${many(1e4, (k) => `def "x${k}" {\n}`)}`,
      body(`variantSet "v" = {\n${many(1e4, (k) => `"x${k}" {\n}`)}\n}`),
    ];
    for (const text of texts) {
      const milliseconds = cpuTimer();
      parseUsda(text);
      expect(milliseconds()).toBeLessThan(1500);
    }
  });
});
