import { BONE } from '../../bones.ts';
import { mapNodesToBones } from '../../node-bones.ts';
import { conventionKeys, decodeMeaning, expandNodeNames } from '../by-name/convention-names.ts';
import { CONVENTION_NAMES, type ConventionName } from '../by-name/conventions.ts';
import { findNeck, findTrunk, type Trunk } from '../by-name/find-trunk.ts';
import type { NamedRig } from '../by-name/named-rig.ts';
import { cleanName, nameKey } from '../by-name/node-names.ts';
import { distributeSpine } from '../distribute-spine.ts';

/** Confidence of bones that the hierarchy chooses among nodes with a matching word, and of bones that it chooses alone. */
const NAMED = 0.8;
const BY_TREE = 0.4;

/** Marks the nodes that a convention lists as never being bones, with 1. */
function skippedBy(rig: NamedRig, from: string): Uint8Array {
  const isConvention = (CONVENTION_NAMES as readonly string[]).includes(from);
  const skip = new Set(
    isConvention ? expandNodeNames(from as ConventionName, 'skip').map((n) => nameKey(cleanName(n))) : [],
  );
  return Uint8Array.from(rig.names.keys, (key) => (skip.has(key) ? 1 : 0));
}

/** Tests whether any convention uses this key for the hips. */
function isCalledHips(key: string): boolean {
  return (conventionKeys().get(key) ?? []).some((meaning) => decodeMeaning(meaning).bone === BONE.hips);
}

/** Tests whether the spine bones of a map can stay: they are in order, from the first spine node to the last, and as many as possible. */
function isSpineValid(nodes: Int32Array, { spine, spineNamed }: Trunk): boolean {
  const mapped = [nodes[BONE.spine], nodes[BONE.chest], nodes[BONE.upperChest]];
  const there = mapped.filter((node) => node >= 0);
  const indices = there.map((node) => spine.indexOf(node));
  if (indices.some((at, i) => at < 0 || (i > 0 && at <= indices[i - 1]))) return false;
  if (mapped.slice(0, there.length).includes(-1)) return false;
  if (!spineNamed) return there.length > 0;
  return there.length === Math.min(3, spine.length) && indices[0] === 0 && indices.at(-1) === spine.length - 1;
}

/**
 * Corrects the trunk of a map: moves hips that do not have both legs and the spine below them, redistributes a spine that leaves out spine nodes or
 * has bones outside of it, and finds the neck. `nodes`: node per bone, −1 where absent; corrected in place. `confidences`: confidence per bone,
 * 0…1; updated in place.
 */
export function repairTrunk(rig: NamedRig, nodes: Int32Array, confidences: Float32Array, from: string): void {
  const trunk = findTrunk(rig, nodes, skippedBy(rig, from));
  const bones = mapNodesToBones(nodes, rig.tree.parents.length);
  const put = (bone: number, node: number, how: number): void => {
    if (nodes[bone] === node) return;
    if (nodes[bone] >= 0) bones[nodes[bone]] = -1;
    if (node >= 0 && bones[node] >= 0) nodes[bones[node]] = -1;
    if (node >= 0) bones[node] = bone;
    nodes[bone] = node;
    confidences[bone] = node >= 0 ? how : 0;
  };
  if (trunk.hips >= 0) {
    const isNamed = trunk.hipsNamed || isCalledHips(rig.names.keys[trunk.hips]);
    put(BONE.hips, trunk.hips, isNamed ? NAMED : BY_TREE);
  }
  if (trunk.spine.length > 0 && !isSpineValid(nodes, trunk)) {
    const [spine, chest, upperChest] = distributeSpine(trunk.spine);
    const how = (node: number): number => (rig.readings[node]?.part === 'spine' ? NAMED : BY_TREE);
    put(BONE.spine, spine, how(spine));
    put(BONE.chest, chest, how(chest));
    put(BONE.upperChest, upperChest, how(upperChest));
  }
  if (nodes[BONE.neck] < 0) {
    const neck = findNeck(rig, trunk.top, nodes[BONE.head]);
    if (neck >= 0 && bones[neck] < 0) put(BONE.neck, neck, NAMED);
  }
}
