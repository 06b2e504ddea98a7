/** KHR_draco_mesh_compression: meshes are decoded for reading and left as they are in writing. */
import type { GltfDocument } from './document.ts';
import type { ComponentArray, ComponentType } from './element-layout.ts';
import { isObject, type JsonObject, memberAt } from './schema.ts';

/** The name of the extension. */
export const DRACO_EXTENSION = 'KHR_draco_mesh_compression';

/** What is wanted of a compressed mesh. */
export interface DracoRequest {
  readonly vertexCount: number;
  readonly attributes: readonly {
    /** The unique id that the extension names. */
    readonly id: number;
    readonly componentType: ComponentType;
    /** Components of a vertex. */
    readonly width: number;
  }[];
  /** Bytes that the result should take: what a decoder may need is in proportion to it. */
  readonly bytes: number;
}

/** A mesh out of a Draco stream. */
export interface DracoMesh {
  /** Three a triangle. */
  readonly indices: Uint32Array;
  /** Components of each attribute that was asked for, in that order. */
  readonly attributes: readonly ComponentArray[];
}

/** A decoder of Draco streams; `loadDracoDecoder` of anyrig/files makes one of the package draco3dgltf. */
export interface DracoDecoder {
  /** Throws when the stream is damaged or is not what is wanted, and gives all memory back either way. */
  decode(stream: Uint8Array, request: DracoRequest): DracoMesh;
}

/** Gives the document the decoder; compressed meshes are then decoded when geometry is read. */
export function attachDracoDecoder(doc: GltfDocument, decoder: DracoDecoder): void {
  doc.cache.dracoDecoder = decoder;
}

/** Whether any mesh is compressed, so that a decoder is wanted for geometry. Never throws. */
export function hasDracoMeshes({ json }: GltfDocument): boolean {
  return dracoPrimitives(json).next().done === false;
}

/** Whether an accessor without a view has its data inside a compressed mesh. Never throws. */
export function isInDracoMesh(doc: GltfDocument, accessor: number): boolean {
  doc.cache.draco ??= dracoAccessors(doc);
  return doc.cache.draco.has(accessor);
}

function dracoAccessors({ json }: GltfDocument): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (index: unknown): void => {
    if (typeof index === 'number') found.add(index);
  };
  for (const { primitive, extension } of dracoPrimitives(json)) {
    add(memberAt(primitive, 'indices'));
    const attributes = memberAt(primitive, 'attributes');
    const inside = memberAt(extension, 'attributes');
    if (!isObject(attributes) || !isObject(inside)) continue;
    for (const name of Object.keys(inside)) add(memberAt(attributes, name));
  }
  return found;
}

function* dracoPrimitives(json: JsonObject): Generator<{ primitive: JsonObject; extension: JsonObject }> {
  for (const mesh of items(memberAt(json, 'meshes'))) {
    for (const primitive of items(isObject(mesh) ? memberAt(mesh, 'primitives') : undefined)) {
      const extensions = isObject(primitive) ? memberAt(primitive, 'extensions') : undefined;
      const extension = isObject(extensions) ? memberAt(extensions, DRACO_EXTENSION) : undefined;
      if (isObject(primitive) && isObject(extension)) yield { primitive, extension };
    }
  }
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
