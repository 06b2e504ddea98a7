import type { Clip } from '../../../animation/clip.ts';
import { clamp01 } from '../../../math/floats.ts';
import {
  cosine,
  cross,
  distance,
  distanceToSegment,
  dot,
  midpoint,
  minus,
  norm,
  plus,
  pointOf,
  times,
  unit,
} from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { Skeleton } from '../../../skeleton/skeleton.ts';
import { BONE, type BoneName, SIDES, type Side } from '../../bones.ts';
import { isInSubtree, lowestCommonAncestor } from '../node-tree.ts';
import { findFace } from './face.ts';
import { fitHands } from './fingers.ts';
import { isNeckBetweenArms } from './head.ts';
import type { LimbJoints } from './humanoid-fit.ts';
import { bendsOf, hasEarlyJoint, insideFit, lengthFit, offLine } from './limb-score.ts';
import { assignBones } from './map-by-shape.ts';
import { createPosedRigs, type PosedRig, positionOf } from './posed-rig.ts';
import { gaussian } from './score-rules.ts';

/** The limbs: their bones from the trunk outwards, and how far apart both are at their upper joints, in limb lengths. */
const LIMBS = [
  { bones: ['UpperLeg', 'LowerLeg', 'Foot'], apart: 0.1, isArm: false },
  { bones: ['UpperArm', 'LowerArm', 'Hand'], apart: 0.35, isArm: true },
] as const;
type Limb = (typeof LIMBS)[number];

/** Joints nearer than this are at the same position, as a fraction of the largest distance of two known joints. */
const SAME = 0.004;
/** The bind pose is left for another one only if the cosine of head, hips and feet is this much greater. */
const MORE_UPRIGHT = 0.3;
/** The most joints of a limb that are tried, from its end on. */
const LONGEST = 14;
/** Standard deviation of the logarithm of upper length by lower length: adults 0 ± 0.15, toys and ogres up to ±0.7. */
const RATIO_WIDTH = 0.75;
/** Standard deviation of the distance of twist joints from the line between two bending joints, in lengths of the line. */
const LINE_WIDTH = 0.04;
/** Factor for an arm that starts with a shoulder. */
const EARLY_JOINT = 0.75;
/** Factor for limbs that start at the same point, in the middle of the trunk. */
const NOT_APART = 0.15;
/** Standard deviation of the logarithm of the ratio of a bone to that of the other side. */
const UNLIKE = 0.1;
/** Factor for limbs of as many joints whose bones begin at different ones. */
const UNEVEN = 0.7;
/** A limb in which a joint bends by this angle has its knee or elbow where it bends most, radians. */
const BENT = 0.04;
/** Factor for a joint that is straight where another one of the limb bends. */
const TWIST = 0.15;
/** A straight joint is no upper joint of a limb in which another one bends by this angle, radians; the factor for it. */
const BENDS = 0.3;
const STRAIGHT_START = 0.35;
/** Controls and targets are where hands and feet are: another joint at that position is the end if its limb fits better by this factor. */
const CLEARLY = 3;
/** Factor for a limb whose end is parented elsewhere. */
const DETACHED = 0.2;
/** Hips may be on another joint within this distance, in distances from the hips to the head. */
const NEAR_HIPS = 0.2;
/** A helper is this near to the line on which it is, in lengths of the line. */
const ON_LINE = 0.03;
/** Both shoulders mirror each other up to this distance, in distances of the upper arms. */
const UNLIKE_SHOULDERS = 0.1;
/** Least height of a neck above the hip joints, in heights of the shoulder joints. */
const NECK = 0.85;
/** Lengths of toes by those of the shins, and how much those of both sides differ, as a fraction. */
const TOES: readonly [number, number] = [0.1, 2];
const UNLIKE_TOES = 0.3;
/** Bounds of the cosine between shin and toes, −1 for toes that point back up. */
const FOOT: readonly [number, number] = [-0.6, 0.8];
/** Factor for joints behind both feet: heels. */
const BEHIND = 0.1;

interface State {
  readonly rig: PosedRig;
  /** Node per bone, −1 where unknown. */
  readonly nodes: Int32Array;
  /** Distance up to which joints are at the same position, units of the file. */
  readonly same: number;
  isTwist(node: number): boolean;
}

