/** Merges the map by names with the map by shape. The two are independent evidence. */
import {
  BONE,
  BONE_COUNT,
  BONE_MIRRORS,
  BONE_PARENTS,
  BONES,
  isFingerBone,
  REQUIRED_BONES,
  SIDES,
} from '../../bones.ts';
import type { BoneMap } from '../../humanoid.ts';
import { isGroupOf, type NamedRig } from '../by-name/named-rig.ts';
import type { ShapeMap } from '../by-shape/map-by-shape.ts';
import type { CandidateMap } from '../candidate-map.ts';
import { hierarchyFaults } from '../hierarchy-faults.ts';
import { fillMissingBones, preferHigherConfidences, repairFaults } from './fill-map.ts';
import type { NameMatches } from './map-by-names.ts';

/** Below this number of required bones by names, the shape is the base map and names complete it. */
const FEW = 9;
/** Factor of the confidence of a bone that is not below its parent bone. */
const FAULTY = 0.4;

const REQUIRED: readonly number[] = REQUIRED_BONES.map((bone) => BONE[bone]);

/** How the names agree with left and right of a shape; `silent` when no sided bone has both. */
export type NamedSides = 'agree' | 'swapped' | 'silent' | 'mixed';

/** Swaps left and right of a shape where the names say so. When names contradict each other, the majority decides. */
export function alignSides(shape: ShapeMap, named: Int32Array): { shape: ShapeMap; sides: NamedSides } {
  let same = 0;
  let swapped = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const mirror = BONE_MIRRORS[bone];
    if (mirror === bone || named[bone] < 0) continue;
    if (shape.nodes[bone] === named[bone]) same++;
    else if (shape.nodes[mirror] === named[bone]) swapped++;
  }
  if (same + swapped === 0) return { shape, sides: 'silent' };
  if (same > 0 && swapped > 0) return { shape: same >= swapped ? shape : mirrored(shape), sides: 'mixed' };
  return same > 0 ? { shape, sides: 'agree' } : { shape: mirrored(shape), sides: 'swapped' };
}

function mirrored(shape: ShapeMap): ShapeMap {
  const swap = <T extends Int32Array | Float32Array>(values: T): T =>
    values.map((_, bone) => values[BONE_MIRRORS[bone]]) as T;
  const runnerUp = shape.runnerUp === null ? null : { ...shape.runnerUp, nodes: swap(shape.runnerUp.nodes) };
  return { ...shape, nodes: swap(shape.nodes), confidences: swap(shape.confidences), runnerUp };
}

/** Combines the confidences of names and shape. Where both choose the same node, their doubts multiply. */
export function combineConfidences(map: BoneMap, shape: ShapeMap): Float32Array {
  return map.confidence.map((named, bone) => {
    const agrees = map.nodes[bone] >= 0 && shape.nodes[bone] === map.nodes[bone];
    return agrees ? 1 - (1 - named) * (1 - shape.confidences[bone]) : named;
  });
}

/** From this number of chains on, unknown words are fingers in another language. Things that hands hold have one or two: a bow and its string. */
const LANGUAGE = 3;

/**
 * Removes from a shape what a hand holds: below a hand that names identify, a chain whose names have words, but none of a finger. Fingers without
 * a known name have letters and numbers (`f2a`, `Bone_012`).
 */
export function withoutProps({ rig, mapping }: NameMatches, shape: ShapeMap): ShapeMap {
  const named = mapping.map.nodes;
  const nodes = shape.nodes.slice();
  const isThing = (node: number): boolean => {
    const { part, helper, unknown, metacarpal } = rig.readings[node];
    return helper || (part === null && (unknown || metacarpal));
  };
  for (const side of SIDES) {
    const hand = BONE[`${side}Hand`];
    const found = BONES.flatMap((name, bone) =>
      isFingerBone(name) && name.startsWith(side) && nodes[bone] >= 0 ? [bone] : [],
    );
    const things = found.filter((bone) => BONE_PARENTS[bone] === hand && isThing(nodes[bone]));
    if (named[hand] < 0 || things.length >= LANGUAGE) continue;
    for (const bone of found) {
      for (let below = -1, node = nodes[bone]; node >= 0 && !named.includes(node); node = rig.tree.parents[node]) {
        // Groups of the joints of a finger have its name.
        if (below >= 0 && isGroupOf(rig, node, below)) continue;
        if (isThing(node)) nodes[bone] = -1;
        below = node;
      }
    }
  }
  return { ...shape, nodes };
}

