/** Damaged, lying and cyclic USD files on the whole way to an asset: they end in errors of the format or in issues, and in no other way. */
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { writeUsdz } from '../../../src/formats/usd/package/write-usdz.ts';
import { assetFiles, HAS_ASSETS } from '../../assets.ts';
import { lawRuns } from '../../law-runs.ts';
import { HOSTILE_USD_MS } from '../../tolerances.ts';
import {
  CHARACTER,
  characterCrate,
  characterPackage,
  LIES,
  noise,
  outcomeOf,
  utf8,
  withBytes,
  withNumber,
} from './damage.ts';

/** {@link outcomeOf}, guarded: far below a hang, far above what any of the files here takes. */
function outcome(bytes: Uint8Array, read?: (path: string) => Uint8Array | null): string {
  const start = performance.now();
  const found = outcomeOf(bytes, read);
  expect(performance.now() - start).toBeLessThan(HOSTILE_USD_MS);
  return found;
}

/** A copy with a few bytes changed, some to the ends of their range. */
function flipped(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const patches = Array.from({ length: 1 + random(6) }, (): [number, number] => {
    return [random(bytes.length), random(3) === 0 ? [0, 1, 127, 128, 255][random(5)] : random(256)];
  });
  return withBytes(bytes, patches);
}

/** How often which outcome came of files. */
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

describe('a small character', () => {
  it.each(FILES)('is read as it is: %s', (_, bytes) => {
    expect(outcome(bytes)).toBe('opened');
  });

  it.each(FILES)('is refused, or is a smaller one, where it breaks off: %s', (kind, bytes) => {
    const step = kind === 'text' ? 41 : 61;
    const cut = Array.from({ length: Math.floor(bytes.length / step) }, (_, k) => outcome(bytes.subarray(0, k * step)));
    const counts = tally(cut);
    // What is still a whole text when it breaks off between two prims is one.
    expect((counts.get('opened') ?? 0) / cut.length).toBeLessThan(0.02);
  });

  it.each(FILES)('ends in a scene or an error of the format when bytes are changed: %s', (kind, bytes) => {
    const random = noise(kind.length);
    const runs = Math.max(100, lawRuns(200));
    const counts = tally(Array.from({ length: runs }, () => outcome(flipped(bytes, random))));
    expect(counts.size).toBeGreaterThan(1);
    expect(counts.get('opened')).toBeGreaterThan(0.02 * runs);
  });

  it('ends so when its numbers lie, one here and one there: binary', () => {
    const bytes = characterCrate();
    const outcomes: string[] = [];
    for (let at = 0, k = 0; at + 8 <= bytes.length; at += 20, k++) {
      outcomes.push(outcome(withNumber(bytes, at, k % 2 === 0 ? 8 : 4, LIES[k % LIES.length])));
    }
    expect(tally(outcomes).size).toBeGreaterThan(1);
  });

  it('ends so whatever any number of the head, the table and the starts of sections of a binary file is', () => {
    const bytes = characterCrate();
    const view = new DataView(bytes.buffer);
    const table = Number(view.getBigInt64(16, true));
    const places = [8, 16, 24, table];
    for (let k = 0; k < Number(view.getBigInt64(table, true)); k++) {
      const entry = table + 8 + 32 * k;
      const start = Number(view.getBigInt64(entry + 16, true));
      places.push(entry, entry + 16, entry + 24, start, start + 8, start + 16);
    }
    const outcomes = places.flatMap((at) => LIES.map((lie) => outcome(withNumber(bytes, at, 8, lie))));
    const counts = tally(outcomes);
    expect(counts.get('USD_CRATE')).toBeGreaterThan(outcomes.length / 2);
  });

  it('ends so whatever any number of the records of a package is', () => {
    const bytes = writeUsdz(['root.usda', 'a.png'].map((name) => ({ name, bytes: utf8('#usda 1.0\n') })));
    const end = bytes.length - 22;
    const list = new DataView(bytes.buffer).getUint32(end + 16, true);
    for (let at = list; at < bytes.length; at += 2) {
      for (const lie of LIES) {
        outcome(withNumber(bytes, at, 2, lie));
        if (at + 4 <= bytes.length) outcome(withNumber(bytes, at, 4, lie));
      }
    }
    expect(outcome(withNumber(bytes, end + 10, 2, 0n))).toBe('USD_PACKAGE');
  });
});

