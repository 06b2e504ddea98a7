/** State that all functions share while one geometry is read: the document, issue counts, and caches. */
import type { Influences } from '../../../core/deform/influences.ts';
import type { GltfDocument } from '../document/document.ts';
import { type JsonObject, objectAt } from '../document/json-access.ts';
import { arrayKey, derivedArray } from './derived-arrays.ts';
import { countIssue, type GeometryIssues } from './geometry-issues.ts';

/** Joints and indices as they are stored. */
export type UnsignedArray = Uint8Array | Uint16Array | Uint32Array;

export interface GeometryReader {
  readonly doc: GltfDocument;
  /** Whether only indices, positions, joints and weights are read; nothing else is. */
  readonly isPlain: boolean;
  /** Counts of dropped and repaired data so far. */
  readonly issueCounts: GeometryIssues;
  /** Results of {@link areBelow}, by {@link arrayKey} and limit. */
  readonly below: Map<string, boolean>;
  /** Results of {@link finiteFloats}, by {@link arrayKey}. */
  readonly finite: Map<string, Float32Array>;
  /** Joined joints and weights, by the keys of their source arrays. */
  readonly influences: Map<string, Influences>;
}

export function createGeometryReader(doc: GltfDocument, isPlain = false): GeometryReader {
  return { doc, isPlain, issueCounts: new Map(), below: new Map(), finite: new Map(), influences: new Map() };
}

/**
 * Replaces NaN and infinite values by 0 and counts the accessor. Returns the same array where all values are finite, else a copy. Throws
 * FormatError GLTF_LIMIT.
 */
export function finiteFloats(
  { doc, finite, issueCounts }: GeometryReader,
  floats: Float32Array,
  pointer: string,
): Float32Array {
  const key = arrayKey(doc, floats);
  const known = finite.get(key);
  if (known !== undefined) return known;
  let repaired = floats;
  if (!areFinite(floats)) {
    countIssue(issueCounts, 'number', '', pointer);
    repaired = derivedArray(doc, 'finite', [floats], floats.byteLength, pointer, () =>
      floats.map((value) => (Number.isFinite(value) ? value : 0)),
    );
  }
  finite.set(key, repaired);
  return repaired;
}

/** Only finite numbers times 0 are 0. Four independent sums keep the processor pipelines busy. */
function areFinite(floats: Float32Array): boolean {
  const fours = floats.length - (floats.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < fours; i += 4) {
    a += floats[i] * 0;
    b += floats[i + 1] * 0;
    c += floats[i + 2] * 0;
    d += floats[i + 3] * 0;
  }
  for (let i = fours; i < floats.length; i++) a += floats[i] * 0;
  return a + b + c + d === 0;
}

/** Checks whether all values are below a limit. Results are cached. */
export function areBelow({ doc, below }: GeometryReader, array: UnsignedArray, limit: number): boolean {
  if (limit > 256 ** array.BYTES_PER_ELEMENT - 1) return true;
  const key = `${arrayKey(doc, array)} ${limit}`;
  let known = below.get(key);
  if (known === undefined) {
    known = !hasAtLeast(array, limit);
    below.set(key, known);
  }
  return known;
}

function hasAtLeast(array: UnsignedArray, limit: number): boolean {
  const fours = array.length - (array.length % 4);
  for (let i = 0; i < fours; i += 4) {
    if (array[i] >= limit || array[i + 1] >= limit || array[i + 2] >= limit || array[i + 3] >= limit) return true;
  }
  for (let i = fours; i < array.length; i++) if (array[i] >= limit) return true;
  return false;
}

/** Counts the extensions of an object that are not supported. Throws FormatError GLTF_SCHEMA. */
export function countExtensions(
  { issueCounts }: GeometryReader,
  kind: 'materialExtension' | 'textureExtension' | 'meshExtension' | 'nodeExtension',
  object: JsonObject,
  pointer: string,
  supported: readonly string[],
): void {
  for (const name of Object.keys(objectAt(object, 'extensions', pointer) ?? {})) {
    if (!supported.includes(name)) countIssue(issueCounts, kind, name, pointer);
  }
}
