/** A page that retargets one motion to one character in three.js and in Babylon.js, and returns the rotations of the nodes. */
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/index.js';
import { retargetAnimationGroup } from 'anyrig/babylon';
import { AnimationMixer, type Object3D, Quaternion } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { retargetAnimationClip } from '../../../src/engines/three/retarget-animation-clip.ts';

/** Sample times in seconds, inside every demo clip. */
const TIMES = [0, 0.11, 0.37, 0.5, 0.83, 1];

/** World rotations xyzw by node name, one record per time. */
export type Rotations = Record<string, number[]>[];

/** Result of the page. */
export interface EnginesResult {
  readonly three: Rotations;
  readonly babylon: Rotations;
  readonly times: readonly number[];
  readonly userAgent: string;
}

async function bytesOf(name: string): Promise<ArrayBuffer> {
  return (await fetch(`/${name}`)).arrayBuffer();
}

/** Returns the products of local rotations below the root of a file. They are equal in both engines: Babylon.js mirrors at the root. */
function rotationsBelow(root: Object3D): Record<string, number[]> {
  const rotations: Record<string, number[]> = {};
  const visit = (object: Object3D, above: Quaternion): void => {
    const rotation = object === root ? above : above.clone().multiply(object.quaternion);
    // GLTFLoader removes some characters from names; both engines have the name in the file.
    const name: unknown = object.userData['name'] ?? object.name;
    if (object !== root) rotations[String(name)] = rotation.toArray();
    for (const child of object.children) visit(child, rotation);
  };
  visit(root, new Quaternion());
  return rotations;
}

async function rotationsInThree(motion: string, character: string): Promise<Rotations> {
  const loader = new GLTFLoader();
  const source = await loader.parseAsync(await bytesOf(motion), '');
  const target = await loader.parseAsync(await bytesOf(character), '');
  const { clip } = retargetAnimationClip(source.animations[0], source.scene, target.scene);
  const mixer = new AnimationMixer(target.scene);
  mixer.clipAction(clip).play();
  return TIMES.map((time) => {
    mixer.setTime(time);
    return rotationsBelow(target.scene);
  });
}

/** Loads a file into its own scene, with the defaults of Babylon.js: left-handed, with a mirroring root. */
async function loadScene(engine: Engine, name: string) {
  const scene = new Scene(engine);
  const file = new File([await bytesOf(name)], name);
  const container = await LoadAssetContainerAsync(file, scene, { pluginExtension: '.glb' });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  return { root: container.rootNodes[0] as TransformNode, groups: container.animationGroups };
}

function rotationsBelowNode(root: TransformNode): Record<string, number[]> {
  const rotations: Record<string, number[]> = {};
  const visit = (node: TransformNode, above: Quaternion): void => {
    const local = node.rotationQuaternion ?? { x: 0, y: 0, z: 0, w: 1 };
    const rotation = node === root ? above : above.clone().multiply(new Quaternion(local.x, local.y, local.z, local.w));
    if (node !== root) rotations[node.name] = rotation.toArray();
    for (const child of node.getChildren() as TransformNode[]) visit(child, rotation);
  };
  visit(root, new Quaternion());
  return rotations;
}

async function rotationsInBabylon(motion: string, character: string): Promise<Rotations> {
  const engine = new Engine(document.getElementById('canvas') as HTMLCanvasElement);
  const source = await loadScene(engine, motion);
  const target = await loadScene(engine, character);
  const { group } = retargetAnimationGroup(source.groups[0], source.root, target.root);
  group.start(false);
  group.pause();
  const fps = group.targetedAnimations[0].animation.framePerSecond;
  return TIMES.map((time) => {
    group.goToFrame(time * fps);
    return rotationsBelowNode(target.root);
  });
}

export async function run(): Promise<EnginesResult> {
  const [motion, character] = ['motion.glb', 'character.glb'];
  return {
    three: await rotationsInThree(motion, character),
    babylon: await rotationsInBabylon(motion, character),
    times: TIMES,
    userAgent: navigator.userAgent,
  };
}
