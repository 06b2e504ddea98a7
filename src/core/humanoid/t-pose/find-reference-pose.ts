import type { Clip } from '../../animation/clip.ts';
import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import type { DeclaredHumanoid, Limb, PartFinding, ReferenceKind } from '../humanoid.ts';
import { pelvisPosition } from '../pelvis.ts';
import {
  applyCorrections,
  type BonePose,
  bonePositions,
  lowestFootHeight,
  moveBones,
  uniformCorrections,
} from './bone-pose.ts';
import type { BoundVertices } from './bound-vertices.ts';
import { chooseStartPose, createStartPose, type PoseSources, type StartPose } from './choose-start-pose.ts';
import { addUp, estimateFrame, findFileFrame } from './estimate-frame.ts';
import { estimateTPose } from './estimate-t-pose.ts';
import {
  bindModelPose,
  frameTimes,
  type ModelPose,
  restModelPose,
  sampleModelPose,
  toModelPose,
} from './model-pose.ts';
import { findMotionGround, findPlantedSlope } from './motion-statistics.ts';
import { type DeviatingPart, MAX_DECLARED_DEVIATION, straightenDeclaredPose } from './straighten-declared.ts';
import { deviationFromTPose } from './t-pose-chains.ts';

/**
 * Which pose becomes the reference pose.
 *
 * - `auto`: the declared pose, else the best pose of the file; both corrected by the T-pose estimator. A pose that EXT_skeleton_humanoid
 *   declares is used as it is.
 * - `start`: a user-supplied pose corrected by the estimator.
 * - All others are used as they are: the declared, bind or node pose, a frame of the motion (index from 0), or a
 *   user-supplied pose.
 */
export type PoseChoice =
  | 'auto'
  | 'declared'
  | 'bind'
  | 'node'
  | {
      /** Index of the frame, from 0. */
      readonly frame: number;
    }
  | {
      /** The pose that the estimator corrects. */
      readonly start: ModelPose;
    }
  | ModelPose;

type ExactChoice = Exclude<PoseChoice, 'auto' | { readonly start: ModelPose }>;

/** The chosen pose; null when it does not exist. */
function chosenPose(skeleton: Skeleton, choice: ExactChoice, motion: Clip | null): ModelPose | null {
  if (choice === 'bind') return bindModelPose(skeleton);
  if (choice === 'declared' || choice === 'node') return restModelPose(skeleton);
  if ('positions' in choice) return choice;
  const time = motion === null ? undefined : frameTimes(motion)[choice.frame];
  if (motion === null || time === undefined) return null;
  return sampleModelPose(skeleton, motion, time, `frame:${choice.frame}`);
}

function missingPose(choice: ExactChoice, motion: Clip | null): string {
  if (choice === 'bind')
    return 'the bind pose was requested, but none of its skins has bind matrices; use node or auto';
  if (typeof choice === 'object' && 'frame' in choice) {
    const count = motion === null ? 0 : frameTimes(motion).length;
    return `frame ${choice.frame} was requested as its reference pose, but its motion has ${count} frames`;
  }
  return 'the requested reference pose does not exist';
}

/** A declared pose whose trunk is further than this from the declared up axis, radians, has other axes than its format declares. */
const NOT_UPRIGHT = Math.PI / 4;

function limbDeviations(pose: ModelPose, nodes: Int32Array, frame: Float64Array): number[] {
  return Object.values(deviationFromTPose(bonePositions(pose, nodes, frame), nodes));
}

