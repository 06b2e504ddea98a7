/** Small documents with meshes, and their geometry. */
import type { Geometry, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import type { Issue } from '../../../src/core/report/issue.ts';
import { type GltfDocument, readGeometry } from '../../../src/formats/gltf/index.ts';
import { type SmallAccessor, smallFile } from './small-file.ts';

/** The corners of a triangle. */
export const CORNERS: SmallAccessor = { type: 'VEC3', array: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) };

type Json = Record<string, unknown>;

/** A document with one node, one mesh and one primitive. Accessor 0 is {@link CORNERS}; the others follow. */
export function meshFile(primitive: Json, accessors: readonly SmallAccessor[] = [], json: Json = {}): GltfDocument {
  const { attributes = {}, ...others } = primitive;
  const part = { attributes: { POSITION: 0, ...(attributes as Json) }, ...others };
  return smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [part] }], ...json }, [CORNERS, ...accessors]);
}

export interface Read {
  readonly geometry: Geometry;
  /** The first primitive of the first mesh. */
  readonly part: MeshPrimitive;
  readonly issues: readonly Issue[];
  readonly messages: readonly string[];
}

export function read(doc: GltfDocument): Read {
  const { geometry, issues } = readGeometry(doc);
  return { geometry, part: geometry.meshes[0]?.primitives[0], issues, messages: issues.map(({ message }) => message) };
}

/** The properties of a FormatError with a code and a JSON pointer. */
export function failure(code: string, pointer: string): { name: string; code: string; where: { pointer: string } } {
  return { name: 'FormatError', code, where: { pointer } };
}
