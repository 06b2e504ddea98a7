/** Damaged, contradictory and cyclic USD files, read up to an asset: they end in FormatErrors or issues only. */
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { writeUsdz } from '../../../src/formats/usd/package/write-usdz.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { HOSTILE_USD_MS } from '../../support/tolerances.ts';
import {
  CHARACTER,
  characterCrate,
  characterPackage,
  EXTREME_NUMBERS,
  noise,
  outcomeOf,
  utf8,
  withBytes,
  withNumber,
} from './damage.ts';

/** {@link outcomeOf} with a time limit that is far above the time of any file here. */
function outcome(bytes: Uint8Array, read?: (path: string) => Uint8Array | null): string {
  const milliseconds = cpuTimer();
  const found = outcomeOf(bytes, read);
  expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  return found;
}

/** A copy with a few bytes changed, some to the ends of their range. */
function flipped(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const patches = Array.from({ length: 1 + random(6) }, (): [number, number] => {
    return [random(bytes.length), random(3) === 0 ? [0, 1, 127, 128, 255][random(5)] : random(256)];
  });
  return withBytes(bytes, patches);
}

/** Counts the outcomes. */
function tally(outcomes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const found of outcomes) counts.set(found, (counts.get(found) ?? 0) + 1);
  return counts;
}

const FILES: readonly (readonly [kind: string, bytes: Uint8Array])[] = [
  ['text', utf8(CHARACTER)],
  ['binary', characterCrate()],
  ['packaged', characterPackage()],
];

describe('reading a small USD character', () => {
  it.each(FILES)('succeeds for the undamaged file: %s', (_, bytes) => {
    expect(outcome(bytes)).toBe('opened');
  });

  it.each(FILES)('fails with a FormatError or reads less if the file is truncated: %s', (kind, bytes) => {
    const step = kind === 'text' ? 41 : 61;
    const cut = Array.from({ length: Math.floor(bytes.length / step) }, (_, k) => outcome(bytes.subarray(0, k * step)));
    const counts = tally(cut);
    // A text that is cut between two prims is still valid.
    expect((counts.get('opened') ?? 0) / cut.length).toBeLessThan(0.02);
  });

  it.each(FILES)('returns a scene or throws a FormatError for changed bytes: %s', (kind, bytes) => {
    const random = noise(kind.length);
    const runs = Math.max(100, lawRuns(200));
    const counts = tally(Array.from({ length: runs }, () => outcome(flipped(bytes, random))));
    expect(counts.size).toBeGreaterThan(1);
    expect(counts.get('opened')).toBeGreaterThan(0.02 * runs);
  });

  it('returns a scene or throws a FormatError for extreme numbers at any offset of a binary file', () => {
    const bytes = characterCrate();
    const outcomes: string[] = [];
    for (let at = 0, k = 0; at + 8 <= bytes.length; at += 20, k++) {
      outcomes.push(outcome(withNumber(bytes, at, k % 2 === 0 ? 8 : 4, EXTREME_NUMBERS[k % EXTREME_NUMBERS.length])));
    }
    expect(tally(outcomes).size).toBeGreaterThan(1);
  });

  it('returns a scene or throws a FormatError for extreme numbers in the header, table of contents and sections', () => {
    const bytes = characterCrate();
    const view = new DataView(bytes.buffer);
    const table = Number(view.getBigInt64(16, true));
    const offsets = [8, 16, 24, table];
    for (let k = 0; k < Number(view.getBigInt64(table, true)); k++) {
      const entry = table + 8 + 32 * k;
      const start = Number(view.getBigInt64(entry + 16, true));
      offsets.push(entry, entry + 16, entry + 24, start, start + 8, start + 16);
    }
    const outcomes = offsets.flatMap((at) => EXTREME_NUMBERS.map((value) => outcome(withNumber(bytes, at, 8, value))));
    const counts = tally(outcomes);
    expect(counts.get('USD_CRATE')).toBeGreaterThan(outcomes.length / 2);
  });

  it('returns a scene or throws a FormatError for extreme numbers in the zip records of a package', () => {
    const bytes = writeUsdz(['root.usda', 'a.png'].map((name) => ({ name, bytes: utf8('#usda 1.0\n') })));
    const end = bytes.length - 22;
    const list = new DataView(bytes.buffer).getUint32(end + 16, true);
    for (let at = list; at < bytes.length; at += 2) {
      for (const value of EXTREME_NUMBERS) {
        outcome(withNumber(bytes, at, 2, value));
        if (at + 4 <= bytes.length) outcome(withNumber(bytes, at, 4, value));
      }
    }
    expect(outcome(withNumber(bytes, end + 10, 2, 0n))).toBe('USD_PACKAGE');
  });
});

