/** Plans the Skeleton prims of a geometry: their joints, parent prims and bind poses. */
import type { Geometry } from '../../../../core/asset/geometry.ts';
import { weightedJoints } from '../../../../core/asset/written-geometry.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../../../core/skeleton/topology.ts';
import { createBindPoseSolver, type SkinBind } from './solve-bind-poses.ts';

/** The joints of a tree of nodes, or of several trees that a skin or humanoid connects. */
interface JointTree {
  /** The node whose space is the skeleton space: the parent of all root joints; −1 for the root prim. */
  readonly parentNode: number;
  readonly nodes: Int32Array;
  /** Parent joint of each joint; −1 for a root. */
  readonly parents: Int32Array;
  /** Local rest pose, `POSE_STRIDE` floats per joint. */
  readonly rest: Float64Array;
}

interface PlannedSkeleton {
  readonly tree: JointTree;
  /** Joint space to skeleton space in the bind pose: `MATRIX_STRIDE` floats per joint. */
  readonly bind: Float64Array;
}

/** A skin in terms of its Skeleton. */
interface PlannedSkin {
  readonly skeleton: number;
  readonly joints: Int32Array;
  /** Mesh space to skeleton space in the bind pose, 16 floats, for all meshes of the skin; null for the identity. */
  readonly geomBind: Float64Array | null;
}

/** Nodes of a geometry that become joints for other reasons than a skin. */
export interface JointCandidates {
  /** Nodes that any clip animates; joints if their tree has other joints. */
  readonly animated: ReadonlySet<number>;
  /** Nodes that must be joints: those that any clip but the first animates, as prims can have one animation only. */
  readonly required: Iterable<number>;
  /** Bones of a humanoid; joints of one Skeleton, with or without a skin. */
  readonly bones: readonly number[];
}

/** The Skeletons of a geometry, and the mapping from nodes to joints. */
export interface SkeletonPlan {
  readonly skeletons: readonly PlannedSkeleton[];
  /** One entry per skin; null for skins without joints. */
  readonly skins: readonly (PlannedSkin | null)[];
  /** First Skeleton with each node as a joint; −1 for none. */
  readonly skeletonOf: Int32Array;
  /** Joint index of each node in {@link skeletonOf}; −1 for none. */
  readonly jointOf: Int32Array;
  /** Node of the nearest joint at or above each node; −1 for none. */
  readonly nearestJointNode: Int32Array;
}

/**
 * Plans the Skeletons of a geometry, one per tree of nodes with skins, bones or required joints.
 *
 * - Joints: joints of skins, bones, required nodes, animated nodes of these trees, and all nodes between and below them. Nodes that only hold meshes
 *   are omitted; their meshes are bound to the joint above. Nodes above the joints are therefore static.
 * - Bind poses: the inverses of the inverse bind matrices; without a skin, the rest pose. A skin whose bind pose differs from the previous ones by
 *   more than one factor for all joints gets a separate Skeleton.
 */
export function planSkeletons(geometry: Geometry, candidates: JointCandidates, issues: Issue[]): SkeletonPlan {
  const { nodes, skins } = geometry;
  const count = nodes.parents.length;
  const skeletons: PlannedSkeleton[] = [];
  const plannedSkins: (PlannedSkin | null)[] = skins.map(() => null);
  const skeletonOf = new Int32Array(count).fill(-1);
  const jointOf = new Int32Array(count).fill(-1);
  const hasMesh = new Uint8Array(count);
  for (const { node } of geometry.instances) hasMesh[node] = 1;
  const isWeighted = weightedJoints(geometry);
  let singular = 0;
  for (const group of groupJoints(geometry, candidates)) {
    const tree = planTree(geometry, group.nodes, candidates.animated, hasMesh);
    tree.nodes.forEach((node, joint) => {
      skeletonOf[node] = skeletons.length;
      jointOf[node] = joint;
    });
    const solver = createBindPoseSolver(tree.parents, tree.rest, candidateSpaces(geometry, group.skins, tree));
    const binds: SkinBind[] = [];
    for (const skin of group.skins) {
      const { joints, inverseBindMatrices } = skins[skin];
      const solved = solver.add({
        joints: joints.map((node) => jointOf[node]),
        inverseBindMatrices,
        isWeighted: isWeighted[skin],
      });
      binds.push(solved);
      singular += solved.singular;
    }
    for (const [k, skin] of group.skins.entries()) {
      const { pose, geomBind } = binds[k];
      const joints = skins[skin].joints.map((node) => jointOf[node]);
      plannedSkins[skin] = {
        skeleton: skeletons.length + pose,
        joints,
        geomBind: mat4.isIdentity(geomBind, 0) ? null : geomBind,
      };
    }
    for (const bind of solver.finish()) skeletons.push({ tree, bind });
  }
  if (singular > 0) {
    const message =
      `${singular} inverse bind matrices are singular, so that the bind pose of their joints is unknown. ` +
      'The identity was written instead. Export the skin again.';
    issues.push(issue('GEOMETRY_REPAIRED', message));
  }
  const nearestJointNode = new Int32Array(count).fill(-1);
  for (let node = 0; node < count; node++) {
    if (jointOf[node] >= 0) nearestJointNode[node] = node;
    else if (nodes.parents[node] >= 0) nearestJointNode[node] = nearestJointNode[nodes.parents[node]];
  }
  return { skeletons, skins: plannedSkins, skeletonOf, jointOf, nearestJointNode };
}

