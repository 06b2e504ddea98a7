import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { readMaterials } from '../../../../src/formats/fbx/materials/read-fbx-materials.ts';
import { rec } from '../fbx-bytes.ts';
import { model, properties70, sceneOf, type Values } from '../fbx-scene.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

/** One material; textures by property, each with an embedded image and the name of a file. */
async function readOne(
  values: Values,
  textures: Readonly<Record<string, string>> = {},
  options: {
    templates?: Values;
    models?: readonly FbxRecord[];
    uvSets?: readonly (readonly string[])[];
    uvSet?: string;
  } = {},
) {
  const files = [...new Set(Object.values(textures))];
  const uvSet = properties70(options.uvSet === undefined ? {} : { UVSet: [options.uvSet] });
  const models = options.models ?? [];
  const { scene } = sceneOf({
    objects: [
      rec('Material', [1, 'skin\0\x01Material', ''], [properties70(values)]),
      ...files.flatMap((file, k) => [
        rec('Texture', [10 + k, `t${k}\0\x01Texture`, ''], [uvSet, rec('RelativeFilename', [file])]),
        rec('Video', [20 + k, 'v\0\x01Video', 'Clip'], [rec('Content', [PNG])]),
      ]),
      ...models,
    ],
    connections: [
      ...files.map((_, k) => [20 + k, 10 + k] as const),
      ...Object.entries(textures).map(([property, file]) => [10 + files.indexOf(file), 1, property] as const),
      ...models.map((one) => [1, one.properties[0]] as const),
    ],
    ...(options.templates ? { templates: { Material: options.templates } } : {}),
  });
  const issues: Issue[] = [];
  const context = { uvSets: options.uvSets ?? [], readResource: undefined };
  const { materials, textures: read } = await readMaterials(scene, [scene.objects.get('1')!], context, issues);
  return { material: materials[0], textures: read, messages: issues.map(({ message }) => message) };
}

describe('readMaterials: Lambert and Phong', () => {
  it('multiplies diffuse and emissive colors by their factors', async () => {
    const { material, textures, messages } = await readOne({
      DiffuseColor: [0.5, 1, 0.25],
      DiffuseFactor: [0.5],
      EmissiveColor: [1, 0, 0],
      EmissiveFactor: [3],
    });
    expect(material).toMatchObject({
      name: 'skin',
      baseColor: [0.25, 0.5, 0.125, 1],
      emissive: [3, 0, 0],
      metallic: 0,
      roughness: 1,
      alphaMode: 'opaque',
      doubleSided: true,
    });
    expect({ textures, messages }).toEqual({ textures: [], messages: [] });
  });

  it('uses the template for missing properties, else white', async () => {
    expect((await readOne({}, {}, { templates: { DiffuseColor: [0.8, 0.8, 0.8] } })).material.baseColor).toEqual([
      0.8, 0.8, 0.8, 1,
    ]);
    expect((await readOne({ DiffuseColor: ['x'] })).material.baseColor).toEqual([1, 1, 1, 1]);
  });

  it('converts ShininessExponent to a roughness of equal lobe width', async () => {
    const rough = async (shininess: number, specular: number) =>
      (await readOne({ SpecularColor: [specular, specular, specular], ShininessExponent: [shininess] })).material
        .roughness;
    expect(await rough(0, 1)).toBe(1);
    expect(await rough(30, 1)).toBeCloseTo(0.5, 12);
    expect(await rough(510, 1)).toBeCloseTo(0.25, 12);
    expect(await rough(510, 0)).toBe(1);
  });

  it('reads the opacity as exporters write it', async () => {
    const alpha = async (values: Values) => {
      const { baseColor, alphaMode } = (await readOne(values)).material;
      return [baseColor[3], alphaMode];
    };
    expect(await alpha({ TransparencyFactor: [0.25] })).toEqual([0.75, 'blend']);
    expect(await alpha({ TransparencyFactor: [1], Opacity: [1] })).toEqual([1, 'opaque']);
    expect(await alpha({ TransparentColor: [1, 1, 1], Opacity: [0.5] })).toEqual([0.5, 'blend']);
    expect(await alpha({ TransparencyFactor: [1], TransparentColor: [0.25, 0.25, 0.25] })).toEqual([0.75, 'blend']);
    expect(await alpha({ TransparencyFactor: [1], TransparentColor: [1, 1, 1] })).toEqual([1, 'opaque']);
    expect(await alpha({ TransparentColor: [1, 1, 1] })).toEqual([1, 'opaque']);
  });

  it('sets the base color to white with a texture', async () => {
    const { material, textures } = await readOne({ DiffuseColor: [0.1, 0.1, 0.1] }, { DiffuseColor: 'a.png' });
    expect(material.baseColor).toEqual([1, 1, 1, 1]);
    expect(material.baseColorTexture).toEqual({ texture: 0, uvSet: 0, transform: null });
    expect(textures).toMatchObject([{ name: 't0', image: PNG, mimeType: 'image/png' }]);
  });

  it('finds the uv set of a texture by name', async () => {
    const uvSets = [['a'], ['a', 'b']];
    const at = async (uvSet: string) =>
      (await readOne({}, { DiffuseColor: 'a.png' }, { uvSets, uvSet })).material.baseColorTexture?.uvSet;
    expect([await at('b'), await at('a'), await at('default')]).toEqual([1, 0, 0]);
  });

  it('reads bump textures with the name of a normal map as normal maps', async () => {
    expect((await readOne({}, { NormalMap: 'x.png' })).material.normalTexture).not.toBeNull();
    for (const file of ['body_normal.png', 'tex\\Body-N.png', 'T_Skin_Nrm.tga', 'normals.jpg']) {
      expect((await readOne({}, { Bump: file })).material.normalTexture, file).not.toBeNull();
    }
    const { material, textures, messages } = await readOne({}, { Bump: 'brown.png' });
    expect({ normal: material.normalTexture, textures }).toEqual({ normal: null, textures: [] });
    expect(messages).toEqual([
      'The material "skin" has a height map ("brown.png"); it was left out. Convert it to a normal map.',
    ]);
  });

  it('blends if the base color has the opacity, and leaves out separate opacity images', async () => {
    expect((await readOne({}, { DiffuseColor: 'a.png', TransparentColor: 'a.png' })).material.alphaMode).toBe('blend');
    const apart = await readOne({}, { DiffuseColor: 'a.png', TransparentColor: 'b.png' });
    expect(apart.material.alphaMode).toBe('opaque');
    expect(apart.textures).toHaveLength(1);
    expect(apart.messages).toEqual([expect.stringMatching(/separate opacity image/)]);
  });

  it('is single-sided if a Model culls faces', async () => {
    const body = (culling: string) => {
      const { name, properties, records } = model(5, 'Body', 'Mesh');
      return rec(name, properties, [...records, rec('Culling', [culling])]);
    };
    expect((await readOne({}, {}, { models: [body('CullingOff')] })).material.doubleSided).toBe(true);
    expect((await readOne({}, {}, { models: [body('CullingOnCCW')] })).material.doubleSided).toBe(false);
  });
});

