/**
 * Mirrors transforms between the left-handed space of Babylon.js and the right-handed space of the core, along z. Babylon's glTF loader puts a mirroring
 * `__root__` above the file, so nodes below it keep the right-handed values of the file. Other nodes of a left-handed scene are left-handed.
 */

import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import type { Clip, Track } from '../../core/animation/clip.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';

/**
 * Tells whether a node is the one that Babylon's glTF loader puts above a file, or that of an instance, which can have any name and size: in left-handed
 * scenes an empty mesh with half a turn about y. Where it was turned since, only its name (`Clone of __root__`) tells.
 */
export function isGltfRoot(node: Node): boolean {
  const { name, rotationQuaternion, getTotalVertices } = node as Node & Partial<Mesh>;
  if (name.includes('__root__')) return true;
  return getTotalVertices?.call(node) === 0 && !!rotationQuaternion && Math.abs(rotationQuaternion.y) === 1;
}

export function isLeftHanded(root: TransformNode): boolean {
  for (let node: Node | null = root; node !== null; node = node.parent) if (isGltfRoot(node)) return false;
  root.computeWorldMatrix(true);
  const mirrors = root.getWorldMatrix().determinant() < 0;
  return root.getScene().useRightHandedSystem === mirrors;
}

/** Mirrors a translation along z, in place. */
export function mirrorTranslation(values: Float32Array | Float64Array, at: number): void {
  values[at + 2] = -values[at + 2];
}

/** Mirrors a rotation along z, in place. `values`: numbers; a quaternion xyzw from index `at`. */
export function mirrorRotation(values: Float32Array | Float64Array, at: number): void {
  values[at] = -values[at];
  values[at + 1] = -values[at + 1];
}

/** Mirrors local transforms along z, in place. `local`: 10 floats per node, local space. */
export function mirrorPoses(local: Float64Array): void {
  for (let at = 0; at < local.length; at += POSE_STRIDE) {
    mirrorTranslation(local, at);
    mirrorRotation(local, at + PATH_OFFSET.rotation);
  }
}

/** Mirrors a matrix along z, in place. `matrices`: 16 floats from index `at`, column-major. */
export function mirrorMatrix(matrices: Float32Array | Float64Array, at: number): void {
  matrices[at + 2] = -matrices[at + 2];
  matrices[at + 6] = -matrices[at + 6];
  matrices[at + 8] = -matrices[at + 8];
  matrices[at + 9] = -matrices[at + 9];
  matrices[at + 11] = -matrices[at + 11];
  matrices[at + 14] = -matrices[at + 14];
}

/** Mirrors matrices along z, in place. `matrices`: 16 floats per matrix, column-major. */
export function mirrorMatrices(matrices: Float64Array): void {
  for (let at = 0; at < matrices.length; at += MATRIX_STRIDE) mirrorMatrix(matrices, at);
}

function mirrorTrack(track: Track): Track {
  if (track.path === 'scale') return track;
  const values = track.values.slice();
  const width = track.path === 'rotation' ? 4 : 3;
  const mirror = track.path === 'rotation' ? mirrorRotation : mirrorTranslation;
  for (let at = 0; at < values.length; at += width) mirror(values, at);
  return { ...track, values };
}

/** Mirrors a clip along z: the same motion in a space of the other handedness. */
export function mirrorClipSpace(clip: Clip): Clip {
  return { ...clip, tracks: clip.tracks.map(mirrorTrack) };
}
