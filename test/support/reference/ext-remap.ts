/**
 * The reference for playing a humanoid clip: the pseudo-code of EXT_skeleton_humanoid, "Animation remapping", with the matrices of three.js.
 *
 *     bindWorldMatrix = invertMatrix(inverseBindMatrix);
 *     bindLocalMatrix = parentInverseBindMatrix * bindWorldMatrix;
 *     animatedLocalMatrix = bindLocalMatrix * composeMatrix(translation, rotation, scale);
 *     (animatedTranslation, animatedRotation, animatedScale) = decomposeMatrix(animatedLocalMatrix);
 *
 * The parent matrix is that of the actual parent node: for a non-joint node, its nearest joint above times the rest of the nodes between.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';

/** A local transform. */
export interface LocalTransform {
  readonly translation: readonly number[];
  readonly rotation: readonly number[];
  readonly scale: readonly number[];
}

function localMatrix(node: JsonObject): Matrix4 {
  const [x, y, z] = (node['translation'] as number[] | undefined) ?? [0, 0, 0];
  const [qx, qy, qz, qw] = (node['rotation'] as number[] | undefined) ?? [0, 0, 0, 1];
  const [sx, sy, sz] = (node['scale'] as number[] | undefined) ?? [1, 1, 1];
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(sx, sy, sz));
}

/** Inverse bind matrix per joint node, of one skin. */
export type InverseBinds = ReadonlyMap<number, Matrix4>;

/** Returns the inverse bind matrix of a node, joint or not. */
function parentInverseBind(json: JsonObject, binds: InverseBinds, node: number): Matrix4 {
  const nodes = json['nodes'] as JsonObject[];
  const own = binds.get(node);
  if (own !== undefined) return own;
  const parent = nodes.findIndex(({ children }) => (children as number[] | undefined)?.includes(node));
  const local = localMatrix(nodes[node]).invert();
  return parent < 0 ? local : local.multiply(parentInverseBind(json, binds, parent));
}

/** Applies the pseudo-code at one time: returns the local transform of the node of a bone. */
export function remap(json: JsonObject, binds: InverseBinds, node: number, relative: LocalTransform): LocalTransform {
  const nodes = json['nodes'] as JsonObject[];
  const parent = nodes.findIndex(({ children }) => (children as number[] | undefined)?.includes(node));
  const bindWorldMatrix = (binds.get(node) as Matrix4).clone().invert();
  const parentInverse = parent < 0 ? new Matrix4() : parentInverseBind(json, binds, parent);
  const bindLocalMatrix = parentInverse.clone().multiply(bindWorldMatrix);
  const [x, y, z] = relative.translation;
  const [qx, qy, qz, qw] = relative.rotation;
  const [sx, sy, sz] = relative.scale;
  const moved = new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(sx, sy, sz));
  const animatedLocalMatrix = bindLocalMatrix.multiply(moved);
  const [translation, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  animatedLocalMatrix.decompose(translation, rotation, scale);
  return { translation: translation.toArray(), rotation: rotation.toArray(), scale: scale.toArray() };
}
