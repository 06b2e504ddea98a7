import type { Clip } from '../../animation/clip.ts';
import { BONE, SIDES, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { getOrCreate } from '../../math/get-or-create.ts';
import * as vec3 from '../../math/vec3.ts';
import type { FrameGrid } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import { createSourceSamples } from '../frames/source-samples.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { CutTiming } from '../paths/timing.ts';
import type { ContactPlan, RestingHands } from '../plan/contact-plan.ts';
import { allowedDepths, armDepths, clearanceOf, permitGround } from '../self-collision/allowed-depths.ts';
import { findArmCuts } from '../self-collision/arm-cuts.ts';
import { isArmLoop } from '../self-collision/arm-loop.ts';
import { createArmPose, rotateArm, trunkBoneOf, UNKNOWNS } from '../self-collision/arm-pose.ts';
import type { TouchingArm, TouchingArms } from '../self-collision/avoid-self-collision.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET, sampleBoneFrames } from '../self-collision/bone-frames.ts';
import { type Arm, findArms, findParts } from '../self-collision/limb-points.ts';
import {
  gestureChange,
  limitChange,
  limitedChange,
  MOST_BRUSH_CHANGE,
  MOST_CHANGE,
} from '../self-collision/limit-change.ts';
import { createPartDepth, findPartDepth, pointAt } from '../self-collision/part-depth.ts';
import { bonesOfFrames, chooseFrames, timingOfFrames, valuesBetween } from '../self-collision/solved-frames.ts';
import { type RotatedArm, writeArms } from '../self-collision/write-arms.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import type { HandContact, TouchedHand } from './find-touches.ts';
import type { HandContactReport } from './hand-contact-report.ts';
import { findHandGoals, findHandTouches, heightRatio } from './hand-goals.ts';
import { findHandSkin, handDepth, nearestSkin, type SkinOfBone } from './hand-skin.ts';
import { createMovedArms, moveArms, TOUCH_UNKNOWNS } from './moved-arms.ts';
import { missed, type ReachableGoal, reachableGoals } from './reachable-goals.ts';
import { type ArmLimits, HAND_TURN, type HandProblem, type LimitedSkin, solveHands } from './solve-hands.ts';
import { handBones, TOUCH_PARTS, touchParts } from './touch-parts.ts';

/** Weight from which on a hand touches in a frame. */
const TOUCHING = 0.5;
/** Mean distance from where it should be up to which a contact is kept, relative to the height; otherwise it has to be this much nearer than before. */
const MISSED = 0.025;
const NEARER = 0.5;
/** Change of directions that the rotations keep within before what is beyond is cut, radians; the rest is room for the cut, and for frames between keys. */
const MARGIN = (0.15 * Math.PI) / 180;
const MOST_HAND_CHANGE = MOST_CHANGE - MARGIN;
/** Standard deviation over which the greatest change falls from that of a hand that rests to that of one that brushes past, seconds. */
const EASING = 0.3;
const NO_CONTACTS: HandContactReport = { contacts: 0, lost: 0, seconds: 0, reach: 0, largestChange: 0 };

/** A rotation below this, radians, is rounding of float32 files: the clip stays as it is. */
const LEAST_ROTATION = 1e-6;

const pose = createArmPose();
const wrist = new Float64Array(3);

function largestChange(trunkBone: number, bones: Float64Array, moved: readonly RotatedArm[]): number {
  const count = bones.length / FRAME_STRIDE;
  let largest = 0;
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    for (const { arm, unknowns, shoulder } of moved) {
      const before = b + BONE_STRIDE * arm.bones[2] + POSITION_OFFSET;
      rotateArm(pose, arm, trunkBone, bones, b, unknowns, UNKNOWNS * frame);
      vec3.subtract(wrist, 0, bones, before, pose.elbowBefore, 0);
      vec3.rotate(wrist, 0, pose.lower, 0, wrist, 0);
      vec3.add(wrist, 0, wrist, 0, pose.elbow, 0);
      if (shoulder !== null) vec3.add(wrist, 0, wrist, 0, shoulder, 3 * frame);
      largest = Math.max(largest, vec3.distance(wrist, 0, bones, before));
    }
  }
  return largest;
}

