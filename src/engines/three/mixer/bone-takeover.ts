/** Takes the skeletons of a character over from three.js: matrices come from a mixer instead of the bone objects. */
import {
  DetachedBindMode,
  Matrix4,
  Mesh,
  type Object3D,
  type Skeleton,
  SkinnedMesh,
  type Vector3,
  Vector4,
} from 'three';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { isBone, type ThreeScene } from '../read-scene.ts';
import { skinnedMeshesOf } from './character-rig.ts';

/** Types of objects that show nothing by themselves. */
const PLAIN = new Set(['Object3D', 'Group', 'Bone']);

function showsSomething(object: Object3D): boolean {
  let found = false;
  object.traverse(({ type }) => {
    if (!PLAIN.has(type)) found = true;
  });
  return found;
}

function isCarried({ parent }: Object3D): boolean {
  return parent !== null && isBone(parent);
}

const base = new Vector4();
const sum = new Vector4();
const term = new Vector4();
const weights = new Vector4();
const indices = new Vector4();
const matrix = new Matrix4();

/** Deforms a point as the shader does, by the matrices of the skeleton. Replaces a method that reads the bone objects. */
function applyBoneMatrices<T extends Vector3 | Vector4>(this: SkinnedMesh, index: number, target: T): T {
  const { geometry, skeleton, bindMatrix, bindMatrixInverse } = this;
  indices.fromBufferAttribute(geometry.attributes['skinIndex'] as never, index);
  weights.fromBufferAttribute(geometry.attributes['skinWeight'] as never, index);
  const w = 'w' in target ? target.w : 1;
  base.set(target.x, target.y, target.z, w).applyMatrix4(bindMatrix);
  sum.set(0, 0, 0, 0);
  for (let k = 0; k < 4; k++) {
    const weight = weights.getComponent(k);
    if (weight === 0) continue;
    matrix.fromArray(skeleton.boneMatrices as Float32Array, MATRIX_STRIDE * indices.getComponent(k));
    sum.addScaledVector(term.copy(base).applyMatrix4(matrix), weight);
  }
  sum.w = w;
  sum.applyMatrix4(bindMatrixInverse);
  target.x = sum.x;
  target.y = sum.y;
  target.z = sum.z;
  return target;
}

/** The overridden methods of a character. */
export class BoneTakeover {
  /** Nodes of the bones that carry visible objects (weapons, cameras, rigid meshes), and of the bones above: parents first. */
  readonly carriers: readonly number[];
  readonly #carrierBones: readonly Object3D[];
  /** The objects that they carry. */
  readonly #carried: readonly Object3D[];
  readonly #top: Object3D;
  readonly #isTopIgnored: boolean;
  readonly #restore: (() => void)[] = [];

  /** Takes the skeletons over. `writeMatrices` writes `boneMatrices` of a skeleton, which has an index among those of the model. */
  constructor(scene: ThreeScene, writeMatrices: (skeleton: Skeleton, skin: number) => void) {
    const { nodes, indexOf, ignoredRoots } = scene;
    this.#top = nodes[0];
    this.#isTopIgnored = ignoredRoots.has(nodes[0]);
    this.#top.updateWorldMatrix(true, true);
    this.#carried = nodes.filter((object) => !isBone(object) && isCarried(object) && showsSomething(object));
    const carriers = new Set<number>();
    for (const { parent } of this.#carried) {
      for (let bone = parent; bone !== null && isBone(bone); bone = bone.parent)
        carriers.add(indexOf.get(bone) as number);
    }
    this.carriers = [...carriers].sort((a, b) => a - b);
    this.#carrierBones = this.carriers.map((node) => nodes[node]);
    for (const object of nodes) {
      if (isBone(object) && !(object.parent !== null && isBone(object.parent) && indexOf.has(object.parent))) {
        this.#override(object, 'updateMatrixWorld', () => this.#updateCarried());
      }
    }
    const skeletons = new Map<Skeleton, number>();
    for (const { skeleton } of skinnedMeshesOf(scene)) {
      const skin = skeletons.size;
      skeletons.set(skeleton, skin);
      this.#override(skeleton, 'update', () => {
        writeMatrices(skeleton, skin);
        if (skeleton.boneTexture !== null) skeleton.boneTexture.needsUpdate = true;
      });
    }
    for (const object of nodes) {
      if (!(object instanceof SkinnedMesh)) continue;
      this.#override(object, 'applyBoneTransform', applyBoneMatrices);
      this.#override(object, 'updateMatrixWorld', (force?: boolean) => this.#updateMesh(object, force));
      for (const method of ['computeBoundingSphere', 'computeBoundingBox'] as const) {
        this.#override(object, method, () => {
          object.skeleton.update();
          SkinnedMesh.prototype[method].call(object);
        });
      }
    }
  }

  /** Gives the skeletons back to three.js. */
  end(): void {
    for (const restore of this.#restore.splice(0)) restore();
  }

  /** Shadows a method of an object until the end. */
  #override<T extends object, K extends keyof T>(object: T, method: K, replacement: unknown): void {
    Object.defineProperty(object, method, { value: replacement, configurable: true, writable: true });
    this.#restore.push(() => {
      delete object[method];
    });
  }

  /** Updates a mesh. Its matrices are in the space of the model, not of the world: `bindMatrixInverse` has the transform between them. */
  #updateMesh(mesh: SkinnedMesh, force: boolean | undefined): void {
    Mesh.prototype.updateMatrixWorld.call(mesh, force);
    const { bindMatrixInverse } = mesh;
    bindMatrixInverse.copy(mesh.bindMode === DetachedBindMode ? mesh.bindMatrix : mesh.matrixWorld).invert();
    if (this.#isTopIgnored) bindMatrixInverse.multiply(this.#top.matrixWorld);
    else if (this.#top.parent !== null) bindMatrixInverse.multiply(this.#top.parent.matrixWorld);
  }

  /** Updates the world matrices of carried objects. three.js calls it where it would update the bones. */
  #updateCarried(): void {
    for (const bone of this.#carrierBones) {
      bone.updateMatrix();
      if (bone.parent === null) bone.matrixWorld.copy(bone.matrix);
      else bone.matrixWorld.multiplyMatrices(bone.parent.matrixWorld, bone.matrix);
    }
    for (const object of this.#carried) object.updateMatrixWorld(true);
  }
}
