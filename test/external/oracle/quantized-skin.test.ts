/** Compares a compressed and quantized character with its plain twin, made by glTF-Transform, in `inspect`. */
import { readFileSync } from 'node:fs';
import { type Accessor, type Document, Logger, NodeIO, Verbosity } from '@gltf-transform/core';
import { EXTMeshoptCompression, EXTTextureWebP, KHRMeshQuantization } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { Matrix4, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { geometryOf } from '../../../src/files/geometry.ts';
import { inspectFile } from '../../../src/files/jobs/inspect-file.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { documentOf } from '../../support/make/opened.ts';
import { differences } from './report-differences.ts';

const FILE = asset('assets/glb/VALID_AIAN_M_1_Casual.glb');

/** Stores an accessor as floats. */
function storeFloats(accessor: Accessor, change: (element: number[]) => number[]): void {
  const width = accessor.getElementSize();
  const floats = new Float32Array(accessor.getCount() * width);
  for (let i = 0; i < accessor.getCount(); i++) floats.set(change(accessor.getElement(i, [])), i * width);
  accessor.setNormalized(false).setArray(floats);
}

/**
 * Moves the scale that quantization put into the inverse bind matrices back to the vertices, so that mesh space is again the space in which
 * the first joint is bound at its rest pose.
 */
function dequantize(doc: Document): void {
  for (const skin of doc.getRoot().listSkins()) {
    const matrices = skin.getInverseBindMatrices()!;
    const [joint] = skin.listJoints();
    const rest = new Matrix4().fromArray(joint.getWorldMatrix());
    const factor = rest.multiply(new Matrix4().fromArray(matrices.getElement(0, [])));
    const back = factor.clone().invert();
    storeFloats(matrices, (element) => new Matrix4().fromArray(element).multiply(back).toArray());
    const meshes = doc
      .getRoot()
      .listNodes()
      .filter((node) => node.getSkin() === skin)
      .map((node) => node.getMesh()!);
    const accessors = new Set(
      meshes.flatMap((mesh) => mesh.listPrimitives().map((primitive) => primitive.getAttribute('POSITION')!)),
    );
    for (const positions of accessors) {
      storeFloats(positions, (element) => new Vector3().fromArray(element).applyMatrix4(factor).toArray());
    }
  }
}

async function plainTwin(bytes: Uint8Array): Promise<Uint8Array> {
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization, EXTTextureWebP])
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const doc = await io.readBinary(bytes);
  dequantize(doc);
  for (const extension of doc.getRoot().listExtensionsUsed()) {
    if (extension.extensionName !== 'EXT_texture_webp') extension.dispose();
  }
  return io.writeBinary(doc);
}

describe.skipIf(!HAS_ASSETS)('inspect on a quantized skin', () => {
  it.skipIf(!IS_FULL_RUN)('reports the same as for its plain twin', async () => {
    const bytes = new Uint8Array(readFileSync(FILE));
    const file = await openBytes(bytes, { name: 'valid' });
    const twin = await openBytes(await plainTwin(bytes), { name: 'valid' });
    expect(JSON.stringify(documentOf(twin).json)).not.toMatch(/meshopt|quantization/);
    const report = inspectFile(file);
    expect(report.humanoids).toHaveLength(1);
    expect(differences(report, inspectFile(twin))).toEqual([]);
    // The scale is not 1; otherwise both files would be the same.
    const skins = await Promise.all([file, twin].map(async (opened) => (await geometryOf(opened))!.geometry.skins[0]));
    expect(skins[0].inverseBindMatrices[0] / skins[1].inverseBindMatrices[0]).not.toBeCloseTo(1, 2);
  });
});
