/**
 * The lossless glTF document: what stood in the file, and the JSON as it is to be now. glTF 2.0 sections 2.7, 3.2, 4.4.
 */
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { DracoDecoder, DracoMesh } from './draco.ts';
import { type Glb, isGlb, parseGlb } from './glb.ts';
import { checkDepth, skipBlank } from './json-scan.ts';
import { GLTF_LIMITS, type GltfLimits } from './limits.ts';
import type { MeshoptDecoder } from './meshopt.ts';
import { type JsonObject, objectAt, stringAt } from './schema.ts';

/** A file as it was read. Printing takes everything that was not edited from here. */
export interface GltfSource {
  readonly bytes: Uint8Array;
  readonly container: 'glb' | 'gltf';
  /** The JSON text without the byte order mark, with all its blanks. */
  readonly text: string;
  /** Whether a byte order mark stands before the text. */
  readonly bom: boolean;
  /** The chunks; null for .gltf. */
  readonly glb: Glb | null;
}

/** The buffer that takes what is appended: its old bytes, then chunks, joined only when the document is printed. */
export interface GrowingBuffer {
  /** Index of the buffer in the JSON. */
  readonly buffer: number;
  /** What the buffer held before: a prefix that never changes. */
  readonly head: Uint8Array;
  /** Chunks by their byte offset in the buffer, rising; zeros fill the gaps. */
  readonly chunks: Map<number, Uint8Array>;
  /** Bytes of the buffer with all chunks. */
  length: number;
  /** All of it in one piece, where somebody asked for that; of use while it has this length. */
  joined: Uint8Array;
}

/** A growing buffer with nothing appended yet: `head` is what the buffer holds. */
export function growingBuffer(buffer: number, head: Uint8Array): GrowingBuffer {
  return { buffer, head, chunks: new Map(), length: head.length, joined: head };
}

/**
 * A glTF file of which nothing gets lost. `json` is a plain object that anyone may edit, with two rules: binary data is
 * only appended (`appendAccessor`), and entries of the top-level arrays keep their indices, because extensions that
 * nobody here knows refer to them. Whatever `json` still has in common with the file is printed as it stood.
 */
export interface GltfDocument {
  readonly json: JsonObject;
  /** What it is printed as: `toGlb` and `toGltf` change it. */
  container: 'glb' | 'gltf';
  /** Null when the document was made, not read. */
  readonly source: GltfSource | null;
  /** Content of buffer 0 of a GLB; null without a BIN chunk. */
  bin: Uint8Array | null;
  /** External files by their decoded path below the folder of the asset: `loadResources` fills it. */
  readonly resources: Map<string, Uint8Array>;
  /** Where appended data goes; null while there is none. */
  growing: GrowingBuffer | null;
  /** What was odd while reading. */
  readonly issues: Issue[];
  readonly limits: GltfLimits;
  readonly cache: GltfCache;
}

/** What was decoded once. Keys hold all numbers that a result depends on, so edits of the JSON make new entries. */
export interface GltfCache {
  readonly dataUris: Map<string, Uint8Array>;
  readonly decompressed: Map<string, Uint8Array>;
  readonly accessors: Map<string, ArrayBufferView>;
  /** Accessors that are inside Draco meshes; null before they were looked for. */
  draco: ReadonlySet<number> | null;
  /** Numbers of the blocks of memory that keys name. */
  readonly bufferIds: WeakMap<ArrayBufferLike, number>;
  bufferCount: number;
  /** Sum of the bytes made by decoding, held against {@link GltfLimits.decodedBytes}. */
  decodedBytes: number;
  decoder: MeshoptDecoder | null;
  dracoDecoder: DracoDecoder | null;
  readonly dracoMeshes: Map<string, DracoMesh>;
}

/** How a file is to be read. */
export interface ParseGltfOptions {
  /** In place of {@link GLTF_LIMITS}. */
  readonly limits?: Partial<GltfLimits>;
}

/**
 * Reads a .glb (told by its first bytes, whatever it is called: .vrm and .vrma are GLB) or a .gltf. Nothing is copied
 * and no buffer is looked at. FormatError GLB_HEADER_INVALID, GLB_CHUNK_INVALID, JSON_INVALID, GLTF_SCHEMA or
 * GLTF_VERSION.
 */
