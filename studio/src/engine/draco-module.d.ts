/** The parts of draco3dgltf that the page loads; the package has no types. */
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  import type { DecoderModule } from 'draco3dgltf';
  export default function createModule(options: {
    readonly print: () => void;
    readonly printErr: () => void;
    readonly wasmBinary: ArrayBuffer;
  }): Promise<DecoderModule>;
}

declare module '*.wasm?url' {
  const address: string;
  export default address;
}