interface Reading {
  /** Joints from the trunk to the end. */
  readonly chain: readonly number[];
  /** Indices of the upper and the middle joint; the last joint is the end. */
  readonly at: readonly [number, number];
  /** Lengths of the upper and the lower bone. */
  readonly lengths: readonly [number, number];
  readonly score: number;
}

const sided = (side: Side, part: string): number => BONE[`${side}${part}` as BoneName];

/**
 * Completes a bone map. Known bones keep their nodes; only a hand or foot goes to another joint at the same position if the limb is there, and the
 * hips to a joint nearby that all limbs are below. Elbows and knees, shoulders, the spine, the neck, toes, fingers and the face follow from joint
 * positions and hierarchy. The poses of `motion` show which joints bend. `isTwist` tells whether a node has the name of a twist joint, which is never
 * part of a limb.
 */
export function mapFromEnds(
  skeleton: Skeleton,
  motion: Clip | null,
  known: Int32Array,
  isTwist: (node: number) => boolean = () => false,
): Int32Array {
  const rig = mostUpright(createPosedRigs(skeleton, motion), known);
  const points = Array.from(known).flatMap((node) => (node < 0 ? [] : [positionOf(rig, node)]));
  const extent = Math.max(0, ...points.flatMap((a) => points.map((b) => distance(a, b))));
  const state: State = { rig, nodes: Int32Array.from(known), same: SAME * extent, isTwist };
  const chains = LIMBS.map((limb) => fillLimbs(state, limb));
  settleHips(state);
  const rest = restOf(state, chains);
  if (rest === null) return state.nodes;
  const taken = new Set(state.nodes);
  return state.nodes.map((node, bone) => (node >= 0 || taken.has(rest[bone]) ? node : rest[bone]));
}

/** Chooses the pose in which the legs go on most in the direction from head to hips: the zero pose of BVH may have them elsewhere. */
function mostUpright(rigs: readonly PosedRig[], known: Int32Array): PosedRig {
  const [head, hips, left, right] = (['head', 'hips', 'leftFoot', 'rightFoot'] as const).map(
    (bone) => known[BONE[bone]],
  );
  if (head < 0 || hips < 0 || left < 0 || right < 0) return rigs[0];
  const uprightOf = (rig: PosedRig): number => {
    const middle = positionOf(rig, hips);
    const feet = midpoint(positionOf(rig, left), positionOf(rig, right));
    return cosine(minus(positionOf(rig, head), middle), minus(middle, feet));
  };
  return rigs.reduce((best, rig) => (uprightOf(rig) > uprightOf(best) + MORE_UPRIGHT ? rig : best));
}

/** Marks the joints that no limb of one side can have: known bones outside of it, and all joints above them. */
function trunkOf({ rig, nodes }: State, own: readonly number[]): Uint8Array {
  const marked = new Uint8Array(rig.usable.length);
  for (const [bone, known] of nodes.entries()) {
    if (own.includes(bone)) continue;
    for (let node = known; node >= 0 && marked[node] === 0; node = rig.tree.parents[node]) marked[node] = 1;
  }
  return marked;
}

/** Lists the joints from the trunk to a joint; of joints at the same position the last one, whose rotation includes those of the others. */
function chainTo({ rig, same, isTwist }: State, trunk: Uint8Array, from: number): number[] {
  const chain: number[] = [];
  for (let node = from; node >= 0 && rig.usable[node] === 1 && trunk[node] === 0; node = rig.tree.parents[node]) {
    const isSame = chain.length > 0 && distance(positionOf(rig, chain[0]), positionOf(rig, node)) <= same;
    if (!isSame && !(chain.length > 0 && isTwist(node))) chain.unshift(node);
    if (chain.length === LONGEST) break;
  }
  return chain;
}

/** Lists the chains whose limb may end at a joint: its own, and those of joints and end markers at the same position. */
function chainsTo(state: State, trunk: Uint8Array, end: number): { chain: number[]; factor: number }[] {
  const { rig, same } = state;
  const { parents } = rig.tree;
  const chains = [{ chain: chainTo(state, trunk, end), factor: 1 }];
  for (let node = 0; node < parents.length; node++) {
    if (node === end || isInSubtree(rig.tree, node, end) || isInSubtree(rig.tree, end, node)) continue;
    if (distance(positionOf(rig, node), positionOf(rig, end)) > same) continue;
    const isMarker = rig.usable[node] === 0 || (rig.joints[node].length === 0 && rig.joints[end].length > 0);
    if (!isMarker) chains.push({ chain: chainTo(state, trunk, node), factor: 1 / CLEARLY });
    else if (parents[node] >= 0)
      chains.push({ chain: [...chainTo(state, trunk, parents[node]), end], factor: DETACHED });
  }
  return chains;
}

