/** Bone maps from user-supplied assignments of nodes by name or by index in the file. */
import { closestNames } from '../../report/closest-names.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONES, isBoneName } from '../bones.ts';
import type { BoneAssignments, BoneMap } from '../humanoid.ts';
import { cleanName, nameKey } from './by-name/node-names.ts';

/** Maximum number of nodes that a message lists. */
const LISTED = 6;

/** Formats the closest names as the end of a message; empty without any. */
function orSuggest(name: string, names: readonly string[]): string {
  const close = closestNames(name, names);
  return close.length === 0 ? '' : `; did you mean ${close.map((choice) => JSON.stringify(choice)).join(' or ')}?`;
}

/** Finds a node by its exact name, or by another spelling (case, separators, namespace) where only one node matches. */
function findByName({ names }: Skeleton, sourceNodes: ArrayLike<number>, name: string): number | string {
  let found = names.flatMap((other, node) => (other === name ? [node] : []));
  if (found.length === 0) {
    const key = nameKey(cleanName(name));
    found = names.flatMap((other, node) => (key !== '' && nameKey(cleanName(other)) === key ? [node] : []));
  }
  if (found.length === 1) return found[0];
  if (found.length === 0) return `the skeleton has no node named ${JSON.stringify(name)}${orSuggest(name, names)}`;
  const indices = found.slice(0, LISTED).map((node) => sourceNodes[node]);
  const more = found.length > LISTED ? ' …' : '';
  return `${found.length} nodes are named ${JSON.stringify(name)}; use the index of one of them instead: ${indices.join(', ')}${more}`;
}

function findNode(skeleton: Skeleton, sourceNodes: ArrayLike<number>, value: unknown): number | string {
  if (typeof value === 'string') return findByName(skeleton, sourceNodes, value);
  if (typeof value !== 'number')
    return `expected a node name or a node index, found ${JSON.stringify(value) ?? typeof value}`;
  const node = Array.prototype.indexOf.call(sourceNodes, value);
  return node >= 0 ? node : `the skeleton ${JSON.stringify(skeleton.name)} does not contain node ${value} of the file`;
}

/**
 * Resolves user-supplied bone assignments. Bones that are not assigned are absent; assigned bones have confidence 1.
 * Each invalid entry (unknown bone, unknown or ambiguous node, two bones on one node) is left out and reported as
 * BONE_MAP_INVALID.
 */
export function resolveBoneMap(
  skeleton: Skeleton,
  sourceNodes: ArrayLike<number>,
  assignments: BoneAssignments,
): { map: BoneMap; issues: readonly Issue[] } {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const issues: Issue[] = [];
  const bones = new Map<number, string>();
  for (const [bone, value] of Object.entries(assignments as Readonly<Record<string, unknown>>)) {
    if (value === null) continue;
    let wrong = '';
    if (!isBoneName(bone)) wrong = `no bone has this name${orSuggest(bone, BONES)}`;
    else {
      const found = findNode(skeleton, sourceNodes, value);
      if (typeof found === 'string') wrong = found;
      else if (bones.has(found))
        wrong = `its node is already mapped to ${bones.get(found)}; map each node to one bone only`;
      else {
        nodes[BONE[bone]] = found;
        bones.set(found, bone);
      }
    }
    if (wrong !== '')
      issues.push(issue('BONE_MAP_INVALID', `Invalid bone map entry ${JSON.stringify(bone)}: ${wrong}`));
  }
  const confidence = Float32Array.from(nodes, (node) => (node >= 0 ? 1 : 0));
  return { map: { nodes, confidence, from: 'given' }, issues };
}

/**
 * Creates a bone map from user-supplied assignments. Bones that are not assigned are absent; assigned bones have
 * confidence 1.
 *
 * @param skeleton The skeleton that the nodes belong to.
 * @param sourceNodes Index in the file of each node of the skeleton.
 * @param assignments Node per bone: its name, or its index in the file.
 * @returns The map.
 * @throws RangeError When an entry is invalid; the message lists all invalid entries with the closest names.
 * @example const { skeleton, sourceNodes } = file.asset.skeletons[0]; const map = createBoneMap(skeleton,
 *   sourceNodes, { hips: 'mixamorig:Hips', leftHand: 27 });
 */
export function createBoneMap(
  skeleton: Skeleton,
  sourceNodes: ArrayLike<number>,
  assignments: BoneAssignments,
): BoneMap {
  const { map, issues } = resolveBoneMap(skeleton, sourceNodes, assignments);
  if (issues.length > 0) throw new RangeError(issues.map(({ message }) => message).join('\n'));
  return map;
}
