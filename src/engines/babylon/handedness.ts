/**
 * Babylon.js shows scenes left-handed unless told otherwise, glTF is right-handed: its loader puts a mirroring `__root__` above the file, so that
 * everything below keeps its numbers. Nodes of other origin are left-handed themselves; mirrored along z they are as the core wants them.
 */

import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import type { Clip, Track } from '../../core/animation/clip.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';

/** What Babylon's glTF loader calls the node that it puts above a file. */
export const GLTF_ROOT = '__root__';

/** Whether the space inside a node is left-handed. */
export function isLeftHanded(root: TransformNode): boolean {
  for (let node: Node | null = root; node !== null; node = node.parent) if (node.name === GLTF_ROOT) return false;
  root.computeWorldMatrix(true);
  const mirrors = root.getWorldMatrix().determinant() < 0;
  return root.getScene().useRightHandedSystem === mirrors;
}

/** Mirrors a translation along z. */
export function mirrorTranslation(values: Float32Array | Float64Array, at: number): void {
  values[at + 2] = -values[at + 2];
}

/** Mirrors a rotation along z. */
export function mirrorRotation(values: Float32Array | Float64Array, at: number): void {
  values[at] = -values[at];
  values[at + 1] = -values[at + 1];
}

/** Mirrors local transforms, 10 floats a node. */
export function mirrorPoses(local: Float64Array): void {
  for (let at = 0; at < local.length; at += POSE_STRIDE) {
    mirrorTranslation(local, at);
    mirrorRotation(local, at + 3);
  }
}

/** Mirrors matrices, 16 floats each. */
export function mirrorMatrices(matrices: Float64Array): void {
  for (let at = 0; at < matrices.length; at += MATRIX_STRIDE) {
    for (const c of [2, 6, 8, 9, 11, 14]) matrices[at + c] = -matrices[at + c];
  }
}

function mirrorTrack(track: Track): Track {
  if (track.path === 'scale') return track;
  const values = track.values.slice();
  const width = track.path === 'rotation' ? 4 : 3;
  const mirror = track.path === 'rotation' ? mirrorRotation : mirrorTranslation;
  for (let at = 0; at < values.length; at += width) mirror(values, at);
  return { ...track, values };
}

/** A clip, its nodes mirrored along z. */
export function mirrorClipSpace(clip: Clip): Clip {
  return { ...clip, tracks: clip.tracks.map(mirrorTrack) };
}
