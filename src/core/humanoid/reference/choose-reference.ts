/** Taking or estimating the reference pose of a body, in the order: the caller's, a declared one, the best of the file's through the estimator. */
import type { Clip } from '../../animation/clip.ts';
import * as quat from '../../math/quat.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import type { DeclaredHumanoid, PartFinding, ReferenceKind } from '../humanoid.ts';
import type { BoundPoints } from './bound-points.ts';
import { chooseStartPose, type PoseSources, type StartPose, startPose } from './choose-pose.ts';
import { estimateTPose } from './estimate-t-pose.ts';
import { metricFrame } from './metric-frame.ts';
import { bindModelPose, clipPose, frameTimes, type ModelPose, modelPose, nodePose } from './model-pose.ts';
import { groundOfMotion, plantedSlope } from './motion-stance.ts';
import { bonePositions, lowestFoot, raise, rigidTurns, type TurnedPose, turnPose } from './reference-pose.ts';

/**
 * Which pose is the reference. `auto`: the declared one, else the best pose of the file put through the estimator. `start`: a pose of
 * the caller's put through it. Everything else is taken as it is: the declared, bind or node pose, a frame of the motion, or a
 * pose of the caller's.
 */
export type PoseChoice =
  | 'auto'
  | 'declared'
  | 'bind'
  | 'node'
  | { readonly frame: number }
  | { readonly start: ModelPose }
  | ModelPose;

/** A choice of a pose that is taken as it is. */
type ExactChoice = Exclude<PoseChoice, 'auto' | { readonly start: ModelPose }>;

/** The pose that a caller chose, not to be estimated; null when it is not there. */
function chosenPose(skeleton: Skeleton, choice: ExactChoice, motion: Clip | null): ModelPose | null {
  if (choice === 'bind') return bindModelPose(skeleton);
  if (choice === 'declared' || choice === 'node') return nodePose(skeleton);
  if ('positions' in choice) return choice;
  const time = motion === null ? undefined : frameTimes(motion)[choice.frame];
  if (motion === null || time === undefined) return null;
  return clipPose(skeleton, motion, time, `frame:${choice.frame}`);
}

function missingPose(choice: ExactChoice, motion: Clip | null): string {
  if (choice === 'bind') return 'the bind pose was asked for, but no skin of it has bind matrices; use node or auto';
  if (typeof choice === 'object' && 'frame' in choice) {
    const count = motion === null ? 0 : frameTimes(motion).length;
    return `frame ${choice.frame} was asked for as its reference pose, but its motion has ${count} frames`;
  }
  return 'the pose that was asked for is not there';
}

/** F that the format gives: half a turn for a body that faces −Z, after the turn into its axes. */
function declaredFrame({ facing, turn }: DeclaredHumanoid): Float64Array {
  const frame = facing === '-Z' ? new Float64Array([0, 1, 0, 0]) : new Float64Array([0, 0, 0, 1]);
  if (turn !== undefined) quat.multiply(frame, 0, frame, 0, turn, 0);
  return frame;
}

/** F of a file whose body shows no front: its up becomes +Y by the shortest turn, so that a body along −Y of a file with Z up faces +Z. */
function frameOfFile(up: ArrayLike<number> | null): Float64Array {
  const frame = new Float64Array([0, 0, 0, 1]);
  if (up !== null) quat.fromTo(frame, 0, up, 0, [0, 1, 0], 0);
  return frame;
}

const NO_FRONT: Issue = issue(
  'FACING_GUESSED',
  'Hips and shoulders, as far as they are there, show no front: the axes of the file were taken, up as it says and facing +Z. Check that both bodies face the same way.',
);

/** The pose that the format declares to be the reference. */
function declaredPose(skeleton: Skeleton, { format, pose }: DeclaredHumanoid): ModelPose {
  return pose === undefined ? nodePose(skeleton) : modelPose(format, skeleton.parents, pose);
}

/** The local pose that limbs must be put into; none for the rest pose, in which they stand. */
function shapeOf({ from, local }: ModelPose): Float64Array | null {
  return from === 'node' ? null : local;
}

