/** Lets GLTFLoader read only the bytes that it was passed: no URL is requested, not even one of a blob, which a CSP may forbid. */
import { Texture } from 'three';
import type { GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { GltfJson } from './gltf-json.ts';

/** The methods of GLTFParser that read resources. Its types do not list them. */
interface ResourceParser {
  readonly json: GltfJson;
  loadBuffer(index: number): Promise<ArrayBuffer>;
  loadTexture(index: number): Promise<Texture | null>;
  loadImageSource(index: number): Promise<Texture>;
  getDependency(type: 'bufferView', index: number): Promise<ArrayBuffer>;
}

/** Texture formats that need a transcoder, which the stage has not. */
const TRANSCODED = 'KHR_texture_basisu';
const LIGHTS = 'KHR_lights_punctual';
/** Colors as they are in the file: glTF 2.0, section 3.8.3. */
const UNCHANGED: ImageBitmapOptions = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };

function dataOf(uri: string | undefined): { readonly data: Uint8Array<ArrayBuffer>; readonly type: string } | null {
  const match = /^data:([^,;]*)([^,]*),/.exec(uri ?? '');
  if (match === null || uri === undefined) return null;
  const text = decodeURIComponent(uri.slice(match[0].length));
  const binary = match[2].endsWith(';base64') ? atob(text) : text;
  return { data: Uint8Array.from(binary, (unit) => unit.charCodeAt(0)), type: match[1] };
}

/** Returns the bytes of a buffer view in the first buffer, where nothing is compressed; null for any other view. */
function viewOf({ bufferViews, buffers }: GltfJson, index: number, bin: Uint8Array | null): Uint8Array | null {
  const { buffer, byteOffset = 0, byteLength, extensions } = bufferViews?.[index] ?? {};
  if (bin === null || buffer !== 0 || buffers?.[0]?.uri !== undefined || extensions !== undefined) return null;
  return byteLength === undefined ? null : bin.subarray(byteOffset, byteOffset + byteLength);
}

async function readImage(parser: ResourceParser, index: number, bin: Uint8Array | null): Promise<Texture> {
  const image = parser.json.images?.[index];
  const embedded = dataOf(image?.uri);
  if (image === undefined || (embedded === null && image.bufferView === undefined)) {
    throw new RangeError(`Image ${index} is not part of the file. Expected a buffer view or a data URI.`);
  }
  const view = image.bufferView as number;
  const data = embedded?.data ?? viewOf(parser.json, view, bin) ?? (await parser.getDependency('bufferView', view));
  const blob = new Blob([data as BlobPart], { type: image.mimeType ?? embedded?.type ?? '' });
  const texture = new Texture(await createImageBitmap(blob, UNCHANGED));
  texture.needsUpdate = true;
  return texture;
}

function isReadable({ textures }: GltfJson, index: number): boolean {
  const texture = textures?.[index];
  const { EXT_texture_webp: webp, EXT_texture_avif: avif } = texture?.extensions ?? {};
  return (texture?.source ?? webp?.source ?? avif?.source) !== undefined;
}

/**
 * Makes a parser independent of the network, and lets it omit what the stage does not show: clips, cameras and lights of the file, and textures
 * that it cannot read. `bin`: the first buffer, if it has no URI; null without.
 */
export function selfContained(loaded: GLTFParser, bin: Uint8Array | null): GLTFLoaderPlugin {
  const parser = loaded as unknown as ResourceParser;
  const { json } = parser;
  const loadTexture = parser.loadTexture.bind(parser);
  const images = new Map<number, Promise<Texture>>();
  json.animations = [];
  for (const node of json.nodes ?? []) {
    delete node.camera;
    delete node.extensions?.[LIGHTS];
  }
  json.extensionsRequired = json.extensionsRequired?.filter((name) => name !== TRANSCODED) ?? [];
  for (const texture of json.textures ?? []) delete texture.extensions?.[TRANSCODED];
  parser.loadBuffer = async (index) => {
    const buffer = json.buffers?.[index];
    // A copy, since GLTFLoader slices buffers from their start.
    if (buffer?.uri === undefined && index === 0 && bin !== null) return bin.slice().buffer;
    const embedded = dataOf(buffer?.uri);
    if (embedded === null) {
      throw new RangeError(`Buffer ${index} is not part of the file. Expected a GLB with all its resources.`);
    }
    return embedded.data.buffer;
  };
  parser.loadTexture = (index) => (isReadable(json, index) ? loadTexture(index) : Promise.resolve(null));
  parser.loadImageSource = (index) => {
    const known = images.get(index);
    if (known !== undefined) return known.then((texture) => texture.clone());
    const image = readImage(parser, index, bin);
    images.set(index, image);
    return image;
  };
  return {
    name: 'anyrig-self-contained',
    // GLTFLoader slices buffers from their start, so that the whole buffer would be copied first.
    loadBufferView: (index) => {
      const view = viewOf(json, index, bin);
      return view === null ? null : Promise.resolve(view.slice().buffer);
    },
  };
}
