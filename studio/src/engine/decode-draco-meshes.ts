/** Replaces meshes that are compressed by Draco with plain ones, for the stage, which has no decoder. */
import { concatParts, type GltfDocument } from 'anyrig/gltf';
import { decodeDraco } from '../../../src/formats/gltf/accessors/decode-draco.ts';
import { DRACO_EXTENSION } from '../../../src/formats/gltf/document/draco.ts';
import type { Json } from './stage-glb.ts';

/** The parts of the JSON of a glTF that are changed. */
interface DracoJson {
  accessors: { bufferView?: number; byteOffset?: number; componentType: number }[];
  bufferViews: object[];
  buffers: { byteLength: number }[];
  readonly meshes: readonly { readonly primitives: readonly DracoPrimitive[] }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

interface DracoPrimitive {
  mode?: number;
  readonly attributes: Readonly<Record<string, number>>;
  indices?: number;
  extensions?: Record<string, unknown>;
}

const UNSIGNED_INT = 5125;
const TRIANGLES = 4;

/**
 * Decodes all compressed meshes of a GLB.
 *
 * @throws FormatError for damaged meshes.
 */
export function decodeDracoMeshes(document: GltfDocument, json: Json, bin: Uint8Array): Uint8Array {
  const changed = json as unknown as DracoJson;
  const parts = [bin];
  let end = bin.length;
  const append = (accessor: number, data: ArrayBufferView): void => {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const padding = -bytes.length & 3;
    changed.bufferViews.push({ buffer: 0, byteOffset: end, byteLength: bytes.length });
    parts.push(bytes, new Uint8Array(padding));
    end += bytes.length + padding;
    changed.accessors[accessor] = {
      ...changed.accessors[accessor],
      bufferView: changed.bufferViews.length - 1,
      byteOffset: 0,
    };
  };
  changed.meshes.forEach(({ primitives }, m) => {
    primitives.forEach((primitive, p) => {
      const original = (document.json as unknown as DracoJson).meshes[m].primitives[p];
      const decoded = decodeDraco(document, original as never, `/meshes/${m}/primitives/${p}`);
      if (decoded === null) return;
      for (const [name, { array }] of decoded.attributes) append(primitive.attributes[name], array);
      const { indices } = decoded;
      const index = { componentType: UNSIGNED_INT, count: indices.length, type: 'SCALAR' };
      // Strips were decoded to triangles.
      primitive.mode = TRIANGLES;
      primitive.indices = changed.accessors.push(index) - 1;
      append(primitive.indices, indices);
      delete primitive.extensions?.[DRACO_EXTENSION];
    });
  });
  const without = (names: string[] | undefined): string[] => names?.filter((name) => name !== DRACO_EXTENSION) ?? [];
  changed.extensionsUsed = without(changed.extensionsUsed);
  changed.extensionsRequired = without(changed.extensionsRequired);
  const [first, ...others] = changed.buffers;
  changed.buffers = [{ ...first, byteLength: end }, ...others];
  return concatParts(parts);
}
