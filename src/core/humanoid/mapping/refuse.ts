/** Says of a mapped skeleton why it is no humanoid. */
import type { Floats } from '../../math/floats.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, type BoneName, REQUIRED_BONES } from '../bones.ts';
import type { BoneMap } from '../humanoid.ts';
import { bindModelPose, nodePose } from '../reference/model-pose.ts';
import { rigNames } from './names.ts';
import { cosine, dot, minus, plus, pointOf, type Vec } from './points.ts';
import { isBodyWord } from './word-list.ts';

/** Half a body (no legs) has nine of the fifteen required bones; with fewer nothing is recognizable. */
const LEAST_REQUIRED = 9;
/** So few bones found, names are looked at as the reason. */
const HARDLY_ANY = 5;
/** Share of the joints whose names must say something about the body. */
const LEAST_NAMED = 0.1;

type Sided = 'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot';

/**
 * Why a skeleton, mapped by names, is not to be treated as a humanoid: one clause in plain words that goes after a
 * colon; null where it is one. Bones may be missing (the map's issues say which): hips, one arm and one leg must be
 * there, or hips, spine, head and an arm of a body without legs.
 *
 * `positions`: the nodes in model space, 3 a node, in a pose near to rest; without them the rest and bind poses are
 * judged. An animal on four legs whose bones have human names is told by its posture. That is safe for odd poses of
 * humans (arms up or down, seated, the zero pose of a BVH, any axes and unit): only hands level with the feet, arms
 * along the legs and as long, and a trunk across both is taken for an animal.
 *
 * `shapeless`: what about its shape is not human (mapBones), to be told where bones are missing.
 */
export function whyNotHumanoid(
  skeleton: Skeleton,
  map: BoneMap,
  positions?: Floats,
  shapeless: string | null = null,
): string | null {
  const { nodes } = map;
  const has = (bone: BoneName): boolean => nodes[BONE[bone]] >= 0;
  const hasPair = (side: 'left' | 'right', upper: Sided, lower: Sided): boolean =>
    has(`${side}${upper}`) && has(`${side}${lower}`);
  const arms = hasPair('left', 'UpperArm', 'LowerArm') || hasPair('right', 'UpperArm', 'LowerArm');
  const legs = hasPair('left', 'UpperLeg', 'LowerLeg') || hasPair('right', 'UpperLeg', 'LowerLeg');
  const anyLeg = (['left', 'right'] as const).some((side) =>
    (['UpperLeg', 'LowerLeg', 'Foot'] as const).some((part) => has(`${side}${part}`)),
  );
  const isHalf = !anyLeg && has('spine') && has('head');
  const missing = REQUIRED_BONES.filter((bone) => !has(bone));
  const found = REQUIRED_BONES.length - missing.length;
  if (has('hips') && arms && (legs || isHalf) && found >= LEAST_REQUIRED) {
    return standsOnFour(skeleton, nodes, positions)
      ? 'it stands on four legs: its spine lies across, and its arms reach down along its legs as far as the feet'
      : null;
  }
  const silence = found <= HARDLY_ANY ? whyNamesSayNothing(skeleton) : null;
  const shape = shapeless === null ? '' : `; its shape: ${shapeless}`;
  if (silence !== null) return `${silence}${shape}; a bone map that names nodes by index can tell which joint is which`;
  const lacks = [has('hips') ? '' : 'no hips', arms ? '' : 'no arms', legs || (isHalf && arms) ? '' : 'no legs'].filter(
    (s) => s !== '',
  );
  const what = lacks.length > 0 ? lacks.join(', ') : 'too little of a body';
  return `${what}: ${found} of ${REQUIRED_BONES.length} required bones found (missing: ${missing.join(', ')})${shape}`;
}

/** Where bones cannot be found by name because there are no names, or none that speak of a body. */
function whyNamesSayNothing({ names, joints }: Skeleton): string | null {
  const ofJoints = joints.includes(1) ? names.filter((_, node) => joints[node] === 1) : [...names];
  if (ofJoints.length === 0) return 'it has no joints';
  const unnamed = ofJoints.filter((name) => name.trim() === '').length;
  if (unnamed > ofJoints.length / 2) {
    const all = unnamed === ofJoints.length ? `its ${unnamed} joints` : `${unnamed} of its ${ofJoints.length} joints`;
    return `${all} have no names`;
  }
  const { words } = rigNames(ofJoints, isBodyWord);
  const speaking = words.filter((list) => list.some((word) => word.length > 1 && isBodyWord(word))).length;
  if (speaking >= LEAST_NAMED * ofJoints.length) return null;
  const examples = ofJoints.filter((name) => name.trim() !== '').slice(0, 3);
  return `the names of its joints (${examples.join(', ')} …) say nothing about a body`;
}

/** Trunk across the legs: the cosine between them is below this. Upright humans have −0.85 and less, a fox −0.2. */
const ACROSS = 0.6;
/** How far the arms reach along the legs, in lengths of the legs. Arms of humans reach 0.65 at most, forelegs 1. */
const REACH: readonly [number, number] = [0.75, 1.4];
/** Height of hands over feet, in lengths of the legs. */
const LEVEL = 0.4;

function standsOnFour(skeleton: Skeleton, nodes: Int32Array, positions: Floats | undefined): boolean {
  const ends = ['UpperArm', 'Hand', 'UpperLeg', 'Foot'] as const;
  if (ends.some((part) => nodes[BONE[`left${part}`]] < 0 || nodes[BONE[`right${part}`]] < 0)) return false;
  if (positions !== undefined) return isOnFour(nodes, positions);
  if (!isOnFour(nodes, nodePose(skeleton).positions)) return false;
  const bind = bindModelPose(skeleton);
  return bind === null || isOnFour(nodes, bind.positions);
}

/**
 * Every comparison is false for positions that coincide or are not finite: then nothing is known, and nothing refused.
 */
function isOnFour(nodes: Int32Array, positions: Floats): boolean {
  const at = (bone: BoneName): Vec => pointOf(positions, nodes[BONE[bone]]);
  const sum = (part: Sided): Vec => plus(at(`left${part}`), at(`right${part}`));
  // Sums of both sides: twice the middle, twice the mean direction.
  const legs = minus(sum('Foot'), sum('UpperLeg'));
  const length = Math.sqrt(dot(legs, legs));
  const alongLegs = (v: Vec): number => dot(v, legs) / (length * length);
  if (!(Math.abs(cosine(minus(sum('UpperArm'), sum('UpperLeg')), legs)) < ACROSS)) return false;
  if (!(Math.abs(alongLegs(minus(sum('Hand'), sum('Foot')))) < LEVEL)) return false;
  return (['left', 'right'] as const).every((side) => {
    const reach = 2 * alongLegs(minus(at(`${side}Hand`), at(`${side}UpperArm`)));
    return reach > REACH[0] && reach < REACH[1];
  });
}
