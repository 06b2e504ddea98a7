/** VRMC_springBone 1.0 as spring bones of VRM 0.x (`secondaryAnimation`). */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, listOf, numberOf, numbersOf, objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { toUnityVector } from './vrm-values.ts';

const POINTER = '/extensions/VRMC_springBone';

/** Most spheres that stand for a capsule. */
const MAX_SPHERES = 16;

/** Spheres of a collider: one, or a row of them along a capsule, at most a radius apart. */
function spheresOf(collider: JsonObject): JsonObject[] {
  const shape = objectOf(collider, 'shape');
  const isCapsule = isObject(memberAt(shape, 'capsule'));
  const solid = objectOf(shape, isCapsule ? 'capsule' : 'sphere');
  const radius = Math.max(numberOf(solid, 'radius', 0), 0);
  const offset = numbersOf(solid, 'offset', [0, 0, 0]);
  if (!isCapsule) return [{ offset: toUnityVector(offset), radius }];
  const tail = numbersOf(solid, 'tail', [0, 0, 0]);
  const length = Math.hypot(...tail.map((value, c) => value - offset[c]));
  const steps = radius > 0 ? Math.min(Math.ceil(length / radius), MAX_SPHERES - 1) : 1;
  return Array.from({ length: steps + 1 }, (_, k) => {
    const at = steps === 0 ? 0 : k / steps;
    return { offset: toUnityVector(offset.map((value, c) => value + at * (tail[c] - value))), radius };
  });
}

/** Converts colliders to groups of VRM 0.x, each on one node. `groupsOf`: the indices of these for every group of VRM 1.0. */
function convertColliders(
  extension: JsonObject,
  nodeCount: number,
  issues: Issue[],
): { readonly groups: JsonObject[]; readonly groupsOf: number[][] } {
  const colliders = objectsOf(extension, 'colliders');
  const inexact = colliders.filter(
    (one) =>
      isObject(memberAt(objectOf(one, 'shape'), 'capsule')) || Object.keys(objectOf(one, 'extensions')).length > 0,
  );
  if (inexact.length > 0) {
    const message = `${inexact.length} colliders are not spheres, the only ones of VRM 0.x; capsules became rows of spheres, other shapes their fallback.`;
    issues.push(issue('VRM_CONVERT_SPRING', message, { pointer: `${POINTER}/colliders` }));
  }
  const groups: JsonObject[] = [];
  const groupsOf = objectsOf(extension, 'colliderGroups').map((group) => {
    const byNode = new Map<number, JsonObject[]>();
    for (const index of listOf(group, 'colliders')) {
      const collider = isIndex(index) ? colliders[index] : undefined;
      const node = memberAt(collider ?? {}, 'node');
      if (collider === undefined || !isIndex(node, nodeCount)) continue;
      byNode.set(node, [...(byNode.get(node) ?? []), ...spheresOf(collider)]);
    }
    return Array.from(byNode, ([node, spheres]) => groups.push({ node, colliders: spheres }) - 1);
  });
  return { groups, groupsOf };
}

function jointSettings(joint: JsonObject): JsonObject {
  return {
    stiffiness: numberOf(joint, 'stiffness', 1),
    gravityPower: numberOf(joint, 'gravityPower', 0),
    gravityDir: toUnityVector(numbersOf(joint, 'gravityDir', [0, -1, 0])),
    dragForce: numberOf(joint, 'dragForce', 0.5),
    hitRadius: numberOf(joint, 'hitRadius', 0),
  };
}

/**
 * Reads a chain of VRM 1.0 and its settings as those of VRM 0.x. `group` is a bone group without roots. `isEven` tells whether all joints but the
 * last one, which is only an end, have the same settings.
 */
