/** Maps nodes to bones by shape alone: by the positions of the joints and their hierarchy, without names. */
import type { Clip } from '../../../animation/clip.ts';
import { clamp01 } from '../../../math/floats.ts';
import { cross, distance, dot, times, unit } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { Skeleton } from '../../../skeleton/skeleton.ts';
import {
  BONE,
  BONE_COUNT,
  BONES,
  type BoneName,
  FINGER_SEGMENTS,
  FINGERS,
  type Finger,
  isFingerBone,
  THUMB_SEGMENTS,
} from '../../bones.ts';
import { frontByConvention } from '../../t-pose/estimate-frame.ts';
import { distributeSpine } from '../distribute-spine.ts';
import { type PossibleBones, possibleBones } from '../possible-bones.ts';
import { type FaceFit, findFace } from './face.ts';
import { fitHands, type HandFit } from './fingers.ts';
import { hasHumanBuild } from './human-build.ts';
import type { HumanoidFit } from './humanoid-fit.ts';
import { allFits, bestReading } from './interpretations.ts';
import { hasFingers, hasFoot } from './limb-evidence.ts';
import { type LimbFit, limbFits } from './limb-joints.ts';
import { limbPairs } from './limb-pairs.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { hasHocks, hasMoreLegs } from './quadruped.ts';
import { findSideCues, type SideCue } from './side-cues.ts';
import { withMirroredEnds, withoutExtraJoints } from './uneven-limbs.ts';

/** Names the reason why the skeleton of an animal is not human. */
export const FOUR_LEGS = 'it stands on four legs';

export interface ShapeMap {
  /** Node per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** Confidence per bone, 0…1. */
  readonly confidences: Float32Array;
  /** How human the shape is, 0…1. */
  readonly score: number;
  /** The best interpretation with other joints for the body parts; null without one. */
  readonly runnerUp: { readonly nodes: Int32Array; readonly score: number } | null;
  /** Everything that shows the front, and with it left and right. */
  readonly sideCues: readonly SideCue[];
  /** How clear left and right are, 0…1; 0 where no cue separates them. */
  readonly sideConfidence: number;
}

/** Minimum score of a humanoid with fingers or feet: the most unusual ones, with short legs in posed rigs, have 0.03. */
const MIN_SCORE = 0.025;
/**
 * The same without fingers and feet: hair, wings and skirts on a fish or a chair rarely exceed it, rigs of humans that end
 * at wrists and ankles do.
 */
const MIN_BARE_SCORE = 0.13;
/** The same for a trunk of one joint, or of nearly coincident joints: the back of a chair, the head of a fish. */
const MIN_SHORT_SCORE = 0.3;
/** Distance of the first and the last joint of such a trunk, in trunk lengths. */
const SHORT = 0.15;
/** Sum of the votes of all side cues that leaves no doubt. */
const CLEAR_SIDES = 2;

const HANDS: readonly number[] = [BONE.leftHand, BONE.rightHand];
const ARM = ['UpperArm', 'LowerArm', 'Hand'] as const;
const LEG = ['UpperLeg', 'LowerLeg', 'Foot'] as const;
/** The fingers of a hand with fewer than four: three are the two next to the thumb and the little finger. */
const FEWER: readonly (readonly Finger[])[] = [
  [],
  ['Index'],
  ['Index', 'Middle'],
  ['Index', 'Middle', 'Little'],
  FINGERS,
];

/** Assigns the nodes of an interpretation to bones; `first` is the side of its first limbs. */
export function assignBones(
  fit: Pick<HumanoidFit, 'hips' | 'spine' | 'head' | 'shoulders' | 'arms' | 'legs' | 'toes'>,
  hands: readonly (HandFit | null)[],
  face: FaceFit | null,
  first: 'left' | 'right',
): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const put = (bone: string, node: number): void => {
    if (node >= 0) nodes[BONE[bone as BoneName]] = node;
  };
  put('hips', fit.hips);
  const [spine, chest, upperChest] = distributeSpine(fit.spine);
  put('spine', spine);
  put('chest', chest);
  put('upperChest', upperChest);
  put('neck', fit.head.neck);
  put('head', fit.head.head);
  put('jaw', face?.jaw ?? -1);
  for (const at of [0, 1] as const) {
    const side = at === 0 ? first : first === 'left' ? 'right' : 'left';
    put(`${side}Shoulder`, fit.shoulders[at]);
    for (const [k, part] of ARM.entries()) put(side + part, fit.arms[at][k]);
    for (const [k, part] of LEG.entries()) put(side + part, fit.legs[at][k]);
    put(`${side}Toes`, fit.toes[at]);
    put(`${side}Eye`, face?.eyes[at] ?? -1);
    const hand = hands[at];
    if (hand == null) continue;
    for (const [k, node] of (hand.thumb ?? []).entries()) put(`${side}Thumb${THUMB_SEGMENTS[k]}`, node);
    if (!hand.isOrdered) continue;
    const names = fingerNames(hand);
    for (const [finger, name] of names.entries()) {
      for (const [k, node] of hand.others[finger].entries()) put(`${side}${name}${FINGER_SEGMENTS[k]}`, node);
    }
  }
  return nodes;
}

