import fc from 'fast-check';
import type { MeshPhysicalMaterial, Mesh as ThreeMesh } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import type { Material, Texture, TextureUse } from '../../../../../src/core/asset/material.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { authorRelationship, definePrim, makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { authorAttribute } from '../../../../../src/formats/usd/author/author-property.ts';
import { arrayOf } from '../../../../../src/formats/usd/author/author-values.ts';
import { serializeUsdc } from '../../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { Layer } from '../../../../../src/formats/usd/layer/layer.ts';
import { writeUsdz } from '../../../../../src/formats/usd/package/write-usdz.ts';
import { defaultMaterial } from '../../../../../src/formats/usd/read/materials/preview-surface.ts';
import { readMaterials } from '../../../../../src/formats/usd/read/materials/read-materials.ts';
import { createFileAccess } from '../../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import {
  type WrittenMaterials,
  writeMaterials,
} from '../../../../../src/formats/usd/write/materials/write-materials.ts';
import { real } from '../../../../support/arbitraries.ts';
import { lawRuns } from '../../../../support/law-runs.ts';
import { expectNear } from '../../../../support/near.ts';
import { USD_MATERIAL_F32 } from '../../../../support/tolerances.ts';
import { JPEG, PNG } from '../../images.ts';

interface Written extends WrittenMaterials {
  readonly layer: Layer;
  readonly issues: Issue[];
}

function write(materials: readonly Material[], textures: readonly Texture[] = []): Written {
  const layer = makeLayer({});
  definePrim(layer, '/Looks', 'Scope');
  const issues: Issue[] = [];
  return { ...writeMaterials(layer, '/Looks', { materials, textures }, 'hero', issues), layer, issues };
}

/** Reads the written materials from a package. */
function readBack({ layer, paths, files }: Written): ReturnType<typeof readMaterials> & { issues: Issue[] } {
  const bytes = writeUsdz([{ name: 'root.usdc', bytes: serializeUsdc(layer) }, ...files]);
  const { resolve, readAsset } = createFileAccess((path) => (path === 'a.usdz' ? bytes : null));
  const opened = resolve('a.usdz', '');
  if (opened === null) throw new Error('no root layer');
  const issues: Issue[] = [];
  const stage = openStage(opened.layer, { id: opened.id, resolve });
  const uvs = paths.map(() => ['st', 'st1', 'st2']);
  return { ...readMaterials(stage, paths, readAsset, issues, uvs), issues };
}

const plain = (more: Partial<Material> = {}): Material => ({ ...defaultMaterial('M'), ...more });
const use = (texture: number, uvSet = 0): TextureUse => ({ texture, uvSet, transform: null });
const picture = (name: string, image: Uint8Array, mimeType = 'image/png'): Texture => ({
  name,
  image,
  mimeType,
  wrapU: 'repeat',
  wrapV: 'repeat',
  magFilter: null,
  minFilter: null,
});

const [ONE, TWO, THREE] = [PNG(1), PNG(2), JPEG(3)];
const TEXTURES: readonly Texture[] = [
  picture('skin', ONE),
  { ...picture('skin', ONE), wrapU: 'mirror', wrapV: 'clamp' },
  picture('Packed_2', TWO),
  picture('cloth', THREE, 'image/jpeg'),
];

const unit = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const positive = fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000);
const pair = (limit: number): fc.Arbitrary<[number, number]> => fc.tuple(real(limit), real(limit));
const uses = fc.option(
  fc.record({
    texture: fc.nat(TEXTURES.length - 1),
    uvSet: fc.nat(2),
    transform: fc.option(fc.record({ offset: pair(3), rotation: real(3), scale: pair(3) })),
  }),
);

