/** Reads a rig of no known convention by the words of its names. */
import { BONE, BONE_COUNT } from '../bones.ts';
import { type CandidateMap, candidateMap } from './candidate-map.ts';
import { findFingers } from './map-fingers.ts';
import { findLimbs } from './map-limbs.ts';
import { distributeSpine, findNeck, findTrunk } from './map-trunk.ts';
import { isBelow } from './node-tree.ts';
import type { Rig } from './rig.ts';
import type { BodyPart } from './word-list.ts';
import type { Side } from './words.ts';

/** Words are a guess: where a convention explains as much, it is believed. */
const WORTH = 0.9;
/** How sure a bone is that a word names, whose word can mean two bones, or that only the tree tells. */
const NAMED = 0.6;
const AMBIGUOUS = 0.5;
const BY_TREE = 0.4;

/** The node that a part is most likely: strongest word, then highest in the tree; −1 without. */
function strongest(rig: Rig, part: BodyPart, side: Side, below: number): number {
  let best = -1;
  let bestStrength = 0;
  for (const [node, reading] of rig.readings.entries()) {
    if (reading.part !== part || reading.side !== side || reading.helper || reading.tip) continue;
    if (below >= 0 && !isBelow(rig.tree, node, below)) continue;
    const strength = reading.strength + rig.quality[node];
    const isHigher = best >= 0 && rig.tree.depths[node] < rig.tree.depths[best];
    if (strength < bestStrength || (strength === bestStrength && !isHigher)) continue;
    best = node;
    bestStrength = strength;
  }
  return best;
}

/**
 * The reading of a rig by words. Confidence 0.6 for plain words, 0.5 for words of two meanings, 0.4 by the tree alone.
 */
export function mapByWords(rig: Rig): CandidateMap {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const sure = new Float32Array(BONE_COUNT);
  const set = (bone: number, node: number, confidence: number): void => {
    nodes[bone] = node;
    sure[bone] = node < 0 ? 0 : confidence;
  };
  findLimbs(rig, (bone, node, strength) => set(bone, node, strength >= 0.8 ? NAMED : AMBIGUOUS));
  const head = strongest(rig, 'head', '', -1);
  if (head >= 0) {
    set(BONE.head, head, NAMED);
    set(BONE.leftEye, strongest(rig, 'eye', 'left', head), NAMED);
    set(BONE.rightEye, strongest(rig, 'eye', 'right', head), NAMED);
    set(BONE.jaw, strongest(rig, 'jaw', '', head), NAMED);
  }
  const trunk = findTrunk(rig, nodes, new Uint8Array(rig.readings.length));
  set(BONE.hips, trunk.hips, trunk.hipsNamed ? NAMED : BY_TREE);
  const [spine, chest, upperChest] = distributeSpine(trunk.spine);
  const sureOfSpine = trunk.spineNamed ? AMBIGUOUS : BY_TREE;
  set(BONE.spine, spine, sureOfSpine);
  set(BONE.chest, chest, sureOfSpine);
  set(BONE.upperChest, upperChest, sureOfSpine);
  set(BONE.neck, findNeck(rig, trunk.top, head), NAMED);
  findFingers(
    rig,
    (side) => ({ hand: nodes[BONE[`${side}Hand`]], lowerArm: nodes[BONE[`${side}LowerArm`]] }),
    (bone, node) => set(bone, node, NAMED),
  );
  return candidateMap('words', rig.tree.parents, nodes, sure, WORTH);
}
