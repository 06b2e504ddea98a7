import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import { BONE_COUNT } from '../../../core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../core/humanoid/humanoid.ts';
import { splitPeople } from '../../../core/humanoid/mapping/split-people.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { cutSkeleton } from '../../../core/skeleton/cut-skeleton.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../../core/skeleton/topology.ts';
import { declareExtHumanoid } from '../extensions/ext-humanoids.ts';
import type { FileHumanoid } from '../extensions/human-bones.ts';
import { findLimbsOutsideSkins } from './limbs-outside-skins.ts';
import { readBindPose } from './read-bind-pose.ts';
import type { NodeForest } from './read-nodes.ts';
import type { FileSkin } from './read-skins.ts';

/** Limit for the nodes of all skeletons. Each skeleton contains its ancestors, so a small malicious file can multiply them. */
const MAX_SKELETON_NODES = 500_000;

interface Group {
  /** Joints without a joint above them, ascending. */
  readonly tops: readonly number[];
  readonly skins: readonly FileSkin[];
  readonly declared: readonly FileHumanoid[];
}

/**
 * Groups the joints of a document into skeletons:
 *
 * - The joints of one skin, or the nodes of one declared humanoid, belong to one skeleton, with all their ancestors and
 *   descendants.
 * - Skins that share joints belong to one skeleton. So do skins whose joints are descendants of the lowest common
 *   ancestor of another skin's joints, unless this ancestor is a root: characters under a common root stay separate.
 * - Limbs that no skin uses belong to the skeleton as well, if their names contain body parts that it lacks.
 * - Without skins and humanoids, each tree of more than one node is a skeleton.
 * - People in one skin or below one node are separate, see {@link splitPeople}.
 * - Several EXT_skeleton_humanoid definitions for the same joints give one skeleton each.
 *
 * @param issues Receives issues of the bind pose and of the humanoids.
 * @throws FormatError GLTF_LIMIT for more than 500,000 nodes in all skeletons.
 */
export function readSkeletons(
  forest: NodeForest,
  skins: readonly FileSkin[],
  declared: readonly FileHumanoid[],
  issues: Issue[],
): AssetSkeleton[] {
  const groups = groupJoints(forest, skins, declared);
  if (groups.length === 0) groups.push(...wholeTrees(forest));
  const parts = groups.flatMap((group) => humanoidsOf(group).map((humanoid) => ({ group, humanoid })));
  const worlds = modelMatrices(forest.parents, forest.rest);
  const skinGroups = groups.map((group) => group.skins).filter((list) => list.length > 0);
  const bind = readBindPose(forest, worlds, skinGroups, issues);
  const isJoint = new Uint8Array(forest.parents.length);
  for (const { joints } of skins) for (const node of joints) isJoint[node] = 1;
  const limbs = new Map(
    findLimbsOutsideSkins(
      forest,
      groups.map(({ tops }) => tops),
    ).map((tops, k) => [groups[k], tops]),
  );
  const seen = new Int32Array(forest.parents.length).fill(-1);
  let total = 0;
  const skeletons = parts.map(({ group, humanoid }, index): AssetSkeleton => {
    const nodes = withRelatives(forest, [...group.tops, ...(limbs.get(group) ?? [])], seen, index);
    total += nodes.length;
    if (total > MAX_SKELETON_NODES) {
      const message = `The ${parts.length} skeletons of the file have more than ${MAX_SKELETON_NODES} nodes in total, which is the limit; the file is probably malicious`;
      throw new FormatError('GLTF_LIMIT', message, { pointer: '/skins' });
    }
    const { skeleton, indexOf } = cutSkeleton(
      { ...forest, ...bind, isJoint },
      nodes,
      nameOf(forest, group, humanoid),
      (node) => forest.names[node],
    );
    return {
      skeleton,
      sourceNodes: nodes.map((node) => forest.sourceNodes[node]),
      declared: humanoid === null ? null : toDeclared(forest, skeleton, humanoid, indexOf, issues),
    };
  });
  return withUniqueNames(skeletons.flatMap(skeletonsOfPeople));
}

