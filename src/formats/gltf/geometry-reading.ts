/** What the parts of reading geometry share. */
import type { Influences } from '../../core/deform/influences.ts';
import type { GltfDocument } from './document.ts';
import { type Findings, note } from './geometry-findings.ts';
import { keyOfArray, madeArray } from './made-arrays.ts';
import { type JsonObject, objectAt } from './schema.ts';

/** One reading of the geometry of a document. */
export interface GeometryReading {
  readonly doc: GltfDocument;
  readonly findings: Findings;
  /** Largest number of each list of indices that was looked through, by {@link keyOfArray}. */
  readonly largest: Map<string, number>;
  /** Floats that were looked through, mended where they had to be. */
  readonly finite: Map<string, Float32Array>;
  /** Joints and weights, by the arrays that they were joined of. */
  readonly influences: Map<string, Influences>;
}

export function geometryReading(doc: GltfDocument): GeometryReading {
  return { doc, findings: new Map(), largest: new Map(), finite: new Map(), influences: new Map() };
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

/** A number times 0 is 0 only when it is finite. */
function areFinite(floats: Float32Array): boolean {
  let zero = 0;
  for (let i = 0; i < floats.length; i++) zero += floats[i] * 0;
  return zero === 0;
}

/** The largest of the numbers, −1 for none. */
export function largestOf({ doc, largest }: GeometryReading, array: Uint8Array | Uint16Array | Uint32Array): number {
  const key = keyOfArray(doc, array);
  const known = largest.get(key);
  if (known !== undefined) return known;
  let most = -1;
  for (let i = 0; i < array.length; i++) if (array[i] > most) most = array[i];
  largest.set(key, most);
  return most;
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
