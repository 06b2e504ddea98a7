/** State of the T-pose estimator: the rotation that corrects each bone so far, and the two moves that align every state part: swing and roll. */
import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName, presentParent, type Side } from '../bones.ts';
import type { PartFinding, PosedPart } from '../humanoid.ts';
import type { BoundVertices } from './bound-vertices.ts';
import type { ModelPose } from './model-pose.ts';

/** A direction xyz of any length. */
export type Direction = ArrayLike<number>;

export const UP: Direction = [0, 1, 0];
export const DOWN: Direction = [0, -1, 0];
/** Where the character faces in the canonical frame: +Z. */
export const FRONT: Direction = [0, 0, 1];
export const LEFT: Direction = [1, 0, 0];

/** Beyond this angle, radians, the axis of the shortest arc is uncertain: the bone swings via an intermediate direction. */
const NEARLY_OPPOSITE = (150 * Math.PI) / 180;
/** A direction shows a roll about an axis when at least this fraction of it is perpendicular to the axis. */
const SHOWS_ROLL = 1e-6;

/** State shared by the functions that align body parts. */
export interface EstimatorState {
  readonly skeleton: Skeleton;
  /** Node per bone, −1 where the bone is absent. */
  readonly nodes: Int32Array;
  readonly pose: ModelPose;
  /** Position per bone in the pose, xyz, axes of the file. */
  readonly bonePositions: Float64Array;
  /** N(b) so far, xyzw per bone: rotation from the pose, axes of the file, to the T-pose, canonical frame. */
  readonly corrections: Float64Array;
  /** Rotates the pose as a whole into the canonical frame; xyzw. */
  readonly frame: Float64Array;
  /** Returns the slope from ankle to toes of a foot flat on the ground, radians below the horizontal; null without a motion that shows it. */
  readonly plantedSlope: () => number | null;
  /** Returns the vertices of the character, read on the first call; null without. */
  readonly vertices: () => BoundVertices | null;
  /** Filled by the functions that align body parts. */
  readonly findings: PartFinding[];
}

/** Creates the state in which every bone is rotated by the frame only. */
export function createEstimatorState(
  parts: Omit<EstimatorState, 'bonePositions' | 'corrections' | 'findings'>,
): EstimatorState {
  const { nodes, pose, frame } = parts;
  const corrections = new Float64Array(4 * BONE_COUNT);
  const bonePositions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(corrections, 4 * bone);
    if (nodes[bone] < 0) continue;
    quat.copy(corrections, 4 * bone, frame, 0);
    vec3.copy(bonePositions, 3 * bone, pose.positions, 3 * nodes[bone]);
  }
  return { ...parts, corrections, bonePositions, findings: [] };
}

export function boneOf(side: Side, part: string): number {
  return BONE[`${side}${part}` as BoneName];
}

export function hasBone({ nodes }: EstimatorState, bone: number): boolean {
  return bone >= 0 && nodes[bone] >= 0;
}

/** Returns the direction of an arm in the T-pose. */
export function outward(side: Side): Direction {
  return side === 'left' ? [1, 0, 0] : [-1, 0, 0];
}

export function followParent({ nodes, corrections }: EstimatorState, bone: number): void {
  const parent = presentParent(bone, nodes);
  if (nodes[bone] >= 0 && parent >= 0) quat.copy(corrections, 4 * bone, corrections, 4 * parent);
}

/** Computes the vector between two bones, rotated by the correction of a bone. Returns the vector, canonical frame, units of the file. */
export function correctedSegment(state: EstimatorState, from: number, to: number, corrected: number): Float64Array {
  const out = new Float64Array(3);
  vec3.subtract(out, 0, state.bonePositions, 3 * to, state.bonePositions, 3 * from);
  vec3.rotate(out, 0, state.corrections, 4 * corrected, out, 0);
  return out;
}

/** Applies a world rotation after the correction of a bone. `rotation`: unit quaternion xyzw, canonical frame. */
export function addRotation(
  { corrections }: Pick<EstimatorState, 'corrections'>,
  bone: number,
  rotation: Float64Array,
): void {
  quat.multiply(corrections, 4 * bone, rotation, 0, corrections, 4 * bone);
  quat.normalize(corrections, 4 * bone, corrections, 4 * bone);
}