/** Lists the readings of a chain as a limb; an index that is not −1 is given. */
function readingsOf(
  rig: PosedRig,
  chain: readonly number[],
  given: readonly [number, number],
  isArm: boolean,
): Reading[] {
  const found: Reading[] = [];
  const k = chain.length - 1;
  const between = (a: number, b: number): number => distance(positionOf(rig, chain[a]), positionOf(rig, chain[b]));
  const ways = new Float64Array(chain.length);
  for (let at = 1; at < chain.length; at++) ways[at] = ways[at - 1] + between(at - 1, at);
  const bends = bendsOf(rig, chain).map(({ most }) => most);
  for (let i = 0; i < k - 1; i++) {
    if (given[0] >= 0 && given[0] !== i) continue;
    const most = Math.max(...bends.slice(i + 1, k));
    for (let j = i + 1; j < k; j++) {
      if (given[1] >= 0 && given[1] !== j) continue;
      const lengths: [number, number] = [between(i, j), between(j, k)];
      const [upper, lower] = lengths;
      if (!(upper > 0 && lower > 0)) continue;
      const score =
        gaussian(Math.log(upper / lower), RATIO_WIDTH) *
        lengthFit(upper + lower, ways[i], 0) *
        gaussian(Math.max(offLine(rig, chain, i, j), offLine(rig, chain, j, k)), LINE_WIDTH) *
        (most > BENT ? TWIST + (1 - TWIST) * (bends[j] / most) : 1) *
        (i > 0 && bends[i] < BENT && most > BENDS ? STRAIGHT_START : 1) *
        insideFit(rig, chain, i, j, k) *
        (isArm && hasEarlyJoint(ways, i, j) ? EARLY_JOINT : 1);
      found.push({ chain, at: [i, j], lengths, score });
    }
  }
  return found;
}

/** Lists the readings of the limb of one side; none without a known end. */
function limbReadings(state: State, { bones, isArm }: Limb, side: Side): Reading[] {
  const [upper, middle, end] = bones.map((part) => sided(side, part));
  const { nodes, rig } = state;
  const trunk = trunkOf(state, [upper, middle, end, sided(side, 'Shoulder')]);
  if (nodes[end] < 0) return [];
  return chainsTo(state, trunk, nodes[end]).flatMap(({ chain, factor }) => {
    const given = [upper, middle].map((bone) => chain.indexOf(nodes[bone]));
    // A bone above whose joint is elsewhere leaves nothing to choose from.
    if ([upper, middle].some((bone, k) => nodes[bone] >= 0 && given[k] < 0)) return [];
    const found = readingsOf(rig, chain, [given[0], given[1]], isArm);
    return found.map((reading) => ({ ...reading, score: reading.score * factor }));
  });
}

/** Scores the limbs of both sides as a pair: they have equal lengths and begin beside each other. */
function pairFit(rig: PosedRig, [a, b]: readonly [Reading, Reading], apart: number): number {
  const alike = [0, 1].map((k) => gaussian(Math.log(a.lengths[k] / b.lengths[k]), UNLIKE));
  const width = distance(positionOf(rig, a.chain[a.at[0]]), positionOf(rig, b.chain[b.at[0]]));
  const wide = clamp01(NOT_APART + ((1 - NOT_APART) * width) / (apart * (a.lengths[0] + a.lengths[1])));
  const isUneven = a.chain.length === b.chain.length && (a.at[0] !== b.at[0] || a.at[1] !== b.at[1]);
  return a.score * b.score * alike[0] * alike[1] * wide * (isUneven ? UNEVEN : 1);
}

/** Fills the limbs of a kind on both sides, and returns the joints above their upper joints from the trunk on. */
function fillLimbs(state: State, limb: Limb): readonly (readonly number[])[] {
  const { rig, nodes } = state;
  const readings = SIDES.map((side) => limbReadings(state, limb, side));
  let best: readonly (Reading | undefined)[] = readings.map((all) =>
    all.reduce<Reading | undefined>((most, one) => (one.score > (most?.score ?? 0) ? one : most), undefined),
  );
  let most = 0;
  for (const a of readings[0]) {
    for (const b of readings[1]) {
      const score = pairFit(rig, [a, b], limb.apart);
      if (score > most) [most, best] = [score, [a, b]];
    }
  }
  return SIDES.map((side, k) => {
    const reading = best[k];
    if (reading === undefined) return [];
    const { chain, at } = reading;
    const joints = [chain[at[0]], chain[at[1]], chain[chain.length - 1]];
    for (const [part, joint] of joints.entries()) nodes[sided(side, limb.bones[part])] = joint;
    return chain.slice(0, at[0]);
  });
}

