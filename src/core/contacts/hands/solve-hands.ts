import * as vec3 from '../../math/vec3.ts';
import { CONSIDERED_DEPTH } from '../constants.ts';
import { smoothstep } from '../paths/ease.ts';
import { createTerms, longestStep, minimizeTerms, type Terms } from '../paths/minimize-terms.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import type { CutTiming } from '../paths/timing.ts';
import { depthLimit } from '../self-collision/allowed-depths.ts';
import { MOST_BENT, RESISTANCE, STRAIGHTEST, UNKNOWNS } from '../self-collision/arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import type { Arm, LimbPoint } from '../self-collision/limb-points.ts';
import { gestureChange } from '../self-collision/limit-change.ts';
import { easeShoulder } from '../self-collision/move-shoulder.ts';
import { createPartDepth, findPartDepth, pointAt } from '../self-collision/part-depth.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import { locationOf } from './hand-goals.ts';
import { handDepth, nearestSkin, type SkinOfBone } from './hand-skin.ts';
import { addGradient, createMovedArms, type MovedArms, moveArms, TOUCH_UNKNOWNS } from './moved-arms.ts';
import type { ReachableGoal } from './reachable-goals.ts';

/** Weights of squared distances, relative to the length of the arm: between surfaces, along the surface, and of depths that are not allowed. */
const TOUCH = 600;
const LOCATION = 5;
const DEPTH_WEIGHT = 300;
/**
 * The same for the nearest skin of a hand whose arm is at its limit: where not all of its points reach the part, some of it does. Tuned on the 53 pairs of docs/contacts.md:
 * a quarter of it kept fewer contacts, four times as much fewer without skin inside.
 */
const NEAREST = 2000;
/** Weight of squared changes of the directions of upper arm and forearm, radians. */
const DIRECTION = 0.3;
/**
 * The same of what is beyond the greatest change, also of rotations of hands. Tuned on those of the 53 pairs whose arms are at their limit: a third of it kept fewer contacts without skin
 * inside; three times as much no more, with jerkier arms where hands are out of reach.
 */
const CHANGE_WEIGHT = 1000;
/** Share of the greatest change from which on a limit is considered. A long step from below it may go beyond the limit: the next ones come back. */
const CONSIDERED_CHANGE = 0.5;
/**
 * Greatest rotation of a hand, relative to the greatest change of its arm: 40° where arms change by 25°. Tuned on the same pairs, of whose contacts 1 kept fewer.
 */
export const HAND_TURN = 1.6;
/**
 * How much rotations of a hand resist a change, for `createTerms`: with less it turns where its arm could move, and skin gets inside. With 16, more
 * contacts were kept, but fewer of them without skin inside on bodies as wide as the Lumberjack.
 */
const HAND_RESISTANCE: readonly number[] = [50, 50, 50];
/**
 * The same after the first round, for hands whose arms are at their limit: there only the hand can do more. Tuned on the 53 pairs: 4 kept as much, 25 less; where all hands turn
 * as easily from the first round on, more skin is inside.
 */
const FREE_HAND_RESISTANCE: readonly number[] = [12, 12, 12];
/** The same for a hand that holds a tool, which would swing: it does not turn. */
const TOOL_RESISTANCE: readonly number[] = [1e6, 1e6, 1e6];
/** Weight of squared changes of the rotation of a hand, radians, after the first round, where its arm is not at its limit. */
const HOLD_WEIGHT = 100;
/** Share of its greatest change from which on an arm comes to its limit: below it by as little as smoothing leaves. 0.6 and 0.9 kept as many contacts. */
const NEAR_LIMIT = 0.8;
/**
 * Weight of squared angles, radians, of an arm that does not touch, against 1 of one that does: it is back after half a second. With 16 hands are late at short
 * touches (`npm run contacts -- --hands --set real-touch`).
 */
