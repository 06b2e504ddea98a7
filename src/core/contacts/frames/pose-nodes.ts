/** Poses only the nodes that are asked for: most of a skeleton is fingers and face. */
import type { Clip } from '../../animation/clip.ts';
import type { SkinPoints } from '../../deform/skin-points.ts';
import { SIDES } from '../../humanoid/bones.ts';
import * as mat4 from '../../math/mat4.ts';
import * as quat from '../../math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { PosedCharacter } from './posed-character.ts';

export function withAncestors(parents: Int32Array, nodes: Iterable<number>): Int32Array {
  const found = new Uint8Array(parents.length);
  for (const node of nodes) for (let at = node; at >= 0 && found[at] === 0; at = parents[at]) found[at] = 1;
  return Int32Array.from(parents.keys()).filter((node) => found[node] === 1);
}

/** Adds the nodes that points move with. */
function addPointNodes(nodes: Set<number>, { starts, nodes: all }: SkinPoints, from: number, to: number): void {
  for (let i = starts[from]; i < starts[to]; i++) nodes.add(all[i]);
}

/** Lists the nodes that legs, and heights above the ground, depend on. `hasArms`: whether arms count as legs. */
export function nodesOfLegs(
  { humanoid, surface, legs, arms }: PosedCharacter,
  heights: 'all' | 'feet' | 'none',
  hasArms: boolean,
): Int32Array {
  const nodes = new Set<number>();
  for (const leg of [...SIDES.map((side) => legs[side]), ...(hasArms ? SIDES.map((side) => arms[side]) : [])]) {
    if (leg === null) continue;
    for (const node of [leg.thigh, leg.shin, leg.foot]) nodes.add(node);
    if (heights !== 'none') addPointNodes(nodes, surface.points, leg.sole.from, leg.sole.to);
  }
  if (heights === 'all') addPointNodes(nodes, surface.points, 0, surface.trunkEnd);
  return withAncestors(humanoid.skeleton.parents, nodes);
}

export function clipOfNodes(clip: Clip, nodes: Int32Array): Clip {
  const needed = new Set(nodes);
  return { ...clip, tracks: clip.tracks.filter(({ target }) => needed.has(target)) };
}

/** Computes model matrices and rotations of some nodes from `character.local`. */
export function poseNodes({ humanoid, local, matrices, rotations }: PosedCharacter, nodes: Int32Array): void {
  const { parents } = humanoid.skeleton;
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    const parent = parents[node];
    const at = POSE_STRIDE * node;
    if (parent < 0) {
      mat4.compose(matrices, MATRIX_STRIDE * node, local, at);
      quat.normalize(rotations, 4 * node, local, at + PATH_OFFSET.rotation);
      continue;
    }
    mat4.multiplyTransform(matrices, MATRIX_STRIDE * node, matrices, MATRIX_STRIDE * parent, local, at);
    quat.multiply(rotations, 4 * node, rotations, 4 * parent, local, at + PATH_OFFSET.rotation);
    quat.normalize(rotations, 4 * node, rotations, 4 * node);
  }
}
