/** Bone maps that a caller gives, by node names or indices of the file. */
import { closestNames } from '../../report/closest-names.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONES, isBoneName } from '../bones.ts';
import type { BoneMap, GivenBones } from '../humanoid.ts';
import { cleanName, nameKey } from './names.ts';

/** Nodes that are listed in a message at most. */
const LISTED = 6;

/** The node that is meant, or what is wrong. */
type Found = number | string;

function orSuggest(name: string, names: readonly string[]): string {
  const close = closestNames(name, names);
  return close.length === 0 ? '' : `; did you mean ${close.map((choice) => JSON.stringify(choice)).join(' or ')}?`;
}

/** Nodes by name: exactly, else in another spelling (case, separators, namespace) where only one node fits. */
function findByName({ names }: Skeleton, sourceNodes: ArrayLike<number>, name: string): Found {
  let found = names.flatMap((other, node) => (other === name ? [node] : []));
  if (found.length === 0) {
    const key = nameKey(cleanName(name));
    found = names.flatMap((other, node) => (key !== '' && nameKey(cleanName(other)) === key ? [node] : []));
  }
  if (found.length === 1) return found[0];
  if (found.length === 0) return `no node of the skeleton is named ${JSON.stringify(name)}${orSuggest(name, names)}`;
  const indices = found.slice(0, LISTED).map((node) => sourceNodes[node]);
  const more = found.length > LISTED ? ' …' : '';
  return `${found.length} nodes are named ${JSON.stringify(name)}; give the index of one: ${indices.join(', ')}${more}`;
}

function findNode(skeleton: Skeleton, sourceNodes: ArrayLike<number>, given: unknown): Found {
  if (typeof given === 'string') return findByName(skeleton, sourceNodes, given);
  if (typeof given !== 'number')
    return `expected the name or the index of a node, found ${JSON.stringify(given) ?? typeof given}`;
  const node = Array.prototype.indexOf.call(sourceNodes, given);
  return node >= 0 ? node : `node ${given} of the file is not in the skeleton ${JSON.stringify(skeleton.name)}`;
}

/**
 * A caller's bone map on a skeleton. `sourceNodes` holds the index in the file of every node of the skeleton. Bones
 * that are not given are absent; the given ones have confidence 1. What cannot be followed (bone or node misspelt or
 * ambiguous, two bones on one node) is left out and is an issue BONE_MAP_INVALID each.
 */
export function mapGivenBones(
  skeleton: Skeleton,
  sourceNodes: ArrayLike<number>,
  given: GivenBones,
): { map: BoneMap; issues: readonly Issue[] } {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const issues: Issue[] = [];
  const bones = new Map<number, string>();
  for (const [bone, value] of Object.entries(given as Readonly<Record<string, unknown>>)) {
    let wrong = '';
    if (!isBoneName(bone)) wrong = `there is no such bone${orSuggest(bone, BONES)}`;
    else {
      const found = findNode(skeleton, sourceNodes, value);
      if (typeof found === 'string') wrong = found;
      else if (bones.has(found)) wrong = `its node is already ${bones.get(found)}; a node can be one bone only`;
      else {
        nodes[BONE[bone]] = found;
        bones.set(found, bone);
      }
    }
    if (wrong !== '') issues.push(issue('BONE_MAP_INVALID', `Bone map, ${JSON.stringify(bone)}: ${wrong}`));
  }
  const confidence = Float32Array.from(nodes, (node) => (node >= 0 ? 1 : 0));
  return { map: { nodes, confidence, from: 'given' }, issues };
}

/**
 * A caller's bone map on a skeleton, as {@link mapGivenBones}, for callers that want it whole or not at all.
 *
 * @throws RangeError naming everything that cannot be followed, with the names that are closest.
 */
export function mapFromGiven(skeleton: Skeleton, sourceNodes: ArrayLike<number>, given: GivenBones): BoneMap {
  const { map, issues } = mapGivenBones(skeleton, sourceNodes, given);
  if (issues.length > 0) throw new RangeError(issues.map(({ message }) => message).join('\n'));
  return map;
}
