/** Which node is which bone by shape alone: where the joints are and how they hang together, not what they are called. */
import type { Clip } from '../../animation/clip.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName } from '../bones.ts';
import { type FaceFit, findFace } from './body-face.ts';
import { fitHands, type HandFit } from './body-fingers.ts';
import { type BodyFit, fitBody } from './body-fit.ts';
import { type FrontSign, frontSigns } from './body-sides.ts';
import { bodyTrees, place } from './body-tree.ts';
import { limbFits } from './limb-joints.ts';
import { limbPairs } from './limb-pairs.ts';
import { distributeSpine } from './map-trunk.ts';
import { clamp01, cross, distance, times, unit, type Vec } from './points.ts';

/** A reading of a rig by its shape. */
export interface ShapeMap {
  /** Node per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** 0…1 per bone. */
  readonly sure: Float32Array;
  /** 0…1: how much the whole is shaped like a human. */
  readonly score: number;
  /** The same of the best reading that has other nodes for the body; null without one. */
  readonly next: { readonly nodes: Int32Array; readonly score: number } | null;
  /** What showed the front, and with it left and right. */
  readonly signs: readonly FrontSign[];
  /** 0…1: how clear left and right are; 0 where nothing tells them apart. */
  readonly sides: number;
}

/** Readings of one limb that are tried in every pose. */
const READINGS = 2;
/** Readings that cannot come to this share of the best are not looked at. */
const WORTH_A_LOOK = 0.5;
/** A body less human than this is none: foxes come to 0.04, the strangest people in stripped rigs to 0.07. */
const LEAST_SCORE = 0.055;
/** A reading on four legs, already marked down for that, with this share of it is why a body is refused. */
const LEAST_ANIMAL = 0.05;
/** Signs of the front that add up to this leave no doubt. */
const CLEAR_SIDES = 2;