describe.skipIf(!HAS_ASSETS)('files of OpenUSD', () => {
  it('end in scenes or errors of the format when they are damaged', () => {
    const random = noise(3);
    const files = ['usda', 'usdc', 'usdz'].flatMap((type) => assetFiles('conformance/usd', type));
    const small = files.map((file) => new Uint8Array(readFileSync(file))).filter(({ length }) => length < 30_000);
    const runs = lawRuns(400);
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
/** The character with something else in the place of a part. */
function changed(from: string | RegExp, to: string): Uint8Array {
  expect(CHARACTER).toMatch(from);
  return utf8(CHARACTER.replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, () => to));
}

describe('a character that lies about itself', () => {
  it.each<[string, string | RegExp, string]>([
    ['polygons of billions of corners', '[4, 3]', `[${MOST}, ${MOST}, ${MOST}]`],
    ['polygons of less than no corners', '[4, 3]', '[-1, -2147483648, 9]'],
    ['corners of points that are not there', '[0, 1, 2, 3, 2, 1, 4]', `[0, ${MOST}, -1, -2147483648, 5, 1, 4]`],
    ['billions of influences of a point', 'elementSize = 2', `elementSize = ${MOST}`],
    ['less than no influences', 'elementSize = 2', 'elementSize = -2147483648'],
    [
      'influences of joints that are not there',
      '[0, 1, 0, 1, 0, 1, 0, 1, 0, 1]',
      `[0, ${MOST}, -1, 1, -2147483648, 1, 5, 1, 0, 1]`,
    ],
    [
      'weights that are no numbers',
      '[1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1, 1, 0]',
      '[nan, inf, -inf, 1e38, 1e38, 1e38, -1, -1, 0, 0]',
    ],
    ['blend shapes of points that are not there', 'int[] pointIndices = [2]', `int[] pointIndices = [${MOST}]`],
    [
      'blend shapes with far more offsets than points',
      'offsets = [(0, 1, 0)]',
      `offsets = [${list(5000, () => '(0, 1, 0)')}]`,
    ],
    [
      'primvars of values that are not there',
      'primvars:st:indices = [0, 1, 2, 3, 2, 1, 0]',
      `primvars:st:indices = [${MOST}, -1, 2, 3, 2, 1, 0]`,
    ],
    ['faces of subsets that are not there', 'int[] indices = [1]', `int[] indices = [${MOST}, -1, 1, 1]`],
    ['binds without an inverse', '(0, 2.5, 0, 1)', '(0, 0, 0, 0)'],
    ['points at the ends of the world', '(2, 2, 0.3)', '(1e38, -1e38, nan)'],
    ['times at the ends of all times', '3: [(0.70710677', '1e308: [(0.70710677'],
    ['no time at all', 'timeCodesPerSecond = 24', 'timeCodesPerSecond = 1e-300'],
    ['no unit', 'metersPerUnit = 0.01', 'metersPerUnit = nan'],
    [
      'more joints in an animation than a skeleton',
      'uniform token[] joints = ["Root", "Root/Tip"]\n        quatf',
      `uniform token[] joints = [${list(5000, (k) => `"j${k}"`)}]\n        quatf`,
    ],
    ['joints that are no paths', '["Root", "Root/Tip"]', '["", "/"]'],
    ['joints twice', '["Root", "Root/Tip"]', '["Root", "Root"]'],
    ['an operation ten thousand times', '["xformOp:translate"]', `[${list(10_000, () => '"xformOp:translate"')}]`],
  ])('is read with what is left of it: %s', (_, from, to) => {
    expect(outcome(changed(from, to))).toBe('opened');
  });
});

describe('a character that leads to itself', () => {
  it.each<[string, string, string]>([
    ['its skeleton is what asks for it', 'rel skel:skeleton = </Hero/Skel>', 'rel skel:skeleton = </Hero>'],
    [
      'its skeleton is told by the question',
      'rel skel:skeleton = </Hero/Skel>',
      'rel skel:skeleton = </Hero.skel:skeleton>',
    ],
    ['its skeleton is its animation', 'skel:animationSource = </Hero/Anim>', 'skel:animationSource = </Hero/Skel>'],
    ['its blend shape is the mesh', '</Hero/Body/Smile>', '</Hero/Body>'],
    ['its material is the mesh', 'rel material:binding = </Hero/Mat>', 'rel material:binding = </Hero/Body>'],
    ['its surface comes from itself', '</Hero/Mat/Surface.outputs:surface>', '</Hero/Mat.outputs:surface>'],
    [
      'its roughness comes from itself',
      'inputs:roughness = 0.4',
      'inputs:roughness.connect = </Hero/Mat/Surface.inputs:roughness>',
    ],
    ['its image is placed by itself', '</Hero/Mat/Reader.outputs:result>', '</Hero/Mat/Image.outputs:rgb>'],
    ['it inherits itself', 'inherits = </_class>', 'inherits = </Hero>'],
    ['it inherits a child', 'inherits = </_class>', 'inherits = </Hero/Body>'],
    ['a child specializes it', 'def SkelAnimation "Anim"', 'def SkelAnimation "Anim" (\nspecializes = </Hero>\n)'],
    ['a child refers to it', 'def SkelAnimation "Anim"', 'def SkelAnimation "Anim" (\nreferences = </Hero>\n)'],
    ['a variant refers to it', 'def Cube "Hat"', 'def Cube "Hat" (\npayload = </Hero>\n)'],
    ['its class inherits it', 'class "_class"', 'class "_class" (\ninherits = </Hero>\n)'],
    ['its file refers to it', 'references = </Hero>', 'references = @root@</Copy>'],
    ['its file is its own sublayer', 'upAxis = "Y"', 'subLayers = [@root@, @./root@]'],
    ['its clips are itself', '@clip.usda@', '@root@'],
    [
      'its clips start from themselves',
      'string primPath = "/Hero"',
      'string primPath = "/Played"\nasset manifestAssetPath = @root@',
    ],
  ])('is read without the circle: %s', (_, from, to) => {
    expect(outcome(changed(from, to))).toBe('opened');
  });
});

describe('texts that are nested or long without end', () => {
  const deep = (count: number, open: string, close: string): string => open.repeat(count) + close.repeat(count);
  it.each<[string, string, string]>([
    ['prims', deep(5000, 'def "a" {\n', '}\n'), 'USD_LIMIT'],
    ['dictionaries', `(\ncustomLayerData = ${deep(5000, '{\ndictionary a = ', '}\n')}\n)`, 'USD_SYNTAX'],
    ['lists', `def "a" {\nint[] x = ${deep(5000, '[', ']')}\n}`, 'USD_SYNTAX'],
    ['a name', `def "${'a'.repeat(1e6)}" {\nint ${'b'.repeat(1e6)} = 1\n}`, 'opened'],
    ['a token', `def "a" {\ntoken[] x = ["${'b'.repeat(1e6)}"]\n}`, 'opened'],
    ['a number', `def "a" {\ndouble x = ${'9'.repeat(1e6)}\nfloat y = 0.${'1'.repeat(1e6)}e-99999\n}`, 'opened'],
    ['a path of steps up', `def "a" {\nrel x = <${'../'.repeat(1e5)}b>\n}`, 'USD_SYNTAX'],
    ['a path of a file', `def "a" (\nreferences = @${'../'.repeat(1e5)}b@\n)\n{\n}`, 'opened'],
  ])('end: %s', (_, text, expected) => {
    expect(outcome(utf8(`#usda 1.0\n${text}\n`))).toBe(expected);
  });
});

describe('packages that blow up', () => {
  const root = { name: 'root.usda', bytes: utf8('#usda 1.0\ndef "A" {\n}\n') };
  const nested = (depth: number): Uint8Array => {
    let bytes = writeUsdz([root]);
    for (let k = 1; k < depth; k++) bytes = writeUsdz([{ name: `p${k}.usdz`, bytes }]);
    return bytes;
  };

  it('are read down to a depth', () => {
    expect(outcome(nested(5))).toBe('opened');
    expect(outcome(nested(40))).toMatch(/^USD_(?:LIMIT|SYNTAX|PACKAGE)$/);
  });

  it('are refused where they are compressed: ten megabytes of blanks', () => {
    expect(outcome(zipSync({ 'root.usda': utf8(`#usda 1.0\n${' '.repeat(1e7)}`) }))).toBe('USD_PACKAGE');
  });

  it('may have thousands of files', () => {
    const files = Array.from({ length: 5000 }, (_, k) => ({ name: `f/${k}.png`, bytes: Uint8Array.of(k & 255) }));
    expect(outcome(writeUsdz([root, ...files]))).toBe('opened');
  });

  it('are refused where all their files are the same bytes', () => {
    const bytes = writeUsdz(Array.from({ length: 200 }, (_, k) => ({ name: `${k}.usda`, bytes: root.bytes })));
    const end = bytes.length - 22;
    const list = new DataView(bytes.buffer).getUint32(end + 16, true);
    let lying = bytes;
    for (let at = list; at < end; at += 46 + new DataView(bytes.buffer).getUint16(at + 28, true)) {
      lying = withNumber(lying, at + 42, 4, 0n);
    }
    expect(outcome(lying)).toBe('USD_PACKAGE');
  });

  it('may refer to themselves', () => {
    const self = {
      name: 'root.usda',
      bytes: utf8('#usda 1.0\ndef "A" (\nreferences = [@root.usda@</A>, @../p.usdz@</A>]\n)\n{\n}\n'),
    };
    expect(outcome(writeUsdz([self]))).toBe('opened');
  });
});