/** Materials that UsdPreviewSurface can represent. */
const materials: fc.Arbitrary<Material> = fc
  .record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    rgb: fc.tuple(unit, unit, unit),
    alpha: positive,
    baseColorTexture: uses,
    metallic: unit,
    roughness: unit,
    metallicRoughnessTexture: uses,
    normalTexture: uses,
    normalScale: real(2),
    occlusionTexture: uses,
    occlusionStrength: unit,
    emissive: fc.tuple(unit, unit, unit).map(([r, g, b]): [number, number, number] => [5 * r, g, b]),
    emissiveTexture: uses,
    alphaMode: fc.constantFrom('opaque', 'mask', 'blend' as const),
    alphaCutoff: positive,
  })
  .map(({ rgb, alpha, ...material }) => {
    const { alphaMode, alphaCutoff, baseColorTexture, normalTexture, occlusionTexture } = material;
    const shown = alphaMode === 'opaque' ? 1 : baseColorTexture === null ? alpha * 0.99 : alpha;
    return {
      ...material,
      baseColor: [...rgb, shown],
      // Without a texture, glTF's default values are read.
      normalScale: normalTexture === null ? 1 : material.normalScale,
      occlusionStrength: occlusionTexture === null ? 1 : material.occlusionStrength,
      alphaCutoff: alphaMode === 'mask' ? alphaCutoff : 0.5,
      doubleSided: false,
      unlit: false,
    } satisfies Material;
  });

/** Flattens a material, with textures instead of indices: the numbers, and everything else. */
function flat(material: Material, textures: readonly Texture[]): { numbers: number[]; rest: unknown } {
  const numbers: number[] = [];
  const rest = JSON.stringify(material, (key, value) => {
    if (key === 'texture') {
      const { image, ...texture } = textures[value as number];
      return { ...texture, image: [...image].join() };
    }
    if (typeof value !== 'number') return value;
    numbers.push(value);
    return key === 'uvSet' ? value : null;
  });
  return { numbers, rest: JSON.parse(rest) };
}

describe('writeMaterials', () => {
  it('round-trips all materials that UsdPreviewSurface can represent', () => {
    const property = fc.property(fc.array(materials, { minLength: 1, maxLength: 3 }), (given) => {
      const written = write(given, TEXTURES);
      const back = readBack(written);
      expect([written.issues, back.issues]).toEqual([[], []]);
      for (const [i, material] of given.entries()) {
        // Same order of members as in the source material.
        const ordered = Object.fromEntries(
          Object.keys(material).map((key) => [key, back.materials[i][key as keyof Material]]),
        );
        const [expected, actual] = [flat(material, TEXTURES), flat(ordered as unknown as Material, back.textures)];
        expect(actual.rest).toEqual(expected.rest);
        expectNear(actual.numbers, expected.numbers, USD_MATERIAL_F32);
      }
    });
    fc.assert(property, { seed: 4, numRuns: lawRuns(60) });
  });

  it('shares the file of textures with the same image, and omits unused images', () => {
    const textures = [
      picture('skin', ONE),
      { ...picture('other', ONE), wrapU: 'clamp' as const },
      picture('unused', TWO),
      picture('Skin.PNG', THREE, 'image/jpeg'),
      picture('顔', TWO),
    ];
    const { files, layer } = write(
      [plain({ baseColorTexture: use(0), emissiveTexture: use(1), normalTexture: use(3), occlusionTexture: use(4) })],
      textures,
    );
    expect(files.map(({ name }) => name)).toEqual([
      'textures/hero/skin.png',
      'textures/hero/Skin_1.jpg',
      'textures/hero/texture.png',
    ]);
    expect(files[0].bytes).toBe(ONE);
    expect(serializeUsda(layer).match(/@\.\/textures\/hero\/skin\.png@/g)).toHaveLength(2);
  });

  it('drops images that packages do not allow, and keeps the factors', () => {
    const webp = new TextEncoder().encode('RIFF0000WEBPVP8 ');
    const written = write(
      [plain({ baseColor: [0.5, 0.25, 1, 0.75], baseColorTexture: use(0), alphaMode: 'blend' })],
      [picture('hair', webp, 'image/webp')],
    );
    expect(written.files).toEqual([]);
    expect(written.issues).toMatchObject([{ code: 'TEXTURE_DROPPED' }]);
    expect(written.issues[0].message).toContain('The texture "hair" has the type image/webp');
    expect(readBack(written).materials[0]).toMatchObject({
      baseColor: [0.5, 0.25, 1, 0.75],
      baseColorTexture: null,
      alphaMode: 'blend',
    });
  });

  it('writes unlit materials as marked emissive ones, with the alpha of their texture', () => {
    const baseColor = [0.5, 0.25, 1, 0.75] as const;
    const unlit = plain({
      baseColor,
      baseColorTexture: use(0),
      alphaMode: 'blend',
      unlit: true,
      normalTexture: use(1),
    });
    const gray = plain({ baseColor: [0.5, 0.5, 0.5, 1], unlit: true });
    const written = write([unlit, gray], [picture('a', ONE), picture('b', TWO)]);
    expect(written.issues).toMatchObject([{ code: 'USD_MATERIAL' }]);
    expect(written.issues[0].message).toContain('2 materials are unlit');
    expect(written.files).toHaveLength(1);
    const { materials: back, issues } = readBack(written);
    expect(issues).toEqual([]);
    expect(back[0]).toMatchObject({
      baseColor,
      baseColorTexture: { texture: 0 },
      emissive: [0, 0, 0],
      emissiveTexture: null,
      alphaMode: 'blend',
      unlit: true,
    });
    expect(back[1]).toMatchObject({ baseColor: [0.5, 0.5, 0.5, 1], alphaMode: 'opaque', unlit: true });
    // Renderers that ignore the mark see an emissive material.
    for (const [path, { fields }] of written.layer.specs) {
      if (path.endsWith('.unlit')) fields.set('default', { type: 'bool', isArray: false, numbers: Uint8Array.of(0) });
    }
    expect(readBack(written).materials[0]).toMatchObject({
      baseColor: [0, 0, 0, 0.75],
      baseColorTexture: { texture: 0 },
      emissive: [0.5, 0.25, 1],
      emissiveTexture: { texture: 0 },
      metallic: 0,
      roughness: 1,
      alphaMode: 'blend',
      unlit: false,
    });
  });

  it('writes a mask with cutoff 0 as opaque', () => {
    const masked = plain({ alphaMode: 'mask', alphaCutoff: 0, baseColor: [1, 1, 1, 0.5], baseColorTexture: use(0) });
    expect(readBack(write([masked], TEXTURES)).materials[0]).toMatchObject({
      alphaMode: 'opaque',
      baseColor: [1, 1, 1, 1],
    });
  });

  it('makes prim names of materials unique', () => {
    const { paths, layer } = write([plain({ name: 'Skin: a' }), plain({ name: 'Skin. a' }), plain({ name: '' })]);
    expect(paths).toEqual(['/Looks/Skin_a', '/Looks/Skin_a_1', '/Looks/Material']);
    expect(serializeUsda(layer).match(/displayName = ".*"/g)).toEqual([
      'displayName = "Skin: a"',
      'displayName = "Skin. a"',
    ]);
  });

  it('ignores missing textures', () => {
    const { files, issues } = write([plain({ baseColorTexture: use(7) })], TEXTURES);
    expect([files, issues]).toEqual([[], []]);
  });
});

