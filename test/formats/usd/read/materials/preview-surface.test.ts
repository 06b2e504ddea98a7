import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../../../src/formats/usd/read/geometry-findings.ts';
import { defaultMaterial, readPreviewSurface } from '../../../../../src/formats/usd/read/materials/preview-surface.ts';
import { PNG } from '../../images.ts';
import { stageOf } from '../../skel/scene.ts';

/** Reads a surface with these inputs; `more`: other prims. Returns the material and the losses. */
function surface(inputs: string, more = '') {
  const findings: Findings = new Map();
  const stage = stageOf(`def Shader "S" {\n uniform token info:id = "UsdPreviewSurface"\n ${inputs}\n}\n${more}`);
  const reading = {
    readAsset: () => PNG(1),
    issues: [],
    textures: [],
    textureIndices: new Map(),
    missing: new Set<string>(),
  };
  const material = readPreviewSurface({ ...reading, stage, findings }, '/S', 'Skin');
  return { material, leftOut: [...findings.keys()] };
}

const texture = (name: string, more = ''): string => `def Shader "${name}" {
  uniform token info:id = "UsdUVTexture"
  asset inputs:file = @${name}.png@
  ${more}
}`;

describe('readPreviewSurface', () => {
  it('returns the default material without authored inputs', () => {
    expect(surface('')).toEqual({ material: defaultMaterial('Skin'), leftOut: [] });
    expect(defaultMaterial('x')).toMatchObject({
      name: 'x',
      baseColor: [0.18, 0.18, 0.18, 1],
      metallic: 0,
      roughness: 0.5,
      unlit: false,
    });
  });

  it('blends for an opacity below 1, and masks for a threshold above 0', () => {
    const mode = (inputs: string): unknown[] => {
      const { alphaMode, alphaCutoff, baseColor } = surface(inputs).material;
      return [alphaMode, alphaCutoff, baseColor[3]];
    };
    expect(mode('float inputs:opacity = 0.25')).toEqual(['blend', 0.5, 0.25]);
    expect(mode('float inputs:opacity = 1')).toEqual(['opaque', 0.5, 1]);
    expect(mode('float inputs:opacity = 0.25\n float inputs:opacityThreshold = 0.125')).toEqual(['mask', 0.125, 0.25]);
  });

  it('reports unsupported inputs unless they have their fallback value', () => {
    expect(surface('float inputs:clearcoat = 0\n float inputs:ior = 1.5').leftOut).toEqual([]);
    expect(
      surface('float inputs:clearcoat = 1\n float inputs:ior = 1.3\n float inputs:displacement = 2').leftOut,
    ).toEqual([
      'Surfaces use the input clearcoat, which is not supported and was dropped',
      'Surfaces use the input displacement, which is not supported and was dropped',
      'Surfaces use the input ior, which is not supported and was dropped',
    ]);
  });

  it('converts constant specular colors to metalness', () => {
    const inputs = 'int inputs:useSpecularWorkflow = 1\n color3f inputs:diffuseColor = (0, 0, 0)';
    const metal = surface(`${inputs}\n color3f inputs:specularColor = (1, 0.5, 0.25)`);
    expect(metal.leftOut).toEqual(['Specular colors were converted to metalness, which is an approximation']);
    expect(metal.material.metallic).toBeCloseTo(1, 6);
    for (const [c, value] of [1, 0.5, 0.25].entries()) expect(metal.material.baseColor[c]).toBeCloseTo(value, 6);
    const beside = surface(
      'int inputs:useSpecularWorkflow = 1\n color3f inputs:diffuseColor.connect = </T.outputs:rgb>',
      texture('T'),
    );
    expect(beside.material).toMatchObject({ metallic: 0, baseColorTexture: { texture: 0 } });
    expect(beside.leftOut).toEqual([
      'Specular colors are combined with textures and cannot be converted; the surface was treated as non-metallic',
    ]);
  });

  it('uses the fallback of a texture without an image, else the input value', () => {
    const connected = 'float inputs:roughness.connect = </T.outputs:g>\n float inputs:roughness = 0.75';
    const none = 'asset inputs:file = @@';
    expect(
      surface(connected, texture('T', `${none}\n float4 inputs:fallback = (0, 0.25, 1, 1)`)).material,
    ).toMatchObject({
      roughness: 0.25,
      metallicRoughnessTexture: null,
    });
    expect(surface(connected, texture('T', none)).material.roughness).toBe(0.75);
  });

  it('uses white for display colors, and the input value for unsupported shaders', () => {
    const connected = 'color3f inputs:diffuseColor.connect = </N.outputs:result>';
    const node = (id: string): string => `def Shader "N" {\n uniform token info:id = "${id}"\n}`;
    expect(surface(connected, node('UsdPrimvarReader_float3'))).toMatchObject({
      material: { baseColor: [1, 1, 1, 1] },
      leftOut: [],
    });
    const noise = surface(`${connected}\n color3f inputs:diffuseColor = (1, 0, 0)`, node('Noise'));
    expect(noise.material.baseColor).toEqual([1, 0, 0, 1]);
    expect(noise.leftOut).toEqual([
      'The input diffuseColor is connected to Noise, which is not supported; its constant value was used',
    ]);
  });

  it('reads the unlit mark, and the emissive color of black surfaces as their base color', () => {
    const emissive = 'color3f inputs:diffuseColor = (0, 0, 0)\n color3f inputs:emissiveColor = (1, 0.5, 0.25)';
    expect(surface(`${emissive}\n custom bool unlit = 1`).material).toMatchObject({
      baseColor: [1, 0.5, 0.25, 1],
      emissive: [0, 0, 0],
      unlit: true,
    });
    const lit = { baseColor: [0, 0, 0, 1], emissive: [1, 0.5, 0.25], unlit: false };
    expect(surface(emissive).material).toMatchObject(lit);
    expect(surface(`${emissive}\n custom string unlit = "1"`).material.unlit).toBe(false);
  });
});
