/** Reads UsdUVTexture shaders with the source of their UVs. */

import { imageType } from '../../../../core/asset/image-type.ts';
import type { Texture, TextureUse, Wrap } from '../../../../core/asset/material.ts';
import { getOrCreate } from '../../../../core/math/get-or-create.ts';
import { FormatError } from '../../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { defaultValueLayer } from '../../stage/attribute-values.ts';
import type { ReadAsset } from '../../stage/file-resolver.ts';
import type { Stage } from '../../stage/stage.ts';
import { uvTransform } from '../../uv-transform.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restValue } from '../rest-value.ts';
import { inputNumbers, inputSource, inputText, shaderId, shaderName } from './shader-network.ts';

export interface MaterialContext {
  readonly stage: Stage;
  readonly readAsset: ReadAsset;
  readonly issues: Issue[];
  /** Receives unsupported properties of materials. */
  readonly findings: Findings;
  /** The textures so far: each combination of image and wrap modes once. */
  readonly textures: Texture[];
  /** Indices in {@link textures} by image and wrap modes. */
  readonly textureIndices: Map<Uint8Array, Map<string, number>>;
  /** Missing files, each reported once. */
  readonly missing: Set<string>;
}

/** A UsdUVTexture: its output is the texture times scale plus bias. */
export interface UvTexture {
  /** Index in the textures; −1 if the image is missing and {@link fallback} is the output. */
  readonly texture: number;
  /** Name of the UV primvar, without `primvars:`; null if it is not authored. */
  readonly uvName: string | null;
  /** Transform of the UVs, v down; null for none. */
  readonly transform: TextureUse['transform'];
  /** RGBA factors. */
  readonly scale: readonly number[];
  /** RGBA offsets. */
  readonly bias: readonly number[];
  /** RGBA output without an image; null if not authored. */
  readonly fallback: readonly number[] | null;
  /** The `sourceColorSpace` token: `sRGB`, `raw`, `auto`. Invalid tokens are kept. */
  readonly colorSpace: string;
  readonly isGray: boolean;
}

export function addMaterialFinding({ findings }: MaterialContext, what: string, prim: string): void {
  addFinding(findings, 'USD_MATERIAL', what, prim);
}

export function readUvTexture(context: MaterialContext, shader: string): UvTexture {
  const { stage } = context;
  const texture = readImage(context, shader);
  const image = texture < 0 ? null : context.textures[texture];
  return {
    texture,
    ...readUvs(context, shader),
    scale: inputNumbers(stage, shader, 'scale', 4) ?? [1, 1, 1, 1],
    bias: inputNumbers(stage, shader, 'bias', 4) ?? [0, 0, 0, 0],
    fallback: inputNumbers(stage, shader, 'fallback', 4),
    colorSpace: inputText(stage, shader, 'sourceColorSpace') ?? 'auto',
    isGray: image !== null && isGrayImage(image.image, image.mimeType),
  };
}

/** Finds or adds the texture of a shader; −1 without a readable image. */
function readImage(context: MaterialContext, shader: string): number {
  const { stage, textures, textureIndices } = context;
  const file = inputSource(stage, shader, 'inputs:file');
  const value = file.type === 'value' ? restValue(stage, file.prim, file.name) : null;
  const path = value !== null && 'texts' in value ? (value.texts[0] ?? '') : '';
  if (file.type !== 'value' || path === '') {
    addMaterialFinding(context, 'Textures have no file and were dropped', shader);
    return -1;
  }
  const image = findImage(context, path, defaultValueLayer(stage, file.prim, file.name) ?? '', shader);
  if (image === null) return -1;
  if (path.includes('<UDIM>')) {
    addMaterialFinding(context, 'Textures are tiled (<UDIM>), which is not supported; only tile 1001 was read', shader);
  }
  const mimeType = imageType(image);
  if (mimeType === null) {
    addMaterialFinding(context, 'Images have an unknown type and were dropped. Use PNG or JPEG', shader);
    return -1;
  }
  const wrapU = readWrap(context, shader, 'wrapS');
  const wrapV = readWrap(context, shader, 'wrapT');
  const known = getOrCreate(textureIndices, image, () => new Map<string, number>());
  return getOrCreate(known, `${wrapU} ${wrapV}`, () => {
    return textures.push({ name: stemOf(path), image, mimeType, wrapU, wrapV, magFilter: null, minFilter: null }) - 1;
  });
}