/** Cuts a skeleton without a declared humanoid into those of its people. */
function skeletonsOfPeople(part: AssetSkeleton): AssetSkeleton[] {
  const { skeleton, sourceNodes, declared } = part;
  const people = declared === null ? splitPeople(skeleton) : [];
  if (people.length === 0) return [part];
  const { parents, names, bind, joints } = skeleton;
  const matrices = Float64Array.from(bind ?? []);
  const bound = new Uint8Array(parents.length).fill(bind === null ? 0 : 1);
  const forest = { parents, rest: Float64Array.from(skeleton.rest), isJoint: joints, matrices, bound };
  return people.map(({ nodes, top }) => ({
    skeleton: cutSkeleton(forest, nodes, names[top] || skeleton.name, (node) => names[node]).skeleton,
    sourceNodes: nodes.map((node) => sourceNodes[node]),
    declared: null,
  }));
}

function withUniqueNames(parts: readonly AssetSkeleton[]): AssetSkeleton[] {
  const names = uniqueNames(parts.map(({ skeleton }) => skeleton.name));
  return parts.map((part, k) => ({ ...part, skeleton: { ...part.skeleton, name: names[k] } }));
}

/** Effective humanoids of a group, null for none. VRM has precedence, then EXT_skeleton_humanoid, then KHR_character. */
function humanoidsOf({ declared }: Group): (FileHumanoid | null)[] {
  const vrm = declared.find(({ format }) => format !== 'ext' && format !== 'khr');
  if (vrm !== undefined) return [vrm];
  const defined = declared.filter(({ format }) => format === 'ext');
  return defined.length > 0 ? defined : [declared[0] ?? null];
}

/** Groups joints by a union-find over their topmost joints. */
function groupJoints(forest: NodeForest, skins: readonly FileSkin[], declared: readonly FileHumanoid[]): Group[] {
  const { parents } = forest;
  const boneNodes = declared.map((humanoid) => nodesOfBones(forest, humanoid));
  const sets: ArrayLike<number>[] = [...skins.map((skin) => skin.joints), ...boneNodes];

  // For each node the topmost joint at or above it; −1 without one.
  const isJoint = new Uint8Array(parents.length);
  for (const set of sets) for (let i = 0; i < set.length; i++) isJoint[set[i]] = 1;
  const topOf = new Int32Array(parents.length);
  for (let node = 0; node < parents.length; node++) {
    const above = parents[node] < 0 ? -1 : topOf[parents[node]];
    topOf[node] = above >= 0 ? above : isJoint[node] === 1 ? node : -1;
  }

  const leaders = Int32Array.from(parents.keys());
  const leaderOf = (node: number): number => {
    let leader = node;
    while (leaders[leader] !== leader) {
      leaders[leader] = leaders[leaders[leader]];
      leader = leaders[leader];
    }
    return leader;
  };
  const unite = (a: number, b: number): void => {
    const x = leaderOf(a);
    const y = leaderOf(b);
    leaders[Math.max(x, y)] = Math.min(x, y);
  };
  // The lowest common ancestor of one set, unless it is a root, belongs to one skeleton: so do all joints below it.
  const isCommon = new Uint8Array(parents.length);
  for (const set of sets) {
    let first = topOf[set[0]];
    let last = first;
    for (let i = 1; i < set.length; i++) {
      const top = topOf[set[i]];
      unite(top, first);
      first = Math.min(first, top);
      last = Math.max(last, top);
    }
    // In depth-first order the common ancestor of the first and the last node is the common ancestor of all.
    const common = first === last ? -1 : commonAncestor(parents, first, last);
    if (common >= 0 && parents[common] >= 0) isCommon[common] = 1;
  }
  // For each node the nearest common ancestor at or above it, and for each common ancestor the first top below it.
  const commonAbove = new Int32Array(parents.length).fill(-1);
  const firstTopBelow = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    commonAbove[node] = isCommon[node] === 1 ? node : parents[node] < 0 ? -1 : commonAbove[parents[node]];
    if (topOf[node] !== node || commonAbove[node] < 0) continue;
    // Nested common ancestors belong to the same skeleton.
    for (
      let ancestor = commonAbove[node];
      ancestor >= 0;
      ancestor = parents[ancestor] < 0 ? -1 : commonAbove[parents[ancestor]]
    ) {
      if (firstTopBelow[ancestor] >= 0) {
        unite(firstTopBelow[ancestor], node);
        break;
      }
      firstTopBelow[ancestor] = node;
    }
  }
  return collectGroups(skins, declared, boneNodes, topOf, leaderOf);
}