/**
 * Adds optional bones that the names do not identify (fingers called `f2a`) to a complete map. The shape must agree
 * with the map on all required bones, find the bone on both sides, and choose nodes whose names do not mean something
 * else. Where it chooses another joint for hips or spine, it still knows the hands and their fingers.
 */
export function addOptionalBones({ rig }: NameMatches, map: BoneMap, shape: ShapeMap): BoneMap {
  const differ = REQUIRED.filter((bone) => shape.nodes[bone] !== map.nodes[bone]);
  if (differ.some((bone) => bone !== BONE.hips && bone !== BONE.spine)) return map;
  const nodes = map.nodes.slice();
  const confidences = Float32Array.from(map.confidence);
  const isNew = (bone: number): boolean => {
    const node = shape.nodes[bone];
    if (differ.length > 0 && !isFingerBone(BONES[bone])) return false;
    if (map.nodes[bone] >= 0 || node < 0 || map.nodes.includes(node) || rig.quality[node] < 0) return false;
    const { part, helper, tip } = rig.readings[node];
    return !helper && !tip && (part === null || part === 'finger');
  };
  const added = shape.nodes.map((node, bone) => (isNew(bone) && isNew(BONE_MIRRORS[bone]) ? node : -1));
  fillMissingBones(rig, nodes, confidences, [
    { from: 'shape', nodes: added, confidences: shape.confidences, score: 0 },
  ]);
  return { ...map, nodes, confidence: confidences };
}

/** Computes the confidences of a merged map: where names and shape agree, their doubts multiply. */
function mergedConfidences(
  { tree }: NamedRig,
  nodes: Int32Array,
  ofNames: CandidateMap,
  ofShape: CandidateMap,
): Float32Array {
  const faults = hierarchyFaults(tree.parents, nodes);
  return Float32Array.from(nodes, (node, bone) => {
    if (node < 0) return 0;
    const doubts = [ofNames, ofShape].map((one) => (one.nodes[bone] === node ? 1 - one.confidences[bone] : 1));
    return (1 - doubts[0] * doubts[1]) * (faults[bone] === 1 && ofShape.nodes[bone] !== node ? FAULTY : 1);
  });
}

/** Completes the map by names with the shape, or the map by shape with the names when these identify few bones. */
export function mergeMaps(named: NameMatches, shape: ShapeMap): BoneMap {
  const { rig, mapping } = named;
  const byNames = mapping.map;
  const count = REQUIRED.filter((bone) => byNames.nodes[bone] >= 0).length;
  const candidate = (from: string, nodes: Int32Array, confidences: Float32Array): CandidateMap => ({
    from,
    nodes,
    confidences,
    score: 0,
  });
  const ofShape = candidate('shape', shape.nodes, shape.confidences);
  const ofNames = candidate(byNames.from, byNames.nodes, byNames.confidence);
  const [base, other] = count < FEW ? [ofShape, ofNames] : [ofNames, ofShape];
  const nodes = base.nodes.slice();
  const confidences = base.confidences.slice();
  fillMissingBones(rig, nodes, confidences, [other]);
  repairFaults(rig, nodes, confidences, [other]);
  let confidence = mergedConfidences(rig, nodes, ofNames, ofShape);
  if (preferHigherConfidences(rig, nodes, confidence, [ofNames, ofShape])) {
    confidence = mergedConfidences(rig, nodes, ofNames, ofShape);
  }
  return { nodes, confidence, from: base.from };
}