/**
 * Swings a bone by the shortest arc that brings a direction to a goal. Nearly opposite directions go via an intermediate direction, because the
 * shortest arc has no certain axis there. `direction`: current direction, canonical frame. `goal`: wanted direction, canonical frame. Returns angle
 * between direction and goal, radians.
 */
export function swingBone(
  state: EstimatorState,
  bone: number,
  direction: Direction,
  goal: Direction,
  via: Direction,
): number {
  const arc = new Float64Array(4);
  const angle = vec3.angleBetween(direction, 0, goal, 0);
  if (angle > NEARLY_OPPOSITE) {
    quat.fromTo(arc, 0, direction, 0, via, 0);
    addRotation(state, bone, arc);
    quat.fromTo(arc, 0, via, 0, goal, 0);
  } else {
    quat.fromTo(arc, 0, direction, 0, goal, 0);
  }
  addRotation(state, bone, arc);
  return angle;
}

export function perpendicularPart(direction: Direction, axis: Direction): Float64Array {
  const flat = new Float64Array(3);
  vec3.addScaled(flat, 0, direction, 0, axis, 0, -vec3.dot(direction, 0, axis, 0));
  return flat;
}

/**
 * Computes the angle of the rotation about an axis that brings a cue to a goal, both seen along the axis. Returns radians; null when the cue is
 * parallel to the axis.
 */
export function rollAngleTo(axis: Direction, cue: Direction, goal: Direction): number | null {
  const flat = perpendicularPart(cue, axis);
  if (!(vec3.length(flat, 0) > SHOWS_ROLL * vec3.length(cue, 0))) return null;
  const side = new Float64Array(3);
  vec3.cross(side, 0, flat, 0, goal, 0);
  return Math.atan2(vec3.dot(side, 0, axis, 0), vec3.dot(flat, 0, goal, 0));
}

/** Rotates a bone about an axis. `axis`: unit vector xyz, canonical frame. */
export function rollBone(state: EstimatorState, bone: number, axis: Direction, angle: number): void {
  const rotation = new Float64Array(4);
  quat.fromAxisAngle(rotation, 0, axis, 0, angle);
  addRotation(state, bone, rotation);
}

/**
 * Computes the mean direction from a bone to its non-bone child nodes: the tip of a finger, the toes of a foot. `toward`: direction within 90° of which
 * nodes count, canonical frame; all by default. Returns the direction, rotated by the correction of the bone; null without such a node at a distance.
 */
export function tipDirection(state: EstimatorState, bone: number, toward?: Direction): Float64Array | null {
  const { parents } = state.skeleton;
  const node = state.nodes[bone];
  const sum = new Float64Array(3);
  const line = new Float64Array(3);
  for (let child = node + 1; child < parents.length; child++) {
    if (parents[child] !== node || state.nodes.includes(child)) continue;
    vec3.subtract(line, 0, state.pose.positions, 3 * child, state.pose.positions, 3 * node);
    vec3.rotate(line, 0, state.corrections, 4 * bone, line, 0);
    if (toward !== undefined && !(vec3.dot(line, 0, toward, 0) > 0)) continue;
    if (vec3.normalize(line, 0, line, 0) > 0) vec3.add(sum, 0, sum, 0, line, 0);
  }
  return vec3.length(sum, 0) > 0 ? sum : null;
}

export function tipCount({ skeleton, nodes }: EstimatorState, bone: number): number {
  return skeleton.parents.reduce(
    (sum, parent, node) => sum + (parent === nodes[bone] && !nodes.includes(node) ? 1 : 0),
    0,
  );
}

export function addFinding({ findings }: EstimatorState, part: PosedPart, confidence: number, reason: string): void {
  findings.push({ part, confidence, reason });
}

/** Formats an angle as text: `34°`. `angle`: radians; the sign is dropped. */
export function formatDegrees(angle: number): string {
  return `${Math.abs(angle * DEGREES_PER_RADIAN).toFixed(0)}°`;
}
