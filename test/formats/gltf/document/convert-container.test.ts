import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { bufferBytes, loadResources } from '../../../../src/formats/gltf/document/buffers.ts';
import { toGlb, toGltf } from '../../../../src/formats/gltf/document/convert-container.ts';
import { type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts, parseGlb } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { glbOf } from '../../../support/make/glb.ts';

const TIMES = Float32Array.of(0, 1);
const FILES: Record<string, Uint8Array> = {
  'a.bin': Uint8Array.of(1, 2, 3, 4, 5, 99),
  'b.bin': Uint8Array.of(6, 7),
  'skin.png': Uint8Array.of(8),
  'bump.jpeg': Uint8Array.of(9),
};
const read = async (path: string): Promise<Uint8Array> => FILES[path]!;
const TEXT = `{
  "asset": { "version": "2.0" }, "extras": 1.0,
  "buffers": [
    { "byteLength": 5, "uri": "a.bin", "name": "A" },
    { "byteLength": 2, "uri": "b.bin" },
    { "byteLength": 1, "uri": "data:application/gltf-buffer;base64,AA" }
  ],
  "images": [{ "uri": "skin.png" }, { "uri": "bump.jpeg" }, { "uri": "skin.png", "mimeType": "image/x" }, { "uri": "https://a/b.png" }]
}`;

const gltf = (text: string): GltfDocument => parseGltf(new TextEncoder().encode(text));
const textOf = (parts: readonly Uint8Array[]): string => Buffer.from(concatParts(parts)).toString();

async function loaded(text = TEXT): Promise<GltfDocument> {
  const doc = gltf(text);
  await loadResources(doc, read, { images: true });
  return doc;
}

describe('toGlb', () => {
  it('converts buffer 0 to the BIN chunk and embeds the other files', async () => {
    const doc = await loaded();
    toGlb(doc);
    const glb = parseGlb(concatParts(serializeGltf(doc).parts));
    expect([...glb.bin!]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
    const text = Buffer.from(glb.json).toString();
    expect(text.startsWith('{\n  "asset": { "version": "2.0" }, "extras": 1.0,')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      asset: { version: '2.0' },
      extras: 1,
      buffers: [
        { byteLength: 5, name: 'A' },
        { byteLength: 2, uri: 'data:application/octet-stream;base64,Bgc=' },
        { byteLength: 1, uri: 'data:application/gltf-buffer;base64,AA' },
      ],
      images: [
        { uri: 'data:image/png;base64,CA==' },
        { uri: 'data:image/jpeg;base64,CQ==' },
        { uri: 'data:image/x;base64,CA==', mimeType: 'image/x' },
        { uri: 'https://a/b.png' },
      ],
    });
  });

  it.each(['before', 'after'])('moves data that was appended %s the call into the BIN chunk', async (when) => {
    const doc = await loaded();
    if (when === 'after') toGlb(doc);
    const index = appendAccessor(doc, TIMES, { type: 'SCALAR' });
    appendAccessor(doc, Float32Array.of(3, 4, 5), { type: 'VEC3' });
    toGlb(doc);
    const again = parseGltf(concatParts(serializeGltf(doc).parts));
    expect(again.json['buffers']).toMatchObject([{ byteLength: 28 }, {}, {}]);
    expect(again.json['buffers']).toHaveLength(3);
    for (const opened of [doc, again]) {
      expect([...bufferBytes(opened, 0).subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
      expect(readFloats(opened, index)).toEqual(TIMES);
      expect([...readFloats(opened, index + 1)]).toEqual([3, 4, 5]);
    }
  });

  it('converts a .gltf that has only appended data', () => {
    const doc = gltf('{"asset":{"version":"2.0"}}');
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    toGlb(doc);
    const again = parseGltf(concatParts(serializeGltf(doc).parts));
    expect(again.json['buffers']).toEqual([{ byteLength: 8 }]);
    expect(readFloats(again, 0)).toEqual(TIMES);
  });

  it('changes nothing if a file is missing or too short', async () => {
    const doc = gltf(TEXT);
    await loadResources(doc, read);
    expect(() => toGlb(doc)).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: expect.objectContaining({ pointer: '/images/0/uri' }) }),
    );
    expect(textOf(serializeGltf(doc).parts)).toBe(TEXT);

    const short = await loaded(TEXT.replace('"byteLength": 5', '"byteLength": 7'));
    expect(() => toGlb(short)).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: { pointer: '/buffers/0' } }),
    );
    expect(short.container).toBe('gltf');
  });

  it('refuses a buffer 0 without data, which would be the BIN chunk', () => {
    const doc = gltf('{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}');
    expect(() => toGlb(doc)).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: { pointer: '/buffers/0' } }),
    );
    expect(doc.container).toBe('gltf');
  });
});

describe('toGltf', () => {
  const file = glbOf('{"asset":{"version":"2.0"},"extras":1.0,"buffers":[{"byteLength":3}]}', Uint8Array.of(1, 2, 3));

  it('converts the BIN chunk to a file and keeps other text', () => {
    const doc = parseGltf(file);
    toGltf(doc, 'my data.bin');
    const { parts, resources } = serializeGltf(doc);
    expect(textOf(parts).trimEnd()).toBe(
      '{"asset":{"version":"2.0"},"extras":1.0,"buffers":[{"byteLength":3,"uri":"my%20data.bin"}]}',
    );
    expect(resources.map(({ path, parts: pieces }) => [path, [...concatParts(pieces)]])).toEqual([
      ['my data.bin', [1, 2, 3, 0]],
    ]);
  });

  it.each(['before', 'after'])('writes data that was appended %s the call to the same file', (when) => {
    const doc = parseGltf(file);
    if (when === 'after') toGltf(doc, 'x.bin');
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    toGltf(doc, 'x.bin');
    const { parts, resources } = serializeGltf(doc, { binName: 'unused.bin' });
    const again = parseGltf(concatParts(parts));
    again.resources.set('x.bin', concatParts(resources[0]!.parts));
    expect(resources).toHaveLength(1);
    expect(readFloats(again, 0)).toEqual(TIMES);
    expect([...bufferBytes(again, 0).subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  });

  it('round-trips to the same GLB', () => {
    const doc = parseGltf(file);
    toGltf(doc, 'x.bin');
    toGlb(doc);
    expect(Buffer.compare(concatParts(serializeGltf(doc).parts), file)).toBe(0);
  });

  it('numbers the file if its name is taken, and reports dropped chunks', () => {
    const doc = parseGltf(
      glbOf(
        { asset: { version: '2.0' }, buffers: [{ byteLength: 1 }, { byteLength: 1, uri: 'x.bin' }] },
        Uint8Array.of(1),
        [['ABCD', new Uint8Array(4)]],
      ),
    );
    toGltf(doc, 'x.bin');
    expect(serializeGltf(doc).resources.map(({ path }) => path)).toEqual(['x-2.bin']);
    expect(doc.issues.map(({ code }) => code)).toEqual(['GLB_CHUNKS_DROPPED']);
  });

  it('writes no file without a BIN chunk', () => {
    const doc = parseGltf(glbOf({ asset: { version: '2.0' } }));
    toGltf(doc, 'x.bin');
    expect(serializeGltf(doc)).toMatchObject({ resources: [] });
    expect(textOf(serializeGltf(doc).parts).trimEnd()).toBe('{"asset":{"version":"2.0"}}');
  });
});
