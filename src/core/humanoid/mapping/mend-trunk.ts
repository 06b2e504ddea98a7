/** Brings hips, spine and neck of a bone map in line with the tree. */
import { BONE } from '../bones.ts';
import { bonesOfNodes } from '../node-bones.ts';
import { conventionKeys, meaningOf, otherNames } from './convention-names.ts';
import { CONVENTION_NAMES, type ConventionName } from './conventions.ts';
import { distributeSpine, findNeck, findTrunk, type Trunk } from './map-trunk.ts';
import { cleanName, nameKey } from './names.ts';
import type { Rig } from './rig.ts';

/** How sure bones are that were found by the tree among nodes with a fitting word, and by the tree alone. */
const NAMED = 0.8;
const BY_TREE = 0.4;

/** 1 for nodes that a convention names and says are never bones. */
function skippedBy(rig: Rig, from: string): Uint8Array {
  const isConvention = (CONVENTION_NAMES as readonly string[]).includes(from);
  const skip = new Set(
    isConvention ? otherNames(from as ConventionName, 'skip').map((n) => nameKey(cleanName(n))) : [],
  );
  return Uint8Array.from(rig.names.keys, (key) => (skip.has(key) ? 1 : 0));
}

/** Whether any convention calls the hips so. */
function isCalledHips(key: string): boolean {
  return (conventionKeys().get(key) ?? []).some((meaning) => meaningOf(meaning).bone === BONE.hips);
}

/**
 * Whether the spine bones of a map can stay: they go from the first spine node to the last, in order, and are as many
 * as can be.
 */
function isSpread(nodes: Int32Array, { spine, spineNamed }: Trunk): boolean {
  const mapped = [nodes[BONE.spine], nodes[BONE.chest], nodes[BONE.upperChest]];
  const there = mapped.filter((node) => node >= 0);
  const places = there.map((node) => spine.indexOf(node));
  if (places.some((place, i) => place < 0 || (i > 0 && place <= places[i - 1]))) return false;
  if (mapped.slice(0, there.length).includes(-1)) return false;
  if (!spineNamed) return there.length > 0;
  return there.length === Math.min(3, spine.length) && places[0] === 0 && places.at(-1) === spine.length - 1;
}

/**
 * Moves hips that do not have both legs and the spine below them, spreads the spine where a map leaves spine nodes out
 * or has them elsewhere, and finds the neck. Changes the nodes and how sure they are. `from` is where the map comes
 * from.
 */
export function mendTrunk(rig: Rig, nodes: Int32Array, sure: Float32Array, from: string): void {
  const trunk = findTrunk(rig, nodes, skippedBy(rig, from));
  const bones = bonesOfNodes(nodes, rig.tree.parents.length);
  const put = (bone: number, node: number, how: number): void => {
    if (nodes[bone] === node) return;
    if (nodes[bone] >= 0) bones[nodes[bone]] = -1;
    if (node >= 0 && bones[node] >= 0) nodes[bones[node]] = -1;
    if (node >= 0) bones[node] = bone;
    nodes[bone] = node;
    sure[bone] = node >= 0 ? how : 0;
  };
  if (trunk.hips >= 0) {
    const isNamed = trunk.hipsNamed || isCalledHips(rig.names.keys[trunk.hips]);
    put(BONE.hips, trunk.hips, isNamed ? NAMED : BY_TREE);
  }
  if (trunk.spine.length > 0 && !isSpread(nodes, trunk)) {
    const [spine, chest, upperChest] = distributeSpine(trunk.spine);
    const how = trunk.spineNamed ? NAMED : BY_TREE;
    put(BONE.spine, spine, how);
    put(BONE.chest, chest, how);
    put(BONE.upperChest, upperChest, how);
  }
  if (nodes[BONE.neck] < 0) {
    const neck = findNeck(rig, trunk.top, nodes[BONE.head]);
    if (neck >= 0 && bones[neck] < 0) put(BONE.neck, neck, NAMED);
  }
}