/** F of a declared pose, with an issue where the character lies on its back or side in the declared axes; then F is found as in other files. */
function checkedFrame(
  declared: DeclaredHumanoid,
  nodes: Int32Array,
  pose: ModelPose,
): { readonly frame: Float64Array; readonly issues: readonly Issue[] } {
  const frame = declaredFrame(declared);
  const up = new Float64Array(3);
  addUp(up, nodes, pose);
  vec3.rotate(up, 0, frame, 0, up, 0);
  const angle = vec3.length(up, 0) > 0 ? vec3.angleBetween(up, 0, [0, 1, 0], 0) : 0;
  const found = angle > NOT_UPRIGHT ? createStartPose(pose, nodes) : null;
  // Only a T-pose shows that it lies: other poses are obeyed, whatever they look like.
  if (found === null || Math.max(...limbDeviations(found.pose, nodes, found.frame.rotation)) > MAX_DECLARED_DEVIATION)
    return { frame, issues: [] };
  const message =
    `The trunk of the declared reference pose is ${(angle * DEGREES_PER_RADIAN).toFixed(0)}° off the up axis +Y of the format; expected an upright character. ` +
    'Up and front were found from the joints instead. Export the file with +Y up.';
  return { frame: found.frame.rotation, issues: [issue('DECLARED_AXES_IMPLAUSIBLE', message)] };
}

/** F of a declared pose: a half turn for a character that faces −Z, after the rotation into the declared axes. */
function declaredFrame({ facing, axesRotation }: DeclaredHumanoid): Float64Array {
  const frame = facing === '-Z' ? new Float64Array([0, 1, 0, 0]) : new Float64Array([0, 0, 0, 1]);
  if (axesRotation !== undefined) quat.multiply(frame, 0, frame, 0, axesRotation, 0);
  return frame;
}

/** F of a character without a recognizable front: the shortest rotation that makes the up axis of the file +Y. */
function frameOfFile(up: ArrayLike<number> | null): Float64Array {
  const frame = new Float64Array([0, 0, 0, 1]);
  if (up !== null) quat.fromTo(frame, 0, up, 0, [0, 1, 0], 0);
  return frame;
}

const NO_FRONT: Issue = issue(
  'FACING_GUESSED',
  'Hips and shoulders show no front. The character was assumed to face +Z after its up axis became +Y. ' +
    'Check that source and target face the same way.',
);

function declaredPose(skeleton: Skeleton, { format, pose }: DeclaredHumanoid): ModelPose {
  return pose === undefined ? restModelPose(skeleton) : toModelPose(format, skeleton.parents, pose);
}

/** The local pose that gives limb lengths; null for the rest pose. */
function basePoseOf({ from, local }: ModelPose): Float64Array | null {
  return from === 'node' ? null : local;
}

/** A reference pose in units of the file, not yet moved onto the ground of a motion. */
export interface FileReferencePose {
  /** How the pose was obtained. */
  readonly kind: ReferenceKind;
  /** The pose of the file that was used or estimated from. */
  readonly from: string;
  /** F: rotates directions from the axes of the file to the canonical frame; xyzw. */
  readonly frame: Float64Array;
  /** World rotations and positions of the bones, canonical frame, units of the file. */
  readonly pose: BonePose;
  /** The pose it was taken from, local, 10 floats per node; null for the rest pose. */
  readonly basePose: Float64Array | null;
  /** Positions of the bones in the pose that the estimator started from, xyz, canonical frame. */
  readonly start: Float64Array;
  /** The humanoid whose declared pose this is, straightened or not; null without. */
  readonly declared: DeclaredHumanoid | null;
  /** The declared pose as it is, where this one was straightened; null otherwise. */
  readonly asDeclared: FileReferencePose | null;
  /** Whether it was estimated from a pose in motion, because the file has none at rest. */
  readonly isMoving: boolean;
  /** How each body part was aligned; null when the pose was not estimated. */
  readonly findings: readonly PartFinding[] | null;
  readonly issues: readonly Issue[];
}

export interface ReferenceSources extends PoseSources {
  /** The humanoid that the format declares; null without. */
  readonly declared: DeclaredHumanoid | null;
  /** Returns the vertices of the character. Called only where joints are ambiguous. */
  readonly vertices: () => BoundVertices | null;
}

function createReference(
  nodes: Int32Array,
  pose: ModelPose,
  frame: Float64Array,
  kind: ReferenceKind,
  from: string,
): FileReferencePose {
  const bonePose = applyCorrections(nodes, pose, uniformCorrections(frame));
  return {
    kind,
    from,
    frame,
    pose: bonePose,
    basePose: basePoseOf(pose),
    start: bonePose.positions,
    declared: null,
    asDeclared: null,
    isMoving: false,
    findings: null,
    issues: [],
  };
}

