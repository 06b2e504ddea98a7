import { imageType } from '../../../../core/asset/image-type.ts';
import type { Texture, TextureUse } from '../../../../core/asset/material.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { connectAttribute, declareAttribute, definePrim } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { single, text, UNIFORM } from '../../author/author-values.ts';
import { primName, unusedName } from '../../author/prim-names.ts';
import type { Layer } from '../../layer/layer.ts';
import { childPath } from '../../layer/paths.ts';
import type { UsdzEntry } from '../../package/read-usdz.ts';
import { uvSetName } from '../../uv-sets.ts';
import { usdTransform } from '../../uv-transform.ts';

/** Image types that USDZ packages allow, with their file extensions. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

export interface ImageFiles {
  /** File path of each texture, relative to the layer; null for dropped and unused textures. */
  readonly paths: readonly (string | null)[];
  /** The files; each image once. */
  readonly files: UsdzEntry[];
}

export interface TextureRead {
  readonly colorSpace: 'sRGB' | 'raw';
  /** RGBA factors. */
  readonly scale: readonly [number, number, number, number];
  /** RGBA offsets; default 0. */
  readonly bias?: readonly [number, number, number, number];
  readonly outputs: readonly ('rgb' | 'r' | 'g' | 'b' | 'a')[];
}

/**
 * Creates the image files of textures. Their paths, such as `textures/hero/skin.png`, are unique and valid in packages; textures with the same image
 * share a file. The folder is named by `owner`, so that several characters can be stored side by side. Images of types that packages do not allow are
 * dropped.
 */
export function imageFiles(
  textures: readonly Texture[],
  used: ReadonlySet<number>,
  owner: string,
  issues: Issue[],
): ImageFiles {
  const folder = `textures/${primName(owner, 'character')}`;
  const files: UsdzEntry[] = [];
  const known = new Map<Uint8Array, string>();
  const taken = new Set<string>();
  const paths = textures.map(({ name, image, mimeType }, index) => {
    if (!used.has(index)) return null;
    const type = imageType(image) ?? mimeType;
    const extension = EXTENSIONS[type];
    if (extension === undefined) {
      const message = `The texture "${name}" has the type ${type}, which USD packages do not allow, and was dropped. Convert it to PNG or JPEG.`;
      issues.push(issue('TEXTURE_DROPPED', message));
      return null;
    }
    const file = known.get(image);
    if (file !== undefined) return file;
    const stem = primName(name.replace(/\.(?:png|jpe?g)$/i, ''), 'texture');
    // File names on Windows and macOS are case-insensitive.
    const number = unusedName(stem.toLowerCase(), taken).slice(stem.length);
    const path = `${folder}/${stem}${number}.${extension}`;
    known.set(image, path);
    files.push({ name: path, bytes: image });
    return path;
  });
  return { paths, files };
}

/** Adds a shader to a material. `layer` is changed in place. */
export function addShader(layer: Layer, material: string, name: string, id: string): string {
  const shader = definePrim(layer, childPath(material, name), 'Shader');
  authorAttribute(layer, shader, 'info:id', 'token', text('token', id), UNIFORM);
  return shader;
}

/** Adds the shaders of a texture: a UsdUVTexture and the readers of its UVs. `layer` is changed in place. */
export function addTexture(
  layer: Layer,
  material: string,
  name: string,
  { use, texture, file }: { readonly use: TextureUse; readonly texture: Texture; readonly file: string },
  { colorSpace, scale, bias, outputs }: TextureRead,
): string {
  const shader = addShader(layer, material, name, 'UsdUVTexture');
  authorAttribute(layer, shader, 'inputs:file', 'asset', text('asset', `./${file}`));
  authorAttribute(layer, shader, 'inputs:sourceColorSpace', 'token', text('token', colorSpace));
  authorAttribute(layer, shader, 'inputs:wrapS', 'token', text('token', texture.wrapU));
  authorAttribute(layer, shader, 'inputs:wrapT', 'token', text('token', texture.wrapV));
  if (scale.some((value) => value !== 1)) {
    authorAttribute(layer, shader, 'inputs:scale', 'float4', single('float4', ...scale));
  }
  if (bias?.some((value) => value !== 0)) {
    authorAttribute(layer, shader, 'inputs:bias', 'float4', single('float4', ...bias));
  }
  connectAttribute(layer, shader, 'inputs:st', 'float2', uvSource(layer, material, name, use));
  for (const output of outputs) {
    declareAttribute(layer, shader, `outputs:${output}`, output === 'rgb' ? 'float3' : 'float');
  }
  return shader;
}

/** Returns the output that provides the UVs: that of the reader of the UV set, which all textures of the material share, or of a UV transform. */
function uvSource(layer: Layer, material: string, name: string, { uvSet, transform }: TextureUse): string {
  const varname = uvSetName(uvSet);
  const reader = childPath(material, `uv_${varname}`);
  if (!layer.specs.has(reader)) {
    addShader(layer, material, `uv_${varname}`, 'UsdPrimvarReader_float2');
    authorAttribute(layer, reader, 'inputs:varname', 'string', text('string', varname));
    declareAttribute(layer, reader, 'outputs:result', 'float2');
  }
  const result = `${reader}.outputs:result`;
  if (transform === null) return result;
  const moved = addShader(layer, material, `${name}Transform`, 'UsdTransform2d');
  const { scale, rotation, translation } = usdTransform(transform);
  connectAttribute(layer, moved, 'inputs:in', 'float2', result);
  authorAttribute(layer, moved, 'inputs:scale', 'float2', single('float2', ...scale));
  authorAttribute(layer, moved, 'inputs:rotation', 'float', single('float', rotation));
  authorAttribute(layer, moved, 'inputs:translation', 'float2', single('float2', ...translation));
  declareAttribute(layer, moved, 'outputs:result', 'float2');
  return `${moved}.outputs:result`;
}