function collectGroups(
  skins: readonly FileSkin[],
  declared: readonly FileHumanoid[],
  boneNodes: readonly (readonly number[])[],
  topOf: Int32Array,
  leaderOf: (node: number) => number,
): Group[] {
  const groups = new Map<number, { tops: number[]; skins: FileSkin[]; declared: FileHumanoid[] }>();
  topOf.forEach((top, node) => {
    if (top !== node) return;
    const leader = leaderOf(top);
    const group = groups.get(leader);
    if (group === undefined) groups.set(leader, { tops: [top], skins: [], declared: [] });
    else group.tops.push(top);
  });
  for (const skin of skins) groups.get(leaderOf(topOf[skin.joints[0]]))?.skins.push(skin);
  declared.forEach((humanoid, k) => {
    groups.get(leaderOf(topOf[boneNodes[k][0]]))?.declared.push(humanoid);
  });
  return [...groups.values()];
}

function nodesOfBones(forest: NodeForest, { nodes }: FileHumanoid): number[] {
  return Array.from(nodes)
    .filter((node) => node >= 0)
    .map((node) => forest.nodesBySource[node]);
}

/** One group per tree of more than one node. */
function wholeTrees({ parents, ends }: NodeForest): Group[] {
  const groups: Group[] = [];
  for (let root = 0; root < parents.length; root = ends[root]) {
    if (ends[root] - root > 1) groups.push({ tops: [root], skins: [], declared: [] });
  }
  return groups;
}

/** All ancestors and descendants of the tops, parents first. `seen` marks the ancestors that a group already has. */
function withRelatives(
  { parents, ends }: NodeForest,
  tops: readonly number[],
  seen: Int32Array,
  group: number,
): Int32Array {
  const nodes: number[] = [];
  for (const top of tops) {
    const above: number[] = [];
    for (let node = parents[top]; node >= 0 && seen[node] !== group; node = parents[node]) {
      seen[node] = group;
      above.push(node);
    }
    while (above.length > 0) nodes.push(above.pop() as number);
    for (let node = top; node < ends[top]; node++) nodes.push(node);
  }
  // In depth-first order parents come first, also where a limb was added after other tops.
  return Int32Array.from(nodes).sort();
}

function toDeclared(
  { nodesBySource }: NodeForest,
  skeleton: Skeleton,
  { format, nodes, facing, rootNode = -1, pointer = '' }: FileHumanoid,
  indexOf: ReadonlyMap<number, number>,
  issues: Issue[],
): DeclaredHumanoid {
  const local = new Int32Array(BONE_COUNT).fill(-1);
  nodes.forEach((node, bone) => {
    if (node >= 0) local[bone] = indexOf.get(nodesBySource[node]) as number;
  });
  if (format !== 'ext') return { format, nodes: local, facing };
  const root = rootNode < 0 ? -1 : (indexOf.get(nodesBySource[rootNode]) ?? -1);
  return declareExtHumanoid(skeleton, local, root, pointer, issues);
}

/** Title of the VRM, else the name of the skin with the most joints, of the parent of the topmost joint, or of that joint. */
function nameOf({ parents, names }: NodeForest, { tops, skins }: Group, humanoid: FileHumanoid | null): string {
  const largest = skins.reduce((a, b) => (b.joints.length > a.joints.length ? b : a), skins[0]);
  const above = parents[tops[0]];
  const candidates = [humanoid?.title, largest?.name, above < 0 ? '' : names[above], names[tops[0]]];
  return candidates.find((name) => name !== undefined && name.trim() !== '') ?? 'skeleton';
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const used = new Set<string>();
  const counters = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    while (used.has(unique)) {
      const number = (counters.get(name) ?? 1) + 1;
      counters.set(name, number);
      if (!taken.has(`${name} ${number}`)) unique = `${name} ${number}`;
    }
    used.add(unique);
    return unique;
  });
}