describe('writeMaterials in three.js', () => {
  it.each([
    { alphaMode: 'opaque', alphaCutoff: 0.5 },
    { alphaMode: 'blend', alphaCutoff: 0.5 },
  ] as const)('has the same colors, metalness and opacity ($alphaMode)', (alpha) => {
    const given = plain({
      baseColor: [0.1, 0.5, 0.9, 0.25],
      metallic: 0.75,
      roughness: 0.375,
      emissive: [0.5, 0, 1],
      ...alpha,
    });
    const { layer, paths } = write([given]);
    definePrim(layer, '/Mesh', 'Mesh', { apiSchemas: ['MaterialBindingAPI'] });
    authorAttribute(layer, '/Mesh', 'points', 'point3f[]', arrayOf('float3', [0, 0, 0, 1, 0, 0, 0, 1, 0]));
    authorAttribute(layer, '/Mesh', 'faceVertexCounts', 'int[]', arrayOf('int', [3]));
    authorAttribute(layer, '/Mesh', 'faceVertexIndices', 'int[]', arrayOf('int', [0, 1, 2]));
    authorRelationship(layer, '/Mesh', 'material:binding', [paths[0]]);
    const scene = new USDLoader().parse(serializeUsda(layer));
    const mesh = scene.getObjectByProperty('type', 'Mesh') as ThreeMesh;
    const shown = mesh.material as MeshPhysicalMaterial;
    expectNear(shown.color.toArray(), [0.1, 0.5, 0.9], USD_MATERIAL_F32);
    expectNear(shown.emissive.toArray(), [0.5, 0, 1], USD_MATERIAL_F32);
    expect([shown.metalness, shown.roughness]).toEqual([0.75, 0.375]);
    expect([shown.transparent, shown.opacity]).toEqual(alpha.alphaMode === 'blend' ? [true, 0.25] : [false, 1]);
  });
});