describe('readMaterials: physically based materials', () => {
  it('reads metalness and roughness of Maya', async () => {
    const { material } = await readOne({
      DiffuseColor: [0, 0, 0],
      'Maya|baseColor': [0.5, 0.25, 1],
      'Maya|base': [0.5],
      'Maya|metalness': [0.75],
      'Maya|specularRoughness': [0.125],
      'Maya|emission': [2],
      'Maya|emissionColor': [0, 1, 0],
      'Maya|opacity': [0.5, 0.5, 0.5],
    });
    expect(material).toMatchObject({
      baseColor: [0.25, 0.125, 0.5, 0.5],
      metallic: 0.75,
      roughness: 0.125,
      emissive: [0, 2, 0],
      alphaMode: 'blend',
    });
  });

  it('reads metalness, roughness and maps of 3ds Max', async () => {
    const { material } = await readOne(
      { '3dsMax|Parameters|base_color': [1, 0, 0], '3dsMax|Parameters|roughness': [0.5] },
      { '3dsMax|Parameters|base_color_map': 'a.png', '3dsMax|main|norm_map': 'b.png', '3dsMax|main|ao_map': 'c.png' },
    );
    expect(material).toMatchObject({ baseColor: [1, 1, 1, 1], roughness: 0.5 });
    expect(
      [material.baseColorTexture, material.normalTexture, material.occlusionTexture].map((use) => use?.texture).sort(),
    ).toEqual([0, 1, 2]);
  });

  it('reads metalness and roughness of one image, not of two', async () => {
    const one = await readOne(
      { 'Maya|baseColor': [1, 1, 1] },
      { 'Maya|TEX_metallic_map': 'mr.png', 'Maya|TEX_roughness_map': 'mr.png' },
    );
    expect(one.material).toMatchObject({ metallic: 1, roughness: 1, metallicRoughnessTexture: { texture: 0 } });
    const two = await readOne(
      { 'Maya|metalness': [0.5] },
      { 'Maya|TEX_metallic_map': 'm.png', 'Maya|TEX_roughness_map': 'r.png' },
    );
    expect(two.material).toMatchObject({ metallic: 0.5, metallicRoughnessTexture: null });
    expect(two.messages).toEqual([expect.stringMatching(/separate metalness and roughness images/)]);
  });
});
