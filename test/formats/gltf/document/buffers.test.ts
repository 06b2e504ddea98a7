import { describe, expect, it } from 'vitest';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { bufferBytes, listResources, loadResources, viewBytes } from '../../../../src/formats/gltf/document/buffers.ts';
import { type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { documentOf, glbOf } from '../../../support/make/glb.ts';

function gltf(json: Record<string, unknown>): GltfDocument {
  return parseGltf(new TextEncoder().encode(JSON.stringify({ asset: { version: '2.0' }, ...json })));
}

const failure = (code: string, pointer: string): unknown =>
  expect.objectContaining({ name: 'FormatError', code, where: expect.objectContaining({ pointer }) });

describe('bufferBytes', () => {
  it('returns the BIN chunk, data URIs and loaded files', async () => {
    const doc = parseGltf(
      glbOf(
        {
          asset: { version: '2.0' },
          buffers: [
            { byteLength: 3 },
            { byteLength: 3, uri: 'data:application/octet-stream;base64,BAUG' },
            { byteLength: 2, uri: 'my%20data.bin' },
          ],
        },
        Uint8Array.of(1, 2, 3),
      ),
    );
    expect([...bufferBytes(doc, 0)]).toEqual([1, 2, 3, 0]);
    expect([...bufferBytes(doc, 1)]).toEqual([4, 5, 6]);
    expect(bufferBytes(doc, 1)).toBe(bufferBytes(doc, 1));
    expect(() => bufferBytes(doc, 2)).toThrow(failure('GLTF_BUFFER', '/buffers/2/uri'));
    await loadResources(doc, async (path) => new TextEncoder().encode(path));
    expect(new TextDecoder().decode(bufferBytes(doc, 2))).toBe('my data.bin');
  });

  it('throws for buffers without data', () => {
    const buffers = [{ byteLength: 4 }, { byteLength: 4 }];
    expect(() => bufferBytes(documentOf({ buffers }), 0)).toThrow(failure('GLTF_BUFFER', '/buffers/0'));
    expect(() => bufferBytes(documentOf({ buffers }, new Uint8Array(4)), 1)).toThrow(
      failure('GLTF_BUFFER', '/buffers/1'),
    );
    expect(() => bufferBytes(documentOf({}), 0)).toThrow(failure('GLTF_REFERENCE', '/buffers/0'));
    expect(() => bufferBytes(documentOf({ buffers: [{ uri: 5 }] }), 0)).toThrow(
      failure('GLTF_SCHEMA', '/buffers/0/uri'),
    );
  });

  it('includes appended data', () => {
    const doc = documentOf({}, Uint8Array.of(1, 2, 3));
    appendAccessor(doc, Uint8Array.of(7), { type: 'SCALAR' });
    expect([...bufferBytes(doc, 0)]).toEqual([1, 2, 3, 0, 7, 0, 0, 0]);
    appendAccessor(doc, Uint8Array.of(8), { type: 'SCALAR' });
    expect([...bufferBytes(doc, 0)]).toEqual([1, 2, 3, 0, 7, 0, 0, 0, 8, 0, 0, 0]);
  });
});

describe('viewBytes', () => {
  it('returns views into original and appended data', () => {
    const doc = documentOf({ bufferViews: [{ buffer: 0, byteOffset: 1, byteLength: 2 }] }, Uint8Array.of(1, 2, 3));
    appendAccessor(doc, Uint8Array.of(7, 8, 9, 10, 11), { type: 'SCALAR' });
    expect([...viewBytes(doc, 0)]).toEqual([2, 3]);
    expect([...viewBytes(doc, 1)]).toEqual([7, 8, 9, 10, 11, 0, 0, 0]);
    (doc.json['bufferViews'] as unknown[]).push({ buffer: 0, byteOffset: 2, byteLength: 4 });
    expect([...viewBytes(doc, 2)]).toEqual([3, 0, 7, 8]);
  });

  it('throws for views past the byteLength of the buffer, even if the chunk is longer', () => {
    const doc = documentOf({ bufferViews: [{ buffer: 0, byteLength: 4 }] }, Uint8Array.of(1, 2, 3));
    expect(() => viewBytes(doc, 0)).toThrow(failure('GLTF_ACCESSOR', '/bufferViews/0'));
  });

  it('reads the existing bytes of a buffer that is shorter than its byteLength', () => {
    const doc = documentOf(
      {
        buffers: [{ byteLength: 1000 }],
        bufferViews: [
          { buffer: 0, byteLength: 4 },
          { buffer: 0, byteLength: 5 },
        ],
      },
      Uint8Array.of(1, 2, 3, 4),
    );
    expect([...viewBytes(doc, 0)]).toEqual([1, 2, 3, 4]);
    expect(() => viewBytes(doc, 1)).toThrow(failure('GLTF_ACCESSOR', '/bufferViews/1'));
  });
});

describe('loadResources', () => {
  const json = {
    buffers: [{ byteLength: 1, uri: 'a.bin' }, { byteLength: 1, uri: './a.bin' }, { byteLength: 1 }],
    images: [
      { uri: 'sk%C3%ADn.png' },
      { uri: 'data:image/png;base64,AAAA' },
      { uri: 'https://example.org/a.png' },
      { bufferView: 0 },
    ],
  };

  it('reads every file once, and images on request', async () => {
    const read: string[] = [];
    const reader = async (path: string): Promise<Uint8Array> => {
      read.push(path);
      return new Uint8Array(1);
    };
    const doc = gltf(json);
    await loadResources(doc, reader);
    expect(read).toEqual(['a.bin']);
    await loadResources(doc, reader, { images: true });
    expect(read).toEqual(['a.bin', 'skín.png']);
  });

  it('reads nothing if one URI points outside the folder', async () => {
    const doc = gltf({ buffers: [{ uri: 'a.bin' }, { uri: '%2e%2e/secret' }] });
    const reader = (): Promise<Uint8Array> => Promise.reject(new Error('must not be called'));
    await expect(loadResources(doc, reader)).rejects.toThrow(failure('GLTF_URI_REFUSED', '/buffers/1/uri'));
  });

  it('names the file that cannot be read', async () => {
    const reader = (): Promise<Uint8Array> => Promise.reject(new Error('ENOENT'));
    await expect(loadResources(gltf(json), reader)).rejects.toThrow(
      expect.objectContaining({
        code: 'GLTF_BUFFER',
        message: 'The file a.bin, which /buffers/0 references, cannot be read: ENOENT',
        where: { pointer: '/buffers/0', resource: 'a.bin' },
      }),
    );
  });

  it('listResources: lists the external files of the asset', () => {
    expect(listResources(gltf(json)).map(({ kind, pointer, path }) => [kind, pointer, path])).toEqual([
      ['buffer', '/buffers/0', 'a.bin'],
      ['buffer', '/buffers/1', 'a.bin'],
      ['image', '/images/0', 'skín.png'],
    ]);
  });
});
