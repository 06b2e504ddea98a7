import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compress } from '../../../../src/formats/usd/crate/fast-compression.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { MAGIC } from '../../../../src/formats/usd/crate/read-sections.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { HOSTILE_USD_MS } from '../../../support/tolerances.ts';
import { layerWith } from './layers.ts';

/** Seeded noise: a linear congruential generator. */
function noise(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A damaged copy: cut off, with some bytes changed, or with some at the ends of their range. */
function damaged(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  if (random(4) === 0) return bytes.slice(0, random(bytes.length));
  const out = bytes.slice();
  const isExtreme = random(3) === 0;
  // Sections and their table are at the end.
  const reach = random(2) === 0 ? out.length - MAGIC.length : Math.min(1500, out.length - MAGIC.length);
  for (let k = random(8); k >= 0; k--) {
    out[out.length - 1 - random(reach)] = isExtreme ? [0, 1, 127, 128, 255][random(5)] : random(256);
  }
  return out;
}

/** Parses a file. Returns `read` or the code of the FormatError; fails for any other error and if parsing is slow. */
function outcome(bytes: Uint8Array): string {
  const milliseconds = cpuTimer();
  let code = 'read';
  try {
    parseUsdc(bytes);
  } catch (error) {
    expect(error).toMatchObject({ name: 'FormatError' });
    ({ code } = error as { code: string });
  }
  expect(milliseconds()).toBeLessThan(HOSTILE_USD_MS);
  return code;
}

/** A file with most kinds of values. */
function sample(): Uint8Array {
  const numbers = Float32Array.from({ length: 90 }, (_, i) => i / 7);
  const samples: FieldValue = {
    type: 'timeSamples',
    times: Float64Array.of(1, 2, 3),
    values: [{ type: 'float3', isArray: true, numbers }, { type: 'block' }, { type: 'half3', isArray: true, numbers }],
  };
  const entries = new Map([
    ['text', { type: 'string', isArray: false, texts: ['some text'] } as const],
    ['inner', { type: 'dictionary', entries: new Map() } as const],
  ]);
  const lists = { added: [], prepended: ['/A/B'], appended: ['/A/C'], deleted: [], ordered: [] };
  return serializeUsdc(
    layerWith({
      timeSamples: samples,
      ints: { type: 'int', isArray: true, numbers: Int32Array.from({ length: 500 }, (_, i) => i * i) },
      table: { type: 'float', isArray: true, numbers: Float32Array.from({ length: 500 }, (_, i) => (i % 5) / 3) },
      customData: { type: 'dictionary', entries },
      targetPaths: { type: 'listOp', of: 'path', explicit: null, ...lists },
      references: {
        type: 'listOp',
        of: 'reference',
        explicit: [{ asset: 'a.usd', path: '', offset: 1, scale: 2, customData: entries }],
        added: [],
        prepended: [],
        appended: [],
        deleted: [],
        ordered: [],
      },
      variantSelection: { type: 'variantSelections', selections: new Map([['look', 'red']]) },
      texts: { type: 'token', isArray: true, texts: ['a', 'b', 'c'] },
    }),
  );
}

describe('parseUsdc on damaged files', () => {
  test('returns a layer or throws a FormatError within a second: files written by anyrig', () => {
    const random = noise(11);
    const bytes = sample();
    expect(outcome(bytes)).toBe('read');
    const outcomes = Array.from({ length: lawRuns(1000) }, () => outcome(damaged(bytes, random)));
    expect(new Set(outcomes)).toContain('USD_CRATE');
    // Many bytes are plain numbers, where any value is valid.
    expect(outcomes.filter((code) => code === 'read').length).toBeGreaterThan(0.1 * outcomes.length);
  });

  test.skipIf(!HAS_ASSETS)(
    'returns a layer or throws a FormatError within a second: files of OpenUSD, of all versions',
    () => {
      const random = noise(12);
      const files = [
        ...assetFiles('conformance/usd/crate-versions', 'usdc'),
        ...assetFiles('conformance/usd/openusd', 'usdc'),
      ];
      const all = files.map((file) => new Uint8Array(readFileSync(file)));
      const outcomes = Array.from({ length: lawRuns(1000) }, (_, i) => outcome(damaged(all[i % all.length], random)));
      expect(new Set(outcomes)).toContain('USD_CRATE');
    },
  );

  test('allocates no memory for counts of billions of items', () => {
    const bytes = sample();
    const view = new DataView(bytes.buffer);
    const table = Number(view.getBigInt64(16, true));
    for (let k = 0; k < 6; k++) {
      const start = Number(view.getBigInt64(table + 8 + 32 * k + 16, true));
      for (const count of [2n ** 32n, 2n ** 53n, 2n ** 64n - 1n]) {
        const lying = bytes.slice();
        new DataView(lying.buffer).setBigUint64(start, count, true);
        expect(outcome(lying)).toMatch(/^USD_(?:CRATE|LIMIT)$/);
      }
    }
  });

  test('throws for 300 kB of integers that decompress to 1.2 GB', () => {
    // The common step and a code for each: all zeros. LZ4 makes 255 bytes of one, and each of these is four integers of four bytes.
    const coded = compress(new Uint8Array(4 + 75_000_000));
    const ints = { type: 'int', isArray: true, numbers: Int32Array.from({ length: 20 }, (_, i) => i * i) } as const;
    const bytes = serializeUsdc(layerWith({ d: { type: 'dictionary', entries: new Map([['ints', ints]]) } }));
    const grown = new Uint8Array(bytes.length + 16 + coded.length);
    grown.set(bytes);
    grown.set(coded, bytes.length + 16);
    const view = new DataView(grown.buffer);
    view.setUint32(bytes.length, 300_000_000, true);
    view.setUint32(bytes.length + 8, coded.length, true);
    let patches = 0;
    for (let at = 88; at < bytes.length - 8; at++) {
      // Array, compressed, int.
      if (view.getUint32(at + 4, true) !== 0xa0030000) continue;
      view.setUint32(at, bytes.length, true);
      patches++;
    }
    expect(patches).toBe(1);
    expect(grown.length).toBeLessThan(300_000);
    expect(outcome(grown)).toBe('USD_LIMIT');
  });
});