/**
 * Puts the hips on a joint that all limbs are below, where one is near: a control rig has several joints in its pelvis, of which the lowest of these
 * carries the character. Hips that all limbs are below stay.
 */
function settleHips({ rig, nodes }: State): void {
  const [hips, head] = [nodes[BONE.hips], nodes[BONE.head]];
  const uppers = LIMBS.flatMap(({ bones: [upper] }) => SIDES.map((side) => nodes[sided(side, upper)]));
  if (hips < 0 || head < 0 || uppers.some((node) => node < 0 || node === hips)) return;
  if (uppers.every((node) => isInSubtree(rig.tree, node, hips))) return;
  const far = (node: number): number => distance(positionOf(rig, node), positionOf(rig, hips));
  for (let node = lowestCommonAncestor(rig.tree, uppers); node >= 0; node = rig.tree.parents[node]) {
    if (rig.usable[node] === 0 || nodes.includes(node) || far(node) >= NEAR_HIPS * far(head)) continue;
    nodes[BONE.hips] = node;
    return;
  }
}

/** Finds the shoulders among the joints between the trunk and both upper arms. */
function shouldersOf(
  state: State,
  arms: readonly LimbJoints[],
  before: readonly (readonly number[])[],
): [number, number] {
  const { rig } = state;
  const found = before.map((joints, k) => {
    const arm = positionOf(rig, arms[k][0]);
    let at = joints.length - 1;
    // A joint on the way from another one to the arm is a helper; so is one that is where the trunk is.
    for (; at > 0; at--) {
      const [from, here] = [positionOf(rig, joints[at - 1]), positionOf(rig, joints[at])];
      const above = rig.tree.parents[joints[at - 1]];
      if (above >= 0 && isSamePlace(state, above, joints[at - 1])) break;
      if (distanceToSegment(here, from, arm) > ON_LINE * distance(from, arm)) break;
    }
    return joints[at] ?? -1;
  });
  const [a, b] = found;
  if (a < 0 || b < 0) return [a, b];
  const [left, right] = arms.map(([upper]) => positionOf(rig, upper));
  const line = minus(left, right);
  const side = unit(line);
  const from = minus(positionOf(rig, a), midpoint(left, right));
  const mirrored = minus(from, times(side, 2 * dot(from, side)));
  const off = distance(plus(midpoint(left, right), mirrored), positionOf(rig, b));
  return off < UNLIKE_SHOULDERS * norm(line) ? [a, b] : [-1, -1];
}

