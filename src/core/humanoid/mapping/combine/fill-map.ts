/** Completes a bone map from other candidates as far as the node hierarchy allows. */
import { BONE, BONE_COUNT, BONE_MIRRORS, BONE_PARENTS, BONES, REQUIRED_BONES } from '../../bones.ts';
import { mapNodesToBones } from '../../node-bones.ts';
import type { NamedRig } from '../by-name/named-rig.ts';
import type { CandidateMap } from '../candidate-map.ts';
import { hierarchyFaults } from '../hierarchy-faults.ts';

const REQUIRED: ReadonlySet<number> = new Set(REQUIRED_BONES.map((bone) => BONE[bone]));

function faultCount(faults: Uint8Array): number {
  let count = 0;
  for (const fault of faults) count += fault;
  return count;
}

/** Assigns a node to a bone unless that adds hierarchy faults; reverts the map and returns false otherwise. */
function tryAssign(rig: NamedRig, nodes: Int32Array, bone: number, node: number, allowFault: boolean): boolean {
  const { parents } = rig.tree;
  const before = faultCount(hierarchyFaults(parents, nodes));
  const former = mapNodesToBones(nodes, parents.length)[node];
  if (former >= 0) nodes[former] = -1;
  const had = nodes[bone];
  nodes[bone] = node;
  const faults = hierarchyFaults(parents, nodes);
  const others = faultCount(faults) - faults[bone];
  if (others <= before && (faults[bone] === 0 || allowFault)) return true;
  nodes[bone] = had;
  if (former >= 0) nodes[former] = node;
  return false;
}

/** Tells whether a limb ends at a bone: none of its further bones is mapped, and the other side has that bone and the next one. */
function endsAt(nodes: Int32Array, bone: number, next: number): boolean {
  if (nodes[BONE_MIRRORS[bone]] < 0 || nodes[BONE_MIRRORS[next]] < 0) return false;
  return BONE_PARENTS[next] === bone && !nodes.some((node, one) => node >= 0 && BONE_PARENTS[one] === next);
}

/**
 * Fills the missing bones of a map from other candidates, best first. A node that is already mapped is only reassigned from an optional bone to a
 * required one: `LeftShoulder` becomes the upper arm where no other node does, unless that arm ends there and the other one does not. A required bone
 * that has a hierarchy fault in all candidates is still assigned, because a misplaced bone is better than a missing one. `nodes`: node per bone,
 * −1 where absent; completed in place. `confidences`: confidence per bone, 0…1; completed in place.
 */
export function fillMissingBones(
  rig: NamedRig,
  nodes: Int32Array,
  confidences: Float32Array,
  others: readonly CandidateMap[],
): void {
  for (const allowFault of [false, true]) {
    for (const other of others) {
      const taken = mapNodesToBones(nodes, rig.tree.parents.length);
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        const node = other.nodes[bone];
        if (nodes[bone] >= 0 || node < 0) continue;
        const isRequired = REQUIRED.has(bone);
        const former = taken[node];
        if (former >= 0 && (!isRequired || REQUIRED.has(former) || endsAt(nodes, former, bone))) continue;
        if (!tryAssign(rig, nodes, bone, node, allowFault && isRequired)) continue;
        confidences[bone] = other.confidences[bone];
        if (former >= 0) confidences[former] = 0;
        taken[node] = bone;
      }
    }
  }
}

/**
 * Replaces bones that have a hierarchy fault by the nodes of other candidates that do not. `nodes`: node per bone, −1 where absent; repaired in
 * place. `confidences`: confidence per bone, 0…1; updated in place.
 */
export function repairFaults(
  rig: NamedRig,
  nodes: Int32Array,
  confidences: Float32Array,
  candidates: readonly CandidateMap[],
): void {
  const { parents } = rig.tree;
  const faults = hierarchyFaults(parents, nodes);
  const taken = mapNodesToBones(nodes, parents.length);
  for (const bone of BONES.keys()) {
    if (faults[bone] === 0) continue;
    for (const { nodes: theirs, confidences: theirConfidences } of candidates) {
      const node = theirs[bone];
      if (node < 0 || node === nodes[bone] || taken[node] >= 0) continue;
      const had = nodes[bone];
      if (!tryAssign(rig, nodes, bone, node, false)) continue;
      taken[had] = -1;
      taken[node] = bone;
      confidences[bone] = theirConfidences[bone];
      break;
    }
  }
}

/** The bones of the trunk are found together, by all nodes between the legs and the arms. */
const TRUNK: ReadonlySet<number> = new Set([BONE.hips, BONE.spine, BONE.chest, BONE.upperChest]);
/** Each assignment raises a confidence, so a few passes settle all. */
const MAX_PASSES = 8;

/**
 * Replaces nodes by unmapped nodes that a candidate prefers with a higher confidence, where the hierarchy allows it. Afterwards only the hierarchy
 * and the other bones of the map keep a bone from a better node. The bones of the trunk stay. `nodes`: node per bone, −1 where absent; changed in
 * place. `confidences`: final confidence per bone, 0…1; updated in place.
 */
export function preferHigherConfidences(
  rig: NamedRig,
  nodes: Int32Array,
  confidences: Float32Array,
  candidates: readonly CandidateMap[],
): boolean {
  let changed = false;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let again = false;
    const taken = mapNodesToBones(nodes, rig.tree.parents.length);
    for (const { nodes: theirs, confidences: theirConfidences } of candidates) {
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        const node = theirs[bone];
        if (nodes[bone] < 0 || node < 0 || taken[node] >= 0 || TRUNK.has(bone)) continue;
        if (!(theirConfidences[bone] > confidences[bone])) continue;
        const had = nodes[bone];
        if (!tryAssign(rig, nodes, bone, node, false)) continue;
        taken[had] = -1;
        taken[node] = bone;
        confidences[bone] = theirConfidences[bone];
        again = true;
      }
    }
    if (!again) break;
    changed = true;
  }
  return changed;
}
