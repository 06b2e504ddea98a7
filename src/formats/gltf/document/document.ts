/** The lossless glTF document: the file as it was read, and its JSON as it is edited. glTF 2.0 sections 2.7, 3.2, 4.4. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { DracoDecoder, DracoMesh, MeshoptDecoder } from './decoders.ts';
import { type EncodedChunk, type Glb, isGlb, parseGlb } from './glb.ts';
import { checkVersion } from './gltf-version.ts';
import type { JsonObject } from './json-access.ts';
import { GLTF_LIMITS, type GltfLimits } from './limits.ts';
import { checkDepth, skipBlank } from './scan-json.ts';

/** A file as it was read. Serializing takes everything that was not edited from here. */
interface GltfSource {
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** Container of the file. */
  readonly container: 'glb' | 'gltf';
  /** The JSON text with all its whitespace, without the byte order mark. */
  readonly text: string;
  /** True when the file has a byte order mark before the text. */
  readonly bom: boolean;
  /** The chunks of a GLB; null for .gltf. */
  readonly glb: Glb | null;
}

/** A buffer with appended data: its original bytes, then chunks. They are joined when the document is serialized. */
export interface GrowingBuffer {
  /** Index of the buffer in the JSON. */
  readonly buffer: number;
  /** Original bytes of the buffer; they never change. */
  readonly head: Uint8Array;
  /** Chunks by their byte offset in the buffer, ascending; zeros fill the gaps. */
  readonly chunks: Map<number, Uint8Array>;
  /** Length of the buffer with all chunks, in bytes. */
  length: number;
  /** The whole buffer in one piece, cached for readers; outdated when it is shorter than `length`. */
  joined: Uint8Array;
}

/** Creates a growing buffer without appended data. `head`: current bytes of the buffer. */
export function createGrowingBuffer(buffer: number, head: Uint8Array): GrowingBuffer {
  return { buffer, head, chunks: new Map(), length: head.length, joined: head };
}

/**
 * A lossless glTF document. `json` is a plain object that the caller may edit, with two rules: binary data is only
 * appended (`appendAccessor`), and entries of the top-level arrays keep their indices, because unknown extensions may
 * refer to them. Unedited values keep their original text when the document is serialized.
 */
export interface GltfDocument {
  /** The parsed JSON. */
  readonly json: JsonObject;
  /** Container that `serializeGltf` writes; `toGlb` and `toGltf` change it. */
  container: 'glb' | 'gltf';
  /** The file that was parsed; null for a new document. */
  readonly source: GltfSource | null;
  /** Content of buffer 0 of a GLB; null without a BIN chunk. */
  bin: Uint8Array | null;
  /**
   * All chunks of a GLB of version 3, to which `buffer.chunk` refers by index (glTF 2.1 draft); null for every other document. `toGltf`
   * sets it to null.
   */
  chunks: readonly EncodedChunk[] | null;
  /** External files by their percent-decoded path relative to the folder of the asset; `loadResources` fills it. */
  readonly resources: Map<string, Uint8Array>;
  /**
   * The buffer that receives appended data; null before the first append.
   *
   * @internal
   */
  growing: GrowingBuffer | null;
  /** Issues found while parsing. */
  readonly issues: Issue[];
  /** Limits for decoding. */
  readonly limits: GltfLimits;
  /**
   * Decoded data and attached decoders.
   *
   * @internal
   */
  readonly cache: GltfCache;
}