const FREE_WEIGHT = 8;
/** Distance of surfaces that count as touching, relative to the height: radii are not exact. */
const TOUCH_DISTANCE = 0.006;
/**
 * How much narrower a gap becomes than in the source, relative to how much plain retargeting widens it. When gaps were those of the points of hands, without
 * their skin, 76 % of the touching frames of the 53 pairs of docs/contacts.md were kept with it and 75 % without.
 */
const NARROWING = 0.5;
/** Most by which it becomes narrower, and the gaps of the source from which on it does so less, and not at all, relative to the height. */
const MOST_NARROWING = 0.01;
const NARROWED_GAPS = { enter: 0.03, leave: 0.05 };
const STEPS = 12;
/** A step that changes no angle by more than this, radians, is the last one: a hand moves by less than a millimeter. */
const CONVERGED = 2e-3;
/** Steps that consider depths from {@link CONSIDERED_DEPTH} on, and the depths that later ones consider, lengths of the arm: they move hands less. */
const WIDE_STEPS = 3;
const LATER_DEPTH = -0.05;
/**
 * Rounds after the first in which hands keep away by as much as their skin is too deep, and turn where their arms are at their limit, and Newton steps of each. Of the last
 * pairs of docs/contacts.md 2 rounds of 5 steps kept 83.3 % of the touching frames, 66.8 % clean; these keep 83.5 and 68.5 %, and 4 rounds of 3 steps no more.
 */
const ROUNDS = 3;
const ROUND_STEPS = 3;
/** Seconds over which that distance changes, and the greatest, relative to the height: a hand that is further away does not touch. */
const EASING = 0.08;
const MOST_AWAY = 0.025;
/** Standard deviation over which the rotations are smoothed at last, seconds: radii are bumpy, and hands that rest tremble on them. */
const SMOOTHING = 0.08;
/** Depth of the skin beyond the allowed one that is not seen, relative to the height. */
const FREE_DEPTH = 0.003;

export interface ArmLimits {
  readonly parts: readonly (readonly BoneRadii[])[];
  /** Allowed depth relative to the radii, per arm: per frame, point and part. */
  readonly allowed: readonly Float64Array[];
  /** The depth after plain retargeting, negative outside. */
  readonly plain: readonly Float64Array[];
  /** Distance that arms keep where the source is not closer, relative to their length. */
  readonly clearance: number;
  readonly skins: readonly LimitedSkin[];
}

/** The skin of a hand that touches. */
export interface LimitedSkin {
  /** What its vertices may be inside of: the parts that arms are kept out of, and the other hand. */
  readonly parts: readonly (readonly BoneRadii[])[];
  /** Depth per frame that is allowed, meters: that of the source, scaled. */
  readonly allowed: Float64Array;
}

export interface HandProblem {
  readonly arms: readonly Arm[];
  readonly sides: readonly number[];
  /** Skin of the hand of each arm. */
  readonly skins: readonly (readonly SkinOfBone[])[];
  /** Height of the character, meters. */
  readonly height: number;
  /** Bone whose axes the rotations use. */
  readonly trunkBone: number;
  /** Bones of the character after plain retargeting, from `sampleBoneFrames`. */
  readonly bones: Float64Array;
  readonly goals: readonly (readonly ReachableGoal[])[];
  /** How much each arm takes part in a contact, per arm and frame, 0…1: it is kept out of the character by as much. */
  readonly activity: readonly Float64Array[];
  /** Greatest change of the directions of upper arm and forearm, per arm and frame, radians. */
  readonly mostChange: readonly Float64Array[];
  /** What the arms are kept out of; null without. */
  readonly limits: ArmLimits | null;
  readonly timing: CutTiming;
}

const part = createPartDepth();
const position = new Float64Array(3);
const goal = new Float64Array(3);
const outward = new Float64Array(3);
const AXES = [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0), Float64Array.of(0, 0, 1)];

/** A list of terms, and what the current one is made of. */
interface Builder {
  readonly terms: Terms;
  readonly moved: MovedArms;
  readonly unknowns: Float64Array;
  readonly gradient: Float64Array;
  /** Offset of the unknowns of the frame. */
  first: number;
  /** Depth beyond the allowed one from which on a limit is considered, lengths of the arm. */
  readonly considered: number;
  /** Distance per arm and frame that its hand keeps from trunk, head and thighs beyond the wanted one, meters. */
  readonly away: readonly Float64Array[];
}

