import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { BONES, presentParent } from '../../core/humanoid/bones.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { childRanges, isAncestor, sortParentsFirst } from '../../core/skeleton/topology.ts';
import { uniqueName } from '../../core/text/unique-name.ts';

export interface NewHierarchy {
  readonly nodes: Int32Array;
  /** Index of the parent joint, −1 for a root. */
  readonly parents: Int32Array;
  /** Name of every joint: one word, unique. */
  readonly names: readonly string[];
  /** Tip node of every joint without child joints; −1 for none. */
  readonly tips: Int32Array;
}

/** Matches names of nodes that only mark the end of a limb: `HeadTop_End`, `Bip01LFinger0Nub`, `toe.L_end_012`. */
const TIP_NAME = /(?:[_.\-: ](?:end|nub|tip)(?:[_ ]?site)?|[a-z0-9](?:End|Nub|Tip)(?:Site)?)(?:[_.]?\d+)?$/;
const isTipName = (name: string): boolean => TIP_NAME.test(name) || TIP_NAME.test(name.toLowerCase());

function movedNodes(clip: Clip | null, count: number): Uint8Array {
  const moved = new Uint8Array(count);
  for (const track of clip?.tracks ?? []) {
    if (track.path !== 'scale' && !isConstantTrack(track)) moved[track.target] = 1;
  }
  return moved;
}

/**
 * Marks the nodes that must be joints: bones, animated nodes, and joints of skins (all nodes if there is no skin). Leaves with the name of a tip
 * are not joints, even if an exporter gave them keys: their rotation has no visible effect.
 */
function wantedNodes({ names, parents, joints }: Skeleton, bones: Int16Array, moved: Uint8Array): Uint8Array {
  const hasSkin = joints.includes(1);
  const { starts } = childRanges(parents);
  return Uint8Array.from(parents, (parent, node) => {
    if (bones[node]! >= 0) return 1;
    const isLeaf = starts[node] === starts[node + 1];
    if (isLeaf && parent >= 0 && isTipName(names[node]!)) return 0;
    return moved[node] === 1 || !hasSkin || joints[node] === 1 ? 1 : 0;
  });
}

/** Parent of nodes that are not in the BVH; roots have −1. */
const OUTSIDE = -2;

/** Parents for a humanoid: the subtree of the hips; bones outside it are parented to their parent bone. */
function parentsBelowHips(parents: Int32Array, bones: Int16Array, boneNodes: ArrayLike<number>): Int32Array {
  const hips = boneNodes[0]!;
  const attached = (toHips: boolean): Int32Array => {
    const out = new Int32Array(parents.length).fill(OUTSIDE);
    for (let node = 0; node < parents.length; node++) {
      const parent = parents[node]!;
      if (node === hips) out[node] = -1;
      else if (parent >= 0 && out[parent]! !== OUTSIDE) out[node] = parent;
      else if (bones[node]! >= 0) {
        const above = boneNodes[presentParent(bones[node]!, boneNodes)] ?? hips;
        out[node] = toHips || above === node || isAncestor(parents, node, above) ? hips : above;
      }
    }
    return out;
  };
  const first = attached(false);
  const isTree = sortParentsFirst(first.map((parent) => Math.max(parent, -1))).cyclic.length === 0;
  return isTree ? first : attached(true);
}

/** Parents for any other skeleton: one root per tree, the lowest node whose subtree has all wanted nodes. */
function parentsBelowTop(parents: Int32Array, wanted: Uint8Array): Int32Array {
  const { starts, children } = childRanges(parents);
  const counts = Int32Array.from(wanted);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (parents[node]! >= 0) counts[parents[node]!]! += counts[node]!;
  }
  const out = new Int32Array(parents.length).fill(OUTSIDE);
  for (let root = 0; root < parents.length; root++) {
    if (parents[root]! >= 0 || counts[root] === 0) continue;
    let top = root;
    for (let next = top; next >= 0; ) {
      top = next;
      next = -1;
      if (wanted[top] === 1) break;
      for (let k = starts[top]!; k < starts[top + 1]!; k++)
        if (counts[children[k]!] === counts[top]) next = children[k]!;
    }
    out[top] = -1;
  }
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node]!;
    if (out[node] === OUTSIDE && parent >= 0 && out[parent]! !== OUTSIDE) out[node] = parent;
  }
  return out;
}

