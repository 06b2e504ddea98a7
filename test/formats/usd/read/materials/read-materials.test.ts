import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Material, Texture } from '../../../../../src/core/asset/material.ts';
import { FormatError } from '../../../../../src/core/report/format-error.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { writeUsdz } from '../../../../../src/formats/usd/package/write-usdz.ts';
import { readMaterials } from '../../../../../src/formats/usd/read/materials/read-materials.ts';
import type { ReadAsset } from '../../../../../src/formats/usd/stage/file-resolver.ts';
import { createFileAccess } from '../../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { asset, HAS_ASSETS } from '../../../../support/assets.ts';
import { DEFAULT_MATERIAL } from '../../../../support/make/default-material.ts';
import { JPEG, PNG } from '../../images.ts';
import { stageOf } from '../../skel/scene.ts';

interface Reading {
  readonly materials: Material[];
  readonly textures: Texture[];
  readonly uvSets: (readonly string[])[];
  readonly issues: Issue[];
}

const files = new Map<string, Uint8Array>();
/** Returns a different image for each name. */
const anyImage: ReadAsset = (path) => {
  const image = files.get(path) ?? PNG(files.size);
  files.set(path, image);
  return image;
};

/** Reads the material </M> of a text; by default, every image exists. */
function read(text: string, readAsset: ReadAsset = anyImage, uvs: readonly string[] = []): Reading & { m: Material } {
  const issues: Issue[] = [];
  const found = readMaterials(stageOf(text.replaceAll(' }', '\n}')), ['/M'], readAsset, issues, [uvs]);
  return { ...found, issues, m: found.materials[0] };
}

/** The text of a material with a surface with these inputs, and further shaders. */
const material = (inputs: string, shaders = ''): string => `def Material "M" {
  token outputs:surface.connect = </M/S.outputs:surface>
  def Shader "S" {
    uniform token info:id = "UsdPreviewSurface"
    ${inputs}
    token outputs:surface
  }
  ${shaders}
}`;

const texture = (name: string, more = '', file = `${name}.png`): string => `def Shader "${name}" {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @${file}@
    ${more}
  }`;
const from = (input: string, type: string, shader: string, output: string): string =>
  `${type} inputs:${input}.connect = </M/${shader}.outputs:${output}>`;

