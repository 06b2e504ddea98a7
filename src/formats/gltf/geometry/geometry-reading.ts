/** What the parts of reading geometry share. */
import type { Influences } from '../../../core/deform/influences.ts';
import type { GltfDocument } from '../document.ts';
import { type JsonObject, objectAt } from '../schema.ts';
import { type Findings, note } from './geometry-findings.ts';
import { keyOfArray, madeArray } from './made-arrays.ts';

/** Joints and indices as they are stored. */
export type UnsignedArray = Uint8Array | Uint16Array | Uint32Array;

/** One reading of the geometry of a document. */
export interface GeometryReading {
  readonly doc: GltfDocument;
  readonly findings: Findings;
  /** Lists of indices that were looked through, by {@link keyOfArray} and limit. */
  readonly below: Map<string, boolean>;
  /** Floats that were looked through, mended where they had to be, by {@link keyOfArray}. */
  readonly finite: Map<string, Float32Array>;
  /** Joints and weights, by the arrays that they were joined of. */
  readonly influences: Map<string, Influences>;
}

export function geometryReading(doc: GltfDocument): GeometryReading {
  return { doc, findings: new Map(), below: new Map(), finite: new Map(), influences: new Map() };
}

/** The floats, all finite: 0 takes the place of others, which is reported. */
export function finiteFloats(
  { doc, finite, findings }: GeometryReading,
  floats: Float32Array,
  pointer: string,
): Float32Array {
  const key = keyOfArray(doc, floats);
  const known = finite.get(key);
  if (known !== undefined) return known;
  let mended = floats;
  if (!areFinite(floats)) {
    note(findings, 'number', '', pointer);
    mended = madeArray(doc, 'finite', [floats], floats.byteLength, pointer, () =>
      floats.map((value) => (Number.isFinite(value) ? value : 0)),
    );
  }
  finite.set(key, mended);
  return mended;
}

/** A number times 0 is 0 only when it is finite; four sums do not wait for each other. */
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

/** Whether all of the numbers are below the limit. */
export function areBelow({ doc, below }: GeometryReading, array: UnsignedArray, limit: number): boolean {
  if (limit > 256 ** array.BYTES_PER_ELEMENT - 1) return true;
  const key = `${keyOfArray(doc, array)} ${limit}`;
  let known = below.get(key);
  if (known === undefined) {
    known = !hasFrom(array, limit);
    below.set(key, known);
  }
  return known;
}

function hasFrom(array: UnsignedArray, limit: number): boolean {
  const fours = array.length - (array.length % 4);
  for (let i = 0; i < fours; i += 4) {
    if (array[i] >= limit || array[i + 1] >= limit || array[i + 2] >= limit || array[i + 3] >= limit) return true;
  }
  for (let i = fours; i < array.length; i++) if (array[i] >= limit) return true;
  return false;
}

/** Notes the extensions of an object, but for those that are understood. */
export function noteExtensions(
  { findings }: GeometryReading,
  kind: 'materialExtension' | 'textureExtension' | 'meshExtension' | 'nodeExtension',
  object: JsonObject,
  pointer: string,
  understood: readonly string[],
): void {
  for (const name of Object.keys(objectAt(object, 'extensions', pointer) ?? {})) {
    if (!understood.includes(name)) note(findings, kind, name, pointer);
  }
}
