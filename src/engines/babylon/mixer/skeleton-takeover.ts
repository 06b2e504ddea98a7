/** Takes the skeletons of a character over from Babylon.js: matrices come from a mixer instead of the bones. */
import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import type { BabylonScene } from '../read-scene.ts';
import { skeletonsOf } from './babylon-rig.ts';

/** Returns the node below the space of the skeleton that contains a mesh: it is parented where the topmost bone is. */
function movedNode(mesh: AbstractMesh, base: Node | null): TransformNode | null {
  for (let node: Node | null = mesh; node !== null; node = node.parent) {
    if (node.parent === base || (base !== null && node.parent === base.parent)) return node as TransformNode;
  }
  return null;
}

/** Makes the next `prepare` of a skeleton compute: its matrices can be out of date. */
function markChanged(skeleton: Skeleton): void {
  const { useTextureToStoreBoneMatrices } = skeleton;
  skeleton.useTextureToStoreBoneMatrices = useTextureToStoreBoneMatrices;
}

/** Lets `prepare` of a skeleton write matrices from elsewhere. Returns the function that undoes it. */
function override(skeleton: Skeleton, mesh: AbstractMesh, write: (matrices: Float32Array) => boolean): () => void {
  // Allocates the matrices and the texture.
  markChanged(skeleton);
  skeleton.prepare(true);
  const matrices = skeleton.getTransformMatrices(mesh) as Float32Array;
  const texture = skeleton.isUsingTextureForMatrices ? skeleton.getTransformMatrixTexture(mesh) : null;
  const scene = skeleton.getScene();
  let renderId = -1;
  skeleton.prepare = (dontCheckFrameId = false): void => {
    const current = scene.getRenderId();
    if (!dontCheckFrameId && current === renderId) return;
    renderId = current;
    if (write(matrices)) texture?.update(matrices);
  };
  return () => {
    delete (skeleton as Partial<Skeleton>).prepare;
    markChanged(skeleton);
  };
}

/** The overridden skeletons of a character. */
export class SkeletonTakeover {
  /** Nodes with a bone that carry visible objects (weapons, lights, rigid meshes), and those above: parents first. */
  readonly carriers: readonly number[];
  readonly #restore: (() => void)[] = [];

  /**
   * Takes the skeletons over. `writeMatrices` returns whether the matrices of a skeleton of the model have changed since the last call. Babylon.js parents skinned meshes beside the topmost bone; they move to the top of the character, the space of all matrices.
   *
   * @throws RangeError for a mesh that is not beside the topmost bone of its skeleton.
   */
  constructor(
    { nodes, indexOf, top }: BabylonScene,
    isJoint: Uint8Array,
    writeMatrices: (matrices: Float32Array, skin: number) => boolean,
  ) {
    const moved = new Map<TransformNode, Node | null>();
    const skeletons = skeletonsOf({ nodes });
    for (const [skeleton, meshes] of skeletons) {
      const base = skeleton.bones.find((bone) => bone.getParent() === null)?.getTransformNode()?.parent ?? null;
      for (const mesh of meshes) {
        const node = movedNode(mesh, base);
        if (node === null) {
          throw new RangeError(
            `BabylonMixer: the mesh ${JSON.stringify(mesh.name)} is not beside the topmost bone of its skeleton, where the glTF loader puts it. ` +
              'Animate it with its AnimationGroup.',
          );
        }
        if (node.parent !== top) moved.set(node, node.parent);
      }
    }
    for (const [node, parent] of moved) {
      node.parent = top;
      this.#restore.push(() => {
        node.parent = parent;
      });
    }
    let skin = 0;
    for (const [skeleton, [mesh]] of skeletons) {
      const index = skin++;
      this.#restore.push(override(skeleton, mesh, (matrices) => writeMatrices(matrices, index)));
    }
    const carriers = new Set<number>();
    for (const object of top.getDescendants(false)) {
      const index = indexOf.get(object as TransformNode);
      const isShown = index === undefined || 'subMeshes' in object;
      if (!isShown || ('skeleton' in object && object.skeleton)) continue;
      for (let node = object.parent; node !== null; node = node.parent) {
        const above = indexOf.get(node as TransformNode) ?? -1;
        if (above >= 0 && isJoint[above] === 1) carriers.add(above);
      }
    }
    this.carriers = [...carriers].sort((a, b) => a - b);
  }

  /** Gives the skeletons back to Babylon.js. */
  end(): void {
    for (const restore of this.#restore.splice(0).reverse()) restore();
  }
}
