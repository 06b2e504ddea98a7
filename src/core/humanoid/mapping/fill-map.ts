/** Completes a bone map by other readings of the same rig, as far as the tree allows. */
import { BONE, BONE_COUNT, BONES, REQUIRED_BONES } from '../bones.ts';
import { bonesOfNodes } from '../node-bones.ts';
import type { CandidateMap } from './candidate-map.ts';
import { hierarchyFaults } from './check-map.ts';
import type { Rig } from './rig.ts';

const REQUIRED: ReadonlySet<number> = new Set(REQUIRED_BONES.map((bone) => BONE[bone]));

function faultCount(faults: Uint8Array): number {
  let count = 0;
  for (const fault of faults) count += fault;
  return count;
}

/** Puts a node in for a bone if the map hangs together no worse than before; undoes it and returns false otherwise. */
function tryBone(rig: Rig, nodes: Int32Array, bone: number, node: number, mayHangWrong: boolean): boolean {
  const { parents } = rig.tree;
  const before = faultCount(hierarchyFaults(parents, nodes));
  const former = bonesOfNodes(nodes, parents.length)[node];
  if (former >= 0) nodes[former] = -1;
  const had = nodes[bone];
  nodes[bone] = node;
  const faults = hierarchyFaults(parents, nodes);
  const others = faultCount(faults) - faults[bone];
  if (others <= before && (faults[bone] === 0 || mayHangWrong)) return true;
  nodes[bone] = had;
  if (former >= 0) nodes[former] = node;
  return false;
}

/**
 * Fills the bones that a map lacks from other readings, best first. A node that already is a bone is only taken for a
 * required bone, from one that is not required: `LeftShoulder` becomes the upper arm where nothing else is. A required
 * bone that hangs wrongly everywhere is still taken; better one that turns in the wrong place than none.
 */
export function fillFrom(rig: Rig, nodes: Int32Array, sure: Float32Array, others: readonly CandidateMap[]): void {
  for (const mayHangWrong of [false, true]) {
    for (const other of others) {
      const taken = bonesOfNodes(nodes, rig.tree.parents.length);
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        const node = other.nodes[bone];
        if (nodes[bone] >= 0 || node < 0) continue;
        const isRequired = REQUIRED.has(bone);
        const former = taken[node];
        if (former >= 0 && (!isRequired || REQUIRED.has(former))) continue;
        if (!tryBone(rig, nodes, bone, node, mayHangWrong && isRequired)) continue;
        sure[bone] = other.sure[bone];
        if (former >= 0) sure[former] = 0;
        taken[node] = bone;
      }
    }
  }
}

/** Replaces bones that hang wrongly by what another reading has for them, where that hangs as it should. */
export function mendFaults(rig: Rig, nodes: Int32Array, sure: Float32Array, candidates: readonly CandidateMap[]): void {
  const { parents } = rig.tree;
  const faults = hierarchyFaults(parents, nodes);
  const taken = bonesOfNodes(nodes, parents.length);
  for (const bone of BONES.keys()) {
    if (faults[bone] === 0) continue;
    for (const { nodes: theirs, sure: theirSure } of candidates) {
      const node = theirs[bone];
      if (node < 0 || node === nodes[bone] || taken[node] >= 0) continue;
      const had = nodes[bone];
      if (!tryBone(rig, nodes, bone, node, false)) continue;
      taken[had] = -1;
      taken[node] = bone;
      sure[bone] = theirSure[bone];
      break;
    }
  }
}
