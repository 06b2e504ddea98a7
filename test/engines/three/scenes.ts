/** Loads files with the loaders of three.js, and measures poses. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D, Quaternion, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { openFile } from '../../../src/files/node.ts';
import { asset } from '../../support/assets.ts';
import { wholeGlb, withoutImages } from '../glb-without-images.ts';

export interface Loaded {
  readonly root: Object3D;
  readonly animations: readonly AnimationClip[];
  /** The VRM of three-vrm; null for other files. */
  readonly vrm: VRM | null;
}

/** Loads a GLB without images. three-vrm loads VRMs, unless `plain`. */
export async function loadGlb(glb: Uint8Array, plain = false): Promise<Loaded> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  if (!plain) loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.parseAsync(new Uint8Array(glb).buffer, '');
  return { root: gltf.scene, animations: gltf.animations, vrm: (gltf.userData['vrm'] as VRM | undefined) ?? null };
}

/** Loads a file by its extension. The root of a BVH is its root bone. */
export async function loadBytes(name: string, bytes: Uint8Array): Promise<Loaded> {
  if (extname(name) === '.bvh') {
    const { skeleton, clip } = new BVHLoader().parse(new TextDecoder().decode(bytes));
    return { root: skeleton.bones[0], animations: [clip], vrm: null };
  }
  if (extname(name) === '.fbx') {
    const root = new FBXLoader().parse(new Uint8Array(bytes).buffer, '');
    return { root, animations: root.animations, vrm: null };
  }
  return loadGlb(withoutImages(bytes));
}

/** Loads a third-party file. */
export async function loadAsset(path: string): Promise<Loaded> {
  const bytes = new Uint8Array(readFileSync(asset('assets', path)));
  if (extname(path) === '.bvh' || extname(path) === '.fbx') return loadBytes(path, bytes);
  return loadGlb(await wholeGlb(await openFile(asset('assets', path))));
}

/** Poses objects at times of a clip; `stop` restores them. */
export function player(root: Object3D, clip: AnimationClip): { show(time: number): void; stop(): void } {
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  return {
    show(time) {
      action.reset();
      mixer.setTime(time);
    },
    stop: () => mixer.stopAllAction(),
  };
}

/** Returns rotation (product of local rotations) and position of every object, in the space of the root, by name. */
export function shown(root: Object3D): Map<string, { readonly rotation: Quaternion; readonly position: Vector3 }> {
  const out = new Map<string, { rotation: Quaternion; position: Vector3 }>();
  root.updateWorldMatrix(true, true);
  const visit = (object: Object3D, above: Quaternion): void => {
    const rotation = object === root ? new Quaternion() : above.clone().multiply(object.quaternion);
    out.set(object.name, { rotation, position: root.worldToLocal(object.getWorldPosition(new Vector3())) });
    for (const child of object.children) visit(child, rotation);
  };
  visit(root, new Quaternion());
  return out;
}

/** Compares two poses by object name: the largest rotation difference in radians, and the largest distance relative to `height`. */
export function apart(
  a: ReturnType<typeof shown>,
  b: ReturnType<typeof shown>,
  height: number,
): { rotations: number; positions: number; compared: number } {
  let rotations = 0;
  let positions = 0;
  let compared = 0;
  for (const [name, one] of a) {
    const other = b.get(name);
    if (other === undefined || name === '') continue;
    compared++;
    const [p, q] = [one.rotation.clone().normalize(), other.rotation.clone().normalize()];
    const sign = p.dot(q) < 0 ? -1 : 1;
    rotations = Math.max(
      rotations,
      2 * Math.hypot(p.x - sign * q.x, p.y - sign * q.y, p.z - sign * q.z, p.w - sign * q.w),
    );
    positions = Math.max(positions, one.position.distanceTo(other.position) / height);
  }
  return { rotations, positions, compared };
}
