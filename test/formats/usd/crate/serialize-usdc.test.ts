import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
// @ts-expect-error: it has no types
import { USDCParser } from 'three/examples/jsm/loaders/usd/USDCParser.js';
import { describe, expect, test, vi } from 'vitest';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { isUsdc } from '../../../../src/formats/usd/crate/read-sections.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue, Layer } from '../../../../src/formats/usd/layer/layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { ASSETS, asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { layerWith, saidBy } from './layers.ts';

const FILES = [...assetFiles('conformance/usd', 'usda', 'sdf', 'usdc', 'usd'), ...assetFiles('assets/usd', 'usda')];

/** The layer of a file, text or binary; null for files that are neither. */
function layerOf(file: string): Layer | null {
  const bytes = readFileSync(file);
  try {
    return isUsdc(bytes) ? parseUsdc(bytes) : parseUsda(bytes.toString('utf8'));
  } catch {
    // Some are made to be refused.
    return null;
  }
}

describe.skipIf(!HAS_ASSETS)('layers of real files', () => {
  test('round-trip in the same order', () => {
    let count = 0;
    const files = sampledCases(FILES);
    for (const file of files) {
      const layer = layerOf(file);
      if (layer === null) continue;
      const again = parseUsdc(serializeUsdc(layer));
      expect(again.issues).toEqual([]);
      // `toEqual` takes much longer for large values.
      expect(isDeepStrictEqual(saidBy(again), saidBy(layer)), relative(ASSETS, file)).toBe(true);
      count++;
    }
    expect(count).toBeGreaterThan(0.6 * files.length);
  });

  test('have about the file size of OpenUSD', () => {
    for (const name of ['lbs', 'blendshapes']) {
      const bytes = readFileSync(asset(`conformance/usd/crate-versions/${name}.0.8.0.usdc`));
      expect(serializeUsdc(parseUsdc(bytes)).length).toBeLessThan(1.02 * bytes.length);
    }
  });

  test('give three.js the same specs, fields and values as files of OpenUSD', () => {
    // It says of each list edit and payload that it does not read it.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (const file of assetFiles('conformance/usd', 'usdc')) {
      const bytes = new Uint8Array(readFileSync(file));
      // Older versions it takes for newer ones.
      if (bytes[9] < OLDEST_OF_THREE) continue;
      const ours = serializeUsdc(parseUsdc(bytes));
      expect(readByThree(ours), file).toEqual(readByThree(bytes));
    }
    warn.mockRestore();
  });
});

const OLDEST_OF_THREE = 7;

interface ThreeSpec {
  readonly specType: number;
  readonly fields: Record<string, unknown>;
}

/** The fields of a spec without those that say what is so anyway: our layers leave them out where texts do. */
function withoutImplied({ specType, fields }: ThreeSpec): ThreeSpec {
  // OpenUSD takes a missing variability for varying, 0.
  const { custom, variability = 0, specifier, connectionChildren: _, targetChildren: __, ...rest } = fields;
  const isRelationship = specType === 8;
  return {
    specType,
    fields: {
      ...rest,
      ...(custom === true ? { custom } : {}),
      // The words by their numbers: 0 is varying, 1 uniform; 1 is over.
      ...(variability === (isRelationship ? 1 : 0) ? {} : { variability }),
      ...(specifier === undefined || specifier === 1 ? {} : { specifier }),
    },
  };
}

/** What three.js reads from a file, by path. */
function readByThree(bytes: Uint8Array): Record<string, ThreeSpec> {
  const specs: Record<string, ThreeSpec> = new USDCParser().parseData(bytes.slice().buffer).specsByPath;
  return Object.fromEntries(Object.entries(specs).map(([path, spec]) => [path, withoutImplied(spec)]));
}

function version(layer: Layer): number[] {
  return [...serializeUsdc(layer).subarray(8, 11)];
}

describe('serializeUsdc', () => {
  test('writes version 0.8.0, or the first that supports the contents', () => {
    const numbers = Float64Array.of(1);
    const timecode: FieldValue = { type: 'timecode', isArray: false, numbers };
    expect(version(layerWith({ default: { type: 'double', isArray: false, numbers } }))).toEqual([0, 8, 0]);
    expect(version(layerWith({ default: timecode }))).toEqual([0, 9, 0]);
    expect(version(layerWith({ default: { type: 'dictionary', entries: new Map([['t', timecode]]) } }))).toEqual([
      0, 9, 0,
    ]);
    expect(version(layerWith({ default: { type: 'pathExpression', isArray: false, texts: ['//A'] } }))).toEqual([
      0, 10, 0,
    ]);
    expect(
      version(layerWith({ layerRelocates: { type: 'relocates', pairs: [['/A', '/B']] }, default: timecode })),
    ).toEqual([0, 11, 0]);
  });

  test('writes equal layers as equal bytes', () => {
    const layer = layerWith({ default: { type: 'token', isArray: true, texts: ['a', 'b'] } });
    expect(serializeUsdc(layer)).toEqual(serializeUsdc(layer));
  });

  test('gives no property the token index 0, which has no sign', () => {
    // The first name that is used is that of a property.
    const layer: Layer = {
      specs: new Map([
        ['/', { type: 'pseudoRoot', fields: new Map() }],
        ['/A.x', { type: 'attribute', fields: new Map() }],
      ]),
      issues: [],
    };
    expect([...parseUsdc(serializeUsdc(layer)).specs.keys()]).toEqual(['/', '/A.x']);
    expect(readByThree(serializeUsdc(layer))['/A.x'].specType).toBe(1);
  });

  test('throws for layers without a pseudo-root', () => {
    expect(() => serializeUsdc({ specs: new Map(), issues: [] })).toThrow(/no spec of the pseudo-root/);
  });

  test('writes layers of very many prims', () => {
    const names = Array.from({ length: 30_000 }, (_, i) => `p${i}`);
    const layer = layerWith({});
    for (const name of names) {
      layer.specs.set(`/A/${name}`, { type: 'prim', fields: new Map([['specifier', { type: 'word', word: 'def' }]]) });
    }
    const bytes = serializeUsdc(layer);
    expect(bytes.length).toBeLessThan(160_000);
    expect(saidBy(parseUsdc(bytes))).toEqual(saidBy(layer));
  });
});
