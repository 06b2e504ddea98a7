/**
 * The estimator of the reference pose: from any pose of a body to its T-pose, by positions, the bone map and, where these leave a
 * doubt, the vertices.
 *
 * Every bone gets one turn N(b), the world rotation from the pose to the T-pose. From the hips outward, each segment of arms,
 * fingers and legs takes the shortest arc to its T direction on top of what its parent turned, rolled by what shows a roll: elbows,
 * knuckles, knees. Spine, neck, head and shoulders follow their parent. A foot stays flat on the ground and turns its toes to the front.
 */
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import type { PartFinding } from '../humanoid.ts';
import { alignArm } from './arms.ts';
import type { BoundPoints } from './bound-points.ts';
import { alignEyes, alignJaw } from './face.ts';
import { alignFoot } from './feet.ts';
import { alignFingers, alignThumb } from './fingers.ts';
import { alignHand } from './hands.ts';
import { alignLeg } from './legs.ts';
import type { MetricFrame } from './metric-frame.ts';
import type { ModelPose } from './model-pose.ts';
import { bonePositions } from './reference-pose.ts';
import { type Stance, stanceOf } from './stance.ts';
import { alignTrunk } from './trunk.ts';
import { type Side, turnedBody } from './turned-body.ts';

/** Parts less sure than this are reported as an issue. */
const UNSURE = 0.5;

/** Turns from a pose to the T-pose. */
export interface Estimate {
  /** N(b) per bone: file axes of the pose → canonical T-pose, xyzw; identity where the bone is absent. */
  readonly turns: Float64Array;
  /** How its legs stand in the pose. */
  readonly stance: Stance;
  /** What was decided about every part that is there. */
  readonly findings: readonly PartFinding[];
  readonly issues: readonly Issue[];
}

/** What may help beside the pose itself. */
export interface EstimateOptions {
  /** Whether the pose comes out of a motion: its trunk may lean then because of what the body does. False by default. */
  readonly animated?: boolean;
  /** Vertices of the body, asked for at most once and only where joints leave a doubt. */
  readonly vertices?: () => BoundPoints | null;
  /** Slope of the way from ankle to toes while the feet stand flat in a motion, radians below the horizontal; asked for when the pose is one of movement. */
  readonly plantedSlope?: () => number | null;
}

/** The value of a function that is called at most once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Estimates the T-pose of a body. `frame` is the metric frame of the pose, which turns it into the canonical frame.
 * An exact T-pose comes back unchanged: every turn is that of the frame.
 */
export function estimateTPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  pose: ModelPose,
  frame: Pick<MetricFrame, 'rotation' | 'reason' | 'confidence'>,
  options: EstimateOptions = {},
): Estimate {
  const body = turnedBody({
    skeleton,
    nodes,
    pose,
    attitude: frame.rotation,
    vertices: once(options.vertices ?? (() => null)),
    plantedSlope: once(options.plantedSlope ?? (() => null)),
  });
  const stance = stanceOf(body, bonePositions(pose, nodes, frame.rotation));
  const mayLean = stance === 'moving' && options.animated === true;
  const lean = alignTrunk(body, mayLean, frame.reason, frame.confidence);
  for (const side of ['left', 'right'] satisfies Side[]) {
    alignArm(body, side, lean);
    alignHand(body, side);
    alignFingers(body, side);
    alignThumb(body, side);
    alignLeg(body, side, stance);
    alignFoot(body, side, stance);
  }
  alignEyes(body);
  alignJaw(body);
  return { turns: body.turns, stance, findings: body.findings, issues: body.findings.flatMap(unsure) };
}

function unsure({ part, confidence, reason }: PartFinding): Issue[] {
  return confidence < UNSURE ? [issue('POSE_LIMB_AMBIGUOUS', `${part}: ${reason}.`)] : [];
}
