import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../src/formats/gltf/accessor.ts';
import { appendAccessor } from '../../../src/formats/gltf/append.ts';
import { bufferBytes, loadResources } from '../../../src/formats/gltf/buffers.ts';
import { toGlb, toGltf } from '../../../src/formats/gltf/container.ts';
import { type GltfDocument, parseGltf } from '../../../src/formats/gltf/document.ts';
import { concatParts, parseGlb } from '../../../src/formats/gltf/glb.ts';
import { printGltf } from '../../../src/formats/gltf/print.ts';
import { glbOf } from '../../make/glb.ts';

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
  it('takes buffer 0 as BIN chunk and embeds the other files', async () => {
    const doc = await loaded();
    toGlb(doc);
    const glb = parseGlb(concatParts(printGltf(doc).parts));
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

  it.each(['before', 'after'])('puts data that was appended %s it into the BIN chunk', async (when) => {
    const doc = await loaded();
    if (when === 'after') toGlb(doc);
    const index = appendAccessor(doc, TIMES, { type: 'SCALAR' });
    appendAccessor(doc, Float32Array.of(3, 4, 5), { type: 'VEC3' });
    toGlb(doc);
    const again = parseGltf(concatParts(printGltf(doc).parts));
    expect(again.json['buffers']).toMatchObject([{ byteLength: 28 }, {}, {}]);
    expect(again.json['buffers']).toHaveLength(3);
    for (const opened of [doc, again]) {
      expect([...bufferBytes(opened, 0).subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
      expect(readFloats(opened, index)).toEqual(TIMES);
      expect([...readFloats(opened, index + 1)]).toEqual([3, 4, 5]);
    }
  });

  it('makes a GLB of a .gltf that has only appended data', () => {
    const doc = gltf('{"asset":{"version":"2.0"}}');
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    toGlb(doc);
    const again = parseGltf(concatParts(printGltf(doc).parts));
    expect(again.json['buffers']).toEqual([{ byteLength: 8 }]);
    expect(readFloats(again, 0)).toEqual(TIMES);
  });

  it('changes nothing when a file is missing or too short', async () => {
    const doc = gltf(TEXT);
    await loadResources(doc, read);
    expect(() => toGlb(doc)).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: expect.objectContaining({ pointer: '/images/0/uri' }) }),
    );
    expect(textOf(printGltf(doc).parts)).toBe(TEXT);

    const short = await loaded(TEXT.replace('"byteLength": 5', '"byteLength": 7'));
    expect(() => toGlb(short)).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: { pointer: '/buffers/0' } }),
    );
    expect(short.container).toBe('gltf');
  });
});

describe('toGltf', () => {
  const file = glbOf('{"asset":{"version":"2.0"},"extras":1.0,"buffers":[{"byteLength":3}]}', Uint8Array.of(1, 2, 3));

  it('makes the BIN chunk a file and leaves other text alone', () => {
    const doc = parseGltf(file);
    toGltf(doc, 'my data.bin');
    const { parts, resources } = printGltf(doc);
    expect(textOf(parts).trimEnd()).toBe(
      '{"asset":{"version":"2.0"},"extras":1.0,"buffers":[{"byteLength":3,"uri":"my%20data.bin"}]}',
    );
    expect(resources.map(({ path, parts: pieces }) => [path, [...concatParts(pieces)]])).toEqual([
      ['my data.bin', [1, 2, 3, 0]],
    ]);
  });

  it.each(['before', 'after'])('keeps data that was appended %s it in the same file', (when) => {
    const doc = parseGltf(file);
    if (when === 'after') toGltf(doc, 'x.bin');
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    toGltf(doc, 'x.bin');
    const { parts, resources } = printGltf(doc, { binName: 'unused.bin' });
    const again = parseGltf(concatParts(parts));
    again.resources.set('x.bin', concatParts(resources[0]!.parts));
    expect(resources).toHaveLength(1);
    expect(readFloats(again, 0)).toEqual(TIMES);
    expect([...bufferBytes(again, 0).subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  });

  it('goes back to the same GLB', () => {
    const doc = parseGltf(file);
    toGltf(doc, 'x.bin');
    toGlb(doc);
    expect(Buffer.compare(concatParts(printGltf(doc).parts), file)).toBe(0);
  });

  it('numbers the file when its name is taken, and reports chunks that are left behind', () => {
    const doc = parseGltf(
      glbOf(
        { asset: { version: '2.0' }, buffers: [{ byteLength: 1 }, { byteLength: 1, uri: 'x.bin' }] },
        Uint8Array.of(1),
        [['ABCD', new Uint8Array(4)]],
      ),
    );
    toGltf(doc, 'x.bin');
    expect(printGltf(doc).resources.map(({ path }) => path)).toEqual(['x-2.bin']);
    expect(doc.issues.map(({ code }) => code)).toEqual(['GLB_CHUNKS_DROPPED']);
  });

  it('needs no file without a BIN chunk', () => {
    const doc = parseGltf(glbOf({ asset: { version: '2.0' } }));
    toGltf(doc, 'x.bin');
    expect(printGltf(doc)).toMatchObject({ resources: [] });
    expect(textOf(printGltf(doc).parts).trimEnd()).toBe('{"asset":{"version":"2.0"}}');
  });
});
