/** Scenes of Babylon.js without a screen, and what they show. */
import '@babylonjs/loaders/glTF/2.0/index.js';
import {
  type AnimationGroup,
  LoadAssetContainerAsync,
  Logger,
  NullEngine,
  Quaternion,
  Scene,
  type TransformNode,
} from '@babylonjs/core';
import { withoutImages } from '../glb-without-images.ts';

export interface Loaded {
  readonly scene: Scene;
  /** `__root__` of the file. */
  readonly root: TransformNode;
  readonly groups: readonly AnimationGroup[];
}

/** An empty scene. */
export function emptyScene(rightHanded = false): Scene {
  Logger.LogLevels = Logger.NoneLogLevel;
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = rightHanded;
  return scene;
}

/** Puts a GLB into a scene; nothing plays. */
export async function loadGlb(glb: Uint8Array, scene: Scene = emptyScene()): Promise<Loaded> {
  const container = await LoadAssetContainerAsync(new Uint8Array(withoutImages(glb)), scene, {
    pluginExtension: '.glb',
  });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  return { scene, root: container.rootNodes[0] as TransformNode, groups: container.animationGroups };
}

/** Shows a group at a time, seconds. */
export function show(group: AnimationGroup, time: number): void {
  group.start(false, 1, group.from, group.to);
  group.pause();
  group.goToFrame(group.from + time * group.targetedAnimations[0].animation.framePerSecond);
}

/** World rotations inside a root, as products of local ones, xyzw, by the names of nodes that are alone in having them; and places. */
export function shown(root: TransformNode): Map<string, { readonly rotation: number[]; readonly position: number[] }> {
  const out = new Map<string, { rotation: number[]; position: number[] }>();
  root.computeWorldMatrix(true);
  const inverse = root.getWorldMatrix().clone().invert();
  const repeated = new Set<string>();
  const visit = (node: TransformNode, above: Quaternion): void => {
    if (out.has(node.name)) repeated.add(node.name);
    node.computeWorldMatrix(true);
    const turn = node.rotationQuaternion ?? node.rotation.toQuaternion();
    const rotation = node === root ? Quaternion.Identity() : above.multiply(turn);
    const position = node.getWorldMatrix().multiply(inverse).getTranslation();
    out.set(node.name, { rotation: rotation.asArray(), position: position.asArray() });
    for (const child of node.getChildTransformNodes(true)) visit(child, rotation);
  };
  visit(root, Quaternion.Identity());
  for (const name of repeated) out.delete(name);
  return out;
}

/** How far two showings are apart: the largest chord of rotations, radians, and of positions by `height`. Nodes are told by `key` of their names. */
export function apart(
  a: ReturnType<typeof shown>,
  b: ReadonlyMap<string, { readonly rotation: ArrayLike<number>; readonly position: ArrayLike<number> }>,
  height: number,
  key: (name: string) => string = (name) => name,
): { rotations: number; positions: number; compared: number } {
  let rotations = 0;
  let positions = 0;
  let compared = 0;
  for (const [name, one] of a) {
    const other = b.get(key(name));
    if (other === undefined || name === '') continue;
    compared++;
    const dot = one.rotation.reduce((sum, value, c) => sum + value * other.rotation[c], 0);
    const chord = Math.hypot(...one.rotation.map((value, c) => value - Math.sign(dot) * other.rotation[c]));
    rotations = Math.max(rotations, 2 * chord);
    positions = Math.max(positions, Math.hypot(...one.position.map((value, c) => value - other.position[c])) / height);
  }
  return { rotations, positions, compared };
}