function findImage(context: MaterialContext, path: string, layer: string, shader: string): Uint8Array | null {
  const { readAsset, missing, issues } = context;
  let reason = 'The file does not exist. Put it at this path';
  try {
    // USD requires slashes, but files with Windows paths exist.
    const image = readAsset(path, layer) ?? (path.includes('\\') ? readAsset(path.replaceAll('\\', '/'), layer) : null);
    if (image !== null) return image;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    reason = error.message;
  }
  const key = `${layer}\n${path}`;
  if (!missing.has(key)) {
    const message = `The image @${path}@ could not be read and was dropped. ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
    issues.push(issue('RESOURCE_MISSING', message, { ...(layer === '' ? {} : { resource: layer }), pointer: shader }));
  }
  missing.add(key);
  return null;
}

/** Extracts the file name without folder, package and extension. */
function stemOf(path: string): string {
  const name = path.replace(/\]+$/, '').replace(/^.*[/\\[]/, '');
  return name.replace('<UDIM>', '1001').replace(/(.)\.[^.]*$/, '$1');
}

function readWrap(context: MaterialContext, shader: string, input: 'wrapS' | 'wrapT'): Wrap {
  const word = inputText(context.stage, shader, input) ?? 'useMetadata';
  if (word === 'clamp' || word === 'mirror') return word;
  if (word !== 'black') return 'repeat';
  addMaterialFinding(context, 'Textures use the wrap mode black, which is not supported; clamp was used', shader);
  return 'clamp';
}

function readUvs(context: MaterialContext, shader: string): Pick<UvTexture, 'uvName' | 'transform'> {
  const { stage } = context;
  let source = inputSource(stage, shader, 'inputs:st');
  let transform: TextureUse['transform'] = null;
  if (source.type === 'output' && shaderId(stage, source.shader) === 'UsdTransform2d') {
    transform = readTransform(stage, source.shader);
    source = inputSource(stage, source.shader, 'inputs:in');
  }
  if (source.type !== 'output') return { uvName: null, transform };
  if (shaderId(stage, source.shader) !== 'UsdPrimvarReader_float2') {
    const name = shaderName(stage, source.shader);
    addMaterialFinding(
      context,
      `The UVs of textures come from ${name}, which is not supported; the first UV set was used`,
      shader,
    );
    return { uvName: null, transform };
  }
  const uvName = inputText(stage, source.shader, 'varname')?.replace(/^primvars:/, '') ?? '';
  return { uvName: uvName === '' ? null : uvName, transform };
}

function readTransform(stage: Stage, shader: string): TextureUse['transform'] {
  const pair = (input: string, fallback: number): [number, number] => {
    const [u, v] = inputNumbers(stage, shader, input, 2) ?? [fallback, fallback];
    return [u, v];
  };
  const [rotation] = inputNumbers(stage, shader, 'rotation', 1) ?? [0];
  return uvTransform({ scale: pair('scale', 1), rotation, translation: pair('translation', 0) });
}

/** Checks the PNG color type in byte 25: 0 is grayscale, 4 is grayscale with alpha. */
function isGrayPng(image: Uint8Array): boolean {
  return image[25] === 0 || image[25] === 4;
}

function isGrayJpeg(image: Uint8Array): boolean {
  let at = 2;
  while (at + 9 < image.length && image[at] === 0xff) {
    const marker = image[at + 1];
    // Frame headers have the markers C0 to CF, except C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return image[at + 9] === 1;
    }
    at += marker === 0xff ? 1 : 2 + image[at + 2] * 256 + image[at + 3];
  }
  return false;
}

/** Checks whether a PNG or JPEG is grayscale, so that its red, green and blue are equal. */
export function isGrayImage(image: Uint8Array, mimeType: string): boolean {
  if (mimeType === 'image/png') return isGrayPng(image);
  return mimeType === 'image/jpeg' && isGrayJpeg(image);
}