/** Returns the unknowns of one of several arms, and the rotation vectors of its hand, per frame. */
function unknownsOf(
  unknowns: Float64Array,
  arms: number,
  k: number,
): { readonly own: Float64Array; readonly hand: Float64Array } {
  const ofArm = unknowns.filter((_, u) => Math.floor(u / TOUCH_UNKNOWNS) % arms === k);
  return {
    own: ofArm.filter((_, u) => u % TOUCH_UNKNOWNS < UNKNOWNS),
    hand: ofArm.filter((_, u) => u % TOUCH_UNKNOWNS >= UNKNOWNS),
  };
}

/** Limits the rotations of a hand in every frame, in place, as `limitChange` does those of an arm. */
function limitHand(hand: Float64Array, most: (frame: number) => number, free: (frame: number) => number): void {
  for (let frame = 0, u = 0; u < hand.length; frame++, u += 3) {
    const angle = Math.hypot(hand[u], hand[u + 1], hand[u + 2]);
    if (!(angle > free(frame))) continue;
    const scale = limitedChange(angle, free(frame), most(frame)) / angle;
    for (let c = u; c < u + 3; c++) hand[c] *= scale;
  }
}

/** Limits the rotations of all arms and hands in every frame, in place. `eased`: radians below the limit from which on they approach it. */
function limitUnknowns(
  { arms, trunkBone, bones, mostChange }: Pick<HandProblem, 'arms' | 'trunkBone' | 'bones' | 'mostChange'>,
  unknowns: Float64Array,
  eased: number,
): void {
  for (const [k, arm] of arms.entries()) {
    const { own, hand } = unknownsOf(unknowns, arms.length, k);
    const most = (frame: number): number => mostChange[k][frame] + MARGIN;
    const free = (frame: number): number => most(frame) - eased;
    limitChange(arm, trunkBone, bones, own, most, free);
    limitHand(
      hand,
      (frame) => HAND_TURN * most(frame),
      (frame) => HAND_TURN * free(frame),
    );
    for (let frame = 0, u = TOUCH_UNKNOWNS * k; u < unknowns.length; frame++, u += TOUCH_UNKNOWNS * arms.length) {
      unknowns.set(own.subarray(UNKNOWNS * frame, UNKNOWNS * (frame + 1)), u);
      unknowns.set(hand.subarray(3 * frame, 3 * (frame + 1)), u + UNKNOWNS);
    }
  }
}

/** Computes how much each arm takes part in a contact: with its own hand, or as what the other hand touches. */
function findActivity(
  arms: readonly Arm[],
  sides: readonly number[],
  frames: readonly (readonly ReachableGoal[])[],
): readonly Float64Array[] {
  return arms.map((arm, k) => {
    const own = new Set<number>([...arm.bones, ...handBones(arm.side).map((name) => BONE[name])]);
    return Float64Array.from(frames, (goals) => {
      const weights = goals.filter(({ side, radii }) => side === sides[k] || own.has(radii.bone));
      return weights.reduce((most, { weight }) => Math.max(most, weight), 0);
    });
  });
}

/**
 * Finds the contacts that the arms cannot bring about: hands stay apart and not much nearer than before, or another gesture would come of it.
 * `isSkinKnown`: whether the hand of the source has skin to compare with, per arm.
 */
