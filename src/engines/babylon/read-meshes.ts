import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { SceneMesh } from '../scene/scene-surface.ts';
import { mirrorMatrices, mirrorTranslation } from './handedness.ts';

/** Reads one mesh; null where it has no vertices or does not move with the nodes. */
function readMesh(
  mesh: AbstractMesh,
  indexOf: ReadonlyMap<TransformNode, number>,
  mirrored: boolean,
): SceneMesh | null {
  const data = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (data === null) return null;
  const positions = Float32Array.from(data);
  if (mirrored) for (let at = 0; at < positions.length; at += 3) mirrorTranslation(positions, at);
  const triangles = mesh.getIndices();
  const indices = mesh.getVerticesData(VertexBuffer.MatricesIndicesKind);
  const weights = mesh.getVerticesData(VertexBuffer.MatricesWeightsKind);
  if (mesh.skeleton === null || indices === null || weights === null) {
    const node = indexOf.get(mesh);
    if (node === undefined) return null;
    const [joints, inverseBind] = [new Int32Array(0), new Float64Array(0)];
    return { positions, triangles, indices: null, weights: [], joints, inverseBind, node };
  }
  const { bones } = mesh.skeleton;
  const inverseBind = new Float64Array(MATRIX_STRIDE * bones.length);
  bones.forEach((bone, k) => {
    inverseBind.set(bone.getAbsoluteInverseBindMatrix().asArray(), MATRIX_STRIDE * k);
  });
  if (mirrored) mirrorMatrices(inverseBind);
  const joints = Int32Array.from(bones, (bone) => {
    const node = bone.getTransformNode();
    return node === null ? -1 : (indexOf.get(node) ?? -1);
  });
  return { positions, triangles, indices, weights, joints, inverseBind, node: -1 };
}

/** Reads the meshes that move with the nodes of a character. */
export function readMeshes(root: TransformNode, nodes: readonly TransformNode[], mirrored: boolean): SceneMesh[] {
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  return root.getChildMeshes(false).flatMap((mesh) => readMesh(mesh, indexOf, mirrored) ?? []);
}
