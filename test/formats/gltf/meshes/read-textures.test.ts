import { describe, expect, it } from 'vitest';
import type { Texture } from '../../../../src/core/asset/material.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import { loadImages } from '../../../../src/formats/gltf/meshes/read-textures.ts';
import { CORNERS, failure, read } from '../geometry-file.ts';
import { smallFile } from '../small-file.ts';

type Json = Record<string, unknown>;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const WEBP = new TextEncoder().encode('RIFF0000WEBP');
const uriOf = (bytes: Uint8Array, type = 'image/png'): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** A file whose texture 0 is in use; accessor 1 has the bytes of a PNG. */
function file(texture: Json, images: readonly Json[], json: Json = {}): GltfDocument {
  return smallFile(
    {
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [{ normalTexture: { index: 0 } }],
      textures: [texture],
      images,
      ...json,
    },
    [CORNERS, { type: 'SCALAR', array: PNG }],
  );
}

function texture(doc: GltfDocument): Texture | undefined {
  return read(doc).geometry.textures[0];
}

describe('readTexture', () => {
  it('returns the encoded image files', () => {
    expect(texture(file({ source: 0 }, [{ name: 'face', bufferView: 1, mimeType: 'image/jpeg' }]))).toEqual({
      name: 'face',
      image: PNG,
      mimeType: 'image/png',
      wrapU: 'repeat',
      wrapV: 'repeat',
      magFilter: null,
      minFilter: null,
    });
    expect(texture(file({ source: 0, name: 'own' }, [{ uri: uriOf(PNG), name: 'face' }]))!.name).toBe('own');
    expect(texture(file({ source: 0 }, [{ uri: uriOf(PNG, 'image/gif') }]))!.mimeType).toBe('image/png');
    const unknown = { uri: uriOf(Uint8Array.of(1, 2)) };
    expect(texture(file({ source: 0 }, [{ ...unknown, mimeType: 'image/x' }]))!.mimeType).toBe('image/x');
    expect(texture(file({ source: 0 }, [unknown]))!.mimeType).toBe('application/octet-stream');
  });

  it('reads the sampler', () => {
    const samplers = [{ wrapS: 33_071, wrapT: 33_648, magFilter: 9728, minFilter: 9987 }, { wrapS: 10_497 }];
    const images = [{ bufferView: 1 }];
    expect(texture(file({ source: 0, sampler: 0 }, images, { samplers }))).toMatchObject({
      wrapU: 'clamp',
      wrapV: 'mirror',
      magFilter: 9728,
      minFilter: 9987,
    });
    expect(texture(file({ source: 0, sampler: 1 }, images, { samplers }))).toMatchObject({ wrapU: 'repeat' });
  });

  it('prefers the image of an extension and falls back to the plain one', () => {
    const images = [{ bufferView: 1 }, { uri: uriOf(WEBP) }, { uri: 'https://example.org/a.webp' }];
    const of = (name: string, source: number): string | undefined =>
      texture(file({ source: 0, extensions: { [name]: { source } } }, images))?.mimeType;
    for (const name of ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu', 'MSFT_texture_dds']) {
      expect(of(name, 1)).toBe('image/webp');
      expect(of(name, 2)).toBe('image/png');
    }
    expect(of('OTHER_texture', 1)).toBe('image/png');
  });

  it('returns a texture with two uses once', () => {
    const doc = file({ source: 0 }, [{ bufferView: 1 }]);
    (doc.json['materials'] as Json[])[0]['emissiveTexture'] = { index: 0 };
    const { geometry } = read(doc);
    expect(geometry.textures).toHaveLength(1);
    expect(geometry.materials[0].emissiveTexture!.texture).toBe(0);
  });

  it.each([
    ['at a remote address', 'https://example.org/a.png'],
    ['not loaded', 'a%20b.png'],
    ['outside of the folder', '../a.png'],
  ])('drops a texture with an image %s', (_, uri) => {
    const { geometry, messages } = read(file({ source: 0 }, [{ uri }]));
    expect(geometry.textures).toEqual([]);
    expect(messages).toEqual([`1 texture was dropped because no image data was available: ${uri}`]);
  });

  it('throws GLTF_REFERENCE for an image or buffer view that does not exist', () => {
    expect(() => read(file({ source: 1 }, [{ bufferView: 1 }]))).toThrow(
      expect.objectContaining(failure('GLTF_REFERENCE', '/textures/0/source')),
    );
    expect(() => read(file({ source: 0 }, [{ bufferView: 9 }]))).toThrow(
      expect.objectContaining(failure('GLTF_REFERENCE', '/images/0/bufferView')),
    );
  });
});

describe('loadImages', () => {
  it('loads each readable image once and skips the others', async () => {
    const images = [
      { uri: 'a%20b.png' },
      { uri: './a b.png' },
      { uri: 'missing.png' },
      { uri: '../out.png' },
      { uri: 'https://example.org/a.png' },
      { uri: 'data:,x' },
      { bufferView: 1 },
      { uri: 5 },
    ];
    const doc = file({ source: 0 }, images);
    const asked: string[] = [];
    await loadImages(doc, async (path) => {
      asked.push(path);
      if (path === 'missing.png') throw new Error('no such file');
      return WEBP;
    });
    expect(asked).toEqual(['a b.png', 'missing.png']);
    expect(texture(doc)).toMatchObject({ image: WEBP, mimeType: 'image/webp' });
    await loadImages(smallFile({ images: 5 }), async () => WEBP);
  });
});
