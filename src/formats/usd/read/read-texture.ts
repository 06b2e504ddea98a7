/** Textures of shader networks: UsdUVTexture, with where its uvs come from. */
import { imageType } from '../../../core/asset/image-type.ts';
import type { Texture, TextureUse, Wrap } from '../../../core/asset/material.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { ReadAsset } from '../stage/read-asset.ts';
import type { Stage } from '../stage/stage.ts';
import { defaultValueLayer } from '../stage/values.ts';
import { uvTransform } from '../uv-transform.ts';
import { type Findings, note } from './geometry-findings.ts';
import { isGrayImage } from './gray-image.ts';
import { restValue } from './rest-value.ts';
import { inputNumbers, inputSource, inputText, shaderId, shaderName } from './shade-network.ts';

/** What all materials of a stage are read with. */
export interface MaterialReading {
  readonly stage: Stage;
  readonly readAsset: ReadAsset;
  readonly issues: Issue[];
  readonly findings: Findings;
  /** Those that were found, each image with each way to wrap once. */
  readonly textures: Texture[];
  /** Places in {@link textures} by image and wraps. */
  readonly places: Map<Uint8Array, Map<string, number>>;
  /** Files that could not be had, each told once. */
  readonly missing: Set<string>;
}

/** What a UsdUVTexture gives: the texture times scale plus bias. */
export interface ShadedTexture {
  /** Index in the textures that were read; −1 when the image is missing: {@link fallback} is what is shown. */
  readonly texture: number;
  /** The primvar of the uvs, without `primvars:`; null where nobody says. */
  readonly uvName: string | null;
  readonly transform: TextureUse['transform'];
  readonly scale: readonly number[];
  readonly bias: readonly number[];
  /** Null when the file has none. */
  readonly fallback: readonly number[] | null;
  /** `sRGB`, `raw`, `auto`; other words as they are. */
  readonly colorSpace: string;
  /** Whether red, green and blue are the same. */
  readonly isGray: boolean;
}

/** Says what of a material was left out. `what`: a sentence without its end. */
export function noteMaterial({ findings }: MaterialReading, what: string, prim: string): void {
  note(findings, 'USD_MATERIAL', what, prim);
}

/** A UsdUVTexture shader. */
export function readUvTexture(reading: MaterialReading, shader: string): ShadedTexture {
  const { stage } = reading;
  const texture = readImage(reading, shader);
  const image = texture < 0 ? null : reading.textures[texture];
  return {
    texture,
    ...readUvs(reading, shader),
    scale: inputNumbers(stage, shader, 'scale', 4) ?? [1, 1, 1, 1],
    bias: inputNumbers(stage, shader, 'bias', 4) ?? [0, 0, 0, 0],
    fallback: inputNumbers(stage, shader, 'fallback', 4),
    colorSpace: inputText(stage, shader, 'sourceColorSpace') ?? 'auto',
    isGray: image !== null && isGrayImage(image.image, image.mimeType),
  };
}

/** Place of the image in the textures; −1 without one. */
function readImage(reading: MaterialReading, shader: string): number {
  const { stage, textures, places } = reading;
  const file = inputSource(stage, shader, 'inputs:file');
  const value = file.type === 'value' ? restValue(stage, file.prim, file.name) : null;
  const path = value !== null && 'texts' in value ? (value.texts[0] ?? '') : '';
  if (file.type !== 'value' || path === '') {
    noteMaterial(reading, 'Textures without a file were left out', shader);
    return -1;
  }
  const image = findImage(reading, path, defaultValueLayer(stage, file.prim, file.name) ?? '', shader);
  if (image === null) return -1;
  if (path.includes('<UDIM>')) {
    noteMaterial(reading, 'Of images in tiles (<UDIM>) only the tile 1001 was taken', shader);
  }
  const mimeType = imageType(image);
  if (mimeType === null) {
    noteMaterial(reading, 'Images of a kind that is not known were left out', shader);
    return -1;
  }
  const wrapU = readWrap(reading, shader, 'wrapS');
  const wrapV = readWrap(reading, shader, 'wrapT');
  const known = places.get(image) ?? new Map<string, number>();
  places.set(image, known);
  const key = `${wrapU} ${wrapV}`;
  const place = known.get(key);
  if (place !== undefined) return place;
  known.set(key, textures.length);
  textures.push({ name: stemOf(path), image, mimeType, wrapU, wrapV, magFilter: null, minFilter: null });
  return textures.length - 1;
}

function findImage(reading: MaterialReading, path: string, layer: string, shader: string): Uint8Array | null {
  const { readAsset, missing, issues } = reading;
  let reason = 'there is no such file; put it where it is named';
  try {
    // Paths of Windows are met, although USD wants slashes.
    const image = readAsset(path, layer) ?? (path.includes('\\') ? readAsset(path.replaceAll('\\', '/'), layer) : null);
    if (image !== null) return image;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    reason = error.message;
  }
  const key = `${layer}\n${path}`;
  if (!missing.has(key)) {
    const message = `The image @${path}@ was left out: ${reason}.`;
    issues.push(issue('RESOURCE_MISSING', message, { ...(layer === '' ? {} : { resource: layer }), pointer: shader }));
  }
  missing.add(key);
  return null;
}

/** The name of a file without folders, packages and extension. */
function stemOf(path: string): string {
  const name = path.replace(/\]+$/, '').replace(/^.*[/\\[]/, '');
  return name.replace('<UDIM>', '1001').replace(/(.)\.[^.]*$/, '$1');
}

function readWrap(reading: MaterialReading, shader: string, input: 'wrapS' | 'wrapT'): Wrap {
  const word = inputText(reading.stage, shader, input) ?? 'useMetadata';
  if (word === 'clamp' || word === 'mirror') return word;
  if (word !== 'black') return 'repeat';
  noteMaterial(reading, 'Textures that are black around their image now go on with its edge (clamp)', shader);
  return 'clamp';
}

/** Where the uvs of a texture come from, and how they are moved. */
function readUvs(reading: MaterialReading, shader: string): Pick<ShadedTexture, 'uvName' | 'transform'> {
  const { stage } = reading;
  let source = inputSource(stage, shader, 'inputs:st');
  let transform: TextureUse['transform'] = null;
  if (source.type === 'output' && shaderId(stage, source.shader) === 'UsdTransform2d') {
    transform = readTransform(stage, source.shader);
    source = inputSource(stage, source.shader, 'inputs:in');
  }
  if (source.type !== 'output') return { uvName: null, transform };
  if (shaderId(stage, source.shader) !== 'UsdPrimvarReader_float2') {
    const name = shaderName(stage, source.shader);
    noteMaterial(reading, `UVs that come from ${name} are taken as they are in the mesh`, shader);
    return { uvName: null, transform };
  }
  const uvName = inputText(stage, source.shader, 'varname')?.replace(/^primvars:/, '') ?? '';
  return { uvName: uvName === '' ? null : uvName, transform };
}

function readTransform(stage: Stage, shader: string): TextureUse['transform'] {
  const pair = (input: string, otherwise: number): [number, number] => {
    const [u, v] = inputNumbers(stage, shader, input, 2) ?? [otherwise, otherwise];
    return [u, v];
  };
  const [rotation] = inputNumbers(stage, shader, 'rotation', 1) ?? [0];
  return uvTransform({ scale: pair('scale', 1), rotation, translation: pair('translation', 0) });
}
