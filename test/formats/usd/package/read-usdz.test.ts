import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { readUsdz } from '../../../../src/formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { patched, placesOf, smallPackage, utf8 } from './usdz.ts';

const refusal = (bytes: Uint8Array): string => {
  try {
    readUsdz(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.code).toBe('USD_PACKAGE');
    return error.message;
  }
  return '';
};

describe('readUsdz', () => {
  it('returns the files as views, in the order of the package', () => {
    const bytes = smallPackage();
    const { entries, issues } = readUsdz(bytes);
    expect(issues).toEqual([]);
    expect(entries.map(({ name }) => name)).toEqual(['root.usda', 'tex/a.png']);
    expect(entries[1].bytes).toEqual(Uint8Array.of(1, 2, 3));
    expect(entries.every((entry) => entry.bytes.buffer === bytes.buffer)).toBe(true);
  });

  it('reads packages at any offset of a buffer, and with a comment', () => {
    const bytes = smallPackage();
    const room = new Uint8Array(bytes.length + 103);
    room.set(bytes, 100);
    const inner = room.subarray(100);
    new DataView(room.buffer).setUint16(100 + bytes.length - 2, 3, true);
    expect(readUsdz(inner).issues).toEqual([]);
    expect(readUsdz(inner).entries[1].bytes).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('reads misaligned files of other programs with an issue', () => {
    const { entries, issues } = readUsdz(
      zipSync({ 'a.usda': [utf8('#usda 1.0\n'), { level: 0 }], 'dir/': new Uint8Array() }, { level: 0 }),
    );
    expect(entries.map(({ name }) => name)).toEqual(['a.usda']);
    expect(issues).toMatchObject([{ code: 'USD_PACKAGE_UNUSUAL', message: expect.stringContaining('multiple of 64') }]);
  });

  it('throws for compressed files and suggests a fix', () => {
    expect(refusal(zipSync({ 'a.usda': utf8('#usda 1.0\n'.repeat(100)) }))).toContain(
      'zip it again without compression',
    );
  });

  it('reports damaged files by their checksum', () => {
    const bytes = smallPackage();
    const at = readUsdz(bytes).entries[1].bytes.byteOffset;
    bytes[at] ^= 1;
    expect(readUsdz(bytes).issues).toMatchObject([
      { code: 'USD_PACKAGE_UNUSUAL', message: expect.stringContaining('tex/a.png') },
    ]);
  });

  it('throws for packages that contradict themselves', () => {
    const bytes = smallPackage();
    const { list, end } = placesOf(bytes);
    const second = list + 46 + 'root.usda'.length;
    const lies: [string, Uint8Array][] = [
      ['reaches out of the package', patched(bytes, [[end + 16, 32, 0x7fffffff]])],
      ['reaches out of the package', patched(bytes, [[end + 12, 32, 0x7fffffff]])],
      ['ends after 2 of 9', patched(bytes, [[end + 10, 16, 9]])],
      ['ZIP64', patched(bytes, [[end + 10, 16, 0xffff]])],
      ['reaches beyond the central directory', patched(bytes, [[list + 28, 16, 0xffff]])],
      [
        'reaches out of the package',
        patched(bytes, [
          [list + 20, 32, 1e9],
          [list + 24, 32, 1e9],
        ]),
      ],
      ['compressed', patched(bytes, [[list + 24, 32, 1e9]])],
      ['compressed in its own header', patched(bytes, [[8, 16, 8]])],
      ['no file starts there', patched(bytes, [[second + 42, 32, 5]])],
      ['no file starts there', patched(bytes, [[second + 42, 32, 0xfffffff0]])],
      ['overlap', patched(bytes, [[second + 42, 32, 0]])],
      ['encrypted', patched(bytes, [[list + 8, 16, 1]])],
      ['no end record', bytes.subarray(0, end)],
      ['no end record', new Uint8Array()],
    ];
    for (const [message, lie] of lies) expect(refusal(lie)).toContain(message);
  });

  it.each(['../a.usda', '/abs.usda', 'C:/a.usd', 'a/../../b', 'a\\b.usd', ''])(
    'throws for the invalid file name %j',
    (name) => {
      const bytes = zipSync({ [name]: [utf8('#usda 1.0\n'), { level: 0 }] }, { level: 0 });
      expect(refusal(bytes)).toContain('invalid name');
    },
  );

  it('throws for two files with the same name', () => {
    const bytes = writeUsdz([
      { name: 'a.usda', bytes: utf8('#usda 1.0\n') },
      { name: 'b.usda', bytes: utf8('#usda 1.0\n') },
    ]);
    const { list } = placesOf(bytes);
    bytes[list + 46 + 'a.usda'.length + 46] = 'a'.charCodeAt(0);
    expect(refusal(bytes)).toContain('two files with the name a.usda');
  });

  it('throws only FormatErrors for damaged packages', () => {
    const bytes = smallPackage();
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const copy = bytes.slice();
        copy[at] = value;
        refusal(copy);
      }
      refusal(bytes.subarray(0, at));
    }
  });
});

describe.skipIf(!HAS_ASSETS)('readUsdz on packages of OpenUSD', () => {
  const files = [...assetFiles('conformance/usd', 'usdz'), ...assetFiles('assets', 'usdz')];

  it.each(files.filter((file) => !file.endsWith('badUsdz.usdz')))('reads %s without issues', (file) => {
    const { entries, issues } = readUsdz(readFileSync(file));
    expect(entries.length).toBeGreaterThan(0);
    expect(issues).toEqual([]);
  });

  it.each(files.filter((file) => file.endsWith('badUsdz.usdz')))('throws for %s', (file) => {
    expect(refusal(readFileSync(file))).toContain('compressed');
  });
});
