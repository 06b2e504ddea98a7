/** World matrices of the nodes of a GLB over time, from three.js. */
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { AnimationMixer, LoopOnce, type Object3D } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** Loads a GLB without textures. */
export async function loadInThree(glb: Uint8Array): Promise<GLTF> {
  // The loader needs this browser global for data URIs.
  (globalThis as Record<string, unknown>)['ProgressEvent'] ??= Event;
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  const copy = new Uint8Array(glb).buffer;
  return new Promise((resolve, reject) => loader.parse(copy, '', resolve, reject));
}

/** World matrices by node of the file for one animation (−1: none); column-major. */
export function threeMatrices(gltf: GLTF, animation: number, time: number): Map<number, readonly number[]> {
  const mixer = new AnimationMixer(gltf.scene);
  if (animation >= 0) {
    const action = mixer.clipAction(gltf.animations[animation]);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  // Quaternions of normalized bytes are not unit quaternions; three.js uses them unchanged, the specification requires unit ones.
  gltf.scene.traverse((object: Object3D) => object.quaternion.normalize());
  gltf.scene.updateMatrixWorld(true);
  const matrices = new Map<number, readonly number[]>();
  gltf.scene.traverse((object: Object3D) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) matrices.set(node, object.matrixWorld.elements.slice());
  });
  mixer.stopAllAction();
  return matrices;
}
