import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readUsdz } from '../../../../src/formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { utf8 } from './usdz.ts';

const LAYER = utf8('#usda 1.0\n');

describe('writeUsdz', () => {
  it('aligns every file to 64 bytes, readable by other programs', () => {
    const name = fc.stringMatching(/^[a-zé]{1,80}$/).map((text) => `t/${text}`);
    const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 200 })), {
      maxLength: 6,
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(files, (some) => {
        const entries = [{ name: 'root.usda', bytes: LAYER }, ...some.map(([key, bytes]) => ({ name: key, bytes }))];
        const bytes = writeUsdz(entries);
        const again = readUsdz(bytes);
        expect(again.issues).toEqual([]);
        expect(again.entries).toEqual(entries);
        expect(again.entries.every((entry) => entry.bytes.byteOffset % 64 === 0)).toBe(true);
        expect(unzipSync(bytes)).toEqual(Object.fromEntries(entries.map((entry) => [entry.name, entry.bytes])));
      }),
      { seed: 5, numRuns: lawRuns(200) },
    );
  });

  it('returns equal bytes for equal files', () => {
    const entries = [{ name: 'a.usdc', bytes: LAYER }];
    expect(writeUsdz(entries)).toEqual(writeUsdz(entries));
  });

  it.each<[string, string[]]>([
    ['expected the root layer', []],
    ['expected the root layer', ['a.png']],
    ['another file has the same name', ['a.usda', 'a.usda']],
    ['leads out', ['a.usda', '../b']],
    ['absolute', ['/a.usda']],
    ['ends in a slash', ['a.usda', 'b/']],
    ['65535', ['a.usda', 'x'.repeat(70000)]],
  ])('throws: %s (%j)', (message, names) => {
    const entries = names.map((name) => ({ name, bytes: LAYER }));
    expect(() => writeUsdz(entries)).toThrow(RangeError);
    expect(() => writeUsdz(entries)).toThrow(message);
  });
});
