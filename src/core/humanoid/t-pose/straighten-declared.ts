/**
 * Straightens a declared T-pose that is not quite one. VRM requires a T-pose at rest, but arms, hands and fingers of real avatars are some
 * degrees off, and every motion from another rig would be off by as much.
 *
 * The declaration is evidence too: trunk, eyes, jaw and the pitch of the feet stay as declared, a part that is far from a T-pose is not
 * straightened, and weak evidence for the roll of a hand does not count.
 */
import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import * as quat from '../../math/quat.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONES, isFingerBone, SIDES, type Side } from '../bones.ts';
import type { Limb, PartFinding } from '../humanoid.ts';
import { bonePositions } from './bone-pose.ts';
import {
  addFinding,
  boneOf,
  createEstimatorState,
  type EstimatorState,
  followParent,
  formatDegrees,
  hasBone,
} from './estimator-state.ts';
import { classifyStance, type LegStance } from './leg-stance.ts';
import type { ModelPose } from './model-pose.ts';
import { alignArm } from './parts/arms.ts';
import { headToFront } from './parts/feet.ts';
import { alignFingers, alignThumb } from './parts/fingers.ts';
import { findKnuckles, pointHand, rollHand } from './parts/hands.ts';
import { alignLeg } from './parts/legs.ts';
import { findPalmRoll } from './parts/palms.ts';
import { alignTrunk } from './parts/trunk.ts';

/** A part of a declared pose that deviates more than this from a T-pose, degrees, is not straightened. Fingers have no limit. */
export const MAX_DECLARED_DEVIATION = 25;
/** Evidence for the roll of a hand below this confidence does not contradict a declared pose. */
const SHOWS_PALM = 0.6;
/** Corrections up to this angle, radians, are rounding errors of float32 positions. */
const UNCHANGED = 1e-4;

const LIMIT = MAX_DECLARED_DEVIATION / DEGREES_PER_RADIAN;

export interface DeviatingPart {
  readonly part: Limb | `${Side}Palm` | `${Side}Foot`;
  readonly degrees: number;
}

/** Corrections from a declared pose to the T-pose. */
export interface StraightenedPose {
  /** N(b) per bone, xyzw: rotation from the declared pose, axes of the file, to the T-pose, canonical frame. */
  readonly corrections: Float64Array;
  readonly isChanged: boolean;
  /** How each part was straightened. */
  readonly findings: readonly PartFinding[];
  /** Parts that stay as declared because they are far from a T-pose. */
  readonly kept: readonly DeviatingPart[];
}

/** A declared pose that is being straightened. */
interface Straightening {
  readonly state: EstimatorState;
  readonly kept: DeviatingPart[];
}

/** The greatest angle by which the corrections of some bones differ from the frame, radians. */
function largestCorrection({ corrections, frame }: EstimatorState, bones: readonly number[]): number {
  return bones.reduce((most, bone) => Math.max(most, quat.angleBetween(corrections, 4 * bone, frame, 0)), 0);
}

/**
 * Aligns a part whose bones all have the correction of the frame. When a bone would rotate too far, the part follows its parent instead.
 * Returns whether it was aligned.
 */
function tryPart(
  { state, kept }: Straightening,
  part: DeviatingPart['part'],
  bones: readonly number[],
  align: () => void,
): boolean {
  const present = bones.filter((bone) => hasBone(state, bone));
  const known = state.findings.length;
  align();
  const angle = largestCorrection(state, present);
  if (angle <= LIMIT) return true;
  state.findings.length = known;
  for (const bone of present) followParent(state, bone);
  kept.push({ part, degrees: angle * DEGREES_PER_RADIAN });
  return false;
}

function followHand(state: EstimatorState, side: Side): void {
  for (const [bone, name] of BONES.entries())
    if (isFingerBone(name) && name.startsWith(side)) followParent(state, bone);
}

/** Rolls the palm to the ground. Returns whether the hand is in a T-pose, so that its fingers can be straightened. */
function straightenPalm({ state, kept }: Straightening, side: Side): boolean {
  const { roll, confidence, reason } = findPalmRoll(state, side, findKnuckles(state, side));
  if (confidence < SHOWS_PALM) {
    addFinding(state, `${side}Palm`, 1, 'roll as declared');
    return true;
  }
  if (Math.abs(roll) > LIMIT) {
    kept.push({ part: `${side}Palm`, degrees: Math.abs(roll) * DEGREES_PER_RADIAN });
    return false;
  }
  rollHand(state, side, roll);
  addFinding(state, `${side}Palm`, 1, `${reason}, rolled by ${formatDegrees(roll)}`);
  return true;
}

/** Straightens an arm from the shoulder outward, as far as it is near a T-pose. */
function straightenArm(pose: Straightening, side: Side, lean: number): void {
  const { state } = pose;
  const hand = boneOf(side, 'Hand');
  const arm = ['UpperArm', 'LowerArm'].map((part) => boneOf(side, part));
  const isHandInT =
    tryPart(pose, `${side}Arm`, arm, () => alignArm(state, side, lean)) &&
    hasBone(state, hand) &&
    tryPart(pose, `${side}Hand`, [hand], () => pointHand(state, side)) &&
    straightenPalm(pose, side);
  if (!isHandInT) {
    followHand(state, side);
    return;
  }
  alignFingers(state, side);
  alignThumb(state, side);
}

function straightenLeg(pose: Straightening, side: Side, stance: LegStance): void {
  const { state } = pose;
  const foot = boneOf(side, 'Foot');
  const leg = ['UpperLeg', 'LowerLeg'].map((part) => boneOf(side, part));
  tryPart(pose, `${side}Leg`, leg, () => state.findings.push(...alignLeg(state, side, stance)));
  if (!hasBone(state, foot)) return;
  tryPart(pose, `${side}Foot`, [foot], () => {
    const heading = headToFront(state, side);
    addFinding(state, `${side}Foot`, 1, `${heading ?? 'heading as declared'}; pitch as declared`);
  });
  followParent(state, boneOf(side, 'Toes'));
}

/**
 * Straightens a declared pose: arms, hands, palms, fingers, legs and the heading of the feet become exactly T where they are within
 * {@link MAX_DECLARED_DEVIATION}. All other parts stay as declared. `frame` is the declared rotation into the canonical frame, xyzw.
 */
export function straightenDeclaredPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  pose: ModelPose,
  frame: Float64Array,
): StraightenedPose {
  const nothing = (): null => null;
  const state = createEstimatorState({ skeleton, nodes, pose, frame, plantedSlope: nothing, vertices: nothing });
  const straightening: Straightening = { state, kept: [] };
  const stance = classifyStance(state, bonePositions(pose, nodes, frame), false);
  const lean = alignTrunk(state, false, 'front as declared', 1);
  for (const side of SIDES) {
    straightenArm(straightening, side, lean);
    straightenLeg(straightening, side, stance);
  }
  const { corrections, findings } = state;
  const present = Array.from(nodes.keys()).filter((bone) => nodes[bone] >= 0);
  return { corrections, isChanged: largestCorrection(state, present) > UNCHANGED, findings, kept: straightening.kept };
}
