/** Loads files into Babylon.js without a screen, and measures poses. */
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

/** Creates an empty scene. */
export function emptyScene(rightHanded = false): Scene {
  Logger.LogLevels = Logger.NoneLogLevel;
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = rightHanded;
  return scene;
}

/** Loads a GLB into a scene and stops its groups. */
export async function loadGlb(glb: Uint8Array, scene: Scene = emptyScene()): Promise<Loaded> {
  const container = await LoadAssetContainerAsync(new Uint8Array(withoutImages(glb)), scene, {
    pluginExtension: '.glb',
  });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  return { scene, root: container.rootNodes[0] as TransformNode, groups: container.animationGroups };
}

/** Poses nodes at a time of a group, seconds. */
export function show(group: AnimationGroup, time: number): void {
  group.start(false, 1, group.from, group.to);
  group.pause();
  group.goToFrame(group.from + time * group.targetedAnimations[0].animation.framePerSecond);
}

/** Returns rotation (xyzw, product of local rotations) and position of every node with a unique name, in the space of the root. */
export function shown(root: TransformNode): Map<string, { readonly rotation: number[]; readonly position: number[] }> {
  const out = new Map<string, { rotation: number[]; position: number[] }>();
  root.computeWorldMatrix(true);
  const inverse = root.getWorldMatrix().clone().invert();
  const repeated = new Set<string>();
  const visit = (node: TransformNode, above: Quaternion): void => {
    if (out.has(node.name)) repeated.add(node.name);
    node.computeWorldMatrix(true);
    const local = node.rotationQuaternion ?? node.rotation.toQuaternion();
    const rotation = node === root ? Quaternion.Identity() : above.multiply(local);
    const position = node.getWorldMatrix().multiply(inverse).getTranslation();
    out.set(node.name, { rotation: rotation.asArray(), position: position.asArray() });
    for (const child of node.getChildTransformNodes(true)) visit(child, rotation);
  };
  visit(root, Quaternion.Identity());
  for (const name of repeated) out.delete(name);
  return out;
}

/** Compares two poses by node name, mapped with `key`: the largest rotation difference in radians, and the largest distance relative to `height`. */
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
