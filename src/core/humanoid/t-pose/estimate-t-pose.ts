/**
 * The T-pose estimator: corrects any pose of a character to its T-pose, from joint positions, the bone map and, where
 * these are ambiguous, vertices.
 *
 * Every bone gets one correction N(b), a world rotation from the pose to the T-pose. From the hips outward, each
 * segment of arms, fingers and legs takes the shortest arc to its T direction, on top of the correction of its parent.
 * Its roll comes from elbows, knuckles and knees. Spine, neck, head and shoulders follow their parent. A foot stays
 * flat on the ground and points its toes to the front.
 */
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONES, isFingerBone, SIDES } from '../bones.ts';
import type { PartFinding } from '../humanoid.ts';
import { bonePositions } from './bone-pose.ts';
import type { BoundVertices } from './bound-vertices.ts';
import type { FrameEstimate } from './estimate-frame.ts';
import { createEstimatorState, type EstimatorState, hasBone } from './estimator-state.ts';
import { classifyStance, type LegStance } from './leg-stance.ts';
import type { ModelPose } from './model-pose.ts';
import { alignArm } from './parts/arms.ts';
import { alignEyes, alignJaw } from './parts/face.ts';
import { alignFoot } from './parts/feet.ts';
import { alignFingers, alignThumb } from './parts/fingers.ts';
import { alignHand } from './parts/hands.ts';
import { alignLeg } from './parts/legs.ts';
import { alignTrunk } from './parts/trunk.ts';

/** Body parts below this confidence are reported as an issue. */
const MIN_CONFIDENCE = 0.5;

export interface TPoseEstimate {
  /** N(b) per bone: rotation from the pose, axes of the file, to the T-pose, canonical frame; xyzw. Identity where the bone is absent. */
  readonly corrections: Float64Array;
  readonly stance: LegStance;
  readonly findings: readonly PartFinding[];
  readonly issues: readonly Issue[];
}

export interface EstimateOptions {
  /** Whether the pose comes from a motion, in which the trunk may lean because of the movement. False by default. */
  readonly animated?: boolean;
  /** Whether the file has no pose at rest: then this one says nothing about feet and lean, even with straight legs. False by default. */
  readonly isMoving?: boolean;
  /** Returns the vertices of the character. Called at most once, and only where joints are ambiguous. */
  readonly vertices?: () => BoundVertices | null;
  /** Returns the slope from ankle to toes of a foot flat on the ground in a motion, radians below the horizontal. Called only for poses in motion. */
  readonly plantedSlope?: () => number | null;
}

/** Computes a value on the first call. */
export function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | null = null;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** Estimates the T-pose of a character from one of its poses. An exact T-pose comes back unchanged: every correction equals the frame. */
export function estimateTPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  pose: ModelPose,
  frame: Pick<FrameEstimate, 'rotation' | 'reason' | 'confidence'>,
  options: EstimateOptions = {},
): TPoseEstimate {
  const state = createEstimatorState({
    skeleton,
    nodes,
    pose,
    frame: frame.rotation,
    vertices: once(options.vertices ?? (() => null)),
    plantedSlope: once(options.plantedSlope ?? (() => null)),
  });
  const isAnimated = options.animated === true;
  const shown = classifyStance(state, bonePositions(pose, nodes, frame.rotation), isAnimated);
  const stance = shown === 'standing' && options.isMoving === true ? 'moving' : shown;
  const mayLean = stance === 'moving' && isAnimated;
  const lean = alignTrunk(state, mayLean, frame.reason, frame.confidence);
  // Feet need both legs straight.
  const legs = SIDES.map((side) => alignLeg(state, side, stance));
  for (const [k, side] of SIDES.entries()) {
    alignArm(state, side, lean);
    alignHand(state, side);
    alignFingers(state, side);
    alignThumb(state, side);
    state.findings.push(...legs[k]);
    alignFoot(state, side, stance);
  }
  alignEyes(state);
  alignJaw(state);
  return {
    corrections: state.corrections,
    stance,
    findings: state.findings,
    issues: state.findings.filter((finding) => shows(state, finding)).flatMap(reportAmbiguous),
  };
}

/** Tells whether a wrong pose of a part would show: the roll of a hand without fingers rarely does. */
function shows(state: EstimatorState, { part }: PartFinding): boolean {
  const side = SIDES.find((one) => part === `${one}Palm`);
  if (side === undefined) return true;
  return BONES.some((name, bone) => isFingerBone(name) && name.startsWith(side) && hasBone(state, bone));
}

function reportAmbiguous({ part, confidence, reason }: PartFinding): Issue[] {
  return confidence < MIN_CONFIDENCE
    ? [
        issue(
          'POSE_LIMB_AMBIGUOUS',
          `${part} is ambiguous in the reference pose: ${reason}. The most likely pose was taken. Supply a T-pose of the same rig if it is wrong.`,
        ),
      ]
    : [];
}