describe.skipIf(!HAS_ASSETS)('reading damaged files of OpenUSD', () => {
  it('returns scenes or throws FormatErrors', () => {
    const random = noise(3);
    const files = ['usda', 'usdc', 'usdz'].flatMap((type) => assetFiles('conformance/usd', type));
    const small = files.map((file) => new Uint8Array(readFileSync(file))).filter(({ length }) => length < 30_000);
    // Enough for rates.
    const runs = Math.max(30, lawRuns(400));
    const counts = tally(
      Array.from({ length: runs }, (_, k) => {
        const bytes = small[(k * 7) % small.length];
        return outcome(k % 3 === 0 ? bytes.slice(0, random(bytes.length)) : flipped(bytes, random));
      }),
    );
    expect(counts.get('opened')).toBeGreaterThan(0.0625 * runs);
    expect(counts.get('USD_SYNTAX')).toBeGreaterThan(0.125 * runs);
  });
});

const MOST = 2 ** 31 - 1;
const list = (count: number, item: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => item(k)).join(', ');
/** The character with one part replaced. */
function changed(from: string | RegExp, to: string): Uint8Array {
  expect(CHARACTER).toMatch(from);
  return utf8(CHARACTER.replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, () => to));
}

describe('reading a USD character with invalid data', () => {
  it.each<[string, string | RegExp, string]>([
    ['polygons of billions of corners', '[4, 3]', `[${MOST}, ${MOST}, ${MOST}]`],
    ['polygons with negative corner counts', '[4, 3]', '[-1, -2147483648, 9]'],
    ['corners of missing points', '[0, 1, 2, 3, 2, 1, 4]', `[0, ${MOST}, -1, -2147483648, 5, 1, 4]`],
    ['billions of influences of a point', 'elementSize = 2', `elementSize = ${MOST}`],
    ['a negative number of influences', 'elementSize = 2', 'elementSize = -2147483648'],
    [
      'influences of missing joints',
      '[0, 1, 0, 1, 0, 1, 0, 1, 0, 1]',
      `[0, ${MOST}, -1, 1, -2147483648, 1, 5, 1, 0, 1]`,
    ],
    ['invalid weights', '[1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1, 1, 0]', '[nan, inf, -inf, 1e38, 1e38, 1e38, -1, -1, 0, 0]'],
    ['blend shapes of missing points', 'int[] pointIndices = [2]', `int[] pointIndices = [${MOST}]`],
    [
      'blend shapes with far more offsets than points',
      'offsets = [(0, 1, 0)]',
      `offsets = [${list(5000, () => '(0, 1, 0)')}]`,
    ],
    [
      'primvars with missing values',
      'primvars:st:indices = [0, 1, 2, 3, 2, 1, 0]',
      `primvars:st:indices = [${MOST}, -1, 2, 3, 2, 1, 0]`,
    ],
    ['subsets of missing faces', 'int[] indices = [1]', `int[] indices = [${MOST}, -1, 1, 1]`],
    ['singular bind transforms', '(0, 2.5, 0, 1)', '(0, 0, 0, 0)'],
    ['points with extreme coordinates', '(2, 2, 0.3)', '(1e38, -1e38, nan)'],
    ['extreme sample times', '3: [(0.70710677', '1e308: [(0.70710677'],
    ['an extreme time code rate', 'timeCodesPerSecond = 24', 'timeCodesPerSecond = 1e-300'],
    ['an invalid unit', 'metersPerUnit = 0.01', 'metersPerUnit = nan'],
    [
      'an animation with more joints than the skeleton',
      'uniform token[] joints = ["Root", "Root/Tip"]\n        quatf',
      `uniform token[] joints = [${list(5000, (k) => `"j${k}"`)}]\n        quatf`,
    ],
    ['invalid joint paths', '["Root", "Root/Tip"]', '["", "/"]'],
    ['duplicate joints', '["Root", "Root/Tip"]', '["Root", "Root"]'],
    ['ten thousand xform ops', '["xformOp:translate"]', `[${list(10_000, () => '"xformOp:translate"')}]`],
  ])('reads the valid rest: %s', (_, from, to) => {
    expect(outcome(changed(from, to))).toBe('opened');
  });
});

