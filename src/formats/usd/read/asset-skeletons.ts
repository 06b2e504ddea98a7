/** The skeletons of a USD scene as assets have them. */

import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { fillBind } from '../../../core/skeleton/fill-bind.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { extentOf, isUsable, solveBindShape } from '../../../core/skeleton/solve-bind.ts';
import { parentsAmong } from '../../../core/skeleton/topology.ts';
import type { SceneSkeleton, UsdScene } from './scene.ts';

/** A skeleton, and the one of the scene that it is; null for a tree of prims without joints. */
export interface UsdSkeleton extends AssetSkeleton {
  readonly scene: SceneSkeleton | null;
}

/**
 * One skeleton for each of the scene, in its order: the prims from the root down to the Skeleton prim, and the joints. `bind` is
 * `bindTransforms` in model space. In a scene without joints, every tree of more than one prim: robots are built so. `sourceNodes` are
 * nodes of the scene.
 */
export function assetSkeletons(scene: UsdScene): UsdSkeleton[] {
  const worlds = new Float64Array(scene.prims.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, scene.nodes.parents, scene.nodes.rest);
  const skeletons = scene.skeletons.map((skeleton) => jointSkeleton(scene, skeleton, worlds));
  return scene.nodes.joints.includes(1) ? skeletons : [...skeletons, ...primTrees(scene)];
}

function jointSkeleton(scene: UsdScene, skeleton: SceneSkeleton, worlds: Float64Array): UsdSkeleton {
  const { node, jointNodes, animated } = skeleton;
  const chain: number[] = [];
  for (let at = node; at >= 0; at = scene.nodes.parents[at]) chain.push(at);
  const sourceNodes = Int32Array.from([...chain.reverse(), ...jointNodes]);
  const cut = cutNodes(scene, sourceNodes, scene.nodes.names[node] || 'skeleton');
  const { bind } = animated.definition;
  if (bind === null || jointNodes.length === 0) return { ...cut, scene: skeleton };
  const matrices = new Float64Array(sourceNodes.length * MATRIX_STRIDE);
  const bound = new Uint8Array(sourceNodes.length);
  const nodeWorlds = new Float64Array(matrices.length);
  const isSet = setBinds(bind);
  const shape = bindSpace(skeleton, bind, isSet, scene, worlds);
  for (const [place, source] of sourceNodes.entries()) {
    const at = place * MATRIX_STRIDE;
    mat4.copy(nodeWorlds, at, worlds, source * MATRIX_STRIDE);
    const joint = place - chain.length;
    if (joint < 0 || isSet[joint] === 0) continue;
    bound[place] = 1;
    mat4.multiply(matrices, at, shape, 0, bind, joint * MATRIX_STRIDE);
  }
  fillBind(matrices, bound, cut.skeleton.parents, cut.skeleton.rest, nodeWorlds);
  return { ...cut, skeleton: { ...cut.skeleton, bind: matrices }, scene: skeleton };
}

/** How many prims above a Skeleton are tried. */
const OFFERED_ANCESTORS = 24;
/** A bind matrix this close to the identity was never set. */
const IDENTITY_TOLERANCE = 1e-9;

/**
 * Which joints have a bind matrix that says something, 1 for those. Several joints cannot all be bound at the origin: exporters leave the identity where a
 * joint deforms nothing.
 */
function setBinds(bind: Float64Array): Uint8Array {
  const isSet = new Uint8Array(bind.length / MATRIX_STRIDE).map((_, joint) =>
    mat4.isIdentity(bind, joint * MATRIX_STRIDE, IDENTITY_TOLERANCE) ? 0 : 1,
  );
  const identities = isSet.reduce((count, one) => count + 1 - one, 0);
  return identities === 1 || identities === isSet.length ? isSet.fill(1) : isSet;
}

/**
 * What takes `bindTransforms` into model space. They count only against the geomBindTransform of meshes, so that files have them in the space of the
 * Skeleton, of the world, of a prim above or of the meshes: the one in which they come nearest to the rest pose is taken, where two come as near the
 * first.
 */
function bindSpace(
  { node, jointNodes, animated }: SceneSkeleton,
  bind: Float64Array,
  isSet: Uint8Array,
  { nodes: { parents: parentsOfNodes } }: UsdScene,
  worlds: Float64Array,
): Float64Array {
  const ofSkeleton = worlds.slice(node * MATRIX_STRIDE, (node + 1) * MATRIX_STRIDE);
  const said = Array.from(jointNodes.keys()).filter((joint) => isSet[joint] === 1);
  const inSkeleton = new Float64Array(said.length * MATRIX_STRIDE);
  const expected = new Float64Array(inSkeleton.length);
  for (const [i, joint] of said.entries()) {
    mat4.multiply(inSkeleton, i * MATRIX_STRIDE, ofSkeleton, 0, bind, joint * MATRIX_STRIDE);
    mat4.copy(expected, i * MATRIX_STRIDE, worlds, jointNodes[joint] * MATRIX_STRIDE);
  }
  const extent = extentOf(expected);
  const toWorld = new Float64Array(MATRIX_STRIDE);
  const isSolvable = extent > 0 && said.every((_, i) => isUsable(inSkeleton, i * MATRIX_STRIDE));
  if (!isSolvable || !mat4.invertAffine(toWorld, 0, ofSkeleton, 0)) return ofSkeleton;
  const above: number[] = [];
  for (let at = parentsOfNodes[node]; at >= 0 && above.length < OFFERED_ANCESTORS; at = parentsOfNodes[at])
    above.push(at);
  const offered = new Float64Array((1 + above.length) * MATRIX_STRIDE);
  offered.set(toWorld);
  for (const [i, prim] of above.entries()) {
    mat4.multiply(offered, (1 + i) * MATRIX_STRIDE, worlds, prim * MATRIX_STRIDE, toWorld, 0);
  }
  const parents = parentsAmong(animated.definition.parents, said);
  const { matrix } = solveBindShape({ bindInShape: inSkeleton, expected, parents, offered, extent });
  mat4.multiply(matrix, 0, matrix, 0, ofSkeleton, 0);
  return matrix;
}

/** The trees of more than one prim. */
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
    return { ...cutNodes(scene, Int32Array.from(nodes), names[root] || 'skeleton'), scene: null };
  });
}

/** Nodes of the scene, parents first, as a skeleton of their own. */
function cutNodes({ nodes }: UsdScene, sourceNodes: Int32Array, name: string): AssetSkeleton {
  const placeOf = new Map(Array.from(sourceNodes, (source, place) => [source, place]));
  const rest = new Float64Array(sourceNodes.length * POSE_STRIDE);
  for (const [place, source] of sourceNodes.entries()) {
    rest.set(nodes.rest.subarray(source * POSE_STRIDE, (source + 1) * POSE_STRIDE), place * POSE_STRIDE);
  }
  return {
    skeleton: {
      name,
      names: Array.from(sourceNodes, (source) => nodes.names[source]),
      parents: sourceNodes.map((source) => placeOf.get(nodes.parents[source]) ?? -1),
      rest,
      bind: null,
      joints: Uint8Array.from(sourceNodes, (source) => nodes.joints[source]),
    },
    sourceNodes,
    declared: null,
  };
}
