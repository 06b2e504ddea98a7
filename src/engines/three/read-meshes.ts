/** Reads the meshes of a character of three.js. */
import { type BufferGeometry, Matrix4, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { SceneMesh } from '../scene/scene-surface.ts';
import { attributeFloats } from './read-attribute.ts';

/** Reads an attribute with some components per vertex; null without it. */
function readAttribute({ attributes }: BufferGeometry, name: string, width: number): Float32Array | null {
  const attribute = attributes[name];
  if (attribute === undefined || attribute.itemSize < width) return null;
  return attributeFloats(attribute, width);
}

function readSkinnedMesh(mesh: SkinnedMesh, indexOf: ReadonlyMap<Object3D, number>): SceneMesh | null {
  const positions = readAttribute(mesh.geometry, 'position', 3);
  const indices = readAttribute(mesh.geometry, 'skinIndex', 4);
  const weights = readAttribute(mesh.geometry, 'skinWeight', 4);
  if (positions === null || indices === null || weights === null || !mesh.skeleton) return null;
  const { bones, boneInverses } = mesh.skeleton;
  const inverseBind = new Float64Array(MATRIX_STRIDE * bones.length);
  const matrix = new Matrix4();
  boneInverses.forEach((inverse, k) => {
    inverseBind.set(matrix.multiplyMatrices(inverse, mesh.bindMatrix).elements, MATRIX_STRIDE * k);
  });
  const joints = Int32Array.from(bones, (bone) => (bone ? (indexOf.get(bone) ?? -1) : -1));
  return { positions, indices, weights, joints, inverseBind, node: -1 };
}

/** Reads the meshes that move with the objects of a character. */
export function readMeshes(root: Object3D, objects: readonly Object3D[]): SceneMesh[] {
  const indexOf = new Map(objects.map((object, index) => [object, index]));
  const meshes: SceneMesh[] = [];
  root.traverse((object) => {
    if ((object as Partial<Mesh>).isMesh !== true) return;
    const mesh = object as Mesh;
    if ((object as Partial<SkinnedMesh>).isSkinnedMesh === true) {
      const skinned = readSkinnedMesh(object as SkinnedMesh, indexOf);
      if (skinned !== null) meshes.push(skinned);
      return;
    }
    const node = indexOf.get(mesh);
    const positions = node === undefined ? null : readAttribute(mesh.geometry, 'position', 3);
    if (node === undefined || positions === null) return;
    const [joints, inverseBind] = [new Int32Array(0), new Float64Array(0)];
    meshes.push({ positions, indices: null, weights: [], joints, inverseBind, node });
  });
  return meshes;
}
