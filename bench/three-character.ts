/** Loads GLBs with three.js. */
import { type Object3D, PropertyBinding, type SkinnedMesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** A GLB loaded by three.js. */
export interface ThreeCharacter {
  readonly gltf: GLTF;
  readonly mesh: SkinnedMesh;
}

/** Loads a GLB that has one skinned mesh and no textures. */
export async function loadInThree(glb: Uint8Array): Promise<ThreeCharacter> {
  const gltf = await new GLTFLoader().parseAsync(new Uint8Array(glb).buffer, '');
  let mesh: SkinnedMesh | undefined;
  gltf.scene.traverse((object: Object3D) => {
    if ('isSkinnedMesh' in object) mesh = object as SkinnedMesh;
  });
  if (mesh === undefined) throw new Error('three.js found no skinned mesh in the GLB.');
  gltf.scene.updateMatrixWorld(true);
  return { gltf, mesh };
}

/** Returns the node name that three.js uses: it removes characters that are reserved in its property paths. */
export function nameInThree(name: string): string {
  return PropertyBinding.sanitizeNodeName(name);
}
