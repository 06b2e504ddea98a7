import * as vec3 from '../../math/vec3.ts';
import { smoothstep } from '../paths/ease.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import type { Arm } from '../self-collision/limb-points.ts';
import { MOST_BRUSH_CHANGE, MOST_CHANGE, MOST_SOFT_CHANGE } from '../self-collision/limit-change.ts';
import { createPartDepth, findPartDepth, pointAt } from '../self-collision/part-depth.ts';
import { isHandBone } from '../surface/surface-bones.ts';
import { BEHIND, CLOSE, type HandContact, SKIN_GAPS } from './find-touches.ts';
import { type HandGoal, locationOf } from './hand-goals.ts';
import { TOUCH_PARTS } from './touch-parts.ts';

/** Distance from shoulder to wrist, relative to the length of the arm, up to which a location counts, and from which on the hand may touch the part anywhere. */
const REACHED = 1;
const UNREACHABLE = 1.2;
/** Distance from the wanted depth after plain retargeting, relative to the height, below which the location on the part matters less: the hand is on the part anyway. */
const APART = 0.05;
/**
 * Cosines of the angle between an arm, from shoulder to wrist, and straight down, between which it begins to hang: 37° and 25°. Arms of Xbot's idle poses are within 15°, those with
 * hands on the knees of somebody who sits 38° away. A hand that hangs at a thigh touches it where it comes to be, with the points that are closest: to bring all of them to their places,
 * arms of other proportions would be spread, or held behind the body.
 */
const RAISED = 0.799;
const HANGING = 0.906;
/** How much is missing of a hand that hangs and is deep inside what it touches: to be free its arm may change as much as one that touches nothing. */
const SOFT_SHARE = (MOST_SOFT_CHANGE - MOST_BRUSH_CHANGE) / (MOST_CHANGE - MOST_BRUSH_CHANGE);
/** Parts that a hand which hangs is beside. On others, as on the other arm, it is a gesture, however low. */
const BESIDE_HANGING: readonly (typeof TOUCH_PARTS)[number][] = ['trunk', 'leg', 'otherLeg'];

/** A goal of the target, with what plain retargeting makes of it. */
export interface ReachableGoal extends HandGoal {
  /** Depth of the point in the part after plain retargeting, meters; negative outside. */
  readonly plainDepth: number;
  /** How much the location on the part matters, 0…1. */
  readonly locating: number;
  /** How much is missing of the contact, 0…1: 0 for a hand that hangs and touches by itself, or nearly. */
  readonly missing: number;
}

const part = createPartDepth();
const position = new Float64Array(3);
const goal = new Float64Array(3);
const outward = new Float64Array(3);
const wrist = new Float64Array(3);

/** Returns how far a point is from the depth that it has to have, meters: too far outside, or too deep. */
export function missed({ gap, overlap }: HandGoal, depth: number, size: number): number {
  return Math.max(0, -depth - gap, depth - overlap * size);
}

/**
 * Returns a goal with the distance of the skin of the source instead of that of the point, as far as plain retargeting changes the latter: characters
 * with the proportions of the source keep their pose.
 */
function goalOfSkin(goal: HandGoal, plainDepth: number, size: number): HandGoal {
  const ofPoint = goal.gap > 0 ? -goal.gap : goal.overlap * size;
  const most = Math.abs(ofPoint - plainDepth);
  const depth = ofPoint + Math.min(most, Math.max(-most, goal.beyond));
  return { ...goal, gap: Math.max(0, -depth), overlap: size > 0 ? Math.max(0, depth / size) : 0 };
}

/** Returns how much an arm hangs, 0…1: offsets of the positions of shoulder and wrist. */
function hangingOf(bones: Float64Array, shoulder: number, hand: number): number {
  const distance = vec3.distance(bones, shoulder, bones, hand);
  return distance > 0 ? smoothstep(RAISED, HANGING, (bones[shoulder + 1] - bones[hand + 1]) / distance) : 0;
}

