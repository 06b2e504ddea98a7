/** Which Skeleton prims a geometry becomes: their joints, where they stand, their bind poses. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../../core/skeleton/topology.ts';
import { makeBindSolver, type SkinBind } from './solve-skin-binds.ts';

/** Joints of one tree, or of several that a skin joins. */
export interface JointTree {
  /** The node in whose space the joints are: the one right above all of them; −1: the root prim. */
  readonly home: number;
  /** Node of every joint, parents first. */
  readonly nodes: Int32Array;
  /** Parent of every joint among them; −1 for a root. */
  readonly parents: Int32Array;
  /** Local rest pose, `POSE_STRIDE` floats a joint. */
  readonly rest: Float64Array;
}

/** A Skeleton prim to be written. */
export interface PlannedSkeleton {
  readonly tree: JointTree;
  /** Joint to skeleton space in the bind pose: `MATRIX_STRIDE` floats a joint. */
  readonly bind: Float64Array;
}

/** How a skin is bound to the Skeleton that it became. */
export interface SkinPlace {
  /** Index of the Skeleton. */
  readonly skeleton: number;
  /** Its joint for every joint of the skin. */
  readonly joints: Int32Array;
  /** Of all its meshes: mesh space to the space of the bind pose. Null for the identity. */
  readonly geomBind: Float64Array | null;
}

/** What is known to move, by nodes of the geometry. */
export interface MovedNodes {
  /** Moved by a clip. */
  readonly animated: ReadonlySet<number>;
  /** Joints even without a skin: of several clips one alone can move a prim that is none. */
  readonly posed: Iterable<number>;
  /** The bones of a humanoid, which are joints of one Skeleton, with a skin or without. */
  readonly bones: readonly number[];
}

export interface SkeletonPlan {
  readonly skeletons: readonly PlannedSkeleton[];
  /** By skin; null for those without joints. */
  readonly skins: readonly (SkinPlace | null)[];
  /** The first Skeleton that has a node as a joint; −1 for none. */
  readonly skeletonOf: Int32Array;
  /** Which of its joints it is; −1 for none. */
  readonly jointOf: Int32Array;
  /** The nearest joint that a node is or stands below, as node; −1 for none. */
  readonly carrierOf: Int32Array;
}

/**
 * Plans the Skeletons of a geometry, one a tree of nodes with skins, bones or nodes that are posed. Joints are these and those of the skins, what a
 * clip animates, and all that is below one of them or between two, but for nodes that only hold meshes: these are bound to the joint above. So what
 * stands above the joints is static. A skin with another bind pose than those before it, up to one factor for all of its joints, gets a Skeleton of
 * its own; without a skin the bind pose is the rest pose. GEOMETRY_REPAIRED for bind matrices without an inverse.
 */
export function planSkeletons(geometry: Geometry, moved: MovedNodes, issues: Issue[]): SkeletonPlan {
  const { nodes, skins } = geometry;
  const count = nodes.parents.length;
  const skeletons: PlannedSkeleton[] = [];
  const places: (SkinPlace | null)[] = skins.map(() => null);
  const skeletonOf = new Int32Array(count).fill(-1);
  const jointOf = new Int32Array(count).fill(-1);
  const holdsMesh = new Uint8Array(count);
  for (const { node } of geometry.instances) holdsMesh[node] = 1;
  const holds = heldJoints(geometry);
  let singular = 0;
  for (const group of groupsOfJoints(geometry, moved)) {
    const tree = planTree(geometry, group.nodes, moved.animated, holdsMesh);
    tree.nodes.forEach((node, joint) => {
      skeletonOf[node] = skeletons.length;
      jointOf[node] = joint;
    });
    const solver = makeBindSolver(tree.parents, tree.rest, offeredSpaces(geometry, group.skins, tree));
    const binds: SkinBind[] = [];
    for (const skin of group.skins) {
      const { joints, inverseBindMatrices } = skins[skin];
      const solved = solver.add({
        joints: joints.map((node) => jointOf[node]),
        inverseBindMatrices,
        holds: holds[skin],
      });
      binds.push(solved);
      singular += solved.singular;
    }
    for (const [k, skin] of group.skins.entries()) {
      const { pose, geomBind } = binds[k];
      const joints = skins[skin].joints.map((node) => jointOf[node]);
      places[skin] = {
        skeleton: skeletons.length + pose,
        joints,
        geomBind: mat4.isIdentity(geomBind, 0) ? null : geomBind,
      };
    }
    for (const bind of solver.finish()) skeletons.push({ tree, bind });
  }
  if (singular > 0) {
    const message = `${singular} inverse bind matrices have no inverse, which a bind pose of USD needs; these joints were bound by the identity`;
    issues.push(issue('GEOMETRY_REPAIRED', message));
  }
  const carrierOf = new Int32Array(count).fill(-1);
  for (let node = 0; node < count; node++) {
    if (jointOf[node] >= 0) carrierOf[node] = node;
    else if (nodes.parents[node] >= 0) carrierOf[node] = carrierOf[nodes.parents[node]];
  }
  return { skeletons, skins: places, skeletonOf, jointOf, carrierOf };
}

