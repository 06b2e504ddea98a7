import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/formats/usd/crate/byte-reader.ts';
import { createMemoryBudget } from '../../../../src/formats/usd/crate/crate-limits.ts';
import { compressInts } from '../../../../src/formats/usd/crate/integer-coding.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { readSpecs, readTableOfContents } from '../../../../src/formats/usd/crate/read-sections.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue, Layer, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { HOSTILE_USD_MS } from '../../../support/tolerances.ts';
import { layerWith, saidBy } from './layers.ts';

const CRATES = 'conformance/usd/openusd';
const SKEL = 'conformance/usd/openusd/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning';
const BLEND = 'conformance/usd/openusd/pxr/usdImaging/usdImagingGL/testenv/testUsdImagingGLSkelBlendShapes';
const VERSIONS = ['0.0.1', '0.1.0', '0.2.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0', '0.8.0', '0.9.0', '0.10.0', '0.11.0'];

function readCrate(...path: string[]): Layer {
  return parseUsdc(readFileSync(asset(...path)));
}

function readText(...path: string[]): Layer {
  return parseUsda(readFileSync(asset(...path), 'utf8'));
}

describe.skipIf(!HAS_ASSETS)('parseUsdc on files of OpenUSD', () => {
  test.each(['lbs', 'blendshapes'])('reads the same layer from all eleven versions: %s', (name) => {
    const first = readCrate(`conformance/usd/crate-versions/${name}.${VERSIONS[0]}.usdc`).specs;
    for (const version of VERSIONS.slice(1)) {
      const layer = readCrate(`conformance/usd/crate-versions/${name}.${version}.usdc`);
      expect(layer.issues).toEqual([]);
      expect(layer.specs).toEqual(first);
    }
  });

  test.each([
    ['lbs', SKEL],
    ['blendshapes', BLEND],
  ])('equals its source text: %s', (name, folder) => {
    for (const version of VERSIONS) {
      const { specs } = readCrate(`conformance/usd/crate-versions/${name}.${version}.usdc`);
      expect(specs).toEqual(readText(folder, `${name}.usda`).specs);
    }
  });

  test.each(assetFiles(CRATES, 'usdc'))('equals the text that OpenUSD writes for it: %s', (file) => {
    const printed = `openusd_${relative(asset(CRATES), file).replaceAll('/', '_')}.usda`;
    const layer = parseUsdc(readFileSync(file));
    expect(layer.issues).toEqual([]);
    expect(layer.specs).toEqual(readText('conformance/usd/text-of-crate', printed).specs);
    // Letter by letter.
    expect(serializeUsda(layer)).toBe(readFileSync(asset('conformance/usd/text-of-crate', printed), 'utf8'));
  });

  test('reads binary files with other extensions', () => {
    const read = assetFiles(CRATES, 'usd')
      .map((file) => ({ file, bytes: readFileSync(file) }))
      .filter(({ bytes }) => bytes.toString('latin1', 0, 8) === 'PXR-USDC')
      .map(({ file, bytes }) => [basename(file), parseUsdc(bytes).specs.size]);
    expect(read).toEqual([
      ['badExtension_arkit.usd', 2],
      ['crate.usd', 3],
      ['PTS_dev.1.usd', 9],
      ['Particles_Splash.101.usd', 15],
      ['topology.usd', 10],
    ]);
  });

  test('reads the single payload of versions before 0.8', () => {
    const layer = readCrate(
      CRATES,
      'pxr/usd/usd/testenv/testUsdCratePayloadConversionFromVersion07.testenv/crate07SinglePayload.usdc',
    );
    const payload = (prim: string): unknown => (layer.specs.get(prim) as Spec).fields.get('payload');
    expect(payload('/PayloadRef1')).toMatchObject({
      explicit: [{ asset: 'Payload.usda', path: '/Parent', offset: 0, scale: 1 }],
    });
    expect(payload('/PayloadRefNone')).toMatchObject({ explicit: [] });
    expect(payload('/PayloadNoOpinion')).toBeUndefined();
  });
});

/** A file with a layer of one attribute, and bytes put over some of its own. */
function patched(fields: Record<string, FieldValue>, patch: (bytes: Uint8Array, view: DataView) => void): Uint8Array {
  const bytes = serializeUsdc(layerWith(fields));
  patch(bytes, new DataView(bytes.buffer));
  return bytes;
}

/** Where 64 bits stand in a file, first to last. */
function placesOf(view: DataView, low: number, high: number): number[] {
  const places: number[] = [];
  for (let at = 88; at + 8 <= view.byteLength; at++) {
    if (view.getUint32(at, true) === low && view.getUint32(at + 4, true) === high) places.push(at);
  }
  return places;
}

