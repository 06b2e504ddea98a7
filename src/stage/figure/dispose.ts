/** Frees what objects of three.js keep on the GPU. */
import type { Material, Mesh, Object3D, SkinnedMesh, Texture } from 'three';

function forEachTexture(material: Material, visit: (texture: Texture) => void): void {
  for (const value of Object.values(material)) {
    if ((value as Partial<Texture> | null)?.isTexture === true) visit(value as Texture);
  }
}

export function texturesOf(meshes: readonly Mesh[]): Set<Texture> {
  const textures = new Set<Texture>();
  for (const { material } of meshes) {
    for (const one of [material].flat()) forEachTexture(one, (texture) => void textures.add(texture));
  }
  return textures;
}

/** Frees geometries, materials, textures and bone textures of a tree. Decoded images are closed. */
export function disposeTree(root: Object3D): void {
  root.removeFromParent();
  const images = new Set<ImageBitmap>();
  root.traverse((object) => {
    const { geometry, material, skeleton, customDepthMaterial } = object as Partial<SkinnedMesh>;
    geometry?.dispose();
    customDepthMaterial?.dispose();
    skeleton?.dispose();
    for (const one of material === undefined ? [] : [material].flat()) {
      forEachTexture(one, (texture) => {
        const image: unknown = texture.image;
        if (typeof ImageBitmap !== 'undefined' && image instanceof ImageBitmap) images.add(image);
        texture.dispose();
      });
      one.dispose();
    }
    // Instanced meshes have buffers of their own.
    (object as Partial<{ dispose: () => void }> & Partial<Mesh>).dispose?.();
  });
  for (const image of images) image.close();
}

/** Frees the geometries of a tree whose materials belong to others. */
export function freeGeometries(root: Object3D): void {
  root.removeFromParent();
  root.traverse((object) => (object as Partial<Mesh>).geometry?.dispose());
}
