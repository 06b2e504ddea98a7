/** Builds small documents from JSON and arrays. */

import type { Issue } from '../../../src/core/report/issue.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';
import { documentOf } from '../../support/make/glb.ts';

export interface SmallAccessor {
  readonly type: string;
  readonly array: Float32Array | Int8Array | Int16Array | Uint8Array | Uint16Array | Uint32Array;
  readonly normalized?: boolean;
}

const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Builds a document whose accessor i has the data `accessors[i]`. */
export function smallFile(json: JsonObject, accessors: readonly SmallAccessor[] = []): GltfDocument {
  const parts: Buffer[] = [];
  let length = 0;
  const bufferViews = accessors.map(({ array }) => {
    const bytes = Buffer.alloc(Math.ceil(array.byteLength / 4) * 4);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    parts.push(bytes);
    const view = { buffer: 0, byteOffset: length, byteLength: array.byteLength };
    length += bytes.length;
    return view;
  });
  const described = accessors.map(({ array, type, normalized }, bufferView) => ({
    bufferView,
    componentType: componentTypeOf(array),
    count: array.length / WIDTHS[type],
    type,
    ...(normalized ? { normalized } : {}),
  }));
  if (accessors.length === 0) return documentOf(json);
  return documentOf({ accessors: described, bufferViews, ...json }, Buffer.concat(parts));
}

function componentTypeOf(array: SmallAccessor['array']): number {
  if (array instanceof Float32Array) return 5126;
  if (array instanceof Int8Array) return 5120;
  if (array instanceof Uint8Array) return 5121;
  if (array instanceof Uint32Array) return 5125;
  return array instanceof Int16Array ? 5122 : 5123;
}

export function scalars(...values: number[]): SmallAccessor {
  return { type: 'SCALAR', array: Float32Array.from(values) };
}

export function vectors(type: 'VEC3' | 'VEC4' | 'MAT4', ...values: number[]): SmallAccessor {
  return { type, array: Float32Array.from(values) };
}

/** A translation matrix. */
export function moved(x: number, y: number, z: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
}

export function codesOf(issues: readonly Issue[]): string[] {
  return issues.map((found) => found.code);
}
