/** Proposes a bone map from words for body parts, for rigs that follow no known convention. */
import { BONE, BONE_COUNT } from '../../bones.ts';
import { type CandidateMap, createCandidate } from '../candidate-map.ts';
import { distributeSpine } from '../distribute-spine.ts';
import { isDescendant } from '../node-tree.ts';
import { findFingers } from './find-fingers.ts';
import { findLimbs } from './find-limbs.ts';
import { findNeck, findTrunk } from './find-trunk.ts';
import type { AnatomyPart } from './lexicon.ts';
import type { NamedRig } from './named-rig.ts';
import type { Side } from './read-names.ts';

/** Factor of the score: words are a guess, so a convention that explains as much wins. */
const WEIGHT = 0.9;
/** Confidence of a bone with an unambiguous word, with a word that can mean two bones, and by the hierarchy alone. */
const NAMED = 0.6;
const AMBIGUOUS = 0.5;
const BY_TREE = 0.4;

/** Finds the best node for a part: strongest word, then highest in the hierarchy; −1 without one. */
function strongest(rig: NamedRig, part: AnatomyPart, side: Side, below: number): number {
  let best = -1;
  let bestStrength = 0;
  for (const [node, reading] of rig.readings.entries()) {
    if (reading.part !== part || reading.side !== side || reading.helper || reading.tip) continue;
    if (below >= 0 && !isDescendant(rig.tree, node, below)) continue;
    const strength = reading.strength + rig.quality[node];
    const isHigher = best >= 0 && rig.tree.depths[node] < rig.tree.depths[best];
    if (strength < bestStrength || (strength === bestStrength && !isHigher)) continue;
    best = node;
    bestStrength = strength;
  }
  return best;
}

export function mapByWords(rig: NamedRig): CandidateMap {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const confidences = new Float32Array(BONE_COUNT);
  const set = (bone: number, node: number, confidence: number): void => {
    nodes[bone] = node;
    confidences[bone] = node < 0 ? 0 : confidence;
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
  const spineConfidence = (node: number): number => (rig.readings[node]?.part === 'spine' ? AMBIGUOUS : BY_TREE);
  set(BONE.spine, spine, spineConfidence(spine));
  set(BONE.chest, chest, spineConfidence(chest));
  set(BONE.upperChest, upperChest, spineConfidence(upperChest));
  set(BONE.neck, findNeck(rig, trunk.top, head), NAMED);
  findFingers(
    rig,
    (side) => ({ hand: nodes[BONE[`${side}Hand`]], lowerArm: nodes[BONE[`${side}LowerArm`]] }),
    (bone, node) => set(bone, node, NAMED),
  );
  return createCandidate('words', rig.tree.parents, nodes, confidences, WEIGHT);
}
