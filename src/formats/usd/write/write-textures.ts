/** Images beside a layer, and the shaders that read them. */
import { imageType } from '../../../core/asset/image-type.ts';
import type { Texture, TextureUse } from '../../../core/asset/material.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer } from '../layer/layer.ts';
import { childPath } from '../layer/paths.ts';
import type { UsdzEntry } from '../package/read-usdz.ts';
import { uvSetName } from '../read/uv-sets.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { usdTransform } from '../uv-transform.ts';
import { connectAttribute, declareAttribute, definePrim } from './author-prims.ts';
import { single, text, UNIFORM } from './author-values.ts';
import { primName, unusedName } from './prim-names.ts';

/** Images that packages may hold, and what their files are called. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** The files of textures, as the shaders name them. */
export interface ImageFiles {
  /** Path of the file by texture; null where it was left out. */
  readonly paths: readonly (string | null)[];
  readonly files: UsdzEntry[];
}

/** How a texture is read. */
export interface TextureRead {
  readonly colorSpace: 'sRGB' | 'raw';
  readonly scale: readonly [number, number, number, number];
  readonly bias?: readonly [number, number, number, number];
  /** What is read of it. */
  readonly outputs: readonly ('rgb' | 'r' | 'g' | 'b' | 'a')[];
}

/**
 * Names for the image files of the textures that are used, `textures/hero/skin.png` where `owner` is hero, so that characters in one folder keep
 * theirs: safe and unique, an image that several have once. Images of kinds that packages do not allow are left out (TEXTURE_DROPPED).
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
      const message = `The texture "${name}" is ${type}, which USD packages do not hold: only png and jpeg. It was left out; convert it.`;
      issues.push(issue('TEXTURE_DROPPED', message));
      return null;
    }
    const file = known.get(image);
    if (file !== undefined) return file;
    const stem = primName(name.replace(/\.(?:png|jpe?g)$/i, ''), 'texture');
    // Windows and macOS take names for the same that differ in case.
    const number = unusedName(stem.toLowerCase(), taken).slice(stem.length);
    const path = `${folder}/${stem}${number}.${extension}`;
    known.set(image, path);
    files.push({ name: path, bytes: image });
    return path;
  });
  return { paths, files };
}

/** Adds a shader below a material; its path comes out. */
export function addShader(layer: Layer, material: string, name: string, id: string): string {
  const shader = definePrim(layer, childPath(material, name), 'Shader');
  authorAttribute(layer, shader, 'info:id', 'token', text('token', id), UNIFORM);
  return shader;
}

/** Adds the shaders that read a texture, a UsdUVTexture and what gives it uvs; the path of the former comes out. `file`: as {@link imageFiles} names it. */
export function addTexture(
  layer: Layer,
  material: string,
  name: string,
  use: TextureUse,
  texture: Texture,
  file: string,
  read: TextureRead,
): string {
  const shader = addShader(layer, material, name, 'UsdUVTexture');
  const { colorSpace, scale, bias, outputs } = read;
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

/** The output that uvs come from: the reader of the uv set, which all textures of the material share, or a transform behind it. */
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
