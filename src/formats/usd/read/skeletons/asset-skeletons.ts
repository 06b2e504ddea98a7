import type { AssetSkeleton } from '../../../../core/asset/asset.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { fillBind } from '../../../../core/skeleton/fill-bind.ts';
import { modelMatrices } from '../../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { extentOf, findUnbound, isUsable, solveBindShape } from '../../../../core/skeleton/solve-bind.ts';
import { parentsAmong } from '../../../../core/skeleton/topology.ts';
import type { SceneSkeleton, UsdScene } from '../scene.ts';

export interface UsdSkeleton extends AssetSkeleton {
  /** Null for a tree of prims without joints. */
  readonly scene: SceneSkeleton | null;
}

/**
 * Converts each skeleton of a scene, in order: the prims from the root down to the Skeleton prim, followed by the joints. `bind` is `bindTransforms`
 * in model space. If the scene has no joints, each tree of more than one prim becomes a skeleton, as in robots built of rigid prims.
 */
export function assetSkeletons(scene: UsdScene): UsdSkeleton[] {
  const worlds = modelMatrices(scene.nodes.parents, scene.nodes.rest);
  const skeletons = scene.skeletons.map((skeleton) => jointSkeleton(scene, skeleton, worlds));
  return scene.nodes.joints.includes(1) ? skeletons : [...skeletons, ...primTrees(scene)];
}

function jointSkeleton(scene: UsdScene, skeleton: SceneSkeleton, worlds: Float64Array): UsdSkeleton {
  const { node, jointNodes, animated } = skeleton;
  const chain: number[] = [];
  for (let at = node; at >= 0; at = scene.nodes.parents[at]) chain.push(at);
  const sourceNodes = Int32Array.from([...chain.reverse(), ...jointNodes]);
  const extracted = extractNodes(scene, sourceNodes, scene.nodes.names[node] || 'skeleton');
  const { bind } = animated.definition;
  if (bind === null || jointNodes.length === 0) return { ...extracted, scene: skeleton };
  const matrices = new Float64Array(sourceNodes.length * MATRIX_STRIDE);
  const bound = new Uint8Array(sourceNodes.length);
  const nodeWorlds = new Float64Array(matrices.length);
  const rest = new Float64Array(bind.length);
  for (const [joint, at] of jointNodes.entries()) mat4.copy(rest, joint * MATRIX_STRIDE, worlds, at * MATRIX_STRIDE);
  const unbound = findUnbound(bind, rest, extentOf(rest) || 1);
  // Without any meaningful matrix, all of them are taken at their word.
  if (!unbound.includes(0)) unbound.fill(0);
  const shape = bindSpace(skeleton, bind, unbound, scene, worlds);
  for (const [index, source] of sourceNodes.entries()) {
    const at = index * MATRIX_STRIDE;
    mat4.copy(nodeWorlds, at, worlds, source * MATRIX_STRIDE);
    const joint = index - chain.length;
    if (joint < 0 || unbound[joint] === 1) continue;
    bound[index] = 1;
    mat4.multiply(matrices, at, shape, 0, bind, joint * MATRIX_STRIDE);
  }
  const tree = extracted.skeleton;
  fillBind(matrices, bound, tree.parents, tree.rest, nodeWorlds);
  return { ...extracted, skeleton: { ...tree, bind: matrices }, scene: skeleton };
}

/** Number of ancestors of a Skeleton prim whose spaces are tried as the bind space. */
const CANDIDATE_ANCESTORS = 24;
/**
 * Finds the matrix that takes `bindTransforms` to model space. They matter only relative to the geomBindTransform of meshes, so files write them in
 * the space of the Skeleton, of the world, of an ancestor or of the meshes. The space that brings them closest to the rest pose is chosen; the first
 * one wins a tie.
 */
function bindSpace(
  { node, jointNodes, animated }: SceneSkeleton,
  bind: Float64Array,
  unbound: Uint8Array,
  { nodes: { parents: parentsOfNodes } }: UsdScene,
  worlds: Float64Array,
): Float64Array {
  const skeletonWorld = worlds.slice(node * MATRIX_STRIDE, (node + 1) * MATRIX_STRIDE);
  const boundJoints = Array.from(jointNodes.keys()).filter((joint) => unbound[joint] === 0);
  const inSkeleton = new Float64Array(boundJoints.length * MATRIX_STRIDE);
  const expected = new Float64Array(inSkeleton.length);
  for (const [i, joint] of boundJoints.entries()) {
    mat4.multiply(inSkeleton, i * MATRIX_STRIDE, skeletonWorld, 0, bind, joint * MATRIX_STRIDE);
    mat4.copy(expected, i * MATRIX_STRIDE, worlds, jointNodes[joint] * MATRIX_STRIDE);
  }
  const extent = extentOf(expected);
  const toWorld = new Float64Array(MATRIX_STRIDE);
  const isSolvable = extent > 0 && boundJoints.every((_, i) => isUsable(inSkeleton, i * MATRIX_STRIDE));
  if (!isSolvable || !mat4.invertAffine(toWorld, 0, skeletonWorld, 0)) return skeletonWorld;
  const ancestors: number[] = [];
  for (let at = parentsOfNodes[node]; at >= 0 && ancestors.length < CANDIDATE_ANCESTORS; at = parentsOfNodes[at])
    ancestors.push(at);
  const candidates = new Float64Array((1 + ancestors.length) * MATRIX_STRIDE);
  candidates.set(toWorld);
  for (const [i, prim] of ancestors.entries()) {
    mat4.multiply(candidates, (1 + i) * MATRIX_STRIDE, worlds, prim * MATRIX_STRIDE, toWorld, 0);
  }
  const parents = parentsAmong(animated.definition.parents, boundJoints);
  const { matrix } = solveBindShape({ bindInShape: inSkeleton, expected, parents, candidates, extent });
  mat4.multiply(matrix, 0, matrix, 0, skeletonWorld, 0);
  return matrix;
}

function primTrees(scene: UsdScene): UsdSkeleton[] {
  const { parents, names } = scene.nodes;
  const roots = Int32Array.from(parents, (_, node) => node);
  const trees = new Map<number, number[]>();
  for (const [node, parent] of parents.entries()) {
    if (parent >= 0) roots[node] = roots[parent];
    const tree = trees.get(roots[node]) ?? [];
    if (tree.length === 0) trees.set(roots[node], tree);
    tree.push(node);
  }
  return [...trees].flatMap(([root, nodes]) => {
    if (nodes.length < 2) return [];
    return { ...extractNodes(scene, Int32Array.from(nodes), names[root] || 'skeleton'), scene: null };
  });
}

/** Extracts nodes of the scene, parents first, as a separate skeleton without a bind pose. */
function extractNodes({ nodes }: UsdScene, sourceNodes: Int32Array, name: string): AssetSkeleton {
  const newIndex = new Map(Array.from(sourceNodes, (source, index) => [source, index]));
  const rest = new Float64Array(sourceNodes.length * POSE_STRIDE);
  for (const [index, source] of sourceNodes.entries()) {
    rest.set(nodes.rest.subarray(source * POSE_STRIDE, (source + 1) * POSE_STRIDE), index * POSE_STRIDE);
  }
  return {
    skeleton: {
      name,
      names: Array.from(sourceNodes, (source) => nodes.names[source]),
      parents: sourceNodes.map((source) => newIndex.get(nodes.parents[source]) ?? -1),
      rest,
      bind: null,
      joints: Uint8Array.from(sourceNodes, (source) => nodes.joints[source]),
    },
    sourceNodes,
    declared: null,
  };
}