/** Reports parts of a declared pose that are far from a T-pose and are used nevertheless. */
function reportDeviation(parts: readonly DeviatingPart[]): Issue[] {
  if (parts.length === 0) return [];
  const listed = parts.map(({ part, degrees }) => `${part} by ${degrees.toFixed(1)}°`).join(', ');
  return [
    issue(
      'DECLARED_POSE_NOT_T',
      `The declared reference pose deviates from a T-pose (${listed}; expected at most ${MAX_DECLARED_DEVIATION}°). ` +
        'These parts are used as declared. Choose another reference pose if they come out bent.',
    ),
  ];
}

/** A declared pose that is used as it is. */
function declaredReference(skeleton: Skeleton, nodes: Int32Array, declared: DeclaredHumanoid): FileReferencePose {
  const pose = declaredPose(skeleton, declared);
  const checked = checkedFrame(declared, nodes, pose);
  const reference = createReference(nodes, pose, checked.frame, 'declared', declared.format);
  const limbs = Object.entries(deviationFromTPose(reference.start, nodes)) as [Limb, number][];
  const off = limbs.filter(([, degrees]) => degrees > MAX_DECLARED_DEVIATION);
  const deviating = reportDeviation(off.map(([part, degrees]) => ({ part, degrees })));
  return { ...reference, declared, issues: [...checked.issues, ...deviating] };
}

/** A declared pose, straightened where it is near a T-pose. An exact T-pose is used as it is. */
function straightenedReference(skeleton: Skeleton, nodes: Int32Array, declared: DeclaredHumanoid): FileReferencePose {
  const asDeclared = declaredReference(skeleton, nodes, declared);
  const pose = declaredPose(skeleton, declared);
  const { frame, start } = asDeclared;
  const { corrections, isChanged, findings, kept } = straightenDeclaredPose(skeleton, nodes, pose, frame);
  const unusual = asDeclared.issues.filter(({ code }) => code === 'DECLARED_AXES_IMPLAUSIBLE');
  const issues = [...unusual, ...reportDeviation(kept)];
  if (!isChanged) return { ...asDeclared, issues };
  const straightened = applyCorrections(nodes, pose, corrections);
  const height = lowestFootHeight(start, nodes) - lowestFootHeight(straightened.positions, nodes);
  moveBones(straightened.positions, nodes, [0, height, 0]);
  return { ...asDeclared, kind: 'estimated', pose: straightened, asDeclared, findings, issues };
}

const UNROTATED: Issue = issue(
  'POSE_NOT_AT_REST',
  'The file has no pose at rest. The reference pose is that of its joints without rotation (Lcl Rotation 0), which stands as a rig at rest does. ' +
    'Supply a T-pose of the same rig from another file as the reference pose if limbs come out bent.',
);

/** Returns the frame in which a rig at rest stands: its own where it lies in that of the file. */
function standing({ kind, frame }: StartPose, fileFrame: Float64Array): Float64Array {
  return kind === 'lying' ? frame.rotation : fileFrame;
}

