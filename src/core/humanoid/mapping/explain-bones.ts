/** Says of every bone of a map what spoke for its node, and which node came next. */
import { BONES } from '../bones.ts';
import type { BoneChoice, BoneMap } from '../humanoid.ts';
import type { NameReadings } from './map-names.ts';
import type { ShapeMap } from './map-shape.ts';

/** What the place of a bone is, in words that go after `its place:`. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^hips$/, 'legs and spine meet here'],
  [/^(spine|chest|upperChest)$/, 'between the hips and where the arms branch off'],
  [/^neck$/, 'starts what goes up between the arms'],
  [/^head$/, 'ends what goes up between the arms'],
  [/Shoulder$/, 'the joint before the arm'],
  [/UpperArm$/, 'upper joint of the upper pair of limbs'],
  [/LowerArm$/, 'the joint that bends in the upper pair of limbs'],
  [/Hand$/, 'end of the upper pair of limbs'],
  [/UpperLeg$/, 'upper joint of the lower pair of limbs'],
  [/LowerLeg$/, 'the joint that bends in the lower pair of limbs'],
  [/Foot$/, 'end of the lower pair of limbs'],
  [/Toes$/, 'the joint behind the foot'],
  [/Thumb/, 'the finger that starts near the wrist and points away from the others'],
  [/(Index|Middle|Ring|Little)/, 'its order among the fingers, counted from the thumb'],
];

function placeOf(bone: string): string {
  return PLACES.find(([which]) => which.test(bone))?.[1] ?? 'where it hangs';
}

/** What names say for a node as a bone; null where they say nothing. */
function namesFor({ rig, candidates }: NameReadings, bone: number, node: number): string | null {
  const name = JSON.stringify(rig.skeleton.names[node]);
  const from = candidates.filter((candidate) => candidate.nodes[bone] === node).map((candidate) => candidate.from);
  const convention = from.find((one) => one !== 'words');
  if (convention !== undefined) return `name ${name} as in ${convention}`;
  return from.length > 0 ? `words of its name ${name}` : null;
}

/** The best node for a bone beside the one taken, by names or by shape. */
function runnerUp(
  { candidates }: NameReadings,
  shape: ShapeMap | null,
  bone: number,
  node: number,
): { readonly node: number; readonly confidence: number } {
  let best = { node: -1, confidence: 0 };
  const offer = (other: number, confidence: number): void => {
    if (other >= 0 && other !== node && confidence > best.confidence) best = { node: other, confidence };
  };
  for (const candidate of candidates) offer(candidate.nodes[bone], candidate.sure[bone]);
  if (shape !== null) {
    offer(shape.nodes[bone], shape.sure[bone]);
    // As good a body, less sure by as much as it is worse.
    const { next } = shape;
    if (next !== null) offer(next.nodes[bone], shape.sure[bone] * (next.score / shape.score));
  }
  return best;
}

/** Why, for every bone that a map has; null for the others. */
export function explainBones(named: NameReadings, map: BoneMap, shape: ShapeMap | null): (BoneChoice | null)[] {
  return BONES.map((bone, index) => {
    const node = map.nodes[index];
    if (node < 0) return null;
    const reasons: string[] = [];
    const byName = namesFor(named, index, node);
    if (byName !== null) reasons.push(byName);
    if (shape !== null && shape.nodes[index] === node) reasons.push(`its place: ${placeOf(bone)}`);
    if (reasons.length === 0) reasons.push('where it hangs among the bones that names tell');
    const next = runnerUp(named, shape, index, node);
    return { why: reasons.join('; '), runnerUp: next.node, runnerUpConfidence: next.confidence };
  });
}
