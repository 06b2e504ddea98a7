/**
 * Rigs that are exported whole have controls beside the bones that move the skin: Rigify's `spine_fk.001` and `ORG-spine.001` beside `DEF-spine.001`. In the
 * program that made them, constraints let the skin follow; in a file nothing does.
 */
import * as mat4 from '../../math/mat4.ts';
import { modelMatrices, modelToLocalMatrices } from '../../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { parentsAmong } from '../../skeleton/topology.ts';
import { REQUIRED_BONES } from '../bones.ts';
import { DEFORMING_LAYER } from './by-name/named-rig.ts';

/** Marks the nodes that deform the body with 1: those that move vertices; without vertices, those of Rigify's names. Null where there are too few for a person. */
export function findDeforming({ names }: Skeleton, moves: Uint8Array | null): Uint8Array | null {
  const deforming = moves ?? Uint8Array.from(names, (name) => (DEFORMING_LAYER.test(name) ? 1 : 0));
  return deforming.reduce((sum, one) => sum + one, 0) < REQUIRED_BONES.length ? null : deforming;
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