function readChain(
  spring: JsonObject,
  groupsOf: readonly (readonly number[])[],
  nodeCount: number,
): { nodes: readonly number[]; group: JsonObject; isEven: boolean } | null {
  const joints = objectsOf(spring, 'joints').filter((joint) => {
    const node = memberAt(joint, 'node');
    return isIndex(node, nodeCount);
  });
  if (joints.length < 2) return null;
  const settings = joints.slice(0, -1).map(jointSettings);
  const center = memberAt(spring, 'center');
  const colliderGroups = listOf(spring, 'colliderGroups').flatMap((index) =>
    isIndex(index) ? (groupsOf[index] ?? []) : [],
  );
  return {
    nodes: joints.map(({ node }) => node as number),
    group: {
      comment: textOf(spring, 'name'),
      ...settings[0],
      center: isIndex(center) && center < nodeCount ? center : -1,
      colliderGroups,
    },
    isEven: new Set(settings.map((one) => JSON.stringify(one))).size === 1,
  };
}

/** Parent per glTF node; −1 for roots. */
function parentsOf(json: JsonObject): Int32Array {
  const nodes = arrayAt(json, 'nodes', '');
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, n) => {
    for (const child of listOf(node, 'children')) if (isIndex(child) && child < nodes.length) parents[child] = n;
  });
  return parents;
}

/** The nearest node at or above a node that is in the set; −1 without one. */
function nearestAbove(parents: Int32Array, node: number, set: { has(node: number): boolean }): number {
  let at = node;
  while (at >= 0 && !set.has(at)) at = parents[at];
  return at;
}

/** Number of nodes below the roots that VRM 1.0 does not swing. */
function stillNodes(parents: Int32Array, roots: { has(node: number): boolean }, swinging: ReadonlySet<number>): number {
  let count = 0;
  parents.forEach((_, node) => {
    if (!swinging.has(node) && nearestAbove(parents, node, roots) >= 0) count++;
  });
  return count;
}

/**
 * Converts spring bones. A chain of VRM 0.x is a root with all nodes below it and one group of settings, so chains that begin below another root
 * are part of that one. `issues` receives VRM_CONVERT_SPRING for what swings in another way.
 */
export function springsToVrm0(extension: JsonObject, json: JsonObject, issues: Issue[]): JsonObject {
  const parents = parentsOf(json);
  const { groups: colliderGroups, groupsOf } = convertColliders(extension, parents.length, issues);
  const chains = objectsOf(extension, 'springs').flatMap((spring) => {
    const chain = readChain(spring, groupsOf, parents.length);
    return chain === null ? [] : [chain];
  });
  /** Settings by the node that a chain begins with. */
  const starts = new Map<number, string>();
  for (const { nodes, group } of chains) if (!starts.has(nodes[0])) starts.set(nodes[0], JSON.stringify(group));
  const boneGroups = new Map<string, JsonObject>();
  const roots = new Set<number>();
  let [merged, uneven] = [0, 0];
  for (const { nodes, group, isEven } of chains) {
    if (!isEven) uneven++;
    const key = JSON.stringify(group);
    let root = nodes[0];
    for (let up = root; up >= 0; up = nearestAbove(parents, parents[root], starts)) root = up;
    if (starts.get(root) !== key) merged++;
    else if (!roots.has(root)) {
      roots.add(root);
      const known = boneGroups.get(key);
      if (known === undefined) boneGroups.set(key, { ...group, bones: [root] });
      else (known['bones'] as number[]).push(root);
    }
  }
  const still = stillNodes(parents, roots, new Set(chains.flatMap(({ nodes }) => nodes)));
  const extended = objectsOf(extension, 'springs').some((spring) =>
    objectsOf(spring, 'joints').some((joint) => Object.keys(objectOf(joint, 'extensions')).length > 0),
  );
  const faults = [
    ...(uneven > 0
      ? [`${uneven} springs have joints with different settings; those of the first joint were kept`]
      : []),
    ...(merged > 0 ? [`${merged} springs begin below another one and now have its settings`] : []),
    ...(still > 0 ? [`${still} nodes below springs, which did not swing, do now`] : []),
    ...(extended ? ['extensions of joints, such as limits, were left out'] : []),
  ];
  for (const fault of faults) {
    const message = `In VRM 0.x all nodes below the root of a spring swing with the same settings: ${fault}.`;
    issues.push(issue('VRM_CONVERT_SPRING', message, { pointer: `${POINTER}/springs` }));
  }
  return { boneGroups: [...boneGroups.values()], colliderGroups };
}
