import { describe, expect, it } from 'vitest';
import type { Texture } from '../../../../src/core/asset/material.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { createAccessorPool } from '../../../../src/formats/gltf/accessors/accessor-pool.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import { type UsedExtensions, writeExtensionLists } from '../../../../src/formats/gltf/document/extensions-used.ts';
import { writeTextures } from '../../../../src/formats/gltf/meshes/write-textures.ts';

function texture(changes: Partial<Texture> = {}): Texture {
  const image = Uint8Array.of(1, 2, 3);
  return {
    name: 'skin',
    image,
    mimeType: 'image/png',
    wrapU: 'repeat',
    wrapV: 'repeat',
    magFilter: null,
    minFilter: null,
    ...changes,
  };
}

function written(textures: readonly Texture[]) {
  const pool = createAccessorPool(createDocument());
  const extensions: UsedExtensions = { used: new Set(), required: new Set() };
  const issues: Issue[] = [];
  const indices = Array.from(writeTextures(pool, textures, extensions, issues));
  const { json } = pool.doc;
  writeExtensionLists(json, extensions);
  return { json, indices, issues };
}

describe('writeTextures', () => {
  it('embeds the image in the buffer and omits the default sampler', () => {
    const { json, indices } = written([texture()]);
    expect(indices).toEqual([0]);
    expect(json).toMatchObject({
      textures: [{ name: 'skin', source: 0 }],
      images: [{ name: 'skin', bufferView: 0, mimeType: 'image/png' }],
      bufferViews: [{ byteLength: 3 }],
    });
    expect(json['samplers']).toBeUndefined();
    expect(json['extensionsUsed']).toBeUndefined();
  });

  it('writes equal samplers and images once', () => {
    const clamped = { wrapU: 'clamp', wrapV: 'mirror', magFilter: 9728, minFilter: 9987 } as const;
    const { json } = written([texture(clamped), texture({ ...clamped, image: Uint8Array.of(1, 2, 3) }), texture()]);
    expect(json).toMatchObject({
      samplers: [{ magFilter: 9728, minFilter: 9987, wrapS: 33071, wrapT: 33648 }],
      textures: [{ sampler: 0, source: 0 }, { sampler: 0, source: 0 }, { source: 0 }],
    });
    expect(json['images']).toHaveLength(1);
    expect(json['samplers']).toHaveLength(1);
  });

  it.each([
    ['image/webp', 'EXT_texture_webp'],
    ['image/ktx2', 'KHR_texture_basisu'],
    ['image/avif', 'EXT_texture_avif'],
    ['image/vnd-ms.dds', 'MSFT_texture_dds'],
  ])('requires the extension of %s', (mimeType, extension) => {
    const { json } = written([texture({ mimeType })]);
    expect(json).toMatchObject({
      textures: [{ extensions: { [extension]: { source: 0 } } }],
      extensionsUsed: [extension],
      extensionsRequired: [extension],
    });
    expect((json['textures'] as object[])[0]).not.toHaveProperty('source');
  });

  it('drops and reports image types that glTF does not support', () => {
    const { json, indices, issues } = written([
      texture({ name: 'hair', mimeType: 'image/x-tga' }),
      texture({ name: '', image: new Uint8Array(0) }),
      texture(),
    ]);
    expect(indices).toEqual([-1, -1, 0]);
    expect(json['textures']).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(['TEXTURE_DROPPED', 'TEXTURE_DROPPED']);
    expect(issues[0].message).toContain('"hair" is image/x-tga');
    expect(issues[1].message).toContain('The texture 1 has no data');
  });
});