/** Numbers of mesh nodes and of joint ancestors whose spaces are tried as the mesh space. */
const CANDIDATE_MESHES = 8;
const CANDIDATE_ANCESTORS = 24;

/**
 * Lists the spaces that the vertices of skins may be in, as matrices to skeleton space: those of the nodes with the meshes, of the ancestors of the
 * joints, and of the scene.
 */
function candidateSpaces(geometry: Geometry, group: readonly number[], { parentNode }: JointTree): Float64Array {
  const { nodes, instances } = geometry;
  const spaces = instances.flatMap(({ node, skin }) => (group.includes(skin) ? [node] : [])).slice(0, CANDIDATE_MESHES);
  for (let at = parentNode, i = 0; at >= 0 && i < CANDIDATE_ANCESTORS; at = nodes.parents[at], i++) spaces.push(at);
  spaces.push(-1);
  const out = new Float64Array(MATRIX_STRIDE * spaces.length);
  const toSkeleton = restBetween(geometry, parentNode, -1);
  if (!mat4.invertAffine(toSkeleton, 0, toSkeleton, 0)) return out.subarray(0, 0);
  spaces.forEach((node, index) => {
    mat4.multiply(out, MATRIX_STRIDE * index, toSkeleton, 0, restBetween(geometry, node, -1), 0);
  });
  return out;
}

/** Nodes that must be joints of the same tree, and the skins on them. */
interface JointGroup {
  readonly skins: number[];
  readonly nodes: number[];
}

/** Groups joints by tree; trees that a skin or a humanoid connects form one group. */
function groupJoints({ nodes, skins }: Geometry, { required, bones }: JointCandidates): JointGroup[] {
  const top = Int32Array.from(nodes.parents, (_, node) => node);
  const topOf = (node: number): number => {
    let root = node;
    while (top[root] !== root) root = top[root];
    return root;
  };
  nodes.parents.forEach((parent, node) => {
    if (parent >= 0) top[node] = topOf(parent);
  });
  for (const joints of [...skins.map((skin) => skin.joints), bones]) {
    for (const joint of joints) top[topOf(joint)] = topOf(joints[0]);
  }
  const groups = new Map<number, JointGroup>();
  const groupOf = (node: number): JointGroup => {
    const key = topOf(node);
    const group = groups.get(key) ?? { skins: [], nodes: [] };
    groups.set(key, group);
    return group;
  };
  for (const [s, { joints }] of skins.entries()) {
    if (joints.length === 0) continue;
    const group = groupOf(joints[0]);
    group.skins.push(s);
    for (const joint of joints) group.nodes.push(joint);
  }
  for (const node of [...bones, ...required]) groupOf(node).nodes.push(node);
  return [...groups.values()];
}

function planTree(
  { nodes: { parents, rest } }: Geometry,
  joints: readonly number[],
  isAnimated: ReadonlySet<number>,
  hasMesh: Uint8Array,
): JointTree {
  const roots = Int32Array.from(parents);
  parents.forEach((parent, node) => {
    roots[node] = parent < 0 ? node : roots[parent];
  });
  const isJoint = new Uint8Array(parents.length);
  for (const joint of joints) isJoint[joint] = 1;
  const trees = new Set(joints.map((joint) => roots[joint]));
  for (const node of isAnimated) if (trees.has(roots[node])) isJoint[node] = 1;
  let ancestor = -2;
  isJoint.forEach((flag, node) => {
    if (flag === 1) ancestor = ancestor === -2 ? node : commonAncestor(parents, ancestor, node);
  });
  const parentNode = ancestor >= 0 && isJoint[ancestor] === 1 ? parents[ancestor] : ancestor;

  // Nodes between the joints and the common parent become joints, then those below.
  for (let node = parents.length - 1; node >= 0; node--) {
    if (isJoint[node] === 1 && parents[node] >= 0 && parents[node] !== parentNode) isJoint[parents[node]] = 1;
  }
  const isBelowJoint = new Uint8Array(parents.length);
  parents.forEach((parent, node) => {
    if (parent >= 0 && (isJoint[parent] === 1 || isBelowJoint[parent] === 1)) isBelowJoint[node] = 1;
  });
  const hasJointChild = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (isBelowJoint[node] === 1 && (hasMesh[node] === 0 || hasJointChild[node] === 1)) isJoint[node] = 1;
    if (isJoint[node] === 1 && parents[node] >= 0) hasJointChild[parents[node]] = 1;
  }

  const nodes = Int32Array.from(Array.from(isJoint.keys()).filter((node) => isJoint[node] === 1));
  const jointOf = new Map(Array.from(nodes, (node, joint) => [node, joint]));
  const jointRest = new Float64Array(POSE_STRIDE * nodes.length);
  nodes.forEach((node, joint) => {
    for (let c = 0; c < POSE_STRIDE; c++) jointRest[POSE_STRIDE * joint + c] = rest[POSE_STRIDE * node + c];
  });
  return { parentNode, nodes, parents: nodes.map((node) => jointOf.get(parents[node]) ?? -1), rest: jointRest };
}

/** Computes the matrix from the space of a node to that of one of its ancestors, at rest. */
export function restBetween({ nodes }: Geometry, node: number, above: number): Float64Array {
  const out = mat4.createIdentity();
  const local = new Float64Array(MATRIX_STRIDE);
  for (let at = node; at !== above && at >= 0; at = nodes.parents[at]) {
    mat4.compose(local, 0, nodes.rest, at * POSE_STRIDE);
    mat4.multiply(out, 0, local, 0, out, 0);
  }
  return out;
}