function findLost(
  { arms, sides, skins, trunkBone, bones, goals, limits, height }: HandProblem,
  unknowns: Float64Array,
  isSkinKnown: readonly boolean[],
): Set<HandContact> {
  const moved = createMovedArms(arms, trunkBone);
  const position = new Float64Array(3);
  const depth = createPartDepth();
  /** Frames of a contact, and the distances of the closest point in them, before and after. */
  const sums = new Map<HandContact, [frames: number, before: number, after: number]>();
  for (const [frame, list] of goals.entries()) {
    if (list.length === 0) continue;
    moveArms(moved, bones, frame, unknowns);
    const closest = new Map<HandContact, [before: number, after: number]>();
    for (const goal of list) {
      const { contact, isDuring, point, part, plainDepth } = goal;
      if (!isDuring) continue;
      pointAt(position, 0, point, moved.bones, 0);
      const at = BONE_STRIDE * point.bone;
      findPartDepth(depth, part, moved.bones, 0, point, position, moved.bones, at, Number.NEGATIVE_INFINITY);
      const known = closest.get(contact) ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const before = missed(goal, plainDepth, depth.size);
      // One that stays too deep is out of the part by as much as its arm may change.
      const after = Math.max(0, -depth.depth - goal.gap);
      closest.set(contact, [Math.min(known[0], before), Math.min(known[1], after)]);
    }
    for (const [contact, [before, after]] of closest) {
      const sum = sums.get(contact) ?? [0, 0, 0];
      const k = sides.indexOf(contact.side);
      const own = list.filter((goal) => goal.contact === contact);
      // The points of a hand that is on a part may be where they should while its edge is deep inside.
      const excess =
        limits !== null && isSkinKnown[k]
          ? handDepth(skins[k], [own[0].part], bones, FRAME_STRIDE * frame) - limits.skins[k].allowed[frame]
          : 0;
      // The skin of a hand is closer than its points.
      const skin = nearestSkin(skins[k], own[0].part, moved.bones, 0)?.depth ?? Number.NEGATIVE_INFINITY;
      const apart = Math.max(0, -skin - Math.min(...own.map(({ gap }) => gap)));
      sums.set(contact, [sum[0] + 1, sum[1] + Math.max(before, excess), sum[2] + Math.min(after, apart)]);
    }
  }
  const lost = [...sums].filter(([, [frames, before, after]]) => {
    return after > MISSED * height * frames && after > NEARER * before;
  });
  return new Set(lost.map(([contact]) => contact));
}

/** Returns the greatest change of the gesture of each arm, radians per frame: that of hands that brush past, or hang and nearly touch by themselves, is smaller. */
function findMostChange(
  arms: readonly Arm[],
  sides: readonly number[],
  frames: readonly (readonly ReachableGoal[])[],
  timing: CutTiming,
): readonly Float64Array[] {
  const resting = frames.map((goals) =>
    goals.map((goal) => ({ ...goal, weight: goal.weight * goal.contact.rest * goal.missing })),
  );
  return findActivity(arms, sides, resting).map((shares) => {
    return smoothMaximum(shares, EASING, timing.step, timing.loops).map(
      (share) => MOST_BRUSH_CHANGE + (MOST_HAND_CHANGE - MOST_BRUSH_CHANGE) * share,
    );
  });
}

interface KeptContacts {
  readonly clip: Clip;
  /** What changed; null without meshes. */
  readonly report: HandContactReport | null;
  /** What touching arms do; null without. */
  readonly touching: TouchingArms | null;
}

/** Finds what the hands of the source touch in a clip, or returns the result that is kept: contacts of all frames, and how much points touch in the chosen ones. */
function sourceTouches(
  { source, sourceSurface, sourceSamples }: ContactPlan,
  clip: Clip,
  grid: FrameGrid,
  frames: Int32Array,
): readonly TouchedHand[] {
  const samples = sourceSamples ?? createSourceSamples();
  return getOrCreate(samples.touches, clip, () => {
    const bones = sampleBoneFrames(createPosedCharacter(source, sourceSurface), clip, grid);
    const loops = isArmLoop(source, trunkBoneOf(source.map.nodes), bones);
    const all = findHandTouches({ humanoid: source, surface: sourceSurface }, bones, { step: grid.step, loops });
    const positions = new Map(Array.from(frames, (frame, k) => [frame, k]));
    const hands = all.map((hand): TouchedHand => {
      const touches = hand.touches.flatMap((touch) => {
        const frame = positions.get(touch.frame);
        return frame === undefined ? [] : [{ ...touch, frame }];
      });
      return { ...hand, touches };
    });
    for (const { weights } of hands.flatMap(({ touches }) => touches)) samples.bytes += weights.byteLength;
    return hands;
  });
}

