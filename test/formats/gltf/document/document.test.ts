import { describe, expect, it } from 'vitest';
import { createDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { glbOf } from '../../../support/make/glb.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const ASSET = '{"asset":{"version":"2.0"}}';

describe('parseGltf', () => {
  it('detects GLB and JSON from the first bytes', () => {
    expect(parseGltf(glbOf(ASSET, Uint8Array.of(1, 2, 3, 4)))).toMatchObject({
      container: 'glb',
      json: { asset: { version: '2.0' } },
      bin: Uint8Array.of(1, 2, 3, 4),
      issues: [],
    });
    expect(parseGltf(utf8(`\n ${ASSET}`))).toMatchObject({ container: 'gltf', bin: null, issues: [] });
  });

  it('accepts a byte order mark and keeps it', () => {
    const doc = parseGltf(utf8(`\ufeff${ASSET}`));
    expect(doc.source).toMatchObject({ bom: true, text: ASSET });
    doc.json['scene'] = 0;
    expect(Buffer.from(concatParts(serializeGltf(doc).parts)).toString()).toBe(
      `\ufeff${ASSET.slice(0, -1)},"scene":0}`,
    );
  });

  it('reports a JSON chunk padded with zeros', () => {
    const file = glbOf(ASSET);
    for (let i = file.length - 1; file[i] === 0x20; i--) file[i] = 0;
    const doc = parseGltf(file);
    expect(doc.issues.map(({ code, where }) => [code, where])).toEqual([['GLB_ALIGNMENT', { offset: 47 }]]);
    expect(Buffer.compare(concatParts(serializeGltf(doc).parts), file)).toBe(0);
  });

  it.each(['2.0', '2.1', '2.10'])('reads version %s', (version) => {
    expect(parseGltf(utf8(JSON.stringify({ asset: { version } }))).json).toEqual({ asset: { version } });
  });

  it.each([
    [{}, 'GLTF_VERSION', '/asset'],
    [{ asset: {} }, 'GLTF_VERSION', '/asset'],
    [{ asset: { version: '1.0' } }, 'GLTF_VERSION', '/asset/version'],
    [{ asset: { version: '3.0' } }, 'GLTF_VERSION', '/asset/version'],
    [{ asset: { version: '2' } }, 'GLTF_VERSION', '/asset/version'],
    [{ asset: { version: '2.2', minVersion: '2.2' } }, 'GLTF_VERSION', '/asset/minVersion'],
    [{ asset: { version: 2 } }, 'GLTF_SCHEMA', '/asset/version'],
    [{ asset: [] }, 'GLTF_SCHEMA', '/asset'],
  ])('throws for %j', (json, code, pointer) => {
    expect(() => parseGltf(utf8(JSON.stringify(json)))).toThrow(
      expect.objectContaining({ name: 'FormatError', code, where: { pointer } }),
    );
  });

  it.each([
    ['an empty file', '', 0],
    ['an array', '[1]', 0],
    ['another format', 'HIERARCHY', 0],
    ['truncated text', '{"é":"a', 8],
    ['damaged text', '{"é":1,}', 8],
    ['two values', `${ASSET} {}`, ASSET.length + 1],
  ])('throws for %s with the byte offset', (_, text, offset) => {
    expect(() => parseGltf(utf8(text))).toThrow(expect.objectContaining({ code: 'JSON_INVALID', where: { offset } }));
  });

  it('reports byte offsets from the start of a GLB', () => {
    expect(() => parseGltf(glbOf('{"asset" 5}'))).toThrow(
      expect.objectContaining({ code: 'JSON_INVALID', where: { offset: 20 + 9 } }),
    );
  });

  it('throws for text that is not UTF-8', () => {
    expect(() => parseGltf(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).toThrow('not valid UTF-8');
    expect(() => parseGltf(Buffer.from(ASSET, 'utf16le'))).toThrow(expect.objectContaining({ code: 'JSON_INVALID' }));
  });

  it('throws for deep nesting before parsing', () => {
    const deep = `{"asset":{"version":"2.0"},"extras":${'['.repeat(5_000_000)}`;
    expect(() => parseGltf(utf8(deep))).toThrow('deeper than 512');
  });

  it('keeps names of the prototype as plain members', () => {
    const doc = parseGltf(utf8('{"asset":{"version":"2.0"},"__proto__":{"polluted":1},"extras":{"constructor":2}}'));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.hasOwn(doc.json, '__proto__')).toBe(true);
  });
});

describe('createDocument', () => {
  it('creates a GLB with the generator', () => {
    const printed = concatParts(serializeGltf(createDocument()).parts);
    expect(parseGltf(printed).json).toEqual({ asset: { version: '2.0', generator: 'anyrig' } });
    expect(createDocument().json).not.toBe(createDocument().json);
  });
});