/** Adds a term: `value` at the current unknowns, and `gradient` by which it decreases. */
function addTerm({ terms, unknowns, gradient, first }: Builder, value: number, length: number, weight: number): void {
  let offset = value / length;
  for (let c = 0; c < gradient.length; c++) {
    terms.gradients.push(gradient[c] / length);
    offset += (gradient[c] / length) * unknowns[first + c];
  }
  terms.offsets.push(offset);
  terms.weights.push(weight);
  gradient.fill(0);
}

/**
 * The depth that a point may have: at most that of the source, and not more than a touch where it is less deep after plain retargeting: what the
 * target touches is no reason to go deeper.
 */
function limitDepth(source: number, plain: number, height: number): number {
  return Math.min(source, Math.max(plain, -TOUCH_DISTANCE * height));
}

/**
 * The depth that a point of a contact shall have: as `limitDepth`, but gaps that may be errors of the radii are narrowed by half as much as plain
 * retargeting widens them. Hands further away hover, or are on their way: they keep their distance.
 */
function wantedDepth(source: number, plain: number, height: number): number {
  const widened = Math.max(0, source - plain);
  const narrowing = Math.min(NARROWING * widened, MOST_NARROWING * height);
  const share = smoothstep(-NARROWED_GAPS.leave * height, -NARROWED_GAPS.enter * height, source);
  return limitDepth(Math.min(Math.max(source, 0), source + share * narrowing), plain, height);
}

/** Adds the terms of one goal: the distance of the surfaces, `away` more than wanted, and the location. */
function addGoal(builder: Builder, one: ReachableGoal, height: number, length: number, away: number): void {
  const { moved, gradient } = builder;
  const { bones } = moved;
  const { point, radii, weight } = one;
  pointAt(position, 0, point, bones, 0);
  findPartDepth(part, one.part, bones, 0, point, position, bones, BONE_STRIDE * point.bone, Number.NEGATIVE_INFINITY);
  const wanted = wantedDepth(one.gap > 0 ? -one.gap : one.overlap * part.size, one.plainDepth, height) - away;
  addGradient(gradient, moved, point.bone, position, part.outward, 1);
  addGradient(gradient, moved, part.bone, position, part.outward, -1);
  addTerm(builder, part.depth - wanted, length, TOUCH * weight);
  locationOf(goal, outward, one, bones, 0);
  vec3.addScaled(goal, 0, goal, 0, outward, 0, -wanted);
  for (const axis of AXES) {
    addGradient(gradient, moved, point.bone, position, axis, 1);
    addGradient(gradient, moved, radii.bone, goal, axis, -1);
    addTerm(
      builder,
      vec3.dot(goal, 0, axis, 0) - vec3.dot(position, 0, axis, 0),
      length,
      LOCATION * weight * one.locating,
    );
  }
}

function addLimits(
  builder: Builder,
  index: number,
  arm: Arm,
  { parts, allowed, plain, clearance }: ArmLimits,
  height: number,
  frame: number,
  activity: number,
): void {
  const { moved, gradient } = builder;
  const { bones } = moved;
  const { considered } = builder;
  const away = builder.away[index][frame];
  const least = considered * arm.length - TOUCH_DISTANCE * height - away;
  for (const [k, point] of arm.points.entries()) {
    if (point === null) continue;
    pointAt(position, 0, point, bones, 0);
    for (const [p, solid] of parts.entries()) {
      if (solid.length === 0) continue;
      findPartDepth(part, solid, bones, 0, point, position, bones, BONE_STRIDE * point.bone, least);
      const at = (frame * arm.points.length + k) * parts.length + p;
      const isLower = point.bone !== arm.bones[0];
      const touching = limitDepth(
        depthLimit(arm, allowed[index][at], part.size, clearance),
        part.size > 0 ? plain[index][at] * part.size : least,
        height,
      );
      const limit = isLower ? Math.min(touching, Math.max(touching, -TOUCH_DISTANCE * height) - away) : touching;
      if (!(part.depth - limit > considered * arm.length)) continue;
      addGradient(gradient, moved, point.bone, position, part.outward, 1);
      addTerm(builder, part.depth - limit, arm.length, -DEPTH_WEIGHT * activity);
    }
  }
}

