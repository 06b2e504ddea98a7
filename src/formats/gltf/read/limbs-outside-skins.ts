/** Finds limbs that belong to a skinned skeleton although no skin uses them: rigid legs of a character whose upper half is skinned. */
import { isAnatomyWord } from '../../../core/humanoid/mapping/by-name/lexicon.ts';
import { rigNames } from '../../../core/humanoid/mapping/by-name/node-names.ts';
import { readNames } from '../../../core/humanoid/mapping/by-name/read-names.ts';
import type { NodeForest } from './read-nodes.ts';

/** A limb has at least this number of nodes below each other: thigh, shin and foot. */
const MIN_DEPTH = 3;
const MIN_PARTS = 3;
/** A subtree with a greater fraction of its parts in the skeleton is another character. */
const MAX_SHARED = 0.5;

/** Owner of nodes that are above the joints of several skeletons. */
const SHARED = -2;

/**
 * `above`: index of the skeleton that has the node above its joints; −1 for none, {@link SHARED} for several. `inside`: 1 for the topmost joints of all
 * skeletons and for their descendants.
 */
function findOwners(
  { parents, ends }: NodeForest,
  skeletons: readonly (readonly number[])[],
): { readonly above: Int32Array; readonly inside: Uint8Array } {
  const above = new Int32Array(parents.length).fill(-1);
  const inside = new Uint8Array(parents.length);
  for (const [skeleton, tops] of skeletons.entries()) {
    for (const top of tops) {
      inside.fill(1, top, ends[top]);
      for (
        let node = parents[top];
        node >= 0 && above[node] !== skeleton && above[node] !== SHARED;
        node = parents[node]
      ) {
        above[node] = above[node] === -1 ? skeleton : SHARED;
      }
    }
  }
  return { above, inside };
}

/** Tests whether a subtree has at least {@link MIN_DEPTH} levels. */
function isDeep({ parents, ends }: NodeForest, top: number): boolean {
  const levels = new Map<number, number>([[top, 1]]);
  for (let node = top + 1; node < ends[top]; node++) {
    const level = (levels.get(parents[node]) as number) + 1;
    if (level >= MIN_DEPTH) return true;
    levels.set(node, level);
  }
  return false;
}

/** Lists the body parts with their sides that the names of some nodes contain. */
function anatomyOf({ names }: NodeForest, nodes: readonly number[]): Set<string> {
  const raw = nodes.map((node) => names[node]);
  const readings = readNames(raw, rigNames(raw, isAnatomyWord).words);
  return new Set(readings.flatMap(({ part, side, helper }) => (part === null || helper ? [] : [`${part} ${side}`])));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, k) => start + k);
}

/** Lists the nodes above the topmost joints of a skeleton, these joints and their descendants. */
function nodesOf({ ends }: NodeForest, tops: readonly number[], owner: number, above: Int32Array): number[] {
  return [
    ...range(0, above.length).filter((node) => above[node] === owner),
    ...tops.flatMap((top) => range(top, ends[top])),
  ];
}

/**
 * Finds the limbs outside of the skins of a skeleton: subtrees below the ancestors of its joints whose names contain body parts that the skeleton
 * lacks. Where several skeletons have an ancestor in common, subtrees below it belong to none of them. `skeletons`: topmost joints of each skeleton
 * of the document, ascending. Returns top nodes of the limbs of each skeleton, ascending.
 */
export function findLimbsOutsideSkins(forest: NodeForest, skeletons: readonly (readonly number[])[]): number[][] {
  const { parents, ends } = forest;
  const { above, inside } = findOwners(forest, skeletons);
  const found: number[][] = skeletons.map(() => []);
  const known: (Set<string> | undefined)[] = [];
  for (const [node, parent] of parents.entries()) {
    const owner = parent < 0 ? -1 : above[parent];
    if (owner < 0 || inside[parent] === 1 || inside[node] === 1 || above[node] !== -1 || !isDeep(forest, node))
      continue;
    const parts = anatomyOf(forest, range(node, ends[node]));
    if (parts.size < MIN_PARTS) continue;
    const own = known[owner] ?? anatomyOf(forest, nodesOf(forest, skeletons[owner], owner, above));
    known[owner] = own;
    const shared = Array.from(parts).filter((part) => own.has(part)).length;
    if (shared <= MAX_SHARED * parts.size) found[owner].push(node);
  }
  return found;
}
