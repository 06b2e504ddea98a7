import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as vec3 from '../math/vec3.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { RootOption } from './root-option.ts';

/** A node above the hips is on the ground below this height, relative to the hips. Higher ones, as in Biped, move like hips. */
const HIGHEST_ROOT = 0.5;

/** The node that root motion is moved to. */
interface RootBone {
  /** Index of the node. */
  readonly node: number;
  /** Whether it is a joint of a skin. Others are armatures and similar nodes above the joints. */
  readonly isJoint: boolean;
}

/** Lists the nodes above the hips that are on the ground in the rest pose: armatures and root bones. */
export function groundNodes({ skeleton, map, frame, metersPerUnit, ground, hipsHeight }: Humanoid): number[] {
  const { parents, rest } = skeleton;
  const matrices = modelMatrices(parents, rest);
  const nodes: number[] = [];
  const position = new Float64Array(3);
  for (let node = parents[map.nodes[BONE.hips]]; node >= 0; node = parents[node]) {
    vec3.scale(position, 0, matrices, MATRIX_STRIDE * node + 12, metersPerUnit);
    vec3.rotate(position, 0, frame, 0, position, 0);
    if (position[1] - ground < HIGHEST_ROOT * hipsHeight) nodes.unshift(node);
  }
  return nodes;
}

/**
 * Finds the node that carries the root motion of a humanoid where it is not in the hips: the topmost joint above the hips that is on the ground, such
 * as `root`. Without such a joint, the closest other node on the ground above the hips, such as an armature.
 *
 * @returns The node; null without one.
 */
export function findRootBone(humanoid: Humanoid): RootBone | null {
  const nodes = groundNodes(humanoid);
  const joint = nodes.find((node) => humanoid.skeleton.joints[node] === 1);
  if (joint !== undefined) return { node: joint, isJoint: true };
  const last = nodes.at(-1);
  return last === undefined ? null : { node: last, isJoint: false };
}

/** Tells whether the root motion of any clip stays in the hips of a character. */
export function staysInHips(humanoid: Humanoid, to: RootOption): boolean {
  if (to === 'hips' || to === 'in-place') return to === 'hips';
  const bone = findRootBone(humanoid);
  return bone === null || (to === 'keep' && !bone.isJoint);
}
