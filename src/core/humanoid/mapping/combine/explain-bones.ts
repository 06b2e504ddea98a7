import { BONE, BONES, FINGERS } from '../../bones.ts';
import type { BoneChoice, BoneMap } from '../../humanoid.ts';
import type { ShapeMap } from '../by-shape/map-by-shape.ts';
import { hierarchyFaults } from '../hierarchy-faults.ts';
import type { NameMatches } from './map-by-names.ts';

/** How the shape identifies a bone; follows `position:`. */
const POSITIONS: readonly (readonly [RegExp, string])[] = [
  [/^hips$/, 'where the legs and the spine meet'],
  [/^(spine|chest|upperChest)$/, 'between the hips and the joint where the arms branch off'],
  [/^neck$/, 'start of the chain that leads upwards between the arms'],
  [/^head$/, 'end of the chain that leads upwards between the arms'],
  [/Eye$/, 'one of the mirrored pair in front of the head'],
  [/^jaw$/, 'the only joint in front of the middle of the head'],
  [/Shoulder$/, 'the joint before the upper arm'],
  [/UpperArm$/, 'first joint of the upper pair of limbs'],
  [/LowerArm$/, 'the bending joint of the upper pair of limbs'],
  [/Hand$/, 'end of the upper pair of limbs'],
  [/UpperLeg$/, 'first joint of the lower pair of limbs'],
  [/LowerLeg$/, 'the bending joint of the lower pair of limbs'],
  [/Foot$/, 'end of the lower pair of limbs'],
  [/Toes$/, 'the joint after the foot'],
  [/Thumb/, 'the finger that starts near the wrist and points away from the others'],
  [new RegExp(FINGERS.join('|')), 'its order among the fingers, counted from the thumb'],
];

function positionOf(bone: string): string {
  return POSITIONS.find(([which]) => which.test(bone))?.[1] ?? 'in the hierarchy';
}

/** Describes how names identify a node as a bone; null where they do not. */
function namesFor({ rig, candidates }: NameMatches, bone: number, node: number): string | null {
  const name = JSON.stringify(rig.skeleton.names[node]);
  const from = candidates.filter((candidate) => candidate.nodes[bone] === node).map((candidate) => candidate.from);
  const convention = from.find((one) => one !== 'words');
  if (convention !== undefined) return `name ${name} matches the ${convention} convention`;
  return from.length > 0 ? `words in the name ${name}` : null;
}

/** Factor of the confidence of a node that the map cannot use for a bone. */
const CONFLICT = 0.4;
/** The spine is distributed as a whole: another node for one of these bones leaves out a joint, or a bone. */
const SPINE: readonly number[] = [BONE.spine, BONE.chest, BONE.upperChest];

/** Tests whether a map would have a bone less, a spine joint less or a hierarchy fault more with another node for a bone. */
function isInConflict({ rig }: NameMatches, { nodes }: BoneMap, bone: number, node: number): boolean {
  if (nodes.includes(node) || SPINE.includes(bone)) return true;
  const { parents } = rig.tree;
  const changed = nodes.slice();
  changed[bone] = node;
  const after = hierarchyFaults(parents, changed);
  const count = (faults: Uint8Array): number => faults.reduce((sum, fault) => sum + fault, 0);
  return after[bone] === 1 || count(after) > count(hierarchyFaults(parents, nodes));
}

/**
 * Finds the best other node for a bone, by names or by shape. The map is chosen as a whole, so a node that names or shape prefer may be
 * impossible in it; its confidence is reduced, and at most that of the bone.
 */
function runnerUp(
  named: NameMatches,
  shape: ShapeMap | null,
  bone: number,
  map: BoneMap,
): { readonly node: number; readonly confidence: number } {
  const node = map.nodes[bone];
  const found = new Map<number, number>();
  const offer = (other: number, confidence: number): void => {
    if (other >= 0 && other !== node && confidence > (found.get(other) ?? 0)) found.set(other, confidence);
  };
  for (const candidate of named.candidates) offer(candidate.nodes[bone], candidate.confidences[bone]);
  if (shape !== null) {
    offer(shape.nodes[bone], shape.confidences[bone]);
    // The confidence falls with the score of the second interpretation.
    const second = shape.runnerUp;
    if (second !== null) offer(second.nodes[bone], shape.confidences[bone] * (second.score / shape.score));
  }
  let best = { node: -1, confidence: 0 };
  for (const [other, evidence] of found) {
    const possible = evidence * (isInConflict(named, map, bone, other) ? CONFLICT : 1);
    const confidence = Math.min(possible, map.confidence[bone]);
    if (confidence > best.confidence) best = { node: other, confidence };
  }
  return best;
}

/**
 * Explains every bone that a map has. `shape`: the map by shape; null without one. Returns reason and second choice per bone; null where the map
 * lacks the bone.
 */
export function explainBones(named: NameMatches, map: BoneMap, shape: ShapeMap | null): (BoneChoice | null)[] {
  return BONES.map((bone, index) => {
    const node = map.nodes[index];
    if (node < 0) return null;
    const reasons: string[] = [];
    const byName = namesFor(named, index, node);
    if (byName !== null) reasons.push(byName);
    if (shape !== null && shape.nodes[index] === node) reasons.push(`position: ${positionOf(bone)}`);
    if (reasons.length === 0) reasons.push('position in the hierarchy relative to the bones found by name');
    const next = runnerUp(named, shape, index, map);
    return { why: reasons.join('; '), runnerUp: next.node, runnerUpConfidence: next.confidence };
  });
}
