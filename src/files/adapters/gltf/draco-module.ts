/** The module of the optional package `draco3dgltf`, an Emscripten module without types of its own. */

interface Mesh {
  readonly ptr: number;
  num_points(): number;
  num_faces(): number;
}
interface PointAttribute {
  readonly ptr: number;
  num_components(): number;
}
interface Decoder {
  DecodeArrayToMesh(bytes: Int8Array, size: number, mesh: Mesh): { ok(): boolean; error_msg(): string };
  GetAttributeByUniqueId(mesh: Mesh, id: number): PointAttribute;
  GetTrianglesUInt32Array(mesh: Mesh, size: number, pointer: number): boolean;
  GetAttributeDataArrayForAllPoints(
    mesh: Mesh,
    attribute: PointAttribute,
    type: number,
    size: number,
    pointer: number,
  ): boolean;
}
export interface DecoderModule {
  readonly Decoder: new () => Decoder;
  readonly Mesh: new () => Mesh;
  readonly DT_INT8: number;
  readonly DT_UINT8: number;
  readonly DT_INT16: number;
  readonly DT_UINT16: number;
  readonly DT_UINT32: number;
  readonly DT_FLOAT32: number;
  /** Exports of the WebAssembly instance, including its memory. */
  readonly asm: Readonly<Record<string, unknown>>;
  /** The current memory; growing replaces it. */
  readonly HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  destroy(object: object): void;
}