/** Returns images by name. */
function images(files: Readonly<Record<string, Uint8Array>>): ReadAsset {
  return (path) => files[path.replace(/^\.\//, '')] ?? null;
}

describe('readMaterials', () => {
  it('reads constants, and the fallback values of UsdPreviewSurface', () => {
    const { m, issues, textures } = read(
      material(`color3f inputs:diffuseColor = (0.1, 0.2, 0.3)
      float inputs:metallic = 0.25
      float inputs:roughness = 0.75
      color3f inputs:emissiveColor = (3, 0, 1)`),
    );
    expect(m.baseColor.map((value) => Math.fround(value))).toEqual([0.1, 0.2, 0.3, 1].map(Math.fround));
    expect(m).toMatchObject({ name: 'M', metallic: 0.25, roughness: 0.75, emissive: [3, 0, 1], alphaMode: 'opaque' });
    expect(read(material('')).m).toEqual({
      ...DEFAULT_MATERIAL,
      name: 'M',
      baseColor: [0.18, 0.18, 0.18, 1],
      metallic: 0,
      roughness: 0.5,
    });
    expect(issues).toEqual([]);
    expect(textures).toEqual([]);
  });

  it.each([
    ['float inputs:opacity = 0.5', 0.5, 'blend', 0.5],
    ['float inputs:opacity = 1', 1, 'opaque', 0.5],
    ['float inputs:opacity = 0.5\n float inputs:opacityThreshold = 0.25', 0.5, 'mask', 0.25],
    ['float inputs:opacityThreshold = 0.25', 1, 'mask', 0.25],
  ])('converts %j to alpha %d, mode %s with cutoff %d', (inputs, alpha, alphaMode, alphaCutoff) => {
    const { m, issues } = read(material(inputs));
    expect([m.baseColor[3], m.alphaMode, m.alphaCutoff]).toEqual([alpha, alphaMode, alphaCutoff]);
    expect(issues).toEqual([]);
  });

  it('follows node graphs and interface inputs, and names materials by displayName', () => {
    const { m, textures, issues } = read(`def Material "M" (displayName = "Haut & Haar") {
      color3f inputs:tint = (1, 0, 0)
      float inputs:rough = 0.125
      asset inputs:picture = @p/skin.v2.png@
      string inputs:uvs = "UVMap"
      token outputs:surface.connect = </M/Graph.outputs:surface>
      def NodeGraph "Graph" {
        float inputs:rough.connect = </M.inputs:rough>
        token outputs:surface.connect = </M/Graph/S.outputs:surface>
        color3f outputs:glow.connect = </M/Graph/T.outputs:rgb>
        def Shader "S" {
          uniform token info:id = "UsdPreviewSurface"
          color3f inputs:diffuseColor.connect = </M.inputs:tint>
          color3f inputs:emissiveColor.connect = </M/Graph.outputs:glow>
          float inputs:roughness.connect = </M/Graph.inputs:rough>
          token outputs:surface
        }
        def Shader "T" {
          uniform token info:id = "UsdUVTexture"
          asset inputs:file.connect = </M.inputs:picture>
          float2 inputs:st.connect = </M/Graph/R.outputs:result>
          float3 outputs:rgb
        }
        def Shader "R" {
          uniform token info:id = "UsdPrimvarReader_float2"
          string inputs:varname.connect = </M.inputs:uvs>
        }
      }
    }`);
    expect(issues).toEqual([]);
    expect(m).toMatchObject({ name: 'Haut & Haar', baseColor: [1, 0, 0, 1], roughness: 0.125, emissive: [1, 1, 1] });
    expect(m.emissiveTexture).toEqual({ texture: 0, uvSet: 0, transform: null });
    expect(textures).toMatchObject([{ name: 'skin.v2', mimeType: 'image/png', wrapU: 'repeat', wrapV: 'repeat' }]);
  });

  it('ignores circular connections and connections to missing prims', () => {
    const { m } = read(
      material(`float inputs:metallic = 1\n float inputs:metallic.connect = </None.x>
      float inputs:roughness = 0.25\n float inputs:roughness.connect = </M/S.inputs:a>
      float inputs:a.connect = </M/S.inputs:roughness>`),
    );
    expect([m.metallic, m.roughness]).toEqual([1, 0.25]);
  });

  it('reads scales as factors, alpha of the color texture, and wrap modes', () => {
    const { m, textures, issues } = read(
      material(
        `${from('diffuseColor', 'color3f', 'T', 'rgb')}\n${from('opacity', 'float', 'T', 'a')}`,
        texture(
          'T',
          `float4 inputs:scale = (0.5, 0.25, 1, 0.75)\ntoken inputs:wrapS = "clamp"\ntoken inputs:wrapT = "mirror"`,
        ),
      ),
    );
    expect(issues).toEqual([]);
    expect(m).toMatchObject({ baseColor: [0.5, 0.25, 1, 0.75], alphaMode: 'blend' });
    expect(m.baseColorTexture).toEqual({ texture: 0, uvSet: 0, transform: null });
    expect(textures).toMatchObject([{ name: 'T', wrapU: 'clamp', wrapV: 'mirror', magFilter: null, minFilter: null }]);
  });

  it('keeps an opacity texture with a black base color, and drops it with another color', () => {
    const cut = (color: string): Reading & { m: Material } =>
      read(
        material(
          `color3f inputs:diffuseColor = ${color}\n${from('opacity', 'float', 'T', 'a')}\nfloat inputs:opacityThreshold = 0.5`,
          texture('T'),
        ),
      );
    expect(cut('(0, 0, 0)').m).toMatchObject({ baseColor: [0, 0, 0, 1], baseColorTexture: { texture: 0 } });
    const { m, issues } = cut('(1, 0, 0)');
    expect(m).toMatchObject({ baseColor: [1, 0, 0, 1], baseColorTexture: null, alphaMode: 'mask' });
    expect(issues).toMatchObject([{ code: 'USD_MATERIAL', where: { pointer: '/M/S' } }]);
    expect(issues[0].message).toContain('Textures of opacity are not the alpha channel of the diffuseColor texture');
  });

  it('reads normal maps and occlusion with their strength', () => {
    const { m, issues } = read(
      material(
        `${from('normal', 'normal3f', 'N', 'rgb')}\n${from('occlusion', 'float', 'O', 'r')}`,
        `${texture('N', 'float4 inputs:scale = (1, 1, 2, 1)\nfloat4 inputs:bias = (-0.5, -0.5, -1, 0)\ntoken inputs:sourceColorSpace = "raw"')}
        ${texture('O', 'float4 inputs:scale = (0.75, 1, 1, 1)\nfloat4 inputs:bias = (0.25, 0, 0, 0)')}`,
      ),
    );
    expect(issues).toEqual([]);
    expect(m).toMatchObject({ normalScale: 0.5, occlusionStrength: 0.75 });
    expect([m.normalTexture?.texture, m.occlusionTexture?.texture].sort()).toEqual([0, 1]);
  });

  const packed = (rough: string, metal: string, more = ''): string =>
    material(
      `float inputs:roughness = 0.25\nfloat inputs:metallic = 0.5\n${rough}\n${metal}`,
      `${texture('A', 'float4 inputs:scale = (1, 0.5, 0.75, 1)')}\n${texture('B', '', 'A.png')}\n${texture('C')}\n${more}`,
    );
  const g = from('roughness', 'float', 'A', 'g');
  it.each([
    ['green and blue of one shader', packed(g, from('metallic', 'float', 'A', 'b')), 0.5, 0.75, true, 0],
    ['two shaders of one file', packed(g, from('metallic', 'float', 'B', 'b')), 0.5, 1, true, 0],
    ['green alone, non-metallic', packed(g, 'float inputs:metallic = 0'), 0.5, 0, true, 0],
    [
      'blue alone, without roughness',
      packed('float inputs:roughness = 0', from('metallic', 'float', 'A', 'b')),
      0,
      0.75,
      true,
      0,
    ],
    ['green alone, half metallic', packed(g, ''), 0.25, 0.5, false, 1],
    ['red', packed(from('roughness', 'float', 'A', 'r'), ''), 0.25, 0.5, false, 1],
    ['two files', packed(g, from('metallic', 'float', 'C', 'b')), 0.25, 0.5, false, 1],
  ])('packs roughness and metalness: %s', (_, text, roughness, metallic, isTextured, count) => {
    // The last one of repeated inputs wins.
    const { m, issues } = read(text);
    expect([m.roughness, m.metallic, m.metallicRoughnessTexture !== null]).toEqual([roughness, metallic, isTextured]);
    expect(issues.map(({ code }) => code)).toEqual(Array(count).fill('USD_MATERIAL'));
  });

  it('reads any channel of gray images as the one that glTF requires', () => {
    const text = material(
      `${from('roughness', 'float', 'R', 'r')}\n${from('occlusion', 'float', 'O', 'g')}`,
      `${texture('R', 'float4 inputs:scale = (0.5, 1, 1, 1)')}\n${texture('O')}`,
    );
    const gray = read(text, images({ 'R.png': PNG(1, 0), 'O.png': JPEG(1) }));
    expect(gray.issues).toEqual([]);
    expect(gray.m).toMatchObject({ roughness: 0.5, metallic: 0 });
    expect([gray.m.metallicRoughnessTexture, gray.m.occlusionTexture]).not.toContain(null);
    const colored = read(text, images({ 'R.png': PNG(1, 2), 'O.png': JPEG(3) }));
    expect(colored.issues).toHaveLength(2);
    expect([colored.m.metallicRoughnessTexture, colored.m.occlusionTexture]).toEqual([null, null]);
  });

  it('converts UV transforms from v up to v down', () => {
    const { m } = read(
      material(
        from('diffuseColor', 'color3f', 'T', 'rgb'),
        `${texture('T', 'float2 inputs:st.connect = </M/X.outputs:result>')}
        def Shader "X" {
          uniform token info:id = "UsdTransform2d"
          float2 inputs:in.connect = </M/R.outputs:result>
          float inputs:rotation = 90
          float2 inputs:scale = (2, 4)
          float2 inputs:translation = (0.25, 0.5)
        }
        def Shader "R" {
          uniform token info:id = "UsdPrimvarReader_float2"
          token inputs:varname = "primvars:st1"
        }`,
      ),
      anyImage,
      ['st', 'st1'],
    );
    const use = m.baseColorTexture;
    expect(use).toMatchObject({ uvSet: 1, transform: { scale: [2, 4] } });
    // The image corner that is sampled at UV (0, 0) in USD.
    const { offset, rotation, scale } = use?.transform ?? { offset: [0, 0], rotation: 0, scale: [0, 0] };
    const [u, v] = [0 * scale[0], 1 * scale[1]];
    const seen = [
      Math.cos(rotation) * u + Math.sin(rotation) * v + offset[0],
      1 - (Math.cos(rotation) * v - Math.sin(rotation) * u + offset[1]),
    ];
    expect(seen[0]).toBeCloseTo(0.25, 12);
    expect(seen[1]).toBeCloseTo(0.5, 12);
  });

  it('numbers UV sets over those of the meshes and those of the textures', () => {
    const reader = (name: string): string => `def Shader "${name}R" {
      uniform token info:id = "UsdPrimvarReader_float2"
      string inputs:varname = "${name}"
    }`;
    const text = material(
      `${from('diffuseColor', 'color3f', 'A', 'rgb')}\n${from('emissiveColor', 'color3f', 'B', 'rgb')}`,
      `${texture('A', 'float2 inputs:st.connect = </M/map2R.outputs:result>')}
      ${texture('B', 'float2 inputs:st.connect = </M/map1R.outputs:result>')}\n${reader('map1')}\n${reader('map2')}`,
    );
    const uses = ({ m }: { m: Material }): unknown[] => [m.baseColorTexture?.uvSet, m.emissiveTexture?.uvSet];
    const alone = read(text);
    expect([uses(alone), alone.uvSets]).toEqual([[1, 0], [['map1', 'map2']]]);
    const meshed = read(text, anyImage, ['st', 'map2', 'a']);
    expect([uses(meshed), meshed.uvSets]).toEqual([[3, 2], [['st', 'a', 'map1', 'map2']]]);
  });

  it('shares a texture among shaders with the same image and wrap modes', () => {
    const files = { 'A.png': PNG(1) };
    const text = material(
      `${from('diffuseColor', 'color3f', 'A', 'rgb')}\n${from('emissiveColor', 'color3f', 'B', 'rgb')}\n${from('normal', 'normal3f', 'C', 'rgb')}`,
      `${texture('A')}\n${texture('B', '', './A.png')}\n${texture('C', 'token inputs:wrapS = "mirror"', 'A.png')}`,
    );
    const { m, textures } = read(text, images(files));
    expect(textures.map(({ wrapU }) => wrapU).sort()).toEqual(['mirror', 'repeat']);
    expect(m.baseColorTexture?.texture).toBe(m.emissiveTexture?.texture);
    expect(m.normalTexture?.texture).not.toBe(m.baseColorTexture?.texture);
  });

  it.each([
    ['', 0.18],
    ['color3f inputs:diffuseColor = (1, 1, 1)', 1],
  ])('uses the input value if an image is missing, and reports it once (%j)', (own, expected) => {
    const inputs = `${own}\n${from('diffuseColor', 'color3f', 'A', 'rgb')}\n${from('emissiveColor', 'color3f', 'B', 'rgb')}`;
    const shaders = `${texture('A', '', 'none.png')}\n${texture('B', 'float4 inputs:fallback = (0.5, 0, 0, 1)', 'none.png')}`;
    const { m, issues, textures } = read(material(inputs, shaders), () => null);
    expect(m).toMatchObject({ baseColor: [expected, expected, expected, 1], emissive: [0.5, 0, 0] });
    expect(textures).toEqual([]);
    expect(issues).toMatchObject([{ code: 'RESOURCE_MISSING' }]);
    expect(issues[0].message).toBe(
      'The image @none.png@ could not be read and was dropped. The file does not exist. Put it at this path.',
    );
  });

  it('reports why an image cannot be read, and rethrows other errors', () => {
    const text = material(from('diffuseColor', 'color3f', 'A', 'rgb'), texture('A'));
    const refuse = (error: Error): ReadAsset => {
      return () => {
        throw error;
      };
    };
    expect(read(text, refuse(new FormatError('FILE_NOT_FOUND', 'not from here'))).issues[0].message).toContain(
      'was dropped. not from here.',
    );
    expect(() => read(text, refuse(new TypeError('mine')))).toThrow(TypeError);
  });

  it.each([
    [
      'black',
      material(from('diffuseColor', 'color3f', 'A', 'rgb'), texture('A', 'token inputs:wrapS = "black"')),
      'clamp',
    ],
    ['tiles', material(from('diffuseColor', 'color3f', 'A', 'rgb'), texture('A', '', 'a.<UDIM>.png')), 'tile 1001'],
    [
      'bias',
      material(from('emissiveColor', 'color3f', 'A', 'rgb'), texture('A', 'float4 inputs:bias = (1, 0, 0, 0)')),
      'have a bias',
    ],
    ['no file', material(from('diffuseColor', 'color3f', 'A', 'rgb'), texture('A', '', '')), 'have no file'],
    [
      'raw color',
      material(from('diffuseColor', 'color3f', 'A', 'rgb'), texture('A', 'token inputs:sourceColorSpace = "raw"')),
      'linear (raw)',
    ],
    [
      'packed normals',
      material(from('normal', 'normal3f', 'A', 'rgb'), texture('A')),
      'do not have the scale (2, 2, 2, 1)',
    ],
    ['constant occlusion', material('float inputs:occlusion = 0.5'), 'Occlusion has no texture'],
    ['clearcoat', material('float inputs:clearcoat = 1'), 'input clearcoat'],
    ['displacement', material(from('displacement', 'float', 'A', 'r'), texture('A')), 'input displacement'],
    ['ior', material('float inputs:ior = 1.33'), 'input ior'],
    [
      'a noise',
      material(
        from('diffuseColor', 'color3f', 'A', 'out'),
        'def Shader "A" { uniform token info:id = "ND_noise3d_color3" }',
      ),
      'The input diffuseColor is connected to ND_noise3d_color3',
    ],
  ])('reports losses: %s', (_, text, message) => {
    const { issues } = read(text);
    expect(issues.map(({ code }) => code)).toEqual(['USD_MATERIAL']);
    expect(issues[0].message).toContain(message);
  });

  it('reports nothing if unsupported inputs have their fallback values', () => {
    const inputs =
      'float inputs:ior = 1.5\nfloat inputs:clearcoat = 0\nfloat inputs:displacement = 0\nfloat inputs:occlusion = 1';
    expect(read(material(inputs)).issues).toEqual([]);
  });

  it('uses a white base color if a shader reads the display color', () => {
    const reader =
      'def Shader "C" { uniform token info:id = "UsdPrimvarReader_float3"\n string inputs:varname = "displayColor" }';
    const { m, issues } = read(material(from('diffuseColor', 'color3f', 'C', 'result'), reader));
    expect(m.baseColor).toEqual([1, 1, 1, 1]);
    expect(issues).toEqual([]);
  });

  it('reads surfaces with the unlit mark: black ones in their emissive color, others in their own', () => {
    const emissive = `color3f inputs:diffuseColor = (0, 0, 0)
      color3f inputs:emissiveColor = (0.5, 0.25, 1)
      custom bool unlit = 1`;
    const unlit = { baseColor: [0.5, 0.25, 1, 1], emissive: [0, 0, 0], alphaMode: 'opaque', unlit: true };
    expect(read(material(emissive)).m).toMatchObject(unlit);
    const lit = { baseColor: [0, 0, 0, 1], emissive: [0.5, 0.25, 1], unlit: false };
    expect(read(material(emissive.replace('unlit = 1', 'unlit = 0'))).m).toMatchObject(lit);
    const own = read(material('color3f inputs:diffuseColor = (0.5, 0.25, 1)\n custom bool unlit = 1'));
    expect(own.m).toMatchObject(unlit);
    const { m, issues } = read(
      material(
        `color3f inputs:diffuseColor = (0, 0, 0)
        ${from('emissiveColor', 'color3f', 'T', 'rgb')}
        ${from('opacity', 'float', 'T', 'a')}
        custom bool unlit = 1`,
        texture('T', 'float4 inputs:scale = (0.5, 0.25, 1, 0.75)'),
      ),
    );
    expect(m).toMatchObject({
      baseColor: [0.5, 0.25, 1, 0.75],
      baseColorTexture: { texture: 0 },
      emissiveTexture: null,
      alphaMode: 'blend',
      unlit: true,
    });
    expect(issues).toEqual([]);
  });

  it('converts specular colors to metalness', () => {
    const { m, issues } = read(
      material(
        'int inputs:useSpecularWorkflow = 1\ncolor3f inputs:diffuseColor = (0, 0, 0)\ncolor3f inputs:specularColor = (1, 0.5, 0.25)',
      ),
    );
    expect(m.metallic).toBeCloseTo(1, 12);
    for (const [c, value] of [1, 0.5, 0.25, 1].entries()) expect(m.baseColor[c]).toBeCloseTo(value, 12);
    expect(issues[0].message).toContain('Specular colors were converted to metalness');
  });

  it.each([
    [
      'MaterialX',
      'token outputs:mtlx:surface.connect = </M/X.outputs:out>\ndef Shader "X" { uniform token info:id = "ND_standard_surface_surfaceshader" }',
      'Materials have the surface shader ND_standard_surface_surfaceshader, which is not supported; the default material was used',
    ],
    [
      'MDL',
      'token outputs:mdl:surface.connect = </M/X.outputs:out>\ndef Shader "X" { uniform token info:implementationSource = "sourceAsset"\nuniform token info:mdl:sourceAsset:subIdentifier = "OmniPBR" }',
      'Materials have the surface shader OmniPBR',
    ],
    ['nothing', '', 'Materials have no surface shader'],
  ])('returns the default material for materials with only %s', (_, properties, message) => {
    const { m, issues } = read(`def Material "M" {\n${properties}\n}`);
    expect(m).toMatchObject({ name: 'M', baseColor: [0.18, 0.18, 0.18, 1] });
    expect(issues.map(({ code }) => code)).toEqual(['USD_MATERIAL']);
    expect(issues[0].message).toContain(message);
  });

  it('prefers UsdPreviewSurface over other surface shaders without an issue', () => {
    const text = `def Material "M" {
      token outputs:mtlx:surface.connect = </M/X.outputs:out>
      token outputs:surface.connect = </M/S.outputs:surface>
      def Shader "X" { uniform token info:id = "ND_standard_surface_surfaceshader"\n token outputs:out\n }
      def Shader "S" { uniform token info:id = "UsdPreviewSurface"\n float inputs:metallic = 1\n token outputs:surface\n }
    }`;
    const { m, issues } = read(text);
    expect(m.metallic).toBe(1);
    expect(issues).toEqual([]);
  });

  it('resolves images of packages relative to the layer with the authored path', () => {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
    const look = material(from('diffuseColor', 'color3f', 'T', 'rgb'), texture('T', '', 'tex/a.png'));
    const inner = writeUsdz([
      { name: 'look.usda', bytes: encode(look) },
      { name: 'tex/a.png', bytes: PNG(1) },
    ]);
    const root = (over: string): Uint8Array =>
      encode(`def Material "M" ( references = @./look.usdz@</M> ) {\n${over}\n}`);
    const own = 'over "T" {\nasset inputs:file = @./own.png@\n}';
    for (const [over, mark] of [
      ['', 1],
      [own, 2],
    ] as const) {
      const files: Record<string, Uint8Array> = {
        's/root.usda': root(over),
        's/look.usdz': inner,
        's/own.png': PNG(2),
      };
      const { resolve, readAsset } = createFileAccess((path) => files[path] ?? null);
      const opened = resolve('s/root.usda', '');
      if (opened === null) throw new Error('no root');
      const issues: Issue[] = [];
      const stage = openStage(opened.layer, { id: opened.id, resolve });
      const { textures } = readMaterials(stage, ['/M'], readAsset, issues);
      expect(issues).toEqual([]);
      expect(textures[0].image).toEqual(PNG(mark));
    }
  });
});

describe.skipIf(!HAS_ASSETS)('readMaterials with published files', () => {
  const folder = asset('conformance/usd');
  const open = (file: string, paths: readonly string[]): Reading => {
    const { resolve, readAsset } = createFileAccess((path) => (existsSync(path) ? readFileSync(path) : null));
    const opened = resolve(`${folder}/${file}`, '');
    if (opened === null) throw new Error(`no ${file}`);
    const issues: Issue[] = [];
    const stage = openStage(opened.layer, { id: opened.id, resolve });
    return { ...readMaterials(stage, paths, readAsset, issues), issues };
  };

  it('reads the avatars of usd-vrm-plugins', () => {
    const fixtures = 'retarget-triplet/tests/baseline/usda/fixtures';
    const names = ['Glass', 'Leaf', 'Unlit'].map((name) => `/Asset/mtl/${name}`);
    const { materials, issues } = open(`${fixtures}/materials.usda`, names);
    expect(issues).toEqual([]);
    expect(materials.map(({ alphaMode, metallic }) => [alphaMode, metallic])).toEqual([
      ['blend', 1],
      ['mask', 1],
      ['opaque', 0],
    ]);
    expect(materials[0].baseColor.map(Math.fround)).toEqual([0.2, 0.4, 0.9, 0.3].map(Math.fround));
    expect(materials[1].alphaCutoff).toBeCloseTo(0.3, 6);
    expect(materials[2].emissive.map(Math.fround)).toEqual([0.9, 0.1, 0.1].map(Math.fround));
  });

  it('reports missing images', () => {
    const { materials, issues } = open('retarget-triplet/tests/baseline/usda/fixtures/textures.usda', [
      '/Asset/mtl/Skin',
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['RESOURCE_MISSING']);
    expect(materials[0]).toMatchObject({ name: 'Skin', baseColor: [0.5, 0.25, 0.75, 1], metallic: 1 });
  });
});
