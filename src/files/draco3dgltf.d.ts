/** What is used of the package draco3dgltf, which has no types of its own: its decoder, an Emscripten module. */
declare module 'draco3dgltf' {
  export interface Status {
    ok(): boolean;
    error_msg(): string;
  }
  export interface Mesh {
    readonly ptr: number;
    num_points(): number;
    num_faces(): number;
  }
  export interface PointAttribute {
    readonly ptr: number;
    num_components(): number;
  }
  export interface Decoder {
    DecodeArrayToMesh(bytes: Int8Array, size: number, mesh: Mesh): Status;
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
    /** What WebAssembly exports: the memory among it. */
    readonly asm: Readonly<Record<string, unknown>>;
    /** The memory as it is now: growing makes a new one. */
    readonly HEAPU8: Uint8Array;
    _malloc(size: number): number;
    _free(pointer: number): void;
    destroy(object: object): void;
  }
  const draco3d: {
    createDecoderModule(options: { print: () => void; printErr: () => void }): Promise<DecoderModule>;
  };
  export default draco3d;
}
