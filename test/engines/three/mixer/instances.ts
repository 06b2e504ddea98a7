/** Two instances of a model for two mixers, and their vertices as three.js shows them. */
import { type AnimationClip, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

/** Skinned meshes at and below an object. */
export function skinnedMeshes(root: Object3D): SkinnedMesh[] {
  const meshes: SkinnedMesh[] = [];
  root.traverse((object) => {
    if ('isSkinnedMesh' in object) meshes.push(object as SkinnedMesh);
  });
  return meshes;
}

/** Does what a renderer does before it draws. */
export function prepareFrame(root: Object3D): void {
  root.updateMatrixWorld();
  for (const { skeleton } of skinnedMeshes(root)) skeleton.update();
}

/** World positions of every `step`-th vertex. */
export function worldVertices(root: Object3D, step = 101): Float64Array {
  const out: number[] = [];
  const point = new Vector3();
  for (const mesh of skinnedMeshes(root)) {
    const { count } = mesh.geometry.attributes['position'];
    for (let k = 0; k < count; k += step) {
      mesh.getVertexPosition(k, point).applyMatrix4(mesh.matrixWorld);
      out.push(point.x, point.y, point.z);
    }
  }
  return Float64Array.from(out);
}

/** Largest distance between vertices. */
export function vertexDistance(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length || a.length === 0) throw new Error(`${a.length} numbers against ${b.length}`);
  let most = 0;
  for (let k = 0; k < a.length; k += 3) {
    most = Math.max(most, Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]));
  }
  return most;
}

/** Creates an instance of a model. */
export function instanceOf(root: Object3D): Object3D {
  return clone(root);
}

/** Times of frames of a clip, seconds. */
export function frameTimesOf(clip: AnimationClip, step: number, fps = 30): number[] {
  return Array.from({ length: Math.floor(clip.duration * fps) }, (_, k) => k / fps).filter((_, k) => k % step === 0);
}