/** Decoded data. Keys contain all values that a result depends on, so an edit of the JSON leads to a new entry. */
export interface GltfCache {
  /** Bytes by data URI. */
  readonly dataUris: Map<string, Uint8Array>;
  /** Decompressed views. */
  readonly decompressed: Map<string, Uint8Array>;
  /** Decoded accessors. */
  readonly accessors: Map<string, ArrayBufferView>;
  /** Accessors whose data is inside Draco meshes; null until first needed. */
  draco: ReadonlySet<number> | null;
  /** Ids of array buffers, for keys. Copies of a document share them. */
  readonly bufferIds: { readonly ids: WeakMap<ArrayBufferLike, number>; count: number };
  /** Sum of bytes allocated by decoding, limited by {@link GltfLimits.decodedBytes}. */
  decodedBytes: number;
  /** Decoder for compressed views; null until one is attached. */
  decoder: MeshoptDecoder | null;
  /** Decoder for compressed meshes; null until one is attached. */
  dracoDecoder: DracoDecoder | null;
  /** Decoded meshes. */
  readonly dracoMeshes: Map<string, DracoMesh>;
}

/** Options of {@link parseGltf}. */
interface ParseGltfOptions {
  /** Overrides of {@link GLTF_LIMITS}. */
  readonly limits?: Partial<GltfLimits>;
}

/**
 * Parses a GLB (.glb, .vrm, .vrma) or a .gltf. The container is detected from the first bytes, not from the file name.
 * The file is not copied and buffers are not read.
 *
 * @param file Bytes of the file. The document keeps views into them: do not change them afterwards.
 * @param options Limits.
 * @returns Document for {@link GltfDocument.json | editing}, `readGltf` and `serializeGltf`.
 * @throws FormatError GLB_HEADER_INVALID, GLB_CHUNK_INVALID, JSON_INVALID, GLTF_SCHEMA or GLTF_VERSION.
 * @example
 * const doc = parseGltf(await readFile('robot.glb'));
 * const { skeletons, clips, issues } = readGltf(doc);
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
  const draft = checkVersion(json, glb);
  if (draft !== null) issues.push(draft);
  const container = glb === null ? 'gltf' : 'glb';
  return {
    json,
    container,
    source: { bytes, container, text, bom, glb },
    bin: glb?.bin ?? null,
    chunks: glb?.chunks ?? null,
    resources: new Map(),
    growing: null,
    issues,
    limits,
    cache: emptyCache(),
  };
}

/** Creates a document with nothing but `asset`. Its container is GLB. */
export function createDocument(): GltfDocument {
  return {
    json: { asset: { version: '2.0', generator: 'anyrig' } },
    container: 'glb',
    source: null,
    bin: null,
    chunks: null,
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
    bufferIds: { ids: new WeakMap(), count: 0 },
    decodedBytes: 0,
    decoder: null,
    dracoDecoder: null,
    dracoMeshes: new Map(),
  };
}

/** Returns an id for the array buffer behind an array, for keys of the cache. */
export function bufferId({ cache }: GltfDocument, bytes: ArrayBufferView): number {
  const { bufferIds } = cache;
  let id = bufferIds.ids.get(bytes.buffer);
  if (id === undefined) {
    id = bufferIds.count++;
    bufferIds.ids.set(bytes.buffer, id);
  }
  return id;
}

/** Wraps bytes in a plain Uint8Array. `slice` of a Node Buffer would not copy. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Removes zero padding of the JSON chunk: some writers add it, but JSON does not allow it. */
function withoutZeros(glb: Glb, issues: Issue[]): Uint8Array {
  let length = glb.json.length;
  while (length > 0 && glb.json[length - 1] === 0) length--;
  if (length < glb.json.length) {
    const message =
      'The JSON chunk is padded with zero bytes, but the padding must be spaces; the zero bytes were ignored';
    issues.push(issue('GLB_ALIGNMENT', message, { offset: glb.jsonOffset + length }));
  }
  return glb.json.subarray(0, length);
}

/** Decodes UTF-8 and splits off a byte order mark (RFC 8259 section 8.1 lets readers ignore it). */
function decodeText(bytes: Uint8Array): { text: string; bom: boolean } {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bom ? bytes.subarray(3) : bytes), bom };
  } catch {
    throw new FormatError('JSON_INVALID', 'The JSON is not valid UTF-8; save the file as UTF-8', {});
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
    throw new FormatError('JSON_INVALID', `The JSON is cut off or damaged: ${reason}`, { offset: offset + bytes });
  }
}
