import { describe, expect, it } from 'vitest';
import type { Texture, TextureUse } from '../../../../../src/core/asset/material.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import {
  addShader,
  addTexture,
  imageFiles,
  type TextureRead,
} from '../../../../../src/formats/usd/write/materials/write-textures.ts';
import { JPEG, PNG } from '../../images.ts';

function picture(name: string, image: Uint8Array, mimeType = 'image/png'): Texture {
  return { name, image, mimeType, wrapU: 'clamp', wrapV: 'mirror', magFilter: null, minFilter: null };
}

const ALL = new Set([0, 1, 2, 3, 4]);

describe('imageFiles', () => {
  it('names files by their textures, with the extension of their content', () => {
    const issues: Issue[] = [];
    const textures = [
      picture('Skin', PNG(1)),
      picture('skin.png', PNG(2)),
      // The content of a file takes precedence over its MIME type.
      picture('cloth.jpeg', JPEG(3), 'image/png'),
      picture('', PNG(3)),
      picture('a/../b c', PNG(4)),
    ];
    const { paths, files } = imageFiles(textures, ALL, 'hero', issues);
    expect(paths).toEqual([
      'textures/hero/Skin.png',
      'textures/hero/skin_1.png',
      'textures/hero/cloth.jpg',
      'textures/hero/texture.png',
      'textures/hero/a_b_c.png',
    ]);
    expect(files.map(({ name }) => name)).toEqual(paths);
    expect(files.map(({ bytes }) => bytes)).toEqual(textures.map(({ image }) => image));
    expect(issues).toEqual([]);
  });

  it('shares the file of textures with the same image, and omits unused images', () => {
    const image = PNG(1);
    const textures = [picture('a', image), picture('b', image), picture('c', PNG(2))];
    const { paths, files } = imageFiles(textures, new Set([0, 1]), 'hero', []);
    expect(paths).toEqual(['textures/hero/a.png', 'textures/hero/a.png', null]);
    expect(files).toHaveLength(1);
  });

  it('drops image types that packages do not allow, with an issue', () => {
    const issues: Issue[] = [];
    const ktx = Uint8Array.of(0xab, 0x4b, 0x54, 0x58);
    expect(imageFiles([picture('k', ktx, 'image/ktx2')], ALL, 'hero', issues)).toEqual({ paths: [null], files: [] });
    expect(issues).toMatchObject([{ code: 'TEXTURE_DROPPED' }]);
  });
});

const PLAIN: TextureRead = { colorSpace: 'sRGB', scale: [1, 1, 1, 1], outputs: ['rgb'] };

/** Writes a material with textures and returns its text. */
function textOf(uses: readonly (readonly [TextureUse, TextureRead])[]): string {
  const layer = makeLayer({});
  const material = definePrim(layer, '/M', 'Material');
  for (const [k, [use, read]] of uses.entries()) {
    const path = addTexture(
      layer,
      material,
      `T${k}`,
      { use, texture: picture('t', PNG(1)), file: 'textures/hero/t.png' },
      read,
    );
    expect(path).toBe(`/M/T${k}`);
  }
  return serializeUsda(layer);
}

const use = (uvSet: number, transform: TextureUse['transform'] = null): TextureUse => ({
  texture: 0,
  uvSet,
  transform,
});

describe('addShader and addTexture', () => {
  it('addShader: writes the id', () => {
    const layer = makeLayer({});
    definePrim(layer, '/M', 'Material');
    expect(addShader(layer, '/M', 'Surface', 'UsdPreviewSurface')).toBe('/M/Surface');
    expect(serializeUsda(layer)).toMatch(
      /def Shader "Surface"\s*\{\s*uniform token info:id = "UsdPreviewSurface"\s*\}/,
    );
  });

  it('addTexture: writes file, wrap modes and color space, and omits a scale and bias without effect', () => {
    const text = textOf([[use(0), { ...PLAIN, bias: [0, 0, 0, 0] }]]);
    expect(text).toContain('asset inputs:file = @./textures/hero/t.png@');
    expect(text).toContain('token inputs:sourceColorSpace = "sRGB"');
    expect(text).toContain('token inputs:wrapS = "clamp"');
    expect(text).toContain('token inputs:wrapT = "mirror"');
    expect(text).toContain('float3 outputs:rgb');
    expect(text).not.toMatch(/inputs:(?:scale|bias)/);
    const normal = textOf([
      [use(0), { colorSpace: 'raw', scale: [2, 2, 2, 1], bias: [-1, -1, -1, 0], outputs: ['g', 'a'] }],
    ]);
    expect(normal).toContain('float4 inputs:scale = (2, 2, 2, 1)');
    expect(normal).toContain('float4 inputs:bias = (-1, -1, -1, 0)');
    expect(normal).toMatch(/float outputs:g\s+float outputs:a/);
  });

  it('addTexture: shares the primvar reader of a UV set within a material', () => {
    const text = textOf([
      [use(0), PLAIN],
      [use(0), PLAIN],
      [use(1), PLAIN],
    ]);
    expect(text.match(/string inputs:varname = "\w+"/g)).toEqual([
      'string inputs:varname = "st"',
      'string inputs:varname = "st1"',
    ]);
    expect(text.match(/inputs:st\.connect = <.*>/g)).toEqual([
      'inputs:st.connect = </M/uv_st.outputs:result>',
      'inputs:st.connect = </M/uv_st.outputs:result>',
      'inputs:st.connect = </M/uv_st1.outputs:result>',
    ]);
  });

  it('addTexture: adds a UsdTransform2d for a UV transform', () => {
    const text = textOf([[use(0, { offset: [0, 0], rotation: 0, scale: [2, 3] }), PLAIN]]);
    expect(text).toContain('inputs:st.connect = </M/T0Transform.outputs:result>');
    expect(text).toContain('float2 inputs:in.connect = </M/uv_st.outputs:result>');
    expect(text).toContain('float2 inputs:scale = (2, 3)');
    // v points up in USD: the top of the image keeps its position.
    expect(text).toContain('float2 inputs:translation = (0, -2)');
  });
});