/** Adds what brings an arm that does not touch back to where it was. */
function addReturn(builder: Builder, unknown: number, free: number): void {
  const { unknowns, gradient, first } = builder;
  for (let c = unknown; c < unknown + TOUCH_UNKNOWNS; c++) {
    gradient[c] = 1;
    addTerm(builder, -unknowns[first + c], 1, FREE_WEIGHT * free);
  }
}

const turned = new Float64Array(3);
const plainDirection = new Float64Array(3);
const around = new Float64Array(3);
const inward = new Float64Array(3);

/** Adds what keeps the world directions of upper arm and forearm: they change as little as possible, and by `most` radians at most. */
function addGesture(builder: Builder, arm: Arm, bones: Float64Array, frame: number, most: number): void {
  const { moved, gradient } = builder;
  const at = (bone: number): number => BONE_STRIDE * bone + POSITION_OFFSET;
  const [upper, lower, hand] = arm.bones;
  for (const [from, to] of [
    [upper, lower],
    [lower, hand],
  ]) {
    vec3.subtract(turned, 0, moved.bones, at(to), moved.bones, at(from));
    const length = vec3.normalize(turned, 0, turned, 0);
    if (!(length > 0)) continue;
    const b = FRAME_STRIDE * frame;
    vec3.subtract(plainDirection, 0, bones, b + at(to), bones, b + at(from));
    vec3.normalize(plainDirection, 0, plainDirection, 0);
    const addTurn = (direction: Float64Array, value: number, weight: number): void => {
      vec3.copy(position, 0, moved.bones, at(to));
      addGradient(gradient, moved, to === lower ? upper : hand, position, direction, 1 / length);
      vec3.copy(position, 0, moved.bones, at(from));
      if (from === lower) addGradient(gradient, moved, upper, position, direction, -1 / length);
      addTerm(builder, value, 1, weight);
    };
    for (const axis of AXES)
      addTurn(axis, vec3.dot(plainDirection, 0, axis, 0) - vec3.dot(turned, 0, axis, 0), DIRECTION);
    const angle = vec3.angleBetween(plainDirection, 0, turned, 0);
    if (!(angle > CONSIDERED_CHANGE * most)) continue;
    // Gauss-Newton terms of the squared excess: one across the cone, and one along it, weighted by its curvature. With full weight along it, arms stop where they first meet the cone.
    vec3.cross(around, 0, plainDirection, 0, turned, 0);
    vec3.normalize(around, 0, around, 0);
    vec3.cross(inward, 0, turned, 0, around, 0);
    addTurn(inward, angle - most, -CHANGE_WEIGHT);
    if (angle > most) addTurn(around, 0, CHANGE_WEIGHT * (1 - most / angle));
  }
}

/** Adds what keeps the rotation of a hand below `most` radians, as `addGesture` does the directions of its arm. */
function addHandTurn(builder: Builder, unknown: number, vector: Float64Array, most: number): void {
  const { gradient } = builder;
  const angle = vec3.length(vector, 0);
  if (!(angle > CONSIDERED_CHANGE * most)) return;
  for (let c = 0; c < 3; c++) gradient[unknown + c] = -vector[c] / angle;
  addTerm(builder, angle - most, 1, -CHANGE_WEIGHT);
  if (!(angle > most)) return;
  for (let c = 0; c < 3; c++) {
    gradient[unknown + c] = 1;
    addTerm(builder, 0, 1, CHANGE_WEIGHT * (1 - most / angle));
  }
}

