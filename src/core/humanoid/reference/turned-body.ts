/** A body on its way from a pose to the T-pose: what each bone has turned so far, and the two moves that all parts are made of, swing and roll. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName, presentParent } from '../bones.ts';
import type { PartFinding, PosedPart } from '../humanoid.ts';
import type { BoundPoints } from './bound-points.ts';
import type { ModelPose } from './model-pose.ts';

export type Side = 'left' | 'right';

/** A direction, any length. */
export type Direction = ArrayLike<number>;

/** Axes of the canonical frame. */
export const UP: Direction = [0, 1, 0];
export const DOWN: Direction = [0, -1, 0];
export const FRONT: Direction = [0, 0, 1];
export const LEFT: Direction = [1, 0, 0];

export const DEGREES: number = 180 / Math.PI;

/** Beyond this the shortest arc has no certain axis: the bone goes by way of another direction. */
const NEARLY_OPPOSITE = (150 * Math.PI) / 180;
/** Parts of a direction that must be left when what lies along an axis is taken off, for it to show a roll. */
const SHOWS_ROLL = 1e-6;

/** What the parts of the estimator work on. */
export interface TurnedBody {
  readonly skeleton: Skeleton;
  readonly nodes: Int32Array;
  readonly pose: ModelPose;
  /** Position per bone in the pose, axes of the file. */
  readonly points: Float64Array;
  /** N(b) so far, xyzw per bone: axes of the file in the pose → canonical frame in the T-pose. */
  readonly turns: Float64Array;
  /** Turns the pose as a whole into the canonical frame. */
  readonly attitude: Float64Array;
  /** Slope of the way from ankle to toes while the foot stands flat, radians below the horizontal; null when no motion shows it. */
  readonly plantedSlope: () => number | null;
  /** The vertices, read when first asked for; null without. */
  readonly vertices: () => BoundPoints | null;
  /** Filled by the parts. */
  readonly findings: PartFinding[];
}

/** A body that has only been turned as a whole. */
export function turnedBody(parts: Omit<TurnedBody, 'points' | 'turns' | 'findings'>): TurnedBody {
  const { nodes, pose, attitude } = parts;
  const turns = new Float64Array(4 * BONE_COUNT);
  const points = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(turns, 4 * bone);
    if (nodes[bone] < 0) continue;
    quat.copy(turns, 4 * bone, attitude, 0);
    vec3.copy(points, 3 * bone, pose.positions, 3 * nodes[bone]);
  }
  return { ...parts, turns, points, findings: [] };
}

/** The bone of a side by the rest of its name. */
export function boneOf(side: Side, part: string): number {
  return BONE[`${side}${part}` as BoneName];
}

export function has({ nodes }: TurnedBody, bone: number): boolean {
  return bone >= 0 && nodes[bone] >= 0;
}

/** Where the arm of a side points in the T-pose. */
export function outward(side: Side): Direction {
  return side === 'left' ? [1, 0, 0] : [-1, 0, 0];
}

/** Gives a bone the turn of the nearest bone above it. */
export function followParent({ nodes, turns }: TurnedBody, bone: number): void {
  const parent = presentParent(bone, nodes);
  if (nodes[bone] >= 0 && parent >= 0) quat.copy(turns, 4 * bone, turns, 4 * parent);
}

/** The way from a bone to another, as the turn of bone `turned` shows it. */
export function turnedSegment(body: TurnedBody, from: number, to: number, turned: number): Float64Array {
  const out = new Float64Array(3);
  vec3.subtract(out, 0, body.points, 3 * to, body.points, 3 * from);
  vec3.rotate(out, 0, body.turns, 4 * turned, out, 0);
  return out;
}

/** Puts a world rotation on top of the turn of a bone. */
export function addTurn({ turns }: TurnedBody, bone: number, rotation: Float64Array): void {
  quat.multiply(turns, 4 * bone, rotation, 0, turns, 4 * bone);
  quat.normalize(turns, 4 * bone, turns, 4 * bone);
}

/**
 * Swings a bone by the shortest arc so that `direction` (as its turn shows it now) comes to lie along `goal`; nearly opposite
 * directions go by `way`. Returns the angle between the two, radians.
 */
export function swing(body: TurnedBody, bone: number, direction: Direction, goal: Direction, way: Direction): number {
  const arc = new Float64Array(4);
  const angle = vec3.angleBetween(direction, 0, goal, 0);
  if (angle > NEARLY_OPPOSITE) {
    quat.fromTo(arc, 0, direction, 0, way, 0);
    addTurn(body, bone, arc);
    quat.fromTo(arc, 0, way, 0, goal, 0);
  } else {
    quat.fromTo(arc, 0, direction, 0, goal, 0);
  }
  addTurn(body, bone, arc);
  return angle;
}

/** Part of `direction` that is perpendicular to the unit vector `axis`. */
export function across(direction: Direction, axis: Direction): Float64Array {
  const flat = new Float64Array(3);
  vec3.addScaled(flat, 0, direction, 0, axis, 0, -vec3.dot(direction, 0, axis, 0));
  return flat;
}

/**
 * By how much a turn about the unit vector `axis` brings `sign`, seen along the axis, to lie along `goal`, radians. Null when
 * `sign` lies along the axis.
 */
export function rollTo(axis: Direction, sign: Direction, goal: Direction): number | null {
  const flat = across(sign, axis);
  if (!(vec3.length(flat, 0) > SHOWS_ROLL * vec3.length(sign, 0))) return null;
  const side = new Float64Array(3);
  vec3.cross(side, 0, flat, 0, goal, 0);
  return Math.atan2(vec3.dot(side, 0, axis, 0), vec3.dot(flat, 0, goal, 0));
}

/** Turns a bone about a unit vector. */
export function rollBy(body: TurnedBody, bone: number, axis: Direction, angle: number): void {
  const rotation = new Float64Array(4);
  quat.fromAxisAngle(rotation, 0, axis, 0, angle);
  addTurn(body, bone, rotation);
}

/**
 * Where the nodes right below a bone that are no bones themselves lie, on the average, as its turn shows it: the tip of a finger, the
 * toes of a foot. Null when there is none, or none at a distance.
 */
export function tipDirection(body: TurnedBody, bone: number): Float64Array | null {
  const { parents } = body.skeleton;
  const node = body.nodes[bone];
  const sum = new Float64Array(3);
  const way = new Float64Array(3);
  for (let child = node + 1; child < parents.length; child++) {
    if (parents[child] !== node || body.nodes.includes(child)) continue;
    vec3.subtract(way, 0, body.pose.positions, 3 * child, body.pose.positions, 3 * node);
    if (vec3.normalize(way, 0, way, 0) > 0) vec3.add(sum, 0, sum, 0, way, 0);
  }
  vec3.rotate(sum, 0, body.turns, 4 * bone, sum, 0);
  return vec3.length(sum, 0) > 0 ? sum : null;
}

/** Nodes right below a bone that are no bones. */
export function tipCount({ skeleton, nodes }: TurnedBody, bone: number): number {
  return skeleton.parents.reduce(
    (sum, parent, node) => sum + (parent === nodes[bone] && !nodes.includes(node) ? 1 : 0),
    0,
  );
}

/** Notes how sure a part is and what showed it. */
export function find({ findings }: TurnedBody, part: PosedPart, confidence: number, reason: string): void {
  findings.push({ part, confidence, reason });
}

/** An angle in radians as text: `34°`. */
export function degrees(angle: number): string {
  return `${Math.abs(angle * DEGREES).toFixed(0)}°`;
}
