import { type Issue, issue } from '../../../core/report/issue.ts';
import { appendNode } from '../document/append-node.ts';
import { arrayAt, type JsonObject, listItem, memberAt } from '../document/json-access.ts';
import { isIndex, listOf, numberOf, numbersOf, objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { clamp, unityVector } from './vrm-values.ts';

const POINTER = '/extensions/VRM/secondaryAnimation';

/** Length of the last bone of a chain, meters: VRM 0.x adds it by rule, VRM 1.0 needs a node (VRMC_springBone, "For vrm0"). */
const TAIL_LENGTH = 0.07;

/** Converts a vector of Unity to glTF, and rotates it by 180° about Y. */
function toVrm1([x, y, z]: readonly number[]): number[] {
  return [0 - x, y, z];
}

/** Colliders and collider groups of VRM 1.0, and where the groups of VRM 0.x are. */
interface Colliders {
  readonly colliders: JsonObject[];
  readonly groups: JsonObject[];
  /** New index per old group; −1 where it was empty. */
  readonly groupOf: number[];
}

function convertColliders(secondary: JsonObject, nodeCount: number): Colliders {
  const result: Colliders = { colliders: [], groups: [], groupOf: [] };
  for (const group of objectsOf(secondary, 'colliderGroups')) {
    const node = memberAt(group, 'node');
    const spheres = isIndex(node) && node < nodeCount ? objectsOf(group, 'colliders') : [];
    // A collider group of VRM 1.0 has at least one collider.
    result.groupOf.push(spheres.length > 0 ? result.groups.length : -1);
    if (spheres.length === 0) continue;
    const indices = spheres.map((sphere) => {
      const offset = toVrm1(unityVector(sphere, 'offset', [0, 0, 0]));
      const radius = Math.max(numberOf(sphere, 'radius', 0), 0);
      return result.colliders.push({ node, shape: { sphere: { offset, radius } } }) - 1;
    });
    result.groups.push({ colliders: indices });
  }
  return result;
}

/** Valid children of a node. */
function childrenOf(json: JsonObject, node: number): number[] {
  const count = arrayAt(json, 'nodes', '').length;
  return listOf(listItem(json, 'nodes', node), 'children').filter(
    (child): child is number => isIndex(child) && child < count,
  );
}

/** Position of the end of a chain in the axes of its last node; null where the direction of the node is unknown. */
function tailPosition(json: JsonObject, last: number): number[] | null {
  // A first child that swings with another spring is the end of this one, too.
  const [child] = childrenOf(json, last);
  if (child !== undefined) return numbersOf(listItem(json, 'nodes', child), 'translation', [0, 0, 0]);
  const direction = numbersOf(listItem(json, 'nodes', last), 'translation', [0, 0, 0]);
  const length = Math.hypot(...direction);
  return length > 0 ? direction.map((value) => (TAIL_LENGTH * value) / length + 0) : null;
}

/** Adds the node at the end of a chain; −1 without one. */
function addTail(json: JsonObject, last: number): number {
  const node = listItem(json, 'nodes', last);
  const translation = tailPosition(json, last);
  if (translation === null) return -1;
  const name = textOf(node, 'name');
  const tail: JsonObject = { ...(name === '' ? {} : { name: `${name}_end` }), translation };
  const index = appendNode(json, tail);
  node['children'] = [...childrenOf(json, last), index];
  return index;
}

/** Nodes of each chain below a root: a chain follows the first children; every other child starts another chain. */
function chainsBelow(json: JsonObject, root: number, used: Set<number>): number[][] {
  const chains: number[][] = [];
  const starts = [root];
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    const chain: number[] = [];
    for (let node: number | undefined = start; node !== undefined && !used.has(node); ) {
      used.add(node);
      chain.push(node);
      const [first, ...others] = childrenOf(json, node);
      starts.push(...others.reverse());
      node = first;
    }
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

/**
 * Converts spring bones. Chains end with a new node, because VRM 0.x swings the last node as if it were 7 cm long. `issues` receives
 * VRM_CONVERT_SPRING for roots that do not exist or swing twice. Returns `VRMC_springBone`; null without springs and colliders.
 */
export function springsToVrm1(extension: JsonObject, json: JsonObject, issues: Issue[]): JsonObject | null {
  const secondary = objectOf(extension, 'secondaryAnimation');
  const nodeCount = arrayAt(json, 'nodes', '').length;
  const { colliders, groups, groupOf } = convertColliders(secondary, nodeCount);
  const used = new Set<number>();
  const springs: JsonObject[] = [];
  objectsOf(secondary, 'boneGroups').forEach((group, g) => {
    const settings = {
      hitRadius: Math.max(numberOf(group, 'hitRadius', 0), 0),
      stiffness: Math.max(numberOf(group, 'stiffiness', 1), 0),
      gravityPower: numberOf(group, 'gravityPower', 0),
      gravityDir: toVrm1(unityVector(group, 'gravityDir', [0, -1, 0])),
      dragForce: clamp(numberOf(group, 'dragForce', 0.5), 0, 1),
    };
    const comment = textOf(group, 'comment');
    const center = memberAt(group, 'center');
    const indices = listOf(group, 'colliderGroups').flatMap((old) =>
      isIndex(old) && groupOf[old] >= 0 ? [groupOf[old]] : [],
    );
    let refused = 0;
    for (const root of listOf(group, 'bones')) {
      if (!isIndex(root) || root >= nodeCount || used.has(root)) {
        refused++;
        continue;
      }
      for (const chain of chainsBelow(json, root, used)) {
        const tail = addTail(json, chain[chain.length - 1]);
        springs.push({
          ...(comment === '' ? {} : { name: comment }),
          joints: [...chain.map((node) => ({ node, ...settings })), ...(tail < 0 ? [] : [{ node: tail }])],
          ...(indices.length > 0 ? { colliderGroups: indices } : {}),
          ...(isIndex(center) && center < nodeCount ? { center } : {}),
        });
      }
    }
    if (refused > 0) {
      const message = `${refused} spring bone roots do not exist or are part of another spring, which VRM 1.0 forbids; they were left out.`;
      issues.push(issue('VRM_CONVERT_SPRING', message, { pointer: `${POINTER}/boneGroups/${g}` }));
    }
  });
  if (springs.length === 0 && colliders.length === 0) return null;
  return {
    specVersion: '1.0',
    ...(colliders.length > 0 ? { colliders, colliderGroups: groups } : {}),
    ...(springs.length > 0 ? { springs } : {}),
  };
}