/** Adds what keeps the rotation of a hand as it is: one that keeps away would otherwise turn about its edge, which stays inside. */
function holdHand(builder: Builder, unknown: number, weight: number): void {
  for (let c = unknown; c < unknown + 3; c++) {
    builder.gradient[c] = 1;
    addTerm(builder, 0, 1, HOLD_WEIGHT * weight);
  }
}

/** Finds the nearest skin of a hand to what it touches in one of its contacts, in `part`. Returns it, and the depth that it shall have; null without skin. */
function findNearest(
  goals: readonly ReachableGoal[],
  skin: readonly SkinOfBone[],
  bones: Float64Array,
  height: number,
): { readonly point: LimbPoint; readonly wanted: number } | null {
  const { part: solid } = goals[0];
  const nearest = nearestSkin(skin, solid, bones, 0);
  if (nearest === null) return null;
  const { point } = nearest;
  pointAt(position, 0, point, bones, 0);
  findPartDepth(part, solid, bones, 0, point, position, bones, BONE_STRIDE * point.bone, Number.NEGATIVE_INFINITY);
  return { point, wanted: Math.max(...goals.map(({ gap, plainDepth }) => wantedDepth(-gap, plainDepth, height))) };
}

/** Splits goals by their contacts. */
function byContact(goals: readonly ReachableGoal[]): readonly (readonly ReachableGoal[])[] {
  return [...new Set(goals.map(({ contact }) => contact))].map((contact) =>
    goals.filter((one) => one.contact === contact),
  );
}

/** Adds what brings the nearest skin of a hand to what it touches, in each of its contacts. */
function addNearest(
  builder: Builder,
  goals: readonly ReachableGoal[],
  skin: readonly SkinOfBone[],
  height: number,
  length: number,
  share: number,
): void {
  const { moved, gradient } = builder;
  for (const own of byContact(goals)) {
    const nearest = findNearest(own, skin, moved.bones, height);
    if (nearest === null || part.depth >= nearest.wanted) continue;
    addGradient(gradient, moved, nearest.point.bone, position, part.outward, 1);
    addGradient(gradient, moved, part.bone, position, part.outward, -1);
    const weight = NEAREST * share * Math.max(...own.map((one) => one.weight));
    addTerm(builder, part.depth - nearest.wanted, length, weight);
  }
}

/** Linearizes all terms around the unknowns. */
function linearize(
  problem: HandProblem,
  moved: MovedArms,
  unknowns: Float64Array,
  considered: number,
  away: readonly Float64Array[],
  atLimit: readonly Float64Array[] | null,
): Terms {
  const { arms, sides, skins, bones, goals, limits, activity, mostChange } = problem;
  const resistance = atLimit === null ? HAND_RESISTANCE : FREE_HAND_RESISTANCE;
  const terms = createTerms(
    arms.flatMap(({ holdsTool }) => [...RESISTANCE, ...(holdsTool ? TOOL_RESISTANCE : resistance)]),
  );
  const builder: Builder = {
    terms,
    moved,
    unknowns,
    gradient: new Float64Array(moved.width),
    first: 0,
    considered,
    away,
  };
  for (let frame = 0; frame < goals.length; frame++) {
    builder.first = moved.width * frame;
    moveArms(moved, bones, frame, unknowns);
    for (const one of goals[frame]) {
      const index = sides.indexOf(one.side);
      addGoal(builder, one, problem.height, arms[index].length, away[index][frame]);
    }
    for (const [k, { arm, pose, unknown, handVector }] of moved.arms.entries()) {
      const share = activity[k][frame];
      if (limits !== null && share > 0) addLimits(builder, k, arm, limits, problem.height, frame, share);
      if (atLimit !== null) {
        const free = atLimit[k][frame];
        if (free < 1) holdHand(builder, unknown + UNKNOWNS, 1 - free);
        if (free > 0) {
          const own = goals[frame].filter(({ side }) => side === sides[k]);
          addNearest(builder, own, skins[k], problem.height, arm.length, free);
        }
      }
      if (share < 1) addReturn(builder, unknown, 1 - share);
      if (share > 0) addGesture(builder, arm, bones, frame, mostChange[k][frame]);
      if (share > 0) addHandTurn(builder, unknown + UNKNOWNS, handVector, HAND_TURN * mostChange[k][frame]);
      // Elbows bend neither backward nor through the upper arm, unless they did before.
      for (const [value, sign] of [
        [STRAIGHTEST - pose.flexion - unknowns[builder.first + unknown + 3], 1],
        [pose.flexion + unknowns[builder.first + unknown + 3] - Math.max(MOST_BENT, pose.flexion), -1],
      ]) {
        builder.gradient[unknown + 3] = sign;
        addTerm(builder, value, 1, -DEPTH_WEIGHT);
      }
    }
    terms.starts.push(terms.offsets.length);
  }
  return terms;
}

