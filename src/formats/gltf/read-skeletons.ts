/** Which skeletons a document has, and what each of them is. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { BONE_COUNT } from '../../core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../core/humanoid/humanoid.ts';
import { FormatError } from '../../core/report/format-error.ts';
import type { Issue } from '../../core/report/issue.ts';
import { localToModelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../core/skeleton/topology.ts';
import { declareExtHumanoid } from './extensions/ext-humanoids.ts';
import type { FileHumanoid } from './extensions/human-bones.ts';
import { type FileBind, readBind } from './read-bind.ts';
import type { NodeForest } from './read-nodes.ts';
import type { FileSkin } from './read-skins.ts';

/** Skeletons that share ancestors each hold them: more nodes than this in all is an attack, not a crowd. */
const MAX_SKELETON_NODES = 500_000;

/** Joints that belong together. */
interface Group {
  /** Places without a joint above them, rising. */
  readonly tops: readonly number[];
  readonly skins: readonly FileSkin[];
  readonly declared: readonly FileHumanoid[];
}

/**
 * The skeletons of a file, in the order of its node tree. Joints of one skin, and the nodes of a declared humanoid, are of
 * one skeleton, with all above and all below them; so are skins whose joints hang below the common node of another
 * skin's joints. Characters that merely hang below one root stay apart. Without skins and humanoid, each tree of more
 * than one node is a skeleton. Where EXT_skeleton_humanoid defines several humanoids of the same joints, each is a skeleton of its own.
 * FormatError GLTF_LIMIT.
 */
export function readSkeletons(
  forest: NodeForest,
  skins: readonly FileSkin[],
  declared: readonly FileHumanoid[],
  issues: Issue[],
): AssetSkeleton[] {
  const groups = groupJoints(forest, skins, declared);
  if (groups.length === 0) groups.push(...wholeTrees(forest));
  const bodies = groups.flatMap((group) => heardOf(group).map((humanoid) => ({ group, humanoid })));
  const worlds = new Float64Array(forest.parents.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, forest.parents, forest.rest);
  const skinGroups = groups.map((group) => group.skins).filter((list) => list.length > 0);
  const bind = readBind(forest, worlds, skinGroups, issues);
  const isJoint = new Uint8Array(forest.parents.length);
  for (const { joints } of skins) for (const place of joints) isJoint[place] = 1;
  const names = uniqueNames(bodies.map(({ group, humanoid }) => nameOf(forest, group, humanoid)));
  const seen = new Int32Array(forest.parents.length).fill(-1);
  let total = 0;
  return bodies.map(({ group, humanoid }, index) => {
    const places = placesOf(forest, group.tops, seen, index);
    total += places.length;
    if (total > MAX_SKELETON_NODES) {
      const message = `The ${bodies.length} skeletons of the file have more than ${MAX_SKELETON_NODES} nodes in all`;
      throw new FormatError('GLTF_LIMIT', message, { pointer: '/skins' });
    }
    return cutSkeleton(forest, places, humanoid, names[index], isJoint, bind, issues);
  });
}

/** The declared humanoids of a group that count, null for none: a VRM is one by its own word, then definitions, then drafts. */
function heardOf({ declared }: Group): (FileHumanoid | null)[] {
  const vrm = declared.find(({ format }) => format !== 'ext' && format !== 'khr');
  if (vrm !== undefined) return [vrm];
  const defined = declared.filter(({ format }) => format === 'ext');
  return defined.length > 0 ? defined : [declared[0] ?? null];
}

/** Union of joints by their topmost ones. */
function groupJoints(forest: NodeForest, skins: readonly FileSkin[], declared: readonly FileHumanoid[]): Group[] {
  const { parents } = forest;
  const bonePlaces = declared.map((humanoid) => placesOfBones(forest, humanoid));
  const sets: ArrayLike<number>[] = [...skins.map((skin) => skin.joints), ...bonePlaces];

  // The topmost joint at or above every place, −1 for none.
  const isJoint = new Uint8Array(parents.length);
  for (const set of sets) for (let i = 0; i < set.length; i++) isJoint[set[i]] = 1;
  const topOf = new Int32Array(parents.length);
  for (let place = 0; place < parents.length; place++) {
    const above = parents[place] < 0 ? -1 : topOf[parents[place]];
    topOf[place] = above >= 0 ? above : isJoint[place] === 1 ? place : -1;
  }

  const leaders = Int32Array.from(parents.keys());
  const leaderOf = (place: number): number => {
    let leader = place;
    while (leaders[leader] !== leader) {
      leaders[leader] = leaders[leaders[leader]];
      leader = leaders[leader];
    }
    return leader;
  };
  const tie = (a: number, b: number): void => {
    const x = leaderOf(a);
    const y = leaderOf(b);
    leaders[Math.max(x, y)] = Math.min(x, y);
  };
  // The lowest node above several tops of one set, unless it is a root, holds one body: what else hangs there belongs to it.
  const holds = new Uint8Array(parents.length);
  for (const set of sets) {
    let first = topOf[set[0]];
    let last = first;
    for (let i = 1; i < set.length; i++) {
      const top = topOf[set[i]];
      tie(top, first);
      first = Math.min(first, top);
      last = Math.max(last, top);
    }
    // In depth-first order the first and the last have the common ancestor of all.
    const common = first === last ? -1 : commonAncestor(parents, first, last);
    if (common >= 0 && parents[common] >= 0) holds[common] = 1;
  }
  /** A top below the nearest holding node, where there is one. */
  const heldBy = new Int32Array(parents.length).fill(-1);
  const firstTopBelow = new Int32Array(parents.length).fill(-1);
  for (let place = 0; place < parents.length; place++) {
    heldBy[place] = holds[place] === 1 ? place : parents[place] < 0 ? -1 : heldBy[parents[place]];
    if (topOf[place] !== place || heldBy[place] < 0) continue;
    // Holding nodes within each other hold the same body: the uppermost decides.
    for (let holder = heldBy[place]; holder >= 0; holder = parents[holder] < 0 ? -1 : heldBy[parents[holder]]) {
      if (firstTopBelow[holder] >= 0) {
        tie(firstTopBelow[holder], place);
        break;
      }
      firstTopBelow[holder] = place;
    }
  }
  return collectGroups(skins, declared, bonePlaces, topOf, leaderOf);
}

