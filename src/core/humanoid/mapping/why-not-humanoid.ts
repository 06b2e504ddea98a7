import type { Floats } from '../../math/floats.ts';
import { cosine, dot, minus, plus, pointOf } from '../../math/triples.ts';
import type { Vec3 } from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, type BoneName, REQUIRED_BONES, SIDES } from '../bones.ts';
import type { BoneMap } from '../humanoid.ts';
import { bindModelPose, restModelPose } from '../t-pose/model-pose.ts';
import { isAnatomyWord } from './by-name/lexicon.ts';
import { rigNames } from './by-name/node-names.ts';
import { FOUR_LEGS } from './by-shape/map-by-shape.ts';

/** Half a humanoid (no legs) has nine of the fifteen required bones; with fewer, a skeleton is not recognizable. */
const MIN_REQUIRED = 9;
/** Up to this number of required bones, unusable names are given as the reason. */
const HARDLY_ANY = 5;
/** Minimum fraction of the joints whose names contain words for body parts. */
const MIN_NAMED = 0.1;

type Sided = 'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot';

/**
 * Explains why a mapped skeleton is not a humanoid.
 *
 * Bones may be missing; the issues of the map list them. A humanoid needs hips, one arm and one leg, or (without
 * legs) hips, spine, head and one arm.
 *
 * A quadruped whose bones have human names is recognized by its posture: hands level with the feet, arms parallel to
 * the legs and as long, and the trunk across both. Unusual human poses (arms up or down, seated, the zero pose of a
 * BVH, any axes and unit) do not match all three.
 *
 * @param positions Positions of the nodes in a pose close to rest, 3 floats per node, model space; by default the
 *   rest pose and the bind pose are judged.
 * @returns A clause that follows a colon; null for a humanoid.
 */
export function whyNotHumanoid(
  skeleton: Skeleton,
  map: BoneMap,
  positions?: Floats,
  shapeRefusal: string | null = null,
): string | null {
  const { nodes } = map;
  const has = (bone: BoneName): boolean => nodes[BONE[bone]] >= 0;
  const hasPair = (side: 'left' | 'right', upper: Sided, lower: Sided): boolean =>
    has(`${side}${upper}`) && has(`${side}${lower}`);
  const arms = hasPair('left', 'UpperArm', 'LowerArm') || hasPair('right', 'UpperArm', 'LowerArm');
  const legs = hasPair('left', 'UpperLeg', 'LowerLeg') || hasPair('right', 'UpperLeg', 'LowerLeg');
  const anyLeg = SIDES.some((side) =>
    (['UpperLeg', 'LowerLeg', 'Foot'] as const).some((part) => has(`${side}${part}`)),
  );
  const isHalf = !anyLeg && has('spine') && has('head');
  const missing = REQUIRED_BONES.filter((bone) => !has(bone));
  const found = REQUIRED_BONES.length - missing.length;
  if (has('hips') && arms && (legs || isHalf) && found >= MIN_REQUIRED) {
    // Where names show no hands, the shape tells arms from forelegs.
    if (!has('leftHand') && !has('rightHand')) return shapeRefusal === FOUR_LEGS ? FOUR_LEGS : null;
    return hasQuadrupedStance(skeleton, nodes, positions)
      ? `${FOUR_LEGS} (the trunk is across the legs, and the arms reach down as far as the feet)`
      : null;
  }
  const nameProblem = found <= HARDLY_ANY ? findNameProblem(skeleton) : null;
  const shape = shapeRefusal === null ? '' : `; its shape: ${shapeRefusal}`;
  if (nameProblem !== null) return `${nameProblem}${shape}; supply a bone map that refers to nodes by index`;
  const lacking = [
    has('hips') ? '' : 'no hips',
    arms ? '' : 'no arms',
    legs || (isHalf && arms) ? '' : 'no legs',
  ].filter((s) => s !== '');
  const what = lacking.length > 0 ? lacking.join(', ') : 'too few bones';
  return `${what}: ${found} of ${REQUIRED_BONES.length} required bones found (missing: ${missing.join(', ')})${shape}`;
}

/** Explains why joint names cannot identify bones: they are missing, or they contain no words for body parts; null where they can. */
function findNameProblem({ names, joints }: Skeleton): string | null {
  const ofJoints = joints.includes(1) ? names.filter((_, node) => joints[node] === 1) : [...names];
  if (ofJoints.length === 0) return 'it has no joints';
  const unnamed = ofJoints.filter((name) => name.trim() === '').length;
  if (unnamed > ofJoints.length / 2) {
    const all = unnamed === ofJoints.length ? `its ${unnamed} joints` : `${unnamed} of its ${ofJoints.length} joints`;
    return `${all} have no names`;
  }
  const { words } = rigNames(ofJoints, isAnatomyWord);
  const meaningful = words.filter((list) => list.some((word) => word.length > 1 && isAnatomyWord(word))).length;
  if (meaningful >= MIN_NAMED * ofJoints.length) return null;
  const examples = ofJoints.filter((name) => name.trim() !== '').slice(0, 3);
  return `the names of its joints (${examples.join(', ')} …) do not contain body parts`;
}

/** The trunk is across the legs when the cosine between them is below this. Upright humans have −0.85 and less, a fox −0.2. */
const ACROSS = 0.6;
/** How far the arms reach along the legs, in leg lengths. Human arms reach 0.65 at most, forelegs 1. */
const REACH: readonly [number, number] = [0.75, 1.4];
/** Maximum height difference of hands and feet, in leg lengths. */
const LEVEL = 0.4;

/** Tests whether a skeleton is a quadruped in one pose, or in both the rest pose and the bind pose. */
function hasQuadrupedStance(skeleton: Skeleton, nodes: Int32Array, positions: Floats | undefined): boolean {
  const ends = ['UpperArm', 'Hand', 'UpperLeg', 'Foot'] as const;
  if (ends.some((part) => nodes[BONE[`left${part}`]] < 0 || nodes[BONE[`right${part}`]] < 0)) return false;
  if (positions !== undefined) return isQuadrupedPose(nodes, positions);
  if (!isQuadrupedPose(nodes, restModelPose(skeleton).positions)) return false;
  const bind = bindModelPose(skeleton);
  return bind === null || isQuadrupedPose(nodes, bind.positions);
}

/** Tests one pose. All comparisons are false for coincident or non-finite positions, so such poses are never refused. */
function isQuadrupedPose(nodes: Int32Array, positions: Floats): boolean {
  const at = (bone: BoneName): Vec3 => pointOf(positions, nodes[BONE[bone]]);
  const sum = (part: Sided): Vec3 => plus(at(`left${part}`), at(`right${part}`));
  // Sums over both sides: twice the midpoint, twice the mean direction.
  const legs = minus(sum('Foot'), sum('UpperLeg'));
  const length = Math.sqrt(dot(legs, legs));
  const alongLegs = (v: Vec3): number => dot(v, legs) / (length * length);
  if (!(Math.abs(cosine(minus(sum('UpperArm'), sum('UpperLeg')), legs)) < ACROSS)) return false;
  if (!(Math.abs(alongLegs(minus(sum('Hand'), sum('Foot')))) < LEVEL)) return false;
  return SIDES.every((side) => {
    const reach = 2 * alongLegs(minus(at(`${side}Hand`), at(`${side}UpperArm`)));
    return reach > REACH[0] && reach < REACH[1];
  });
}