describe('reading a cyclic USD character', () => {
  it.each<[string, string, string]>([
    ['skel:skeleton targets its own prim', 'rel skel:skeleton = </Hero/Skel>', 'rel skel:skeleton = </Hero>'],
    ['skel:skeleton targets itself', 'rel skel:skeleton = </Hero/Skel>', 'rel skel:skeleton = </Hero.skel:skeleton>'],
    [
      'the animation source is the skeleton',
      'skel:animationSource = </Hero/Anim>',
      'skel:animationSource = </Hero/Skel>',
    ],
    ['the blend shape is the mesh', '</Hero/Body/Smile>', '</Hero/Body>'],
    ['the material is the mesh', 'rel material:binding = </Hero/Mat>', 'rel material:binding = </Hero/Body>'],
    ['the surface output is connected to itself', '</Hero/Mat/Surface.outputs:surface>', '</Hero/Mat.outputs:surface>'],
    [
      'the roughness is connected to itself',
      'inputs:roughness = 0.4',
      'inputs:roughness.connect = </Hero/Mat/Surface.inputs:roughness>',
    ],
    [
      'the texture coordinates come from the texture',
      '</Hero/Mat/Reader.outputs:result>',
      '</Hero/Mat/Image.outputs:rgb>',
    ],
    ['it inherits itself', 'inherits = </_class>', 'inherits = </Hero>'],
    ['it inherits a child', 'inherits = </_class>', 'inherits = </Hero/Body>'],
    ['a child specializes it', 'def SkelAnimation "Anim"', 'def SkelAnimation "Anim" (\nspecializes = </Hero>\n)'],
    ['a child references it', 'def SkelAnimation "Anim"', 'def SkelAnimation "Anim" (\nreferences = </Hero>\n)'],
    ['a variant has it as payload', 'def Cube "Hat"', 'def Cube "Hat" (\npayload = </Hero>\n)'],
    ['its class inherits it', 'class "_class"', 'class "_class" (\ninherits = </Hero>\n)'],
    ['the file references itself', 'references = </Hero>', 'references = @root@</Copy>'],
    ['the file is its own sub-layer', 'upAxis = "Y"', 'subLayers = [@root@, @./root@]'],
    ['the value clip is the file itself', '@clip.usda@', '@root@'],
    [
      'the clip manifest is the file itself',
      'string primPath = "/Hero"',
      'string primPath = "/Played"\nasset manifestAssetPath = @root@',
    ],
  ])('reads the character without the cycle: %s', (_, from, to) => {
    expect(outcome(changed(from, to))).toBe('opened');
  });
});

describe('reading texts with excessive nesting or length', () => {
  const deep = (count: number, open: string, close: string): string => open.repeat(count) + close.repeat(count);
  it.each<[string, string, string]>([
    ['prims', deep(5000, 'def "a" {\n', '}\n'), 'USD_LIMIT'],
    ['dictionaries', `(\ncustomLayerData = ${deep(5000, '{\ndictionary a = ', '}\n')}\n)`, 'USD_SYNTAX'],
    ['lists', `def "a" {\nint[] x = ${deep(5000, '[', ']')}\n}`, 'USD_SYNTAX'],
    ['a name', `def "${'a'.repeat(1e6)}" {\nint ${'b'.repeat(1e6)} = 1\n}`, 'opened'],
    ['a token', `def "a" {\ntoken[] x = ["${'b'.repeat(1e6)}"]\n}`, 'opened'],
    ['a number', `def "a" {\ndouble x = ${'9'.repeat(1e6)}\nfloat y = 0.${'1'.repeat(1e6)}e-99999\n}`, 'opened'],
    ['a path of parent steps', `def "a" {\nrel x = <${'../'.repeat(1e5)}b>\n}`, 'USD_SYNTAX'],
    ['a long asset path', `def "a" (\nreferences = @${'../'.repeat(1e5)}b@\n)\n{\n}`, 'opened'],
  ])('ends with the expected result: %s', (_, text, expected) => {
    expect(outcome(utf8(`#usda 1.0\n${text}\n`))).toBe(expected);
  });
});

describe('reading hostile packages', () => {
  const root = { name: 'root.usda', bytes: utf8('#usda 1.0\ndef "A" {\n}\n') };
  const nested = (depth: number): Uint8Array => {
    let bytes = writeUsdz([root]);
    for (let k = 1; k < depth; k++) bytes = writeUsdz([{ name: `p${k}.usdz`, bytes }]);
    return bytes;
  };

  it('reads nested packages up to a depth', () => {
    expect(outcome(nested(5))).toBe('opened');
    expect(outcome(nested(40))).toMatch(/^USD_(?:LIMIT|SYNTAX|PACKAGE)$/);
  });

  it('throws for ten megabytes of compressed blanks', () => {
    expect(outcome(zipSync({ 'root.usda': utf8(`#usda 1.0\n${' '.repeat(1e7)}`) }))).toBe('USD_PACKAGE');
  });

  it('reads thousands of files', () => {
    const files = Array.from({ length: 5000 }, (_, k) => ({ name: `f/${k}.png`, bytes: Uint8Array.of(k & 255) }));
    expect(outcome(writeUsdz([root, ...files]))).toBe('opened');
  });

  it('throws for files that share the same bytes', () => {
    const bytes = writeUsdz(Array.from({ length: 200 }, (_, k) => ({ name: `${k}.usda`, bytes: root.bytes })));
    const end = bytes.length - 22;
    const list = new DataView(bytes.buffer).getUint32(end + 16, true);
    let overlapping = bytes;
    for (let at = list; at < end; at += 46 + new DataView(bytes.buffer).getUint16(at + 28, true)) {
      overlapping = withNumber(overlapping, at + 42, 4, 0n);
    }
    expect(outcome(overlapping)).toBe('USD_PACKAGE');
  });

  it('reads packages that reference themselves', () => {
    const self = {
      name: 'root.usda',
      bytes: utf8('#usda 1.0\ndef "A" (\nreferences = [@root.usda@</A>, @../p.usdz@</A>]\n)\n{\n}\n'),
    };
    expect(outcome(writeUsdz([self]))).toBe('opened');
  });
});
