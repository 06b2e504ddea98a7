/** Plays VRMs and VRMAs with three-vrm and three-vrm-animation, as a second opinion on humanoid motions. */
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { createVRMAnimationClip, type VRMAnimation, VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation';
import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D, type Quaternion, Vector3 } from 'three';
import {
  type GLTF,
  GLTFLoader,
  type GLTFLoaderPlugin,
  type GLTFParser,
} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { BoneName } from '../../../src/core/humanoid/bones.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { parseGltf } from '../../../src/formats/gltf/index.ts';
import { glbOf } from '../../support/make/glb.ts';

/** Keeps the humanoid of the file, but removes materials and everything else that needs a screen. */
function bare(bytes: Uint8Array): ArrayBuffer {
  const { json, bin } = parseGltf(bytes);
  const { materials, textures, images, samplers, extensionsRequired, ...rest } = structuredClone(json);
  const extensions = rest['extensions'] as Record<string, JsonObject>;
  for (const name of Object.keys(extensions)) {
    if (name !== 'VRM' && name !== 'VRMC_vrm' && name !== 'VRMC_vrm_animation') delete extensions[name];
    else extensions[name] = humanoidOnly(extensions[name]);
  }
  for (const mesh of (rest['meshes'] ?? []) as { primitives: JsonObject[] }[]) {
    for (const primitive of mesh.primitives) {
      delete primitive['material'];
      delete primitive['extensions'];
    }
  }
  rest['extensionsUsed'] = Object.keys(extensions);
  return new Uint8Array(glbOf(rest, bin ?? undefined)).buffer;
}

function humanoidOnly({ specVersion, meta, humanoid }: JsonObject): JsonObject {
  const { texture, thumbnailImage, ...rest } = (meta ?? {}) as JsonObject;
  return { specVersion, meta: rest, humanoid };
}

async function load(bytes: Uint8Array, plugin: (parser: GLTFParser) => GLTFLoaderPlugin): Promise<GLTF> {
  const loader = new GLTFLoader();
  loader.register(plugin);
  return loader.parseAsync(bare(bytes), '');
}

/** A scene that shows one clip. */
function player(scene: Object3D, clip: AnimationClip): (time: number) => void {
  const mixer = new AnimationMixer(scene);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  return (time) => {
    // A finished action stays at its end until it is reset.
    action.reset();
    mixer.setTime(time);
  };
}

/** Computes the world rotation from local rotations: matrices of scaled nodes are less precise. */
function worldRotation(node: Object3D): Quaternion {
  const out = node.quaternion.clone();
  for (let above = node.parent; above !== null; above = above.parent) out.premultiply(above.quaternion);
  return out;
}

/** A VRMA, as three-vrm-animation takes it and as a plain glTF animation. */
export interface Vrma {
  readonly animation: VRMAnimation;
  /** World delta W · W̄⁻¹ of a bone of the motion from the rest pose, including all nodes of the file. */
  delta(bone: BoneName, time: number): Quaternion;
}

/** The first animation of a VRMA. */
export async function loadVrma(bytes: Uint8Array): Promise<Vrma> {
  const { userData, parser, scene, animations } = await load(bytes, (p) => new VRMAnimationLoaderPlugin(p));
  const { humanBones } = parser.json.extensions.VRMC_vrm_animation.humanoid;
  const nodes = new Map<string, { node: Object3D; restInverse: Quaternion }>();
  for (const [bone, { node: index }] of Object.entries<{ node: number }>(humanBones)) {
    const node: Object3D = await parser.getDependency('node', index);
    nodes.set(bone, { node, restInverse: worldRotation(node).invert() });
  }
  const show = player(scene, animations[0]);
  return {
    animation: (userData['vrmAnimations'] as VRMAnimation[])[0],
    delta(bone, time) {
      show(time);
      const { node, restInverse } = nodes.get(bone)!;
      return worldRotation(node).multiply(restInverse);
    },
  };
}

/** A VRM that plays a VRMA. Rotations and positions are in the axes of the file. */
export interface VrmPlayer {
  /** Poses the model at a time. */
  show(time: number): void;
  /** World rotation of the node of a bone, xyzw. */
  rotation(bone: BoneName): number[];
  /** World position of the node of the hips. */
  hips(): number[];
}

/** The poses of a loaded VRM, in the axes of the file. */
function posesOf({ scene, humanoid }: VRM, show: (time: number) => void): VrmPlayer {
  const nodeOf = (bone: BoneName): Object3D => humanoid.getRawBoneNode(bone)!;
  return {
    show,
    rotation: (bone) => worldRotation(nodeOf(bone)).toArray(),
    hips: () => {
      scene.updateMatrixWorld(true);
      return nodeOf('hips').getWorldPosition(new Vector3()).toArray();
    },
  };
}

/**
 * Plays the first clip inside a VRM with `vrm.update()` after the mixer, as three-vrm's examples do every frame.
 *
 * @param bytes The VRM.
 * @param copiesNormalizedBones `autoUpdateHumanBones`, true by default in three-vrm: `vrm.update()` overwrites the bones of the file.
 */
export async function playOwnClipInThreeVrm(bytes: Uint8Array, copiesNormalizedBones: boolean): Promise<VrmPlayer> {
  const { userData, animations } = await load(
    bytes,
    (parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: copiesNormalizedBones }),
  );
  const vrm = userData['vrm'] as VRM;
  const show = player(vrm.scene, animations[0]);
  return posesOf(vrm, (time) => {
    show(time);
    vrm.update(0);
  });
}

/** A VRM whose normalized bones can be rotated. */
export interface PosedVrm extends VrmPlayer {
  /** Sets the rotation of a normalized bone, xyzw; `show` applies it. */
  rotate(bone: BoneName, rotation: readonly [number, number, number, number]): void;
}

/** Loads a VRM to be posed by its normalized bones. */
export async function loadVrmPose(bytes: Uint8Array): Promise<PosedVrm> {
  const { userData } = await load(bytes, (parser) => new VRMLoaderPlugin(parser));
  const vrm = userData['vrm'] as VRM;
  return {
    ...posesOf(vrm, () => vrm.update(0)),
    rotate: (bone, rotation) => vrm.humanoid.getNormalizedBoneNode(bone)!.quaternion.set(...rotation),
  };
}

/** Plays a VRMA on a VRM as in the README of three-vrm-animation. */
export async function playInThreeVrm(character: Uint8Array, { animation }: Vrma): Promise<VrmPlayer> {
  const { userData } = await load(character, (parser) => new VRMLoaderPlugin(parser));
  const vrm = userData['vrm'] as VRM;
  const show = player(vrm.scene, createVRMAnimationClip(animation, vrm));
  return posesOf(vrm, (time) => {
    show(time);
    vrm.update(0);
  });
}