/** Returns the names of the fingers of a hand in order. A single joint stands for all fingers, so it is the middle finger. */
function fingerNames({ others }: HandFit): readonly Finger[] {
  if (others.length === 1 && others[0].length === 1) return ['Middle'];
  return FEWER[Math.min(others.length, FINGERS.length)];
}

/** Joints nearer than this count as the same when two interpretations are compared, in trunk lengths. */
const COINCIDENT = 0.06;

/** Tests whether two interpretations have the main joints at the same positions; left and right may be swapped. */
function isSameFit(a: HumanoidFit, b: HumanoidFit): boolean {
  const near = (x: number, y: number): boolean =>
    x === y || distance(positionOf(a.rig, x), positionOf(a.rig, y)) < COINCIDENT * a.trunk;
  const limbs = (fit: HumanoidFit, swap: boolean): number[] => [
    ...fit.legs[swap ? 1 : 0],
    ...fit.legs[swap ? 0 : 1],
    ...fit.arms[swap ? 1 : 0],
    ...fit.arms[swap ? 0 : 1],
  ];
  if (!near(a.hips, b.hips) || !near(a.head.head, b.head.head)) return false;
  const ofA = limbs(a, false);
  return [false, true].some((swap) => limbs(b, swap).every((node, k) => near(node, ofA[k])));
}

/** Adds up the side cues: the first side is the left when the sum is positive. */
function sumSideCues(fit: HumanoidFit, hands: readonly (HandFit | null)[]): { sideCues: SideCue[]; sum: number } {
  const sideCues = findSideCues(
    fit,
    hands.map((hand) => hand?.thumbDirection ?? null),
  );
  return { sideCues, sum: sideCues.reduce((sum, { vote }) => sum + vote, 0) };
}

/** Rates the bones of an interpretation: by its score, sides by the side cues, fingers and ends less. */
function shapeConfidences(nodes: Int32Array, score: number, sideConfidence: number): Float32Array {
  const whole = score ** 0.25;
  return Float32Array.from(nodes, (node, bone) => {
    if (node < 0) return 0;
    const isSided = bone >= BONE.leftEye && bone !== BONE.jaw;
    const isGuess = bone >= BONE.leftEye && bone <= BONE.jaw;
    const isOptional = isFingerBone(BONES[bone]) || OPTIONAL.has(bone);
    return whole * (isSided ? 0.5 + 0.5 * sideConfidence : 1) * (isGuess ? FACE : isOptional ? OPTIONAL_PART : 1);
  });
}

/** Factors for bones that a humanoid may lack, and for a face, which may be hair or a hat. */
const OPTIONAL_PART = 0.85;
const FACE = 0.5;

const OPTIONAL: ReadonlySet<number> = new Set(
  (['leftShoulder', 'rightShoulder', 'leftToes', 'rightToes', 'neck', 'chest', 'upperChest'] as const).map(
    (b) => BONE[b],
  ),
);

function frontDirection(fit: HumanoidFit, sum: number): Vec3 | null {
  return sum === 0 ? null : unit(times(cross(fit.side, fit.up), Math.sign(sum)));
}

/** Returns what the first side of a fit is: by the cues; where none separates them, as if the character faced the front by convention. */
function firstSide({ side, up }: HumanoidFit, sum: number): 'left' | 'right' {
  const sign = sum === 0 ? dot(cross(side, up), frontByConvention(up)) : sum;
  return sign < 0 ? 'right' : 'left';
}

/** Returns the score that an interpretation with a human build needs: the fewer body parts it has, the more human they must be. */
function leastScore({ rig, path, legFit, armFit, trunk }: HumanoidFit): number {
  if (hasFingers(rig, armFit)) return MIN_SCORE;
  const spine = distance(positionOf(rig, path[0]), positionOf(rig, path[path.length - 1]));
  if (spine < SHORT * trunk) return MIN_SHORT_SCORE;
  return hasFoot(rig, legFit) ? MIN_SCORE : MIN_BARE_SCORE;
}