/**
 * Frees the goals whose location is out of reach, and those of hands that hang: there a hand touches the part where it is closest. Where a hand
 * that hangs touches anyway, only its closest points have to. `arms`: arms of the target, per side; undefined without. `height`: height of the
 * target, meters. Returns the goals of each frame, and in `reach` the greatest distance from a shoulder to the goal of its wrist, relative to the
 * length of the arm.
 */
export function reachableGoals(
  frames: readonly (readonly HandGoal[])[],
  arms: readonly (Arm | undefined)[],
  bones: Float64Array,
  height: number,
): { readonly frames: readonly (readonly ReachableGoal[])[]; readonly reach: number } {
  let reach = 0;
  const reachable = frames.map((goals, frame) => {
    const b = FRAME_STRIDE * frame;
    /** Depth of the deepest point per contact; one that touches less than another counts as less deep. */
    const deepest = new Map<HandContact, number>();
    const most = new Map<HandContact, number>();
    for (const { contact, weight } of goals) most.set(contact, Math.max(weight, most.get(contact) ?? 0));
    const found = goals.flatMap((goalOfPoint): (Omit<ReachableGoal, 'missing'> & { readonly hanging: number })[] => {
      const arm = arms[goalOfPoint.side];
      if (arm === undefined) return [];
      const { point, part: solid } = goalOfPoint;
      pointAt(position, 0, point, bones, b);
      const limb = b + BONE_STRIDE * point.bone;
      findPartDepth(part, solid, bones, b, point, position, bones, limb, Number.NEGATIVE_INFINITY);
      const plainDepth = part.depth;
      const one = goalOfSkin(goalOfPoint, plainDepth, part.size);
      locationOf(goal, outward, one, bones, b);
      const [shoulder, , hand] = arm.bones.map((bone) => b + BONE_STRIDE * bone + POSITION_OFFSET);
      vec3.subtract(wrist, 0, goal, 0, position, 0);
      // Two hands meet halfway.
      const isShared = isHandBone(one.radii.bone);
      vec3.addScaled(wrist, 0, bones, hand, wrist, 0, isShared ? 0.5 : 1);
      const stretch = vec3.distance(wrist, 0, bones, shoulder) / arm.length;
      reach = Math.max(reach, stretch);
      const reached = smoothstep(UNREACHABLE, REACHED, stretch);
      const near = isShared ? 1 : smoothstep(0, APART, missed(one, plainDepth, part.size) / height);
      const isBeside = BESIDE_HANGING.includes(TOUCH_PARTS[one.contact.part]);
      const hanging = isBeside ? hangingOf(bones, shoulder, hand) : 0;
      // A hand that hangs keeps the gap that it has, up to that of a touch: nobody sees which finger of it is how near.
      const ownGap = Math.min(Math.max(one.gap, SKIN_GAPS.enter * height), Math.max(0, -plainDepth));
      const gap = one.gap + hanging * (ownGap - one.gap);
      // A point that hardly touches is no reason to leave out the others, but for a hand that hangs: which of its points is near depends on its shape.
      const counted = plainDepth - CLOSE * height * (1 - hanging) * (1 - one.weight / most.get(one.contact)!);
      deepest.set(one.contact, Math.max(counted, deepest.get(one.contact) ?? counted));
      return [{ ...one, gap, plainDepth, locating: near * reached * (1 - hanging), hanging }];
    });
    return found.map(({ hanging, ...one }): ReachableGoal => {
      const depth = deepest.get(one.contact)!;
      // As near as contacts are full, it touches by itself; further away all of its points come.
      const byItself = hanging * smoothstep(-CLOSE, 0, depth / height);
      const closest = smoothstep(BEHIND, 0, Math.max(0, depth - one.plainDepth) / height);
      const missing =
        depth < 0
          ? smoothstep(SKIN_GAPS.leave, APART, -depth / height)
          : SOFT_SHARE * smoothstep(SKIN_GAPS.enter, CLOSE, depth / height);
      return { ...one, weight: one.weight * (1 - byItself * (1 - closest)), missing: 1 - hanging * (1 - missing) };
    });
  });
  return { frames: reachable, reach };
}