/** Every reading of a rig as a body, in every pose, best first. */
function readings(skeleton: Skeleton, motion: Clip | null): BodyFit[] {
  const found: BodyFit[] = [];
  let best = 0;
  for (const body of bodyTrees(skeleton, motion)) {
    const pairs = limbPairs(body);
    const legs = pairs.map((pair) => limbFits(body, pair, false, READINGS));
    const arms = pairs.map((pair) => limbFits(body, pair, true, READINGS));
    for (let l = 0; l < pairs.length; l++) {
      for (let a = 0; a < pairs.length; a++) {
        if (a === l) continue;
        for (const leg of legs[l]) {
          for (const arm of arms[a]) {
            // No body is worth more than its limbs.
            if (leg.score * arm.score < WORTH_A_LOOK * best) continue;
            const fit = fitBody(body, leg, arm);
            if (fit === null || !(fit.score > 0)) continue;
            found.push(fit);
            best = Math.max(best, fit.score);
          }
        }
      }
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

const ARM = ['UpperArm', 'LowerArm', 'Hand'] as const;
const LEG = ['UpperLeg', 'LowerLeg', 'Foot'] as const;
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
/** Which fingers a hand has that has fewer: three are the two at the thumb and the last. */
const FEWER: readonly (readonly (typeof FINGERS)[number][])[] = [
  [],
  ['Index'],
  ['Index', 'Middle'],
  ['Index', 'Middle', 'Little'],
  FINGERS,
];
const PHALANGES = ['Proximal', 'Intermediate', 'Distal'] as const;
const THUMB = ['Metacarpal', 'Proximal', 'Distal'] as const;

/** Nodes per bone of a reading; `first` is the side that its first limbs are on. */
function nodesOf(
  fit: BodyFit,
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
    for (const [k, node] of (hand.thumb ?? []).entries()) put(`${side}Thumb${THUMB[k]}`, node);
    if (!hand.isOrdered) continue;
    const names = fingersOf(hand);
    for (const [finger, name] of names.entries()) {
      for (const [k, node] of hand.others[finger].entries()) put(`${side}${name}${PHALANGES[k]}`, node);
    }
  }
  return nodes;
}

/** The names of the fingers of a hand, in order. A single joint stands for all fingers, so it is where their middle is. */
function fingersOf({ others }: HandFit): readonly (typeof FINGERS)[number][] {
  if (others.length === 1 && others[0].length === 1) return ['Middle'];
  return FEWER[Math.min(others.length, FINGERS.length)];
}

/** Joints nearer than this, by the length of the trunk, are as good as one for telling two readings apart. */
const SAME_PLACE = 0.06;

/** Whether two readings have the joints of the body in the same places; left and right may be swapped. */
function isSameBody(a: BodyFit, b: BodyFit): boolean {
  const near = (x: number, y: number): boolean =>
    x === y || distance(place(a.body, x), place(a.body, y)) < SAME_PLACE * a.trunk;
  const limbs = (fit: BodyFit, swap: boolean): number[] => [
    ...fit.legs[swap ? 1 : 0],
    ...fit.legs[swap ? 0 : 1],
    ...fit.arms[swap ? 1 : 0],
    ...fit.arms[swap ? 0 : 1],
  ];
  if (!near(a.hips, b.hips) || !near(a.head.head, b.head.head)) return false;
  const ofA = limbs(a, false);
  return [false, true].some((swap) => limbs(b, swap).every((node, k) => near(node, ofA[k])));
}

/** Left and right of a reading: the first side is the left when the signs add up to more than 0. */
function sidesOf(fit: BodyFit, hands: readonly (HandFit | null)[]): { signs: FrontSign[]; sum: number } {
  const signs = frontSigns(
    fit,
    hands.map((hand) => hand?.thumbLine ?? null),
  );
  return { signs, sum: signs.reduce((sum, { says }) => sum + says, 0) };
}

/** How sure the bones of a reading are: the body by its score, sides by the signs of the front, fingers and ends less. */
function surenessOf(nodes: Int32Array, score: number, sides: number): Float32Array {
  const whole = score ** 0.25;
  return Float32Array.from(nodes, (node, bone) => {
    if (node < 0) return 0;
    const isSided = bone >= BONE.leftEye && bone !== BONE.jaw;
    const isGuess = bone >= BONE.leftEye && bone <= BONE.jaw;
    const isOptional = FINGER_BONES.has(bone) || OPTIONAL.has(bone);
    return whole * (isSided ? 0.5 + 0.5 * sides : 1) * (isGuess ? FACE : isOptional ? OPTIONAL_PART : 1);
  });
}

/** Of how sure the body is: bones that a body may lack, and a face, which may be hair or a hat. */
const OPTIONAL_PART = 0.85;
const FACE = 0.5;

const OPTIONAL: ReadonlySet<number> = new Set(
  (['leftShoulder', 'rightShoulder', 'leftToes', 'rightToes', 'neck', 'chest', 'upperChest'] as const).map(
    (b) => BONE[b],
  ),
);
const FINGER_BONES: ReadonlySet<number> = new Set(
  (['left', 'right'] as const).flatMap((side) => [
    ...FINGERS.flatMap((finger) => PHALANGES.map((joint) => BONE[`${side}${finger}${joint}` as BoneName])),
    ...THUMB.map((joint) => BONE[`${side}Thumb${joint}` as BoneName]),
  ]),
);

/** Unit direction to the front, when the signs of it add up to `sum`; null when they say nothing. */
function frontOf(fit: BodyFit, sum: number): Vec | null {
  return sum === 0 ? null : unit(times(cross(fit.side, fit.up), Math.sign(sum)));
}

/** A skeleton without the shape of a human, and why, in plain words. */
export interface ShapeRefusal {
  readonly nodes: null;
  readonly reason: string;
}

/**
 * Maps a skeleton by its shape, or says why it has none of a human. `motion` is one that it plays: its poses show which joints
 * bend.
 */
export function mapByShape(skeleton: Skeleton, motion: Clip | null): ShapeMap | ShapeRefusal {
  const [best, ...others] = readings(skeleton, motion);
  if (best === undefined) return { nodes: null, reason: 'no two pairs of limbs that meet, with a head above' };
  if (best.score < LEAST_SCORE) {
    const isAnimal = [best, ...others].some(({ onFour, score }) => onFour && score > LEAST_ANIMAL * LEAST_SCORE);
    return { nodes: null, reason: isAnimal ? 'it stands on four legs' : 'its limbs are not those of a human' };
  }
  const hands = (front: Vec | null): readonly (HandFit | null)[] =>
    fitHands(best.body, best.arms, best.armFit.lower, front);
  const { signs, sum } = sidesOf(best, hands(null));
  const front = frontOf(best, sum);
  const sides = clamp01(Math.abs(sum) / CLEAR_SIDES);
  const face = front === null ? null : findFace(best, front);
  const nodes = nodesOf(best, hands(front), face, sum < 0 ? 'right' : 'left');
  const next = others.find((other) => !isSameBody(best, other)) ?? null;
  return {
    nodes,
    sure: surenessOf(nodes, best.score, sides),
    score: best.score,
    next: next && nextOf(next),
    signs,
    sides,
  };
}

/** Nodes of a reading that was not taken, without fingers and face. */
function nextOf(fit: BodyFit): ShapeMap['next'] {
  const { sum } = sidesOf(fit, []);
  return { nodes: nodesOf(fit, [null, null], null, sum < 0 ? 'right' : 'left'), score: fit.score };
}
