/** A GLB in three.js. */
import { type Object3D, PropertyBinding, type SkinnedMesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

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
  if (mesh === undefined) throw new Error('three.js finds no skinned mesh in the GLB');
  gltf.scene.updateMatrixWorld(true);
  return { gltf, mesh };
}

/** What three.js calls a node: animations find nodes by name, so it takes some characters out. */
export function nameInThree(name: string): string {
  return PropertyBinding.sanitizeNodeName(name);
}
