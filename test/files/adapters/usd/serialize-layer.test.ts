import { describe, expect, it } from 'vitest';
import { serializeLayer } from '../../../../src/files/adapters/usd/serialize-layer.ts';
import type { OutputFile } from '../../../../src/files/outputs/output-file.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { readUsdz } from '../../../../src/formats/usd/package/read-usdz.ts';
import { detectUsdKind, readUsdLayer } from '../../../../src/formats/usd/read-usd-layer.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

const LAYER = parseUsda('#usda 1.0\ndef "Hero" {\n  int age = 7\n}\n');
const IMAGE = { name: 'textures/skin.png', bytes: Uint8Array.of(1, 2, 3) };

/** Returns the paths of files, the kind of the last one, and whether it is the layer. */
function made(files: readonly OutputFile[]): unknown[] {
  const last = concatParts(files[files.length - 1].parts);
  return [files.map(({ path }) => path), detectUsdKind(last), readUsdLayer(last).specs.has('/Hero.age')];
}

describe('serializeLayer', () => {
  it.each([
    ['usda', 'text'],
    ['usdc', 'binary'],
    ['usd', 'binary'],
  ] as const)('writes a .%s as %s, after its dependencies', (format, kind) => {
    const path = `out/hero.${format}`;
    const files = serializeLayer(LAYER, [IMAGE], { path, format });
    expect(made(files)).toEqual([['out/textures/skin.png', path], kind, true]);
    expect(files[0].parts).toEqual([IMAGE.bytes]);
  });

  it('writes a package with the layer first, named after the package', () => {
    const files = serializeLayer(LAYER, [IMAGE], { path: 'out/hero.v2.usdz', format: 'usdz' });
    expect(made(files).slice(0, 2)).toEqual([['out/hero.v2.usdz'], 'package']);
    const { entries } = readUsdz(concatParts(files[0].parts));
    expect(entries.map(({ name }) => name)).toEqual(['hero.v2.usdc', 'textures/skin.png']);
    expect(detectUsdKind(entries[0].bytes)).toBe('binary');
  });

  it('writes the layer of a package with another path and kind on request', () => {
    const destination = { path: 'hero.usdz', format: 'usdz' } as const;
    const [{ parts }] = serializeLayer(LAYER, [IMAGE], destination, { name: 'a/shot.usda', kind: 'usda' });
    const { entries } = readUsdz(concatParts(parts));
    expect(entries.map(({ name }) => name)).toEqual(['a/shot.usda', 'textures/skin.png']);
    expect(detectUsdKind(entries[0].bytes)).toBe('text');
  });
});