/**
 * Moves the hands of a character to what those of the source touch. Shoulders, elbows and wrists rotate as little and as smoothly as possible.
 * `resting`: how much hands rest on the ground, a seat or a box: there they stay.
 */
export function keepHandContacts(plan: ContactPlan, sourceClip: Clip, clip: Clip, resting: RestingHands): KeptContacts {
  const { source, target, sourceSurface, targetSurface } = plan;
  if (targetSurface.from !== 'skin') return { clip, report: null, touching: null };
  const grid = frameGridOf(sourceClip, plan.source);
  const solved = chooseFrames(grid.count, grid.step);
  const touches = sourceTouches(plan, sourceClip, grid, solved);
  if (touches.every((hand) => hand.contacts.length === 0)) return { clip, report: NO_CONTACTS, touching: null };
  const from = { humanoid: source, surface: sourceSurface };
  const to = { humanoid: target, surface: targetSurface };
  const sourceBones = bonesOfFrames(
    sampleBoneFrames(createPosedCharacter(source, sourceSurface), sourceClip, grid),
    solved,
  );
  const { frames, contacts } = findHandGoals(from, to, touches, sourceBones);
  if (contacts.length === 0) return { clip, report: NO_CONTACTS, touching: null };
  const character = createPosedCharacter(target, targetSurface);
  const allBones = sampleBoneFrames(character, clip, grid);
  const bones = bonesOfFrames(allBones, solved);
  const arms = findArms(target, targetSurface);
  const bySide = SIDES.map((side) => arms.find((arm) => arm.side === side));
  const free = frames.map((goals, frame) => {
    return goals.flatMap((goal) => {
      const weight = goal.weight * (1 - (resting[SIDES[goal.side]]?.[solved[frame]] ?? 0));
      return weight > 0 ? [{ ...goal, weight }] : [];
    });
  });
  const { frames: reachable, reach } = reachableGoals(free, bySide, bones, targetSurface.height);
  const trunkBone = trunkBoneOf(target.map.nodes);
  const allTiming: CutTiming = {
    step: grid.step,
    loops: isArmLoop(target, trunkBone, allBones),
    cuts: findArmCuts(trunkBone, allBones, grid.step),
  };
  const timing = timingOfFrames(allTiming, solved);
  const sides = arms.map(({ side }) => SIDES.indexOf(side));
  const skins = arms.map((arm, k) => {
    const source = touches.find(({ side }) => side === sides[k])?.skin ?? [];
    return { source, target: findHandSkin(arm, targetSurface) };
  });
  const solve = (goals: readonly (readonly ReachableGoal[])[]) => {
    const activity = findActivity(arms, sides, goals);
    const limits =
      plan.selfCollision === 'off' ? null : findLimits(plan, { sourceBones, bones, arms, skins, activity });
    const problem: HandProblem = {
      arms,
      sides,
      skins: skins.map(({ target: own }) => own),
      height: targetSurface.height,
      trunkBone,
      bones,
      goals,
      activity,
      mostChange: findMostChange(arms, sides, goals, timing),
      limits,
      timing,
    };
    const hands = solveHands(problem);
    limitUnknowns(problem, hands.unknowns, 2 * MARGIN);
    return hands;
  };
  const first = solve(reachable);
  const isSkinKnown = skins.map(({ source: own }) => own.length > 0);
  const lost = findLost(first.problem, first.unknowns, isSkinKnown);
  const { problem, unknowns, shoulders } =
    lost.size === 0 ? first : solve(reachable.map((goals) => goals.filter(({ contact }) => !lost.has(contact))));
  const allValues = (values: Float64Array): Float64Array =>
    valuesBetween(values, values.length / solved.length, solved, allTiming);
  const allUnknowns = allValues(unknowns);
  const mostChange = problem.mostChange.map((most) => allValues(most).map((one) => Math.min(one, MOST_HAND_CHANGE)));
  // Between the solved frames only what is beyond the limit is cut.
  limitUnknowns({ arms, trunkBone, bones: allBones, mostChange }, allUnknowns, 0);
  const moved = arms.map((arm, k): RotatedArm => {
    const { own, hand } = unknownsOf(allUnknowns, arms.length, k);
    const shoulder = shoulders[k].some((offset) => offset !== 0) ? allValues(shoulders[k]) : null;
    return { arm, unknowns: own, hand, shoulder };
  });
  const touchingOf = (side: number): TouchingArm => {
    const k = sides.indexOf(side);
    if (k < 0) return { touches: new Float64Array(grid.count), changes: new Float64Array(grid.count) };
    return {
      touches: allValues(problem.activity[k]).map((share) => Math.min(1, Math.max(0, share))),
      changes: Float64Array.from({ length: grid.count }, (_, frame) =>
        gestureChange(arms[k], trunkBone, allBones, frame, moved[k].unknowns),
      ),
    };
  };
  const touching = { left: touchingOf(0), right: touchingOf(1) };
  const touchingFrames = touching.left.touches.filter(
    (share, frame) => Math.max(share, touching.right.touches[frame]) >= TOUCHING,
  );
  const report: HandContactReport = {
    contacts: contacts.length,
    lost: lost.size,
    seconds: grid.step * touchingFrames.length,
    reach,
    largestChange: largestChange(trunkBone, allBones, moved),
  };
  const isMoved = moved.some(({ unknowns: own, hand }) =>
    [own, hand].some((angles) => angles?.some((angle) => Math.abs(angle) > LEAST_ROTATION)),
  );
  if (!isMoved) return { clip, report, touching };
  return { clip: writeArms(plan, clip, grid, character, allBones, moved), report, touching };
}