/** Widens the distance that hands keep by as much as their skin is too deep. Returns whether any was widened. */
function keepAway(
  { arms, skins, bones, limits, activity, height, timing }: HandProblem,
  moved: MovedArms,
  unknowns: Float64Array,
  away: readonly Float64Array[],
): boolean {
  if (limits === null) return false;
  const count = bones.length / FRAME_STRIDE;
  const excess = arms.map(() => new Float64Array(count));
  for (let frame = 0; frame < count; frame++) {
    if (!activity.some((shares) => shares[frame] > 0)) continue;
    moveArms(moved, bones, frame, unknowns);
    for (const [k, { parts, allowed }] of limits.skins.entries()) {
      if (!(activity[k][frame] > 0)) continue;
      const beyond = handDepth(skins[k], parts, moved.bones, 0) - allowed[frame];
      if (beyond > FREE_DEPTH * height) excess[k][frame] = activity[k][frame] * beyond;
    }
  }
  if (!excess.some((values) => values.some((value) => value > 0))) return false;
  for (const [k, values] of excess.entries()) {
    const more = smoothMaximum(values, EASING, timing.step, timing.loops);
    for (let frame = 0; frame < count; frame++) {
      away[k][frame] = Math.min(MOST_AWAY * height, away[k][frame] + more[frame]);
    }
  }
  return true;
}

/** Finds how much each arm is at the limit of its change, 0…1 per frame. */
function findAtLimit(
  { arms, trunkBone, bones, activity, mostChange, timing }: HandProblem,
  { width }: MovedArms,
  unknowns: Float64Array,
): readonly Float64Array[] {
  return arms.map((arm, k) => {
    const shares = activity[k].map((share, frame) => {
      if (!(share > 0)) return 0;
      const own = unknowns.subarray(width * frame + TOUCH_UNKNOWNS * k);
      const change = gestureChange(arm, trunkBone, bones.subarray(FRAME_STRIDE * frame), 0, own);
      return share * smoothstep(NEAR_LIMIT, 1, change / mostChange[k][frame]);
    });
    return smoothMaximum(shares, EASING, timing.step, timing.loops);
  });
}

const offset = new Float64Array(3);

/**
 * Moves the shoulders of arms at their limit by what keeps the nearest skin of their hands from what it shall touch, or out of it: the largest offset of the
 * contacts of a hand. All are found before any arm moves: no side comes first. `offsets`: those of the upper arms so far, xyz per frame, added to;
 * `problem.bones` receives the moved arms.
 */
