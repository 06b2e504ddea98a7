/** Plays the faces of VRMs and VRMAs with three-vrm and three-vrm-animation. */
import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { createVRMAnimationClip, type VRMAnimation, VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation';
import { AnimationMixer, LoopOnce, type Mesh, type Object3D } from 'three';
import {
  type GLTF,
  GLTFLoader,
  type GLTFLoaderPlugin,
  type GLTFParser,
} from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { parseGltf } from '../../../src/formats/gltf/index.ts';
import { glbOf } from '../../support/make/glb.ts';

/** Keeps face and humanoid of the file, but removes materials, which need a screen. */
function bare(bytes: Uint8Array): ArrayBuffer {
  const { json, bin } = parseGltf(bytes);
  const { materials, textures, images, samplers, extensionsRequired, ...rest } = structuredClone(json);
  const extensions = rest['extensions'] as Record<string, JsonObject>;
  for (const name of Object.keys(extensions)) {
    if (name === 'VRM') {
      const { humanoid, blendShapeMaster, firstPerson } = extensions[name];
      const groups = ((blendShapeMaster ?? {}) as { blendShapeGroups?: JsonObject[] }).blendShapeGroups ?? [];
      for (const group of groups) delete group['materialValues'];
      extensions[name] = { meta: {}, humanoid, blendShapeMaster, firstPerson };
    } else if (name === 'VRMC_vrm') {
      const { specVersion, humanoid, expressions, lookAt } = extensions[name];
      const license = { licenseUrl: 'https://vrm.dev/licenses/1.0/' };
      extensions[name] = { specVersion, meta: license, humanoid, expressions, lookAt };
    } else if (name !== 'VRMC_vrm_animation') delete extensions[name];
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

async function load(bytes: Uint8Array, plugin: (parser: GLTFParser) => GLTFLoaderPlugin): Promise<GLTF> {
  const loader = new GLTFLoader();
  loader.register(plugin);
  return loader.parseAsync(bare(bytes), '');
}

/** A VRM that plays the face of a VRMA. */
export interface FacePlayer {
  show(time: number): void;
  /** Weight of an expression as the animation sets it; null if the character has no such expression. */
  weight(name: string): number | null;
  /** Influences of the morph targets of a node of the file; null if it has none. */
  influences(node: number): number[] | null;
  /** Local rotation of the raw node of an eye, xyzw; null without such a bone. */
  eye(side: 'leftEye' | 'rightEye'): number[] | null;
}

/** Plays the first animation of a VRMA on a VRM: the humanoid, then look-at, then the expressions, as VRM.update does. */
export async function playFace(character: Uint8Array, motion: Uint8Array): Promise<FacePlayer> {
  const { userData: motionData } = await load(motion, (parser) => new VRMAnimationLoaderPlugin(parser));
  const [animation] = motionData['vrmAnimations'] as VRMAnimation[];
  const { userData, parser } = await load(character, (p) => new VRMLoaderPlugin(p));
  const vrm = userData['vrm'] as VRM;
  const mixer = new AnimationMixer(vrm.scene);
  const action = mixer.clipAction(createVRMAnimationClip(animation, vrm));
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const count = (parser.json.nodes as unknown[]).length;
  const nodes: Object3D[] = await Promise.all(Array.from({ length: count }, (_, k) => parser.getDependency('node', k)));
  return {
    show(time) {
      action.reset();
      mixer.setTime(time);
      vrm.humanoid.update();
      vrm.lookAt?.update(0);
      vrm.expressionManager?.update();
    },
    weight: (name) => vrm.expressionManager?.getValue(name) ?? null,
    influences(node) {
      let found: number[] | null = null;
      nodes[node].traverse((object) => {
        found ??= (object as Mesh).morphTargetInfluences ?? null;
      });
      return found;
    },
    eye: (side) => vrm.humanoid.getRawBoneNode(side)?.quaternion.toArray() ?? null,
  };
}
