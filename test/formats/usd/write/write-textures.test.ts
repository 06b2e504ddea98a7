import { describe, expect, it } from 'vitest';
import type { Texture, TextureUse } from '../../../../src/core/asset/material.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { definePrim, makeLayer } from '../../../../src/formats/usd/write/author-prims.ts';
import {
  addShader,
  addTexture,
  imageFiles,
  type TextureRead,
} from '../../../../src/formats/usd/write/write-textures.ts';
import { JPEG, PNG } from '../images.ts';

function picture(name: string, image: Uint8Array, mimeType = 'image/png'): Texture {
  return { name, image, mimeType, wrapU: 'clamp', wrapV: 'mirror', magFilter: null, minFilter: null };
}

const ALL = new Set([0, 1, 2, 3, 4]);

describe('image files', () => {
  it('are called like their textures, by what they are', () => {
    const issues: Issue[] = [];
    const textures = [
      picture('Skin', PNG(1)),
      picture('skin.png', PNG(2)),
      // What a file says of itself counts more than what is said of it.
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

  it('are there once for textures of one image, and not for those that nothing uses', () => {
    const image = PNG(1);
    const textures = [picture('a', image), picture('b', image), picture('c', PNG(2))];
    const { paths, files } = imageFiles(textures, new Set([0, 1]), 'hero', []);
    expect(paths).toEqual(['textures/hero/a.png', 'textures/hero/a.png', null]);
    expect(files).toHaveLength(1);
  });

  it('are none of kinds that packages do not hold, which is told', () => {
    const issues: Issue[] = [];
    const ktx = Uint8Array.of(0xab, 0x4b, 0x54, 0x58);
    expect(imageFiles([picture('k', ktx, 'image/ktx2')], ALL, 'hero', issues)).toEqual({ paths: [null], files: [] });
    expect(issues).toMatchObject([{ code: 'TEXTURE_DROPPED' }]);
  });
});

const PLAIN: TextureRead = { colorSpace: 'sRGB', scale: [1, 1, 1, 1], outputs: ['rgb'] };

/** The text of a material with textures that are read so. */
function textOf(uses: readonly (readonly [TextureUse, TextureRead])[]): string {
  const layer = makeLayer({});
  const material = definePrim(layer, '/M', 'Material');
  for (const [k, [use, read]] of uses.entries()) {
    const path = addTexture(layer, material, `T${k}`, use, picture('t', PNG(1)), 'textures/hero/t.png', read);
    expect(path).toBe(`/M/T${k}`);
  }
  return printUsda(layer);
}

const use = (uvSet: number, transform: TextureUse['transform'] = null): TextureUse => ({
  texture: 0,
  uvSet,
  transform,
});

describe('shaders', () => {
  it('have the type as their id', () => {
    const layer = makeLayer({});
    definePrim(layer, '/M', 'Material');
    expect(addShader(layer, '/M', 'Surface', 'UsdPreviewSurface')).toBe('/M/Surface');
    expect(printUsda(layer)).toMatch(/def Shader "Surface"\s*\{\s*uniform token info:id = "UsdPreviewSurface"\s*\}/);
  });

  it('read a texture by its file, wrapping and color space; a scale and bias that do nothing are left out', () => {
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

  it('share the reader of a uv set, in one material', () => {
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

  it('move uvs by a shader of their own', () => {
    const text = textOf([[use(0, { offset: [0, 0], rotation: 0, scale: [2, 3] }), PLAIN]]);
    expect(text).toContain('inputs:st.connect = </M/T0Transform.outputs:result>');
    expect(text).toContain('float2 inputs:in.connect = </M/uv_st.outputs:result>');
    expect(text).toContain('float2 inputs:scale = (2, 3)');
    // v is turned up: the image stays where it was at the top.
    expect(text).toContain('float2 inputs:translation = (0, -2)');
  });
});