const TRUE: FieldValue = { type: 'bool', isArray: false, numbers: Uint8Array.of(1) };
const BOOL_TYPE = 0x40010000;

describe('parseUsdc', () => {
  test('drops defaults and gives prims a specifier, so that the layer equals that of the text', () => {
    const implied = layerWith({
      custom: { type: 'bool', isArray: false, numbers: Uint8Array.of(0) },
      variability: { type: 'word', word: 'varying' },
      connectionChildren: { type: 'paths', paths: ['/B.y'] },
      targetChildren: { type: 'paths', paths: ['/B'] },
    });
    const rel = (word: string): Spec => ({
      type: 'relationship',
      fields: new Map([['variability', { type: 'word', word } as FieldValue]]),
    });
    implied.specs.set('/A.r', rel('uniform')).set('/A.s', rel('varying'));
    implied.specs.set('/A/B', { type: 'prim', fields: new Map() });
    const { specs } = parseUsdc(serializeUsdc(implied));
    const fields = (path: string): string[] => [...(specs.get(path)?.fields.keys() ?? [])];
    expect(['/A.x', '/A.r', '/A.s', '/A/B'].map(fields)).toEqual([[], [], ['variability'], ['specifier']]);
    expect(specs.get('/A/B')?.fields.get('specifier')).toEqual({ type: 'word', word: 'over' });
  });

  test('leaves out invalid and repeated names of children', () => {
    const layer = layerWith({});
    layer.specs.get('/A')?.fields.set('properties', { type: 'names', names: ['x', '', 'x', 'a b'] });
    const { specs, issues } = parseUsdc(serializeUsdc(layer));
    expect(specs.get('/A')?.fields.get('properties')).toEqual({ type: 'names', names: ['x'] });
    expect(issues.map(({ message }) => message)).toEqual([
      'The field properties of /A has invalid or repeated items, which were left out',
    ]);
  });

  test('reads newer versions as far as possible and reports an issue', () => {
    const bytes = patched({ custom: TRUE }, (out) => {
      out[9] = 99;
    });
    const layer = parseUsdc(bytes);
    expect(saidBy(layer)).toEqual(saidBy(layerWith({ custom: TRUE })));
    expect(layer.issues).toMatchObject([
      { code: 'USD_CRATE_UNUSUAL', message: expect.stringMatching(/version 0\.99, the newest supported/) },
    ]);
  });

  test('skips values of unsupported types and reports the field', () => {
    const entries = new Map([['inside', TRUE as never]]);
    // A dictionary's entry is the only true that is not in a compressed section.
    const bytes = patched({ d: { type: 'dictionary', entries } }, (_, view) => {
      for (const at of placesOf(view, 1, BOOL_TYPE)) view.setUint32(at + 4, 0x403b0000, true);
    });
    const { specs, issues } = parseUsdc(bytes);
    expect(specs.get('/A.x')?.fields).toEqual(new Map([['d', { type: 'dictionary', entries: new Map() }]]));
    expect(issues).toMatchObject([
      { code: 'USD_VALUE_SKIPPED', message: expect.stringMatching(/entry inside .* spline/) },
    ]);
  });

  test('sorts time samples and takes the last of equal times', () => {
    const value = (n: number): never => ({ type: 'double', isArray: false, numbers: Float64Array.of(n) }) as never;
    const samples: FieldValue = {
      type: 'timeSamples',
      times: Float64Array.of(3, 1, 3, 2),
      values: [30, 10, 31, 20].map(value),
    };
    const { specs, issues } = parseUsdc(serializeUsdc(layerWith({ timeSamples: samples })));
    expect(specs.get('/A.x')?.fields.get('timeSamples')).toEqual({
      type: 'timeSamples',
      times: Float64Array.of(1, 2, 3),
      values: [10, 20, 31].map(value),
    });
    expect(issues).toMatchObject([{ code: 'USD_CRATE_UNUSUAL', message: expect.stringMatching(/not ascending/) }]);
  });

  test('throws with a byte offset for other files and incomplete files', () => {
    const bytes = serializeUsdc(layerWith({ custom: TRUE }));
    const failure = (file: Uint8Array): unknown => {
      try {
        return parseUsdc(file);
      } catch (error) {
        return error;
      }
    };
    expect(failure(new TextEncoder().encode('#usda 1.0\n'))).toMatchObject({ code: 'USD_CRATE', where: { offset: 0 } });
    expect(failure(new Uint8Array(0))).toMatchObject({ code: 'USD_CRATE' });
    for (let size = 8; size < bytes.length; size += 7) {
      expect(failure(bytes.slice(0, size))).toMatchObject({ name: 'FormatError', code: 'USD_CRATE' });
    }
    const major = bytes.slice();
    major[8] = 1;
    expect(failure(major)).toMatchObject({ code: 'USD_CRATE', message: expect.stringMatching(/version 1\.8/) });
  });

  test('throws for a dictionary that contains itself', () => {
    const inner: never = { type: 'dictionary', entries: new Map([['b', TRUE]]) } as never;
    const bytes = patched({ d: { type: 'dictionary', entries: new Map([['a', inner]]) } }, (_, view) => {
      const [at] = [...Array(view.byteLength).keys()].filter(
        (i) => i >= 88 && i + 8 <= view.byteLength && view.getUint32(i + 4, true) === 0x001f0000,
      );
      // The outer dictionary starts with its count, a key and a step before the representation of the inner one.
      view.setUint32(at, at - 20, true);
    });
    expect(() => parseUsdc(bytes)).toThrow(/nested more than 64 levels deep/);
  });

  test('throws for dictionaries that double at every level, before memory is full', () => {
    const bytes = doubling(40);
    expect(bytes.length).toBeLessThan(4000);
    const milliseconds = cpuTimer();
    expect(() => parseUsdc(bytes)).toThrow(/far more/);
    expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  });

  test.runIf(IS_FULL_RUN)('throws for many specs that share many fields, before memory is full', () => {
    const layer = layerWith({});
    for (let k = 0; k < 4000; k++) {
      (layer.specs.get('/A.x') as Spec).fields.set(`f${k}`, TRUE);
      layer.specs.set(`/A.x${k}`, { type: 'attribute', fields: new Map() });
    }
    const bytes = allSharing(serializeUsdc(layer));
    expect(bytes.length).toBeLessThan(100_000);
    const milliseconds = cpuTimer();
    expect(() => parseUsdc(bytes)).toThrow(/far more/);
    expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  });

  test.runIf(IS_FULL_RUN)('reads scenes of very many equal prims', () => {
    const layer = layerWith({});
    const prim = (layer.specs.get('/A') as Spec).fields;
    for (let k = 0; k < 40_000; k++) {
      layer.specs.set(`/A/p${k}`, { type: 'prim', fields: prim });
      layer.specs.set(`/A/p${k}.x`, { type: 'attribute', fields: new Map([['custom', TRUE]]) });
    }
    const bytes = serializeUsdc(layer);
    expect(bytes.length).toBeLessThan(400_000);
    expect(parseUsdc(bytes).specs.size).toBe(80_003);
  });
});