/** Nodes with meshes, and nodes above joints, whose space is offered as that of the meshes. */
const OFFERED_MESHES = 8;
const OFFERED_ANCESTORS = 24;

/** The spaces that vertices of skins may be in, to that of their joints: those of the nodes with the meshes, of the nodes above the joints, of the scene. */
function offeredSpaces(geometry: Geometry, group: readonly number[], { home }: JointTree): Float64Array {
  const { nodes, instances } = geometry;
  const spaces = instances.flatMap(({ node, skin }) => (group.includes(skin) ? [node] : [])).slice(0, OFFERED_MESHES);
  for (let at = home, i = 0; at >= 0 && i < OFFERED_ANCESTORS; at = nodes.parents[at], i++) spaces.push(at);
  spaces.push(-1);
  const out = new Float64Array(MATRIX_STRIDE * spaces.length);
  const toHome = restBetween(geometry, home, -1);
  if (!mat4.invertAffine(toHome, 0, toHome, 0)) return out.subarray(0, 0);
  spaces.forEach((node, place) => {
    mat4.multiply(out, MATRIX_STRIDE * place, toHome, 0, restBetween(geometry, node, -1), 0);
  });
  return out;
}

/** By skin: 1 for every joint that holds a vertex of one of its meshes. */
function heldJoints({ skins, meshes, instances }: Geometry): Uint8Array[] {
  const holds = skins.map(({ joints }) => new Uint8Array(joints.length));
  const seen = new Set<string>();
  for (const { mesh, skin } of instances) {
    if (skin < 0 || seen.has(`${mesh} ${skin}`)) continue;
    seen.add(`${mesh} ${skin}`);
    for (const { influences } of meshes[mesh].primitives) {
      influences?.indices.forEach((joint, i) => {
        if (influences.weights[i] !== 0 && joint < holds[skin].length) holds[skin][joint] = 1;
      });
    }
  }
  return holds;
}

/** Nodes that have to be joints of one tree, and the skins on them. */
interface JointGroup {
  readonly skins: number[];
  readonly nodes: number[];
}

/** Joints that stand in the same trees, or in trees that a skin or a humanoid joins. */
function groupsOfJoints({ nodes, skins }: Geometry, { posed, bones }: MovedNodes): JointGroup[] {
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
  for (const node of [...bones, ...posed]) groupOf(node).nodes.push(node);
  return [...groups.values()];
}

function planTree(
  { nodes: { parents, rest } }: Geometry,
  joints: readonly number[],
  isAnimated: ReadonlySet<number>,
  holdsMesh: Uint8Array,
): JointTree {
  const roots = Int32Array.from(parents);
  parents.forEach((parent, node) => {
    roots[node] = parent < 0 ? node : roots[parent];
  });
  const isWanted = new Uint8Array(parents.length);
  for (const joint of joints) isWanted[joint] = 1;
  const trees = new Set(joints.map((joint) => roots[joint]));
  for (const node of isAnimated) if (trees.has(roots[node])) isWanted[node] = 1;
  let lowest = -2;
  isWanted.forEach((wanted, node) => {
    if (wanted === 1) lowest = lowest === -2 ? node : commonAncestor(parents, lowest, node);
  });
  const home = lowest >= 0 && isWanted[lowest] === 1 ? parents[lowest] : lowest;

  // Up to the home, then down: what has joints above or below.
  for (let node = parents.length - 1; node >= 0; node--) {
    if (isWanted[node] === 1 && parents[node] >= 0 && parents[node] !== home) isWanted[parents[node]] = 1;
  }
  const isBelow = new Uint8Array(parents.length);
  parents.forEach((parent, node) => {
    if (parent >= 0 && (isWanted[parent] === 1 || isBelow[parent] === 1)) isBelow[node] = 1;
  });
  const carries = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (isBelow[node] === 1 && (holdsMesh[node] === 0 || carries[node] === 1)) isWanted[node] = 1;
    if (isWanted[node] === 1 && parents[node] >= 0) carries[parents[node]] = 1;
  }

  const nodes = Int32Array.from(Array.from(isWanted.keys()).filter((node) => isWanted[node] === 1));
  const placeOf = new Map(Array.from(nodes, (node, joint) => [node, joint]));
  const jointRest = new Float64Array(POSE_STRIDE * nodes.length);
  nodes.forEach((node, joint) => {
    for (let c = 0; c < POSE_STRIDE; c++) jointRest[POSE_STRIDE * joint + c] = rest[POSE_STRIDE * node + c];
  });
  return { home, nodes, parents: nodes.map((node) => placeOf.get(parents[node]) ?? -1), rest: jointRest };
}

/** From the space of a node to that of another that is above it, or of the roots (−1), at rest. */
export function restBetween({ nodes }: Geometry, node: number, above: number): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  const local = new Float64Array(MATRIX_STRIDE);
  mat4.identity(out, 0);
  for (let at = node; at !== above && at >= 0; at = nodes.parents[at]) {
    mat4.compose(local, 0, nodes.rest, at * POSE_STRIDE);
    mat4.multiply(out, 0, local, 0, out, 0);
  }
  return out;
}
