/** Material prims with UsdPreviewSurface, which all of USD knows, and the files of their images. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import type { Material, TextureUse } from '../../../core/asset/material.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer } from '../layer/layer.ts';
import type { UsdzEntry } from '../package/read-usdz.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { addPrim } from './add-prim.ts';
import { connectAttribute, declareAttribute } from './author-prims.ts';
import { single } from './author-values.ts';
import { addShader, addTexture, type ImageFiles, imageFiles, type TextureRead } from './write-textures.ts';

/** What was written: the prims, and what goes beside the layer. */
export interface WrittenMaterials {
  /** Path of the prim of each material. */
  readonly paths: string[];
  /** Image files, named from the folder of the layer. */
  readonly files: UsdzEntry[];
}

/** Where the shaders of a material go. */
interface MaterialWriting {
  readonly layer: Layer;
  readonly material: string;
  readonly surface: string;
  readonly textures: Geometry['textures'];
  readonly images: ImageFiles;
}

/**
 * Adds a Material below a prim that the layer has, for each material; `owner` names the folder of their images. Uv set n is the primvar `st`, `st1`,
 * …, with v up. `doubleSided` is for the meshes to say. Unlit materials glow in their base color (USD_MATERIAL); images other than png and jpeg are
 * left out, of their textures the factors stay (TEXTURE_DROPPED).
 */
export function writeMaterials(
  layer: Layer,
  scope: string,
  { materials, textures }: Pick<Geometry, 'materials' | 'textures'>,
  owner: string,
  issues: Issue[],
): WrittenMaterials {
  const used = new Set(materials.flatMap((material) => usesOf(material).map(({ texture }) => texture)));
  const images = imageFiles(textures, used, owner, issues);
  const paths = materials.map((material) => {
    const path = addPrim(layer, scope, material.name, 'Material', 'Material');
    const surface = addShader(layer, path, 'Surface', 'UsdPreviewSurface');
    writeSurface({ layer, material: path, surface, textures, images }, material);
    connectAttribute(layer, path, 'outputs:surface', 'token', `${surface}.outputs:surface`);
    return path;
  });
  const unlit = materials.filter((material) => material.unlit).length;
  if (unlit > 0) {
    const message = `${unlit} unlit ${unlit === 1 ? 'material was' : 'materials were'} written as black that glows in the base color: UsdPreviewSurface is always lit.`;
    issues.push(issue('USD_MATERIAL', message));
  }
  return { paths, files: images.files };
}

/** The textures that are written of a material. */
function usesOf(material: Material): TextureUse[] {
  const { baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture } = material;
  const lit = [metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture];
  return [baseColorTexture, ...(material.unlit ? [] : lit)].filter((use) => use !== null);
}

function writeSurface(writing: MaterialWriting, material: Material): void {
  const { layer, surface } = writing;
  const [r, g, b, alpha] = material.baseColor;
  const isMask = material.alphaMode === 'mask';
  // A threshold of 0 cuts nothing off in glTF; in USD it would mean blending.
  const isOpaque = material.alphaMode === 'opaque' || (isMask && material.alphaCutoff <= 0);
  const number = (input: string, value: number): void =>
    authorAttribute(layer, surface, `inputs:${input}`, 'float', single('float', value));
  const color = (input: string, rgb: readonly number[]): void =>
    authorAttribute(layer, surface, `inputs:${input}`, 'color3f', single('float3', ...rgb));
  const connect = (input: string, type: string, shader: string, output: string): void =>
    connectAttribute(layer, surface, `inputs:${input}`, type, `${shader}.outputs:${output}`);

  const base = addUse(writing, 'BaseColorTexture', material.baseColorTexture, {
    colorSpace: 'sRGB',
    scale: [r, g, b, isOpaque ? 1 : alpha],
    outputs: isOpaque ? ['rgb'] : ['rgb', 'a'],
  });
  const shown = material.unlit ? 'emissiveColor' : 'diffuseColor';
  if (base === null) color(shown, [r, g, b]);
  else connect(shown, 'color3f', base, 'rgb');
  if (!isOpaque && base === null) number('opacity', alpha);
  else if (!isOpaque && base !== null) connect('opacity', 'float', base, 'a');
  if (isMask && !isOpaque) number('opacityThreshold', material.alphaCutoff);
  if (material.unlit) {
    color('diffuseColor', [0, 0, 0]);
    number('metallic', 0);
    number('roughness', 1);
    // For those who read it back; Adobe's converters mark such surfaces so too.
    authorAttribute(layer, surface, 'unlit', 'bool', single('bool', 1), { custom: single('bool', 1) });
  } else writeLit(writing, material, { number, color, connect });
  declareAttribute(layer, surface, 'outputs:surface', 'token');
}

/** Ways to set inputs of the surface. */
interface Inputs {
  readonly number: (input: string, value: number) => void;
  readonly color: (input: string, rgb: readonly number[]) => void;
  readonly connect: (input: string, type: string, shader: string, output: string) => void;
}

/** All but the base color and its alpha. */
function writeLit(writing: MaterialWriting, material: Material, { number, color, connect }: Inputs): void {
  const { metallic, roughness, normalScale, occlusionStrength, emissive } = material;
  const packed = addUse(writing, 'MetallicRoughnessTexture', material.metallicRoughnessTexture, {
    colorSpace: 'raw',
    scale: [1, roughness, metallic, 1],
    outputs: ['g', 'b'],
  });
  if (packed === null) {
    number('metallic', metallic);
    number('roughness', roughness);
  } else {
    connect('metallic', 'float', packed, 'b');
    connect('roughness', 'float', packed, 'g');
  }
  const normal = addUse(writing, 'NormalTexture', material.normalTexture, {
    colorSpace: 'raw',
    scale: [2 * normalScale, 2 * normalScale, 2, 1],
    bias: [-normalScale, -normalScale, -1, 0],
    outputs: ['rgb'],
  });
  if (normal !== null) connect('normal', 'normal3f', normal, 'rgb');
  const occlusion = addUse(writing, 'OcclusionTexture', material.occlusionTexture, {
    colorSpace: 'raw',
    scale: [occlusionStrength, 1, 1, 1],
    bias: [1 - occlusionStrength, 0, 0, 0],
    outputs: ['r'],
  });
  if (occlusion !== null) connect('occlusion', 'float', occlusion, 'r');
  const glow = addUse(writing, 'EmissiveTexture', material.emissiveTexture, {
    colorSpace: 'sRGB',
    scale: [...emissive, 1],
    outputs: ['rgb'],
  });
  if (glow !== null) connect('emissiveColor', 'color3f', glow, 'rgb');
  else if (emissive.some((value) => value !== 0)) color('emissiveColor', emissive);
}

/** Adds the shaders of a texture; the path of the one that reads it, null without a texture. */
function addUse(writing: MaterialWriting, name: string, use: TextureUse | null, read: TextureRead): string | null {
  const { layer, material, textures, images } = writing;
  const file = use === null ? null : (images.paths[use.texture] ?? null);
  return use === null || file === null
    ? null
    : addTexture(layer, material, name, use, textures[use.texture], file, read);
}
