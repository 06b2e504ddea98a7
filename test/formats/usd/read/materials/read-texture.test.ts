import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../../src/core/report/format-error.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { type Findings, reportFindings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import {
  type MaterialContext,
  readUvTexture,
  type UvTexture,
} from '../../../../../src/formats/usd/read/materials/read-texture.ts';
import type { ReadAsset } from '../../../../../src/formats/usd/stage/file-resolver.ts';
import { PNG } from '../../images.ts';
import { messagesOf, stageOf } from '../../skel/scene.ts';

const IMAGE = PNG(1);
const byName: ReadAsset = (path) =>
  /^(?:dir\/)?a(?:\.1001)?\.png$/.test(path.replace('<UDIM>', '1001')) ? IMAGE : null;

interface Read {
  readonly textures: UvTexture[];
  readonly reading: MaterialContext;
  readonly messages: string[];
}

/** Reads the shaders `/T0`, `/T1` … with these attributes; `beside`: other shaders of the stage. */
function read(shaders: readonly string[], beside = '', readAsset: ReadAsset = byName): Read {
  const texts = shaders.map(
    (attributes, i) => `def Shader "T${i}" {
      uniform token info:id = "UsdUVTexture"
      ${attributes}
    }`,
  );
  const issues: Issue[] = [];
  const findings: Findings = new Map();
  const reading: MaterialContext = {
    stage: stageOf(`${texts.join('\n')}\n${beside}`),
    readAsset,
    issues,
    findings,
    textures: [],
    textureIndices: new Map(),
    missing: new Set(),
  };
  const textures = shaders.map((_, i) => readUvTexture(reading, `/T${i}`));
  reportFindings(findings, issues);
  return { textures, reading, messages: messagesOf(issues) };
}

const FILE = 'asset inputs:file = @a.png@';

describe('readUvTexture', () => {
  it('returns the fallback values of the schema', () => {
    const { textures, reading, messages } = read([FILE]);
    expect(textures).toEqual([
      {
        texture: 0,
        uvName: null,
        transform: null,
        scale: [1, 1, 1, 1],
        bias: [0, 0, 0, 0],
        fallback: null,
        colorSpace: 'auto',
        isGray: false,
      },
    ]);
    expect(reading.textures).toEqual([
      {
        name: 'a',
        image: IMAGE,
        mimeType: 'image/png',
        wrapU: 'repeat',
        wrapV: 'repeat',
        magFilter: null,
        minFilter: null,
      },
    ]);
    expect(messages).toEqual([]);
  });

  it('reads authored inputs', () => {
    const { textures, reading } = read([
      `${FILE}
      float4 inputs:scale = (2, 2, 2, 1)
      float4 inputs:bias = (-1, -1, -1, 0)
      float4 inputs:fallback = (0, 0, 1, 1)
      token inputs:sourceColorSpace = "raw"
      token inputs:wrapS = "clamp"
      token inputs:wrapT = "mirror"`,
    ]);
    expect(textures[0]).toMatchObject({
      scale: [2, 2, 2, 1],
      bias: [-1, -1, -1, 0],
      fallback: [0, 0, 1, 1],
      colorSpace: 'raw',
    });
    expect(reading.textures[0]).toMatchObject({ wrapU: 'clamp', wrapV: 'mirror' });
  });

  it('shares images, and textures with the same wrap modes', () => {
    const clamped = `${FILE}\n token inputs:wrapS = "clamp"`;
    const { textures, reading } = read([FILE, clamped, FILE]);
    expect(textures.map(({ texture }) => texture)).toEqual([0, 1, 0]);
    expect(reading.textures[1].image).toBe(reading.textures[0].image);
  });

  it('returns texture −1 without a readable image, and reports each file once', () => {
    const gone = 'asset inputs:file = @b.png@';
    const { textures, messages } = read([gone, gone, '', 'asset inputs:file = @@']);
    expect(textures.map(({ texture }) => texture)).toEqual([-1, -1, -1, -1]);
    expect(messages).toEqual([
      'The image @b.png@ could not be read and was dropped. The file does not exist. Put it at this path.',
      'Textures have no file and were dropped (2 occurrences, the first at /T2).',
    ]);
  });

  it('reports why a file cannot be read, and rethrows other errors', () => {
    const refuses: ReadAsset = () => {
      throw new FormatError('USD_PACKAGE', 'The package is locked');
    };
    expect(read([FILE], '', refuses).messages).toEqual([
      'The image @a.png@ could not be read and was dropped. The package is locked.',
    ]);
    const mistaken: ReadAsset = () => {
      throw new TypeError('no such function');
    };
    expect(() => read([FILE], '', mistaken)).toThrow(TypeError);
  });

  it('finds Windows paths and the first of several tiles', () => {
    const { textures, reading, messages } = read([
      'asset inputs:file = @dir\\a.png@',
      'asset inputs:file = @a.<UDIM>.png@',
    ]);
    expect(textures.map(({ texture }) => texture)).toEqual([0, 0]);
    expect(reading.textures.map(({ name }) => name)).toEqual(['a']);
    expect(messages).toEqual([
      'Textures are tiled (<UDIM>), which is not supported; only tile 1001 was read (1 occurrence, at /T1).',
    ]);
  });

  it('drops files that are not images, and replaces the wrap mode black', () => {
    const text: ReadAsset = () => new TextEncoder().encode('no image at all');
    expect(read([FILE], '', text).messages).toEqual([
      'Images have an unknown type and were dropped. Use PNG or JPEG (1 occurrence, at /T0).',
    ]);
    const { reading, messages } = read([`${FILE}\n token inputs:wrapT = "black"`]);
    expect(reading.textures[0]).toMatchObject({ wrapU: 'repeat', wrapV: 'clamp' });
    expect(messages).toEqual([
      'Textures use the wrap mode black, which is not supported; clamp was used (1 occurrence, at /T0).',
    ]);
  });
});

describe('readUvTexture UVs', () => {
  const connected = `${FILE}\n float2 inputs:st.connect = </P.outputs:result>`;
  const reader = (varname: string, name = 'P'): string => `def Shader "${name}" {
    uniform token info:id = "UsdPrimvarReader_float2"
    ${varname}
  }`;

  it.each([
    ['string inputs:varname = "st"', 'st'],
    ['token inputs:varname = "primvars:uv"', 'uv'],
    ['', null],
  ])('are named by the primvar reader: %j', (varname, uvName) => {
    expect(read([connected], reader(varname)).textures[0]).toMatchObject({ uvName, transform: null });
  });

  it('include a UsdTransform2d', () => {
    const moved = `def Shader "P" {
      uniform token info:id = "UsdTransform2d"
      float2 inputs:in.connect = </Q.outputs:result>
      float2 inputs:scale = (2, 3)
      float2 inputs:translation = (0.5, 0.25)
    }
    ${reader('string inputs:varname = "st1"', 'Q')}`;
    const [{ uvName, transform }] = read([connected], moved).textures;
    expect(uvName).toBe('st1');
    // v points down in glTF: 1 − (3v + 0.25) at v = 1.
    expect(transform).toEqual({ offset: [0.5, -2.25], rotation: expect.closeTo(0, 12), scale: [2, 3] });
  });

  it('are those of the mesh for other shaders, with an issue', () => {
    const { textures, messages } = read([connected], 'def Shader "P" {\n uniform token info:id = "Fancy"\n}');
    expect(textures[0].uvName).toBeNull();
    expect(messages).toEqual([
      'The UVs of textures come from Fancy, which is not supported; the first UV set was used (1 occurrence, at /T0).',
    ]);
  });
});
