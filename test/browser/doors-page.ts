/** A page that plays one motion on one character through the doors into three.js and Babylon.js, and says how bones turn. */
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/index.js';
import { retargetAnimationGroup } from 'anyrig/babylon';
import { retargetClip } from 'anyrig/three';
import { AnimationMixer, type Object3D, Quaternion } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Seconds at which the motion is looked at, inside of every clip of the demo. */
const TIMES = [0, 0.11, 0.37, 0.5, 0.83, 1];

/** World rotations xyzw by the name of the node, one list a time. */
export type Turns = Record<string, number[]>[];

/** What the page gives. */
export interface DoorsResult {
  readonly three: Turns;
  readonly babylon: Turns;
  readonly times: readonly number[];
  readonly userAgent: string;
}

async function bytesOf(name: string): Promise<ArrayBuffer> {
  return (await fetch(`/${name}`)).arrayBuffer();
}

/** Products of local rotations below the root of a file, which are the same in both engines: Babylon.js mirrors at the root. */
function turnsBelow(root: Object3D): Record<string, number[]> {
  const turns: Record<string, number[]> = {};
  const visit = (object: Object3D, above: Quaternion): void => {
    const turn = object === root ? above : above.clone().multiply(object.quaternion);
    // The loader takes characters out of names that its paths need; the file's own name is what both engines know.
    const name: unknown = object.userData['name'] ?? object.name;
    if (object !== root) turns[String(name)] = turn.toArray();
    for (const child of object.children) visit(child, turn);
  };
  visit(root, new Quaternion());
  return turns;
}

async function byThree(motion: string, character: string): Promise<Turns> {
  const loader = new GLTFLoader();
  const source = await loader.parseAsync(await bytesOf(motion), '');
  const target = await loader.parseAsync(await bytesOf(character), '');
  const { clip } = retargetClip(source.animations[0], source.scene, target.scene);
  const mixer = new AnimationMixer(target.scene);
  mixer.clipAction(clip).play();
  return TIMES.map((time) => {
    mixer.setTime(time);
    return turnsBelow(target.scene);
  });
}

/** A file in a scene of its own, as Babylon.js has it by default: left-handed, with a root that mirrors. */
async function loaded(engine: Engine, name: string) {
  const scene = new Scene(engine);
  const file = new File([await bytesOf(name)], name);
  const container = await LoadAssetContainerAsync(file, scene, { pluginExtension: '.glb' });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  return { root: container.rootNodes[0] as TransformNode, groups: container.animationGroups };
}

function turnsBelowNode(root: TransformNode): Record<string, number[]> {
  const turns: Record<string, number[]> = {};
  const visit = (node: TransformNode, above: Quaternion): void => {
    const local = node.rotationQuaternion ?? { x: 0, y: 0, z: 0, w: 1 };
    const turn = node === root ? above : above.clone().multiply(new Quaternion(local.x, local.y, local.z, local.w));
    if (node !== root) turns[node.name] = turn.toArray();
    for (const child of node.getChildren() as TransformNode[]) visit(child, turn);
  };
  visit(root, new Quaternion());
  return turns;
}

async function byBabylon(motion: string, character: string): Promise<Turns> {
  const engine = new Engine(document.getElementById('canvas') as HTMLCanvasElement);
  const source = await loaded(engine, motion);
  const target = await loaded(engine, character);
  const { group } = retargetAnimationGroup(source.groups[0], source.root, target.root);
  group.start(false);
  group.pause();
  const fps = group.targetedAnimations[0].animation.framePerSecond;
  return TIMES.map((time) => {
    group.goToFrame(time * fps);
    return turnsBelowNode(target.root);
  });
}

export async function run(): Promise<DoorsResult> {
  const [motion, character] = ['motion.glb', 'character.glb'];
  return {
    three: await byThree(motion, character),
    babylon: await byBabylon(motion, character),
    times: TIMES,
    userAgent: navigator.userAgent,
  };
}