/** A reference pose, not yet measured: units of the file, not seated on the ground of a motion. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly from: string;
  readonly frame: Float64Array;
  readonly turned: TurnedPose;
  /** The pose it was taken from, local; null when that is the rest pose. */
  readonly shape: Float64Array | null;
  readonly start: Float64Array;
  /** Of an estimated pose. */
  readonly findings: readonly PartFinding[] | null;
  readonly issues: readonly Issue[];
}

/** What the reference pose may be taken from, and what helps to estimate it. */
export interface ReferenceSources extends PoseSources {
  readonly declared: DeclaredHumanoid | null;
  /** What the file says is up, its axes; for bodies that show no front themselves. Null: +Y. */
  readonly up: ArrayLike<number> | null;
  /** Vertices of the body; asked for only where joints leave a doubt. */
  readonly vertices: () => BoundPoints | null;
}

function asItIs(nodes: Int32Array, pose: ModelPose, frame: Float64Array, kind: ReferenceKind, from: string): Reference {
  const turned = turnPose(nodes, pose, rigidTurns(frame));
  const start = turned.positions;
  return { kind, from, frame, turned, shape: shapeOf(pose), start, findings: null, issues: [] };
}

function estimated(
  skeleton: Skeleton,
  nodes: Int32Array,
  { pose, frame, animated }: StartPose,
  { motion, vertices }: ReferenceSources,
): Reference {
  const slope = (): number | null => (motion === null ? null : plantedSlope(skeleton, nodes, motion, frame.rotation));
  const estimate = estimateTPose(skeleton, nodes, pose, frame, { animated, vertices, plantedSlope: slope });
  const { turns, findings, issues, stance } = estimate;
  const turned = turnPose(nodes, pose, turns);
  const start = bonePositions(pose, nodes, frame.rotation);
  // Straightened legs must not push the feet through the floor, nor lift them. In a pose of movement they may be in the air.
  const isInAir = stance === 'moving' && motion !== null;
  const ground = isInAir ? groundOfMotion(skeleton, nodes, motion, frame.rotation) : lowestFoot(start, nodes);
  raise(turned.positions, nodes, ground - lowestFoot(turned.positions, nodes));
  return {
    kind: 'estimated',
    from: pose.from,
    frame: frame.rotation,
    turned,
    shape: shapeOf(pose),
    start,
    findings,
    issues: [...frame.issues, ...issues],
  };
}

/** The pose to start the estimator from: the caller's, else the best of the file; null where the body has no front in it. */
function startOf(
  skeleton: Skeleton,
  nodes: Int32Array,
  choice: 'auto' | { readonly start: ModelPose },
  sources: ReferenceSources,
): StartPose | null {
  return choice === 'auto' ? chooseStartPose(skeleton, nodes, sources) : startPose(choice.start, nodes);
}

/** The reference pose of a body by a choice, or the reason in plain words why there is none. */
export function referenceOf(
  skeleton: Skeleton,
  nodes: Int32Array,
  choice: PoseChoice,
  sources: ReferenceSources,
): Reference | string {
  const { motion } = sources;
  const declared = sources.declared?.facing === null ? null : sources.declared;
  if ((choice === 'auto' && declared === null) || (typeof choice === 'object' && 'start' in choice)) {
    const start = startOf(skeleton, nodes, choice, sources);
    if (start === null) return 'its hips and shoulders have no breadth or height, so that it has no front';
    return estimated(skeleton, nodes, start, sources);
  }
  if (choice === 'auto' || (choice === 'declared' && declared !== null)) {
    const by = declared as DeclaredHumanoid;
    return asItIs(nodes, declaredPose(skeleton, by), declaredFrame(by), 'declared', by.format);
  }
  if (choice === 'declared')
    return 'its declared reference pose was asked for, but its format declares none; use auto, bind or node';
  const pose = chosenPose(skeleton, choice, motion);
  if (pose === null) return missingPose(choice, motion);
  const found = declared === null ? metricFrame(pose.positions, nodes) : null;
  const frame = declared !== null ? declaredFrame(declared) : (found?.rotation ?? frameOfFile(sources.up));
  const kind = choice === 'bind' || choice === 'node' ? choice : 'frame' in choice ? 'frame' : 'given';
  const reference = asItIs(nodes, pose, frame, kind, pose.from);
  return declared !== null || found !== null ? reference : { ...reference, issues: [NO_FRONT] };
}
