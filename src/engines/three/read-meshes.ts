import {
  BufferAttribute,
  type BufferGeometry,
  type LOD,
  Matrix4,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
} from 'three';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { rigidMesh, type SceneMesh } from '../scene/scene-surface.ts';
import { attributeFloats } from './read-attribute.ts';

/** Reads an attribute with some components per vertex; null without it. */
function readAttribute({ attributes }: BufferGeometry, name: string, width: number): Float32Array | null {
  const attribute = attributes[name];
  if (attribute === undefined || attribute.itemSize < width) return null;
  return attributeFloats(attribute, width);
}

/** An object that moves as if it were a child of another one, which a rig has instead of it. */
export interface StandIn {
  readonly object: Object3D;
  /** From the space of the object that is replaced to that of the object of the rig, in the rest pose. */
  readonly matrix: Matrix4;
}

/** Returns the triangles of a mesh: three vertices each; null where each three vertices are one. */
function trianglesOf({ index }: BufferGeometry): ArrayLike<number> | null {
  return index === null ? null : index.array;
}

function isHidden(object: Object3D): boolean {
  const { parent, visible } = object;
  const levels = (parent as Partial<LOD> | null)?.isLOD === true ? (parent as LOD).levels : [];
  // The distance of the camera shows and hides levels of detail; the first one is the most detailed.
  if (levels.some((level) => level.object === object)) return levels[0].object !== object;
  return !visible;
}

function listHiding(mesh: Mesh): Object3D[] {
  // Materials hide a mesh, not what is below it.
  const isDrawn = ![mesh.material].flat().every((one) => one?.visible === false);
  const hiding: Object3D[] = isDrawn ? [] : [mesh];
  for (let above: Object3D | null = mesh; above !== null; above = above.parent) if (isHidden(above)) hiding.push(above);
  return [...new Set(hiding)];
}

function readSkinnedMesh(
  mesh: SkinnedMesh,
  indexOf: ReadonlyMap<Object3D, number>,
  standIns: ReadonlyMap<Object3D, StandIn>,
): SceneMesh | null {
  const positions = readAttribute(mesh.geometry, 'position', 3);
  const indices = readAttribute(mesh.geometry, 'skinIndex', 4);
  const weights = readAttribute(mesh.geometry, 'skinWeight', 4);
  if (positions === null || indices === null || weights === null || !mesh.skeleton) return null;
  const { bones, boneInverses } = mesh.skeleton;
  const inverseBind = new Float64Array(MATRIX_STRIDE * bones.length);
  const matrix = new Matrix4();
  boneInverses.forEach((inverse, k) => {
    matrix.multiplyMatrices(inverse, mesh.bindMatrix);
    const standIn = bones[k] ? standIns.get(bones[k]) : undefined;
    if (standIn !== undefined) matrix.premultiply(standIn.matrix);
    inverseBind.set(matrix.elements, MATRIX_STRIDE * k);
  });
  const joints = Int32Array.from(bones, (bone) =>
    bone ? (indexOf.get(standIns.get(bone)?.object ?? bone) ?? -1) : -1,
  );
  return {
    positions,
    triangles: trianglesOf(mesh.geometry),
    indices,
    weights,
    joints,
    inverseBind,
    node: -1,
    hiddenBy: listHiding(mesh),
  };
}

/** Reads the meshes that move with the objects of a character. `standIns`: what the rig has instead of objects that move meshes. */
export function readMeshes(
  root: Object3D,
  objects: readonly Object3D[],
  standIns: ReadonlyMap<Object3D, StandIn>,
): SceneMesh[] {
  const indexOf = new Map(objects.map((object, index) => [object, index]));
  const meshes: SceneMesh[] = [];
  root.traverse((object) => {
    if ((object as Partial<Mesh>).isMesh !== true) return;
    const mesh = object as Mesh;
    if ((object as Partial<SkinnedMesh>).isSkinnedMesh === true) {
      const skinned = readSkinnedMesh(object as SkinnedMesh, indexOf, standIns);
      if (skinned !== null) meshes.push(skinned);
      return;
    }
    const standIn = standIns.get(mesh);
    const node = indexOf.get(standIn?.object ?? mesh);
    const positions = node === undefined ? null : readAttribute(mesh.geometry, 'position', 3);
    if (node === undefined || positions === null) return;
    if (standIn !== undefined) new BufferAttribute(positions, 3).applyMatrix4(standIn.matrix);
    meshes.push(rigidMesh({ positions, triangles: trianglesOf(mesh.geometry), node, hiddenBy: listHiding(mesh) }));
  });
  return meshes;
}