/** A pose corrected by the T-pose estimator. */
function estimateReference(
  skeleton: Skeleton,
  nodes: Int32Array,
  chosen: StartPose,
  { motion, vertices, up }: ReferenceSources,
): FileReferencePose {
  const { pose, frame, kind, fileFrame: frontOfRig } = chosen;
  const [isMoving, isUnrotated] = [kind === 'moving', kind === 'unrotated'];
  const animated = isMoving || kind === 'frame';
  // The character of a pose in motion faces anywhere, but its file has a front.
  const fileFrame =
    isMoving && motion !== null ? findFileFrame(skeleton, nodes, motion, up) : (frontOfRig ?? frame.rotation);
  const slope = (): number | null => (motion === null ? null : findPlantedSlope(skeleton, nodes, motion, fileFrame));
  const estimate = estimateTPose(skeleton, nodes, pose, frame, { animated, isMoving, vertices, plantedSlope: slope });
  const { corrections, findings, issues, stance } = estimate;
  const bonePose = applyCorrections(nodes, pose, corrections);
  const start = bonePositions(pose, nodes, frame.rotation);
  // Straightened legs must keep the feet on the ground. Where the root is that of a motion the feet may be in the air, so the motion shows the ground.
  const isInAir = motion !== null && (stance === 'moving' || isUnrotated || kind === 'lying');
  const ground = isInAir ? findMotionGround(skeleton, nodes, motion, fileFrame) : lowestFootHeight(start, nodes);
  // A rig at rest stands at the origin of its file. Where its root is that of a motion it is put there, so that all takes of a session keep their places.
  const rig = isMoving || isUnrotated ? undefined : kind === 'frame' ? chosen.atRest : chosen;
  const pelvis =
    rig === undefined ? [0, 0, 0] : pelvisPosition(nodes, bonePositions(rig.pose, nodes, standing(rig, fileFrame)));
  const shift = pelvisPosition(nodes, bonePose.positions);
  vec3.subtract(shift, 0, pelvis, 0, shift, 0);
  shift[1] = ground - lowestFootHeight(bonePose.positions, nodes);
  moveBones(bonePose.positions, nodes, shift);
  return {
    kind: 'estimated',
    from: pose.from,
    frame: fileFrame,
    pose: bonePose,
    basePose: basePoseOf(pose),
    start,
    declared: null,
    asDeclared: null,
    isMoving,
    findings,
    issues: [...frame.issues, ...(isUnrotated ? [UNROTATED] : []), ...issues],
  };
}

/** The pose that the estimator starts from: the chosen one, else the best of the file; null when the character has no front in it. */
function startOf(
  skeleton: Skeleton,
  nodes: Int32Array,
  choice: 'auto' | { readonly start: ModelPose },
  sources: ReferenceSources,
): StartPose | null {
  return choice === 'auto' ? chooseStartPose(skeleton, nodes, sources) : createStartPose(choice.start, nodes);
}

/**
 * Finds the reference pose of a character: the chosen one, else a declared one, else the best pose of the file corrected to a T-pose. Returns the
 * reference pose; or the reason, in plain words, why the chosen pose does not exist or has no front.
 */
export function findReferencePose(
  skeleton: Skeleton,
  nodes: Int32Array,
  choice: PoseChoice,
  sources: ReferenceSources,
): FileReferencePose | string {
  const { motion } = sources;
  const declared = sources.declared?.facing === null ? null : sources.declared;
  if ((choice === 'auto' && declared === null) || (typeof choice === 'object' && 'start' in choice)) {
    const start = startOf(skeleton, nodes, choice, sources);
    if (start === null) return 'its hips and shoulders have no breadth or height, which would show its front';
    return estimateReference(skeleton, nodes, start, sources);
  }
  if (choice === 'auto' || (choice === 'declared' && declared !== null)) {
    const by = declared as DeclaredHumanoid;
    const isObeyed = choice === 'declared' || by.format === 'ext' || by.format === 'points';
    return isObeyed ? declaredReference(skeleton, nodes, by) : straightenedReference(skeleton, nodes, by);
  }
  if (choice === 'declared')
    return 'its declared reference pose was requested, but its format declares none; use auto, bind or node';
  const pose = chosenPose(skeleton, choice, motion);
  if (pose === null) return missingPose(choice, motion);
  const found = declared === null ? estimateFrame(pose.positions, nodes) : null;
  const frame = declared !== null ? declaredFrame(declared) : (found?.rotation ?? frameOfFile(sources.up));
  const kind = choice === 'bind' || choice === 'node' ? choice : 'frame' in choice ? 'frame' : 'given';
  const reference = createReference(nodes, pose, frame, kind, pose.from);
  return declared !== null || found !== null ? reference : { ...reference, issues: [NO_FRONT] };
}
