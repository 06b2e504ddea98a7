/** Writes materials as UsdPreviewSurface, which all USD renderers support, and their image files. */
import type { Geometry } from '../../../../core/asset/geometry.ts';
import type { Material, TextureUse } from '../../../../core/asset/material.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { addPrim } from '../../author/add-prim.ts';
import { connectAttribute, declareAttribute } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { single } from '../../author/author-values.ts';
import type { Layer } from '../../layer/layer.ts';
import type { UsdzEntry } from '../../package/read-usdz.ts';
import { addShader, addTexture, type ImageFiles, imageFiles, type TextureRead } from './write-textures.ts';

export interface WrittenMaterials {
  readonly paths: string[];
  /** Image files, with paths relative to the layer. */
  readonly files: UsdzEntry[];
}

interface SurfaceContext {
  readonly layer: Layer;
  readonly material: string;
  readonly surface: string;
  readonly textures: Geometry['textures'];
  readonly images: ImageFiles;
}

/**
 * Adds a Material prim for each material. UV sets are the primvars `st`, `st1`, …, with v up. `doubleSided` is not written: it is an attribute of meshes
 * in USD. Unlit materials become black with an emissive color (USD_MATERIAL). Images other than PNG and JPEG are dropped, but the factors of their
 * textures are kept (TEXTURE_DROPPED). `layer` is changed in place.
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
    const subject = `${unlit} ${unlit === 1 ? 'material is' : 'materials are'} unlit`;
    const message = `${subject}, which UsdPreviewSurface does not support. Black with the base color as emissive color was written instead.`;
    issues.push(issue('USD_MATERIAL', message));
  }
  return { paths, files: images.files };
}

function usesOf(material: Material): TextureUse[] {
  const { baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture } = material;
  const lit = [metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture];
  return [baseColorTexture, ...(material.unlit ? [] : lit)].filter((use) => use !== null);
}

function writeSurface(context: SurfaceContext, material: Material): void {
  const { layer, surface } = context;
  const [r, g, b, alpha] = material.baseColor;
  const isMask = material.alphaMode === 'mask';
  // In glTF, a cutoff of 0 keeps everything; in USD, a threshold of 0 means blending.
  const isOpaque = material.alphaMode === 'opaque' || (isMask && material.alphaCutoff <= 0);
  const number = (input: string, value: number): void =>
    authorAttribute(layer, surface, `inputs:${input}`, 'float', single('float', value));
  const color = (input: string, rgb: readonly number[]): void =>
    authorAttribute(layer, surface, `inputs:${input}`, 'color3f', single('float3', ...rgb));
  const connect = (input: string, type: string, shader: string, output: string): void =>
    connectAttribute(layer, surface, `inputs:${input}`, type, `${shader}.outputs:${output}`);

  const base = addUse(context, 'BaseColorTexture', material.baseColorTexture, {
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
    // Our reader and Adobe's converters recognize unlit surfaces by this attribute.
    authorAttribute(layer, surface, 'unlit', 'bool', single('bool', 1), { custom: single('bool', 1) });
  } else writeLit(context, material, { number, color, connect });
  declareAttribute(layer, surface, 'outputs:surface', 'token');
}

interface Inputs {
  readonly number: (input: string, value: number) => void;
  readonly color: (input: string, rgb: readonly number[]) => void;
  readonly connect: (input: string, type: string, shader: string, output: string) => void;
}

/** Writes the inputs of lit surfaces: everything except base color and alpha. */
function writeLit(context: SurfaceContext, material: Material, { number, color, connect }: Inputs): void {
  const { metallic, roughness, normalScale, occlusionStrength, emissive } = material;
  const packed = addUse(context, 'MetallicRoughnessTexture', material.metallicRoughnessTexture, {
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
  const normal = addUse(context, 'NormalTexture', material.normalTexture, {
    colorSpace: 'raw',
    scale: [2 * normalScale, 2 * normalScale, 2, 1],
    bias: [-normalScale, -normalScale, -1, 0],
    outputs: ['rgb'],
  });
  if (normal !== null) connect('normal', 'normal3f', normal, 'rgb');
  const occlusion = addUse(context, 'OcclusionTexture', material.occlusionTexture, {
    colorSpace: 'raw',
    scale: [occlusionStrength, 1, 1, 1],
    bias: [1 - occlusionStrength, 0, 0, 0],
    outputs: ['r'],
  });
  if (occlusion !== null) connect('occlusion', 'float', occlusion, 'r');
  const emission = addUse(context, 'EmissiveTexture', material.emissiveTexture, {
    colorSpace: 'sRGB',
    scale: [...emissive, 1],
    outputs: ['rgb'],
  });
  if (emission !== null) connect('emissiveColor', 'color3f', emission, 'rgb');
  else if (emissive.some((value) => value !== 0)) color('emissiveColor', emissive);
}

/** Adds the shaders of a texture. Returns the path of the UsdUVTexture; null without a texture or image file. */
function addUse(context: SurfaceContext, name: string, use: TextureUse | null, read: TextureRead): string | null {
  const { layer, material, textures, images } = context;
  const file = use === null ? null : (images.paths[use.texture] ?? null);
  return use === null || file === null
    ? null
    : addTexture(layer, material, name, { use, texture: textures[use.texture], file }, read);
}
