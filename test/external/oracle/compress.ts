/** Compresses and decompresses characters with glTF-Transform. */
import { type Document, Logger, MathUtils, NodeIO, Verbosity } from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { Matrix4 } from 'three';

/** The types of the package cover only its decoder. */
const withEncoder = draco3d as typeof draco3d & { createEncoderModule(options: object): Promise<object> };
/** Draco modifies its module configuration: every module needs its own. */
const quiet = () => ({ print: () => {}, printErr: () => {} });

async function makeIo(): Promise<NodeIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO()
    .setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression, KHRMeshQuantization, EXTTextureWebP])
    .registerDependencies({
      'draco3d.decoder': await draco3d.createDecoderModule(quiet()),
      'draco3d.encoder': await withEncoder.createEncoderModule(quiet()),
      'meshopt.decoder': MeshoptDecoder,
      'meshopt.encoder': MeshoptEncoder,
    });
}

/**
 * Stores positions as 16-bit integers (KHR_mesh_quantization). A box of all vertices of a skin becomes −1…1; the inverse bind
 * matrices take it back.
 */
function quantize(doc: Document): void {
  doc.createExtension(KHRMeshQuantization).setRequired(true);
  for (const skin of doc.getRoot().listSkins()) {
    const nodes = doc.getRoot().listNodes();
    const meshes = nodes.filter((node) => node.getSkin() === skin).map((node) => node.getMesh()!);
    const accessors = [
      ...new Set(meshes.flatMap((mesh) => mesh.listPrimitives().map((part) => part.getAttribute('POSITION')!))),
    ];
    const low = [0, 1, 2].map((c) => Math.min(...accessors.map((positions) => positions.getMin([])[c])));
    const high = [0, 1, 2].map((c) => Math.max(...accessors.map((positions) => positions.getMax([])[c])));
    const middle = low.map((value, c) => (value + high[c]) / 2);
    const half = Math.max(...low.map((value, c) => (high[c] - value) / 2));
    for (const positions of accessors) {
      const stored = Array.from(positions.getArray() as Float32Array, (value, i) => (value - middle[i % 3]) / half);
      const integers = Int16Array.from(stored, (value) => MathUtils.encodeNormalizedInt(value, 5122));
      positions.setArray(integers).setNormalized(true);
    }
    const [x, y, z] = middle;
    const back = new Matrix4(half, 0, 0, x, 0, half, 0, y, 0, 0, half, z, 0, 0, 0, 1);
    const matrices = skin.getInverseBindMatrices()!;
    for (let joint = 0; joint < matrices.getCount(); joint++) {
      const matrix = new Matrix4().fromArray(matrices.getElement(joint, [])).multiply(back);
      matrices.setElement(joint, matrix.toArray());
    }
  }
}

/** How a character is compressed. Draco and filters lose a little: what is decompressed is the plain twin. */
export type Compression = 'draco' | 'meshopt' | 'meshopt, filtered' | 'meshopt, quantised';

/** A GLB compressed. */
export async function compressed(bytes: Uint8Array, compression: Compression): Promise<Uint8Array> {
  const io = await makeIo();
  const doc = await io.readBinary(bytes);
  if (compression === 'draco') {
    doc.createExtension(KHRDracoMeshCompression).setRequired(true);
  } else {
    const { FILTER, QUANTIZE } = EXTMeshoptCompression.EncoderMethod;
    const method = compression === 'meshopt, filtered' ? FILTER : QUANTIZE;
    doc.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method });
  }
  if (compression === 'meshopt, quantised') quantize(doc);
  return io.writeBinary(doc);
}

/** A GLB of any compression with plain accessors; integers (KHR_mesh_quantization) stay what they are. */
export async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const io = await makeIo();
  const doc = await io.readBinary(bytes);
  for (const extension of doc.getRoot().listExtensionsUsed()) {
    if (/draco|meshopt/.test(extension.extensionName)) extension.dispose();
  }
  return io.writeBinary(doc);
}