/** Finds spine, neck, shoulders, toes, fingers and face; null until hips, head and the upper joints of all limbs are known. */
function restOf(state: State, [, aboveArms]: readonly (readonly (readonly number[])[])[]): Int32Array | null {
  const { rig, nodes } = state;
  const { parents } = rig.tree;
  const jointsOf = ({ bones: [upper, middle, end] }: Limb, side: Side): LimbJoints => [
    nodes[sided(side, upper)],
    nodes[sided(side, middle)],
    nodes[sided(side, end)],
  ];
  const pairOf = (limb: Limb): [LimbJoints, LimbJoints] => [jointsOf(limb, 'left'), jointsOf(limb, 'right')];
  const [leg, arm] = LIMBS;
  const [legs, arms] = [pairOf(leg), pairOf(arm)];
  const [hips, head] = [nodes[BONE.hips], nodes[BONE.head]];
  if (hips < 0 || head < 0 || [...legs, ...arms].some(([upper]) => upper < 0)) return null;
  const middleOf = ([a, b]: readonly LimbJoints[]): Vec3 => midpoint(positionOf(rig, a[0]), positionOf(rig, b[0]));
  const sideOf = ([a, b]: readonly LimbJoints[]): Vec3 => minus(positionOf(rig, a[0]), positionOf(rig, b[0]));
  const [hipMiddle, shoulderMiddle] = [middleOf(legs), middleOf(arms)];
  const rise = minus(shoulderMiddle, hipMiddle);
  const trunk = norm(rise);
  const up = unit(rise);
  const side = unit(plus(sideOf(legs), sideOf(arms)));
  const front = unit(cross(side, up));
  const shoulders = { middle: shoulderMiddle, up, side, trunk };
  const heightOf = (node: number): number => dot(minus(positionOf(rig, node), hipMiddle), up);

  const top = lowestCommonAncestor(
    rig.tree,
    arms.map(([upper]) => parents[upper]),
  );
  const meeting = lowestCommonAncestor(rig.tree, [hips, top]);
  const path: number[] = [];
  for (let node = top; node >= 0 && node !== meeting; node = parents[node]) path.unshift(node);
  const aboveHead: number[] = [];
  for (let node = parents[head]; node >= 0 && !isInSubtree(rig.tree, top, node); node = parents[node])
    aboveHead.unshift(node);
  const isNeck = path.length > 1 && aboveHead.length === 0 && isNeckBetweenArms(rig, top, { neck: -1 }, shoulders);
  // The joints above the shoulders are the neck; the head may be the only one.
  const first = aboveHead.findIndex((node, k) => k === aboveHead.length - 1 || heightOf(node) > NECK * trunk);
  const neck = isNeck ? top : (aboveHead[first] ?? -1);
  const joints = [...(isNeck ? path.slice(0, -1) : path), ...aboveHead.slice(0, Math.max(0, first))].filter(
    (node, k, all) =>
      heightOf(node) >= Math.min(0, heightOf(hips)) - state.same &&
      (k + 1 === all.length || !isSamePlace(state, node, all[k + 1])),
  );
  // A joint where the hips are is a pelvis if the three bones of the spine have joints without it.
  const spine = joints.length > 3 && isSamePlace(state, joints[0], hips) ? joints.slice(1) : joints;
  const hasHands = arms.every(([, , hand]) => hand >= 0);
  const [, , hand] = arms[0];
  const length = hasHands ? distance(positionOf(rig, arms[0][1]), positionOf(rig, hand)) : 0;
  const fit = {
    rig,
    hips,
    spine,
    head: { below: [], neck, head, score: 1 },
    shoulders: shouldersOf(state, arms, aboveArms),
    arms,
    legs,
    toes: toesOf(rig, legs, front),
    side,
    up,
    trunk,
  };
  // A single chain after a hand is more likely a slot for props than all fingers in one.
  const hands = hasHands ? fitHands(rig, arms, length, front) : [null, null];
  const fingers = hands.map((one) => (one !== null && one.thumb === null && one.others.length < 2 ? null : one));
  return assignBones(fit, fingers, findFace(fit, front), 'left');
}

const isSamePlace = ({ rig, same }: State, a: number, b: number): boolean =>
  distance(positionOf(rig, a), positionOf(rig, b)) <= same;

/** Finds the toes: the longest joints in front of both feet that are alike; none where a foot has many. */
function toesOf(rig: PosedRig, legs: readonly LimbJoints[], front: Vec3): [number, number] {
  const found = legs.map(([, shin, foot]) => {
    if (shin < 0 || foot < 0 || rig.joints[foot].length > 2) return [];
    const lower = distance(positionOf(rig, shin), positionOf(rig, foot));
    return rig.joints[foot].filter((node) => {
      const ratio = rig.lengths[node] / lower;
      return (
        ratio > TOES[0] &&
        ratio < TOES[1] &&
        rig.poses.some(({ positions }) => {
          const ankle = pointOf(positions, foot);
          const bend = cosine(minus(ankle, pointOf(positions, shin)), minus(pointOf(positions, node), ankle));
          return bend > FOOT[0] && bend < FOOT[1];
        })
      );
    });
  });
  const isAhead = (node: number): boolean =>
    dot(minus(positionOf(rig, node), positionOf(rig, rig.tree.parents[node])), front) > 0;
  let best: [number, number] = [-1, -1];
  let most = 0;
  for (const a of found[0]) {
    for (const b of found[1]) {
      const [shorter, longer] = [rig.lengths[a], rig.lengths[b]].sort((x, y) => x - y);
      if (shorter <= (1 - UNLIKE_TOES) * longer) continue;
      const score = shorter * (isAhead(a) || isAhead(b) ? 1 : BEHIND);
      if (score > most) [most, best] = [score, [a, b]];
    }
  }
  return best;
}