/** Finds how deep arms and hands that touch may be inside the character. */
function findLimits(
  { source, target, sourceSurface, targetSurface, selfCollision }: ContactPlan,
  {
    sourceBones,
    bones,
    arms,
    skins,
    activity,
  }: {
    readonly sourceBones: Float64Array;
    readonly bones: Float64Array;
    readonly arms: readonly Arm[];
    readonly skins: readonly { readonly source: readonly SkinOfBone[]; readonly target: readonly SkinOfBone[] }[];
    readonly activity: readonly Float64Array[];
  },
): ArmLimits {
  const character = createPosedCharacter(target, targetSurface);
  const parts = findParts(targetSurface);
  const from = { humanoid: source, surface: sourceSurface, bones: sourceBones };
  const solids = (side: Side, humanoid: Humanoid, surface: ContactSurface): readonly (readonly BoneRadii[])[] => {
    return [...findParts(surface), touchParts(side, humanoid, surface)[TOUCH_PARTS.indexOf('otherHand')]];
  };
  return {
    parts,
    clearance: clearanceOf(selfCollision),
    allowed: arms.map((arm) => {
      const allowed = allowedDepths(arm, { character, surface: targetSurface }, from);
      permitGround(allowed, arm, character, targetSurface, bones);
      return allowed;
    }),
    plain: arms.map((arm, k) => armDepths(arm, target, parts, bones, Number.NEGATIVE_INFINITY, activity[k])),
    skins: arms.map(({ side }, k): LimitedSkin => {
      const of = solids(side, source, sourceSurface);
      const scale = heightRatio(from, { humanoid: target, surface: targetSurface });
      const allowed = activity[k].map((share, frame) => {
        return share > 0 ? scale * handDepth(skins[k].source, of, sourceBones, FRAME_STRIDE * frame) : 0;
      });
      return { parts: solids(side, target, targetSurface), allowed };
    }),
  };
}
