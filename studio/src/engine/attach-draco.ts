/// <reference path="./draco-module.d.ts" />
/** The Draco decoder of the page: that of draco3dgltf, whose package is for Node, with its WebAssembly from the address of the page. */
import { attachDracoDecoder, type GltfDocument } from 'anyrig/gltf';
import wasm from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import decoderModule from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import { createDracoDecoder } from '../../../src/files/adapters/gltf/draco-decoder.ts';

/** Attaches a decoder to a document. Throws Error when the decoder cannot be loaded. */
export async function attachDraco(document: GltfDocument): Promise<void> {
  const wasmBinary = await (await fetch(wasm)).arrayBuffer();
  const silent = { print: () => {}, printErr: () => {} };
  attachDracoDecoder(document, createDracoDecoder(await decoderModule({ ...silent, wasmBinary })));
}
