/** A translucent copy of a figure in its reference pose. */
import type { Color, Mesh, Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import type { StagePose } from '../contract.ts';
import type { LoadedFigure } from './load-figure.ts';
import { createGhostMaterial } from './materials.ts';
import { applyPose } from './pose-player.ts';

/** A copy of the nodes of a figure. Its meshes use the geometries of the original. */
export interface Ghost {
  /** The copy of the scene. */
  readonly object: Object3D;
  /** The copy of each node; nodes outside of the scene are the originals. */
  readonly nodes: readonly Object3D[];
}

/** Pairs the objects of two trees of the same form. */
function pairs(a: Object3D, b: Object3D, into: Map<Object3D, Object3D>): void {
  into.set(a, b);
  a.children.forEach((child, k) => {
    pairs(child, b.children[k], into);
  });
}

/** Copies a figure. `pose`: its reference pose; null for the rest pose. */
export function createGhost({ scene, nodes }: LoadedFigure, pose: StagePose | null, color: Color): Ghost {
  const object = clone(scene);
  const copies = new Map<Object3D, Object3D>();
  pairs(scene, object, copies);
  const material = createGhostMaterial(color);
  object.traverse((one) => {
    if ((one as Partial<Mesh>).isMesh !== true) return;
    (one as Mesh).material = material;
    one.visible = true;
    // Meshes that are hidden are in no layer.
    one.layers.mask = 1;
  });
  const copied = nodes.map((node) => copies.get(node) ?? node);
  if (pose !== null) applyPose(pose, copied);
  return { object, nodes: copied };
}

/** Frees what a copy has of its own: its material and its bone textures. */
export function disposeGhost({ object }: Ghost): void {
  object.removeFromParent();
  object.traverse((one) => {
    const { material, skeleton } = one as Partial<Mesh> & { skeleton?: { dispose(): void } };
    skeleton?.dispose();
    for (const each of material === undefined ? [] : [material].flat()) each.dispose();
  });
}
