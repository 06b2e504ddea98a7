/** Bytes of any format that is read, as an Asset. Runs in browsers and Node. */
import type { Asset } from '../core/asset/asset.ts';
import type { BvhTree } from '../formats/bvh/tree.ts';
import type { FbxTree } from '../formats/fbx/tree.ts';
import { loadResources, type ReadResource } from '../formats/gltf/buffers.ts';
import { type GltfDocument, parseGltf } from '../formats/gltf/document.ts';
import { attachDecoder, hasCompressedViews } from '../formats/gltf/meshopt.ts';
import { readGltf } from '../formats/gltf/read.ts';
import { detectFormat } from './detect.ts';
import type { UsdSource } from './usd-source.ts';

/** A file that was read. */
export interface OpenFile {
  /** As the caller names it; messages, reports and clip names are made of it. */
  readonly name: string;
  readonly asset: Asset;
  /** What writing the file again edits; null for formats other than glTF. */
  readonly document: GltfDocument | null;
  /** A BVH as it is written, for clips that go back into it; null for other formats. */
  readonly bvh: BvhTree | null;
  /** An FBX as it is written: its meshes are read when they are wanted; null for other formats. */
  readonly fbx: FbxTree | null;
  /** A USD as it is composed, and its root layer, which clips are written into; null for other formats. */
  readonly usd: UsdSource | null;
  /** How files beside it are read; null where there is no such thing. */
  readonly readResource: ReadResource | null;
}

/** How bytes are to be opened. */
export interface OpenOptions {
  /** Name or path of the file; only for messages, reports and clip names: the format is told by the content. */
  readonly name?: string;
  /** Gives the external buffers of a .gltf. Without it such a file is refused. */
  readonly readResource?: ReadResource;
  /** Which clips of a glTF, an FBX or a USD are wanted, all by default; of the others only the names are read. */
  readonly wantsClip?: (name: string, index: number) => boolean;
}

/** A glTF document with the files that it names and the decoder that it needs, where they are there; nothing else of it is read. */
export async function openDocument(bytes: Uint8Array, readResource?: ReadResource): Promise<GltfDocument> {
  const document = parseGltf(bytes);
  if (readResource !== undefined) await loadResources(document, readResource);
  if (hasCompressedViews(document)) {
    const { loadMeshoptDecoder } = await import('./meshopt-decoder.ts');
    const decoder = await loadMeshoptDecoder();
    if (decoder !== null) await attachDecoder(document, decoder);
  }
  return document;
}

async function openGltf(bytes: Uint8Array, { name = '', readResource, wantsClip }: OpenOptions): Promise<OpenFile> {
  const document = await openDocument(bytes, readResource);
  const asset = readGltf(document, wantsClip === undefined ? {} : { wantsClip });
  return { name, asset, document, bvh: null, fbx: null, usd: null, readResource: readResource ?? null };
}

/**
 * Opens a file of any format that is read: GLB, glTF, VRM 0.x, VRM 1.0, VRMA, BVH, FBX, USD, told by its content.
 *
 * @throws FormatError with a code and a place when it cannot be read.
 */
export async function openBytes(bytes: Uint8Array, options: OpenOptions = {}): Promise<OpenFile> {
  const format = detectFormat(bytes);
  const { name = '', wantsClip, readResource = null } = options;
  const common = { name, document: null, bvh: null, fbx: null, usd: null, readResource };
  if (format === 'bvh') {
    const { readBvhFile } = await import('../formats/bvh/read.ts');
    const { asset, tree } = readBvhFile(bytes);
    return { ...common, asset, bvh: tree };
  }
  if (format === 'fbx') {
    const { parseFbx, readFbxTree } = await import('./fbx.ts');
    const fbx = parseFbx(bytes);
    return { ...common, asset: readFbxTree(fbx, wantsClip === undefined ? {} : { wantsClip }), fbx };
  }
  if (format === 'usd') {
    const { readUsdFile } = await import('./usd.ts');
    return {
      ...common,
      ...(await readUsdFile(bytes, name, readResource, wantsClip === undefined ? {} : { wantsClip })),
    };
  }
  return openGltf(bytes, options);
}
