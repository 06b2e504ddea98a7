import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseUsda, readUsdLayer, serializeUsda, serializeUsdc, writeUsdz } from '../../../src/formats/usd/index.ts';
import { detectUsdKind } from '../../../src/formats/usd/read-usd-layer.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { utf8 } from './package/usdz.ts';

const TEXT = '#usda 1.0\n(upAxis = "Y")\ndef "A" {\n double x = 0.1\n}\n';
const layer = parseUsda(TEXT);

describe('readUsdLayer', () => {
  it('detects the kind of file by content', () => {
    const binary = serializeUsdc(layer);
    const packed = writeUsdz([{ name: 'a.usd', bytes: binary }]);
    expect(
      [utf8(TEXT), utf8(`\ufeff${TEXT}`), binary, packed, utf8('solid'), new Uint8Array()].map(detectUsdKind),
    ).toEqual(['text', 'text', 'binary', 'package', null, null]);
    for (const bytes of [utf8(TEXT), utf8(`\ufeff${TEXT}`), binary, packed]) {
      expect(readUsdLayer(bytes).specs.get('/A.x')?.fields.get('default')).toEqual({
        type: 'double',
        isArray: false,
        numbers: Float64Array.of(0.1),
      });
    }
  });

  it('keeps invalid UTF-8 bytes, from text to binary and back', () => {
    const head = utf8('#usda 1.0\ndef "A" {\n string s = "a');
    const bytes = Uint8Array.of(...head, 0xff, 0xe9, ...utf8('"\n}\n'));
    const loose = readUsdLayer(bytes);
    expect(loose.specs.get('/A.s')?.fields.get('default')).toMatchObject({ texts: ['a\udcff\udce9'] });
    expect(readUsdLayer(serializeUsdc(loose)).specs).toEqual(loose.specs);
    expect(parseUsda(serializeUsda(loose)).specs).toEqual(loose.specs);
  });

  it('reads the first file of packages, also of nested packages, up to a depth', () => {
    let bytes = writeUsdz([{ name: 'a.usda', bytes: utf8(TEXT) }]);
    for (let k = 0; k < 7; k++) bytes = writeUsdz([{ name: 'a.usdz', bytes }]);
    expect(readUsdLayer(bytes).specs).toEqual(layer.specs);
    const tooDeep = writeUsdz([{ name: 'a.usdz', bytes }]);
    expect(() => readUsdLayer(tooDeep)).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
  });

  it('throws for files without a layer', () => {
    expect(() => readUsdLayer(utf8('solid'))).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' }));
    const packed = writeUsdz([{ name: 'a.usda', bytes: utf8('nothing') }]);
    expect(() => readUsdLayer(packed)).toThrow(expect.objectContaining({ code: 'USD_PACKAGE' }));
  });

  it.skipIf(!HAS_ASSETS)('reads the packages of OpenUSD', () => {
    const files = assetFiles('conformance/usd', 'usdz').filter((file) =>
      /clean|search_refs|anchored|single|simple/.test(file),
    );
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(readUsdLayer(readFileSync(file)).specs.size, file).toBeGreaterThan(0);
  });
});