/** A file with another section of specs at its end: each attribute has the fields of the first one. */
function allSharing(bytes: Uint8Array): Uint8Array {
  const source = createByteReader(bytes);
  const { version, sections } = readTableOfContents(source);
  const specs = readSpecs(
    { source, sections, minor: version.minor, budget: createMemoryBudget(bytes.length) },
    version,
  );
  const first = specs.fieldSets[specs.types.indexOf(1)];
  const fieldSets = specs.fieldSets.map((set, i) => (specs.types[i] === 1 ? first : set));
  const columns = [specs.paths, fieldSets, specs.types].map(compressInts);
  const out = new Uint8Array(bytes.length + 8 + columns.reduce((sum, { length }) => sum + 8 + length, 0));
  out.set(bytes);
  const view = new DataView(out.buffer);
  view.setUint32(bytes.length, specs.paths.length, true);
  let at = bytes.length + 8;
  for (const column of columns) {
    view.setUint32(at, column.length, true);
    out.set(column, at + 8);
    at += 8 + column.length;
  }
  // The last entry of the table of contents, which ends the file: its place, its size.
  view.setUint32(bytes.length - 16, bytes.length, true);
  view.setUint32(bytes.length - 8, out.length - bytes.length, true);
  return out;
}

/** A file with a dictionary in a dictionary and so on, each twice in the next: two entries a depth, which are 2^depth in all. */
function doubling(depth: number): Uint8Array {
  let entries = new Map<string, never>([
    ['a', TRUE as never],
    ['b', TRUE as never],
  ]);
  for (let k = 1; k < depth; k++)
    entries = new Map([
      ['a', { type: 'dictionary', entries } as never],
      ['b', TRUE as never],
    ]);
  return patched({ d: { type: 'dictionary', entries } }, (_, view) => {
    // Each dictionary: count, key, step, representation of the one inside, key, step, the true that becomes the same one again.
    for (let at = 88; at + 28 <= view.byteLength; at++) {
      const isInner = view.getUint32(at + 4, true) === 0x001f0000;
      if (isInner && view.getUint32(at + 24, true) === BOOL_TYPE) {
        view.setUint32(at + 20, view.getUint32(at, true), true);
        view.setUint32(at + 24, 0x001f0000, true);
      }
    }
  });
}