export function parseGltf(file: Uint8Array, options: ParseGltfOptions = {}): GltfDocument {
  const bytes = plainBytes(file);
  const limits: GltfLimits = { ...GLTF_LIMITS, ...options.limits };
  const issues: Issue[] = [];
  const glb = isGlb(bytes) ? parseGlb(bytes) : null;
  if (glb !== null) issues.push(...glb.issues);
  const jsonBytes = glb === null ? bytes : withoutZeros(glb, issues);
  const offset = glb?.jsonOffset ?? 0;
  checkDepth(jsonBytes, limits.jsonDepth, offset);
  const { text, bom } = decodeText(jsonBytes);
  const json = parseJson(text, glb !== null, offset + (bom ? 3 : 0));
  checkVersion(json);
  const container = glb === null ? 'gltf' : 'glb';
  return {
    json,
    container,
    source: { bytes, container, text, bom, glb },
    bin: glb?.bin ?? null,
    resources: new Map(),
    growing: null,
    issues,
    limits,
    cache: emptyCache(),
  };
}

/** A new document, printed as GLB, with nothing in it but `asset`. */
export function createDocument(): GltfDocument {
  return {
    json: { asset: { version: '2.0', generator: 'anyrig' } },
    container: 'glb',
    source: null,
    bin: null,
    resources: new Map(),
    growing: null,
    issues: [],
    limits: GLTF_LIMITS,
    cache: emptyCache(),
  };
}

function emptyCache(): GltfCache {
  return {
    dataUris: new Map(),
    decompressed: new Map(),
    accessors: new Map(),
    draco: null,
    bufferIds: new WeakMap(),
    bufferCount: 0,
    decodedBytes: 0,
    decoder: null,
    dracoDecoder: null,
    dracoMeshes: new Map(),
  };
}

/** Number of the block of memory that an array lies in, for keys of the cache. */
export function bufferId({ cache }: GltfDocument, bytes: ArrayBufferView): number {
  let id = cache.bufferIds.get(bytes.buffer);
  if (id === undefined) {
    id = cache.bufferCount++;
    cache.bufferIds.set(bytes.buffer, id);
  }
  return id;
}

/**
 * The same bytes as a Uint8Array and nothing more: parts of a Node Buffer would be Buffers, of which `slice` makes no
 * copy.
 */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Some writers pad the JSON chunk with zeros, which JSON does not allow. */
function withoutZeros(glb: Glb, issues: Issue[]): Uint8Array {
  let length = glb.json.length;
  while (length > 0 && glb.json[length - 1] === 0) length--;
  if (length < glb.json.length) {
    const message = 'The JSON chunk is padded with zero bytes instead of blanks; they were left out';
    issues.push(issue('GLB_ALIGNMENT', message, { offset: glb.jsonOffset + length }));
  }
  return glb.json.subarray(0, length);
}

/** UTF-8 to text, a byte order mark apart (RFC 8259 section 8.1 lets readers pass over it). */
function decodeText(bytes: Uint8Array): { text: string; bom: boolean } {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bom ? bytes.subarray(3) : bytes), bom };
  } catch {
    throw new FormatError('JSON_INVALID', 'The JSON is not UTF-8 text; save the file as UTF-8', {});
  }
}

function parseJson(text: string, isGlb: boolean, offset: number): JsonObject {
  const first = text.charAt(skipBlank(text, 0));
  if (first !== '{') {
    const found = first === '' ? 'it is empty' : `it starts with ${JSON.stringify(first)}`;
    const what = isGlb ? 'The JSON chunk is not a JSON object' : 'The file is neither GLB nor a JSON object';
    throw new FormatError('JSON_INVALID', `${what}: ${found}`, { offset });
  }
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    const reason = (error as SyntaxError).message;
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
    const bytes = new TextEncoder().encode(text.slice(0, position)).length;
    throw new FormatError('JSON_INVALID', `The JSON breaks off or is damaged: ${reason}`, { offset: offset + bytes });
  }
}

/** glTF 2.x is read whatever x is, unless the file says that 2.0 does not suffice (section 3.2). */
function checkVersion(json: JsonObject): void {
  const asset = objectAt(json, 'asset', '');
  const version = asset === undefined ? undefined : stringAt(asset, 'version', '/asset');
  if (asset === undefined || version === undefined) {
    const message = 'There is no asset.version: the file is not glTF';
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset' });
  }
  if (!/^2\.\d+$/.test(version)) {
    const message = `The asset is glTF ${version}, only glTF 2 is read; convert it first`;
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset/version' });
  }
  const minVersion = stringAt(asset, 'minVersion', '/asset');
  if (minVersion !== undefined && !/^([01]\.\d+|2\.0)$/.test(minVersion)) {
    const message = `The asset wants a reader of glTF ${minVersion} at least, this one reads glTF 2.0`;
    throw new FormatError('GLTF_VERSION', message, { pointer: '/asset/minVersion' });
  }
}