function legsOf(rig: PosedRig): LimbFit[] {
  return limbPairs(rig).flatMap((pair) => limbFits(rig, pair, false, 1));
}

interface ShapeRefusal {
  /** No map. */
  readonly nodes: null;
  /** Why the shape is not human, as a clause. */
  readonly reason: string;
}

/** Maps a skeleton by its shape. `motion`: a clip of the skeleton, whose poses show which joints bend; null without one. */
export function mapByShape(skeleton: Skeleton, motion: Clip | null): ShapeMap | ShapeRefusal {
  const even = withoutExtraJoints(skeleton);
  const shorter = even === null ? null : mapJoints(skeleton, motion, even);
  const found = shorter !== null && shorter.nodes !== null ? shorter : (mapJoints(skeleton, motion) ?? shorter);
  if (found !== null) return found;
  const reason =
    'it has no two pairs of limbs that meet below a head (both limbs of a pair have equal lengths, and one at most two joints more)';
  const none = { nodes: null, reason };
  const completed = withMirroredEnds(skeleton);
  if (completed === null) return none;
  const shape = mapJoints(completed, motion);
  if (shape === null || shape.nodes === null) return shape ?? none;
  const { nodes, confidences, runnerUp } = shape;
  const { parents } = possibleBones(skeleton);
  const count = parents.length;
  /** The end of one arm only, one of several: a claw or a part of a weapon, not a hand. */
  const isClaw = (all: Int32Array, bone: number): boolean =>
    HANDS.includes(bone) &&
    HANDS.some((hand) => all[hand] >= count) &&
    parents.filter((parent) => parent === parents[all[bone]]).length > 1;
  const ofFile = (all: Int32Array): Int32Array =>
    all.map((node, bone) => (node < count && !isClaw(all, bone) ? node : -1));
  const kept = ofFile(nodes);
  return {
    ...shape,
    nodes: kept,
    confidences: confidences.map((value, bone) => (kept[bone] >= 0 ? value : 0)),
    runnerUp: runnerUp && { ...runnerUp, nodes: ofFile(runnerUp.nodes) },
  };
}

/** Maps a skeleton whose limbs all have three joints; null where two pairs of limbs do not meet below a head. */
function mapJoints(skeleton: Skeleton, motion: Clip | null, bones?: PossibleBones): ShapeMap | ShapeRefusal | null {
  const { fits, isQuadruped } = allFits(skeleton, motion, bones);
  const any = bestReading(fits[0], fits.slice(1));
  if (any === undefined) return null;
  const [first, ...others] = fits.filter(hasHumanBuild);
  const best = bestReading(first, others) ?? any;
  // An animal stays one where other chains of it, such as those of its hair, have a human build.
  const readings = best === any ? [best] : [any, best];
  if (isQuadruped || readings.some((fit) => hasMoreLegs(fit, legsOf(fit.rig))))
    return { nodes: null, reason: FOUR_LEGS };
  if (readings.some(hasHocks)) return { nodes: null, reason: 'its legs have hocks, like the hind legs of an animal' };
  if (first === undefined) return { nodes: null, reason: 'its trunk, arms and legs are not where a human has them' };
  if (best.score < leastScore(best)) return { nodes: null, reason: 'its limbs do not have human proportions' };
  const hands = (front: Vec3 | null): readonly (HandFit | null)[] =>
    fitHands(best.rig, best.arms, best.armFit.lower, front);
  const { sideCues, sum } = sumSideCues(best, hands(null));
  const front = frontDirection(best, sum);
  const sideConfidence = clamp01(Math.abs(sum) / CLEAR_SIDES);
  const face = front === null ? null : findFace(best, front);
  const nodes = assignBones(best, hands(front), face, firstSide(best, sum));
  const next = others.find((other) => !isSameFit(best, other)) ?? null;
  return {
    nodes,
    confidences: shapeConfidences(nodes, best.score, sideConfidence),
    score: best.score,
    runnerUp: next && describeRunnerUp(next),
    sideCues,
    sideConfidence,
  };
}

/** Assigns the nodes of the second interpretation, without fingers and face. */
function describeRunnerUp(fit: HumanoidFit): ShapeMap['runnerUp'] {
  const { sum } = sumSideCues(fit, []);
  return { nodes: assignBones(fit, [null, null], null, firstSide(fit, sum)), score: fit.score };
}