function collectGroups(
  skins: readonly FileSkin[],
  declared: readonly FileHumanoid[],
  bonePlaces: readonly (readonly number[])[],
  topOf: Int32Array,
  leaderOf: (place: number) => number,
): Group[] {
  const groups = new Map<number, { tops: number[]; skins: FileSkin[]; declared: FileHumanoid[] }>();
  topOf.forEach((top, place) => {
    if (top !== place) return;
    const leader = leaderOf(top);
    const group = groups.get(leader);
    if (group === undefined) groups.set(leader, { tops: [top], skins: [], declared: [] });
    else group.tops.push(top);
  });
  for (const skin of skins) groups.get(leaderOf(topOf[skin.joints[0]]))?.skins.push(skin);
  declared.forEach((humanoid, k) => {
    groups.get(leaderOf(topOf[bonePlaces[k][0]]))?.declared.push(humanoid);
  });
  return [...groups.values()];
}

function placesOfBones(forest: NodeForest, { nodes }: FileHumanoid): number[] {
  return Array.from(nodes)
    .filter((node) => node >= 0)
    .map((node) => forest.places[node]);
}

/** Every tree of more than one node. */
function wholeTrees({ parents, ends }: NodeForest): Group[] {
  const groups: Group[] = [];
  for (let root = 0; root < parents.length; root = ends[root]) {
    if (ends[root] - root > 1) groups.push({ tops: [root], skins: [], declared: [] });
  }
  return groups;
}

/** Places of all above and all below the tops, parents first. `seen` remembers who was there. */
function placesOf({ parents, ends }: NodeForest, tops: readonly number[], seen: Int32Array, group: number): Int32Array {
  const places: number[] = [];
  for (const top of tops) {
    const above: number[] = [];
    for (let place = parents[top]; place >= 0 && seen[place] !== group; place = parents[place]) {
      seen[place] = group;
      above.push(place);
    }
    while (above.length > 0) places.push(above.pop() as number);
    for (let place = top; place < ends[top]; place++) places.push(place);
  }
  return Int32Array.from(places);
}

function cutSkeleton(
  forest: NodeForest,
  places: Int32Array,
  humanoid: FileHumanoid | null,
  name: string,
  isJoint: Uint8Array,
  { matrices, bound }: FileBind,
  issues: Issue[],
): AssetSkeleton {
  const localOf = new Map<number, number>();
  places.forEach((place, local) => {
    localOf.set(place, local);
  });
  const count = places.length;
  const rest = new Float64Array(count * POSE_STRIDE);
  const bind = places.some((place) => bound[place] === 1) ? new Float64Array(count * MATRIX_STRIDE) : null;
  places.forEach((place, local) => {
    rest.set(forest.rest.subarray(place * POSE_STRIDE, (place + 1) * POSE_STRIDE), local * POSE_STRIDE);
    bind?.set(matrices.subarray(place * MATRIX_STRIDE, (place + 1) * MATRIX_STRIDE), local * MATRIX_STRIDE);
  });
  const skeleton: Skeleton = {
    name,
    names: Array.from(places, (place) => forest.names[place]),
    parents: places.map((place) => (forest.parents[place] < 0 ? -1 : (localOf.get(forest.parents[place]) as number))),
    rest,
    bind,
    joints: Uint8Array.from(places, (place) => isJoint[place]),
  };
  return {
    skeleton,
    sourceNodes: places.map((place) => forest.sourceNodes[place]),
    declared: humanoid === null ? null : toDeclared(forest, skeleton, humanoid, localOf, issues),
  };
}

function toDeclared(
  { places }: NodeForest,
  skeleton: Skeleton,
  { format, nodes, facing, rootNode = -1, pointer = '' }: FileHumanoid,
  localOf: Map<number, number>,
  issues: Issue[],
): DeclaredHumanoid {
  const local = new Int32Array(BONE_COUNT).fill(-1);
  nodes.forEach((node, bone) => {
    if (node >= 0) local[bone] = localOf.get(places[node]) as number;
  });
  if (format !== 'ext') return { format, nodes: local, facing };
  const root = rootNode < 0 ? -1 : (localOf.get(places[rootNode]) ?? -1);
  return declareExtHumanoid(skeleton, local, root, pointer, issues);
}

/** Title of the VRM, else name of the skin with most joints, of the node above the topmost joint, of that joint itself. */
function nameOf({ parents, names }: NodeForest, { tops, skins }: Group, humanoid: FileHumanoid | null): string {
  const largest = skins.reduce((a, b) => (b.joints.length > a.joints.length ? b : a), skins[0]);
  const above = parents[tops[0]];
  const candidates = [humanoid?.title, largest?.name, above < 0 ? '' : names[above], names[tops[0]]];
  return candidates.find((name) => name !== undefined && name.trim() !== '') ?? 'skeleton';
}

/** Repeated names get a number. */
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
