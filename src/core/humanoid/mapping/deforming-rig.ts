/**
 * Rigs that are exported whole have controls beside the bones that move the skin: Rigify's `spine_fk.001` and `ORG-spine.001` beside `DEF-spine.001`. In the
 * program that made them, constraints let the skin follow; in a file nothing does.
 */
import * as mat4 from '../../math/mat4.ts';
import { modelMatrices, modelToLocalMatrices } from '../../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { parentsAmong } from '../../skeleton/topology.ts';
import { BONE, REQUIRED_BONES } from '../bones.ts';
import type { BoundVertices } from '../t-pose/bound-vertices.ts';
import { createNamedRig, DEFORMING_LAYER, type NamedRig } from './by-name/named-rig.ts';
import { isInSubtree } from './node-tree.ts';

/** Lists the nodes that are named as the same body part as a required bone, neither above nor below it. */
function findRivals({ tree, readings }: NamedRig, nodes: Int32Array): number[] {
  const bones = REQUIRED_BONES.map((bone) => nodes[BONE[bone]]).filter((node) => node >= 0);
  const isRival = (other: number): boolean => {
    const { part, side, helper, tip } = readings[other];
    if (part === null || helper || tip) return false;
    return bones.some((node) => {
      const isAlike = readings[node].part === part && readings[node].side === side;
      return isAlike && !isInSubtree(tree, other, node) && !isInSubtree(tree, node, other);
    });
  };
  return Array.from(readings.keys()).filter(isRival);
}

/**
 * Marks the nodes that deform the body with 1: those that move vertices; without vertices, those of Rigify's names. `vertices` is called only where other nodes have the names of bones.
 * Returns null where none have, and where too few nodes deform the body for a person.
 */
export function findDeforming(
  rig: NamedRig,
  nodes: Int32Array,
  vertices: (() => BoundVertices | null) | undefined,
): Uint8Array | null {
  if (findRivals(rig, nodes).length === 0) return null;
  const { names } = rig.skeleton;
  const deforming = vertices?.()?.moves ?? Uint8Array.from(names, (name) => (DEFORMING_LAYER.test(name) ? 1 : 0));
  return deforming.reduce((sum, one) => sum + one, 0) < REQUIRED_BONES.length ? null : deforming;
}

/**
 * Leaves out the joints that move no vertex where all required bones of a map do, and some of these joints are named as they are: files list controls as joints of the
 * skin, and what follows a bone would move them too. Returns the skeleton.
 */
export function withoutControls(skeleton: Skeleton, nodes: Int32Array, vertices: () => BoundVertices | null): Skeleton {
  const isJoint = (node: number): boolean => skeleton.joints[node] === 1;
  const rivals = skeleton.joints.includes(1) ? findRivals(createNamedRig(skeleton), nodes).filter(isJoint) : [];
  const moves = rivals.length === 0 ? undefined : vertices()?.moves;
  if (moves === undefined || rivals.every((node) => moves[node] === 1)) return skeleton;
  const isWhole = REQUIRED_BONES.every((bone) => nodes[BONE[bone]] < 0 || moves[nodes[BONE[bone]]] === 1);
  return isWhole ? { ...skeleton, joints: moves } : skeleton;
}

/** Makes a skeleton of the roots and the marked nodes only, each below the nearest of them. Returns it with the index in the whole skeleton of each of its nodes. */
export function cutToMarked(
  skeleton: Skeleton,
  marked: Uint8Array,
): { readonly cut: Skeleton; readonly nodes: number[] } {
  const nodes = Array.from(marked.keys()).filter((node) => marked[node] === 1 || skeleton.parents[node] < 0);
  const pick = (matrices: ArrayLike<number>): Float64Array =>
    Float64Array.from({ length: MATRIX_STRIDE * nodes.length }, (_, k) => {
      return matrices[MATRIX_STRIDE * nodes[Math.floor(k / MATRIX_STRIDE)] + (k % MATRIX_STRIDE)];
    });
  const parents = parentsAmong(skeleton.parents, nodes);
  const local = pick(modelMatrices(skeleton.parents, skeleton.rest));
  modelToLocalMatrices(local, parents, local);
  const rest = new Float64Array(POSE_STRIDE * nodes.length);
  for (const node of nodes.keys()) mat4.decompose(rest, POSE_STRIDE * node, local, MATRIX_STRIDE * node);
  const cut = {
    name: skeleton.name,
    names: nodes.map((node) => skeleton.names[node]),
    parents,
    rest,
    bind: skeleton.bind && pick(skeleton.bind),
    joints: Uint8Array.from(nodes, (node) => marked[node]),
  };
  return { cut, nodes };
}