function moveShoulders(
  { arms, sides, skins, trunkBone, bones, goals, limits, height, timing }: HandProblem,
  plain: Float64Array,
  moved: MovedArms,
  unknowns: Float64Array,
  atLimit: readonly Float64Array[],
  offsets: readonly Float64Array[],
): void {
  const isMoved = arms.map(({ shoulder }, k) => shoulder !== null && atLimit[k].some((share) => share > 0));
  for (const [frame, list] of goals.entries()) {
    const own = arms.map((_, k) =>
      isMoved[k] && atLimit[k][frame] > 0 ? list.filter(({ side }) => side === sides[k]) : [],
    );
    if (own.some((ofArm) => ofArm.length > 0)) moveArms(moved, bones, frame, unknowns);
    for (const [k, ofArm] of own.entries()) {
      offset.fill(0);
      for (const contact of byContact(ofArm)) {
        const nearest = findNearest(contact, skins[k], moved.bones, height);
        if (nearest === null) continue;
        const allowed = limits === null ? Number.POSITIVE_INFINITY : limits.skins[k].allowed[frame];
        const depth = Math.min(Math.max(part.depth, nearest.wanted), Math.max(allowed, nearest.wanted));
        const weight = atLimit[k][frame] * Math.max(...contact.map((one) => one.weight));
        const distance = weight * (part.depth - depth);
        if (Math.abs(distance) > vec3.length(offset, 0)) vec3.scale(offset, 0, part.outward, 0, distance);
      }
      vec3.add(offsets[k], 3 * frame, offsets[k], 3 * frame, offset, 0);
    }
  }
  for (const [k, arm] of arms.entries()) {
    if (!isMoved[k]) continue;
    easeShoulder(arm, arm.shoulder!, trunkBone, plain, offsets[k], timing);
    for (let frame = 0; frame < goals.length; frame++) {
      for (const bone of [...arm.bones, ...moved.arms[k].hand]) {
        const at = FRAME_STRIDE * frame + BONE_STRIDE * bone + POSITION_OFFSET;
        vec3.add(bones, at, plain, at, offsets[k], 3 * frame);
      }
    }
  }
}

interface SolvedHands {
  /** The problem, with arms where their shoulders bring them. */
  readonly problem: HandProblem;
  /** `TOUCH_UNKNOWNS` per frame and arm, radians. */
  readonly unknowns: Float64Array;
  /** Offsets of each upper arm by its shoulder bone, canonical meters: xyz per frame. */
  readonly shoulders: readonly Float64Array[];
}

/**
 * Finds the rotations of both arms. Radii are not exact: where a hand that touches would have its skin deeper inside of the character than that of the source
 * is, it keeps away by as much. Arms at their limit move with their shoulders.
 */
export function solveHands(plain: HandProblem): SolvedHands {
  const problem = { ...plain, bones: plain.bones.slice() };
  const moved = createMovedArms(problem.arms, problem.trunkBone);
  const count = problem.bones.length / FRAME_STRIDE;
  const unknowns = new Float64Array(moved.width * count);
  const before = new Float64Array(unknowns.length);
  const away = problem.arms.map(() => new Float64Array(count));
  const shoulders = problem.arms.map(() => new Float64Array(3 * count));
  for (let round = 0; round <= ROUNDS; round++) {
    const atLimit = round === 0 ? null : findAtLimit(problem, moved, unknowns);
    const isDone = round > 0 && !keepAway(problem, moved, unknowns, away);
    if (isDone && !atLimit!.some((shares) => shares.some((share) => share > 0))) break;
    if (atLimit !== null) moveShoulders(problem, plain.bones, moved, unknowns, atLimit, shoulders);
    const steps = round === 0 ? STEPS : ROUND_STEPS;
    for (let step = 0; step < steps; step++) {
      const considered = round === 0 && step < WIDE_STEPS ? CONSIDERED_DEPTH : LATER_DEPTH;
      const terms = linearize(problem, moved, unknowns, considered, away, atLimit);
      before.set(unknowns);
      minimizeTerms(terms, unknowns, problem.timing, longestStep(round === 0 ? step : STEPS + step));
      if (unknowns.every((angle, u) => Math.abs(angle - before[u]) <= CONVERGED)) break;
    }
  }
  // A jump of the pose is no reason to smooth it away.
  if (!problem.timing.cuts.includes(1)) smoothUnknowns(unknowns, moved.width, problem.timing);
  return { problem, unknowns, shoulders };
}

function smoothUnknowns(unknowns: Float64Array, width: number, { step, loops }: CutTiming): void {
  for (let c = 0; c < width; c++) {
    const path = unknowns.filter((_, u) => u % width === c);
    for (const [frame, angle] of smooth(path, SMOOTHING, step, loops).entries()) unknowns[width * frame + c] = angle;
  }
}