/** Marks wanted nodes and their ancestors in the tree of the BVH. */
function keptNodes(below: Int32Array, wanted: Uint8Array): Uint8Array {
  const { order } = sortParentsFirst(below.map((parent) => Math.max(parent, -1)));
  const kept = Uint8Array.from(wanted, (want, node) =>
    below[node] === -1 || (want === 1 && below[node]! >= 0) ? 1 : 0,
  );
  for (let k = order.length - 1; k >= 0; k--) {
    const node = order[k]!;
    if (kept[node] === 1 && below[node]! >= 0) kept[below[node]!] = 1;
  }
  return kept;
}

/** Creates a unique name that every reader reads as one word: BVHLoader of three.js finds no node whose name has a colon. */
function jointName(name: string, node: number, bone: number, taken: Set<string>): string {
  const word = name.trim().replace(/[\s\p{Cc}{}:]+/gu, '_');
  const base = word !== '' ? word : bone >= 0 ? BONES[bone]! : `joint_${node}`;
  const unique = uniqueName(base, (one) => taken.has(one), '_', 2);
  taken.add(unique);
  return unique;
}

/**
 * Plans the joints of a new BVH. A humanoid gets the hips and their descendants; bones outside that subtree are parented to their parent bone.
 * Another skeleton gets one ROOT per tree. Nodes that are neither joints nor animated, and have no such descendants, become tips of joints without
 * another end, or are dropped. `boneNodes`: node of every bone, −1 for missing bones; null for a non-humanoid skeleton. `clip`: the clip to write,
 * which shows the animated nodes; null for none.
 */
export function planHierarchy(
  skeleton: Skeleton,
  bones: Int16Array,
  boneNodes: ArrayLike<number> | null,
  clip: Clip | null,
): NewHierarchy {
  const { parents } = skeleton;
  const moved = movedNodes(clip, parents.length);
  const wanted = wantedNodes(skeleton, bones, moved);
  const below = boneNodes === null ? parentsBelowTop(parents, wanted) : parentsBelowHips(parents, bones, boneNodes);
  const kept = keptNodes(below, wanted);
  const inTree = below.map((parent, node) => (kept[node] === 1 ? Math.max(parent, -1) : -1));
  const ranges = childRanges(inTree);
  const treeRanges = childRanges(parents);

  const order: number[] = [];
  const indexOf = new Int32Array(parents.length).fill(-1);
  const stack: number[] = [];
  for (let node = parents.length - 1; node >= 0; node--) if (kept[node] === 1 && below[node] === -1) stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    indexOf[node] = order.length;
    order.push(node);
    for (let k = ranges.starts[node + 1]! - 1; k >= ranges.starts[node]!; k--) stack.push(ranges.children[k]!);
  }
  const tipOf = (node: number): number => {
    if (ranges.starts[node] !== ranges.starts[node + 1]) return -1;
    const ends = [...treeRanges.children.subarray(treeRanges.starts[node]!, treeRanges.starts[node + 1]!)].filter(
      (child) => kept[child] === 0 && treeRanges.starts[child] === treeRanges.starts[child + 1],
    );
    const named = ends.find((child) => isTipName(skeleton.names[child]!));
    return named ?? ends[0] ?? -1;
  };
  const taken = new Set<string>();
  return {
    nodes: Int32Array.from(order),
    parents: Int32Array.from(order, (node) => (below[node]! < 0 ? -1 : indexOf[below[node]!]!)),
    names: order.map((node) => jointName(skeleton.names[node]!, node, bones[node]!, taken)),
    tips: Int32Array.from(order, tipOf),
  };
}
