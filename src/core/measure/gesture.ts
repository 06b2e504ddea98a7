/**
 * How equal the gestures of two bodies are: the measures Q1, Q2, Q4 and Q5 of retargeting without ground truth. Both motions are
 * played by plain forward kinematics, so that this is independent of how a plan computes; directions come from the places of joints.
 */
import type { Clip } from '../animation/clip.ts';
import { BONE, BONES, type BoneName } from '../humanoid/bones.ts';
import { type Humanoid, LIMBS, type Limb } from '../humanoid/humanoid.ts';
import { footHeading, palmAcross, type Sides } from '../humanoid/reference/palm-and-heading.ts';
import { T_POSE_CHAINS } from '../humanoid/reference/t-pose.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { type Player, play, playerOf } from './player.ts';

export interface GestureOptions {
  /** Moments a second at which the motions are compared. */
  readonly fps?: number;
}

/** What joints say of limbs, palms and feet, degrees; only of parts whose joints both bodies have. */
export interface JointAngles {
  readonly directions: Readonly<Partial<Record<Limb, number>>>;
  readonly palms: Sides;
  readonly headings: Sides;
}

/** Differences between two motions, the worst over all moments. Angles in degrees. */
export interface GestureMeasure {
  /** Q1: angle between the world deltas `W · W̄⁻¹` of a bone that both have, canonical frame. */
  readonly worldDelta: {
    readonly max: number;
    readonly mean: number;
    readonly bone: BoneName | null;
    readonly time: number;
  };
  /** Q2: angle between the segments of arms, hands, fingers and legs, from joint to joint; limbs that both have. */
  readonly directions: Readonly<Partial<Record<Limb, number>>>;
  /** Angle between the directions across the palms, from the knuckle of the little finger to that of the index finger; see `palmAcross`. */
  readonly palms: Sides;
  /**
   * Angle between the headings of the feet, from ankle to toes without what lies along the up of the foot; see `footHeading`. The up of a
   * foot is that of its reference pose, as the motion turns it: soles stay of different thickness in every pose.
   */
  readonly headings: Sides;
  /**
   * Angle, in the source motion alone, between each of these and its direction in the T-pose as the bone turns it: what its joints are off by
   * because it moves or stretches them, or because they hang elsewhere in its node tree. Turns cannot carry that over, so the others differ
   * by it.
   */
  readonly shifts: JointAngles;
  /** Q5: difference of the heights of the hips above the ground, each in units of its own reference height; 0 where one has none. */
  readonly hipsHeight: number;
  /**
   * Q4: difference of the ways of the hips from their reference positions, all three axes, each in units of its own reference height; 0
   * where one has none. What is left when the way is the source's times the ratio of the heights.
   */
  readonly hipsPath: number;
  /** Whether all positions and rotations were finite numbers. */
  readonly isFinite: boolean;
}

/** A segment of a limb. */
interface Segment {
  readonly limb: Limb;
  readonly from: number;
  readonly to: number;
  /** Its direction in the T-pose, canonical frame. */
  readonly direction: readonly [number, number, number];
  /** Whether the source has no bone between. */
  readonly isOne: boolean;
}

/** Segments that both bodies have: bones of a chain next to each other in both. */
function commonSegments(a: Humanoid, b: Humanoid): Segment[] {
  return T_POSE_CHAINS.flatMap(({ limb, bones, direction }) => {
    const source = bones.filter((bone) => a.map.nodes[bone] >= 0);
    const both = source.filter((bone) => b.map.nodes[bone] >= 0);
    return both.slice(1).map((to, k) => {
      const isOne = source.indexOf(to) === source.indexOf(both[k]) + 1;
      return { limb, from: both[k], to, direction, isOne };
    });
  });
}

/** Moments of the longer clip: frames of the grid and its end. */
function moments(duration: number, fps: number): Float64Array {
  const frames = Math.ceil(duration * fps);
  return Float64Array.from({ length: frames + 1 }, (_, frame) => Math.min(frame / fps, duration));
}

/** Height of the hips above the ground in units of its reference height. */
function heightOf({ points, humanoid }: Player): number {
  return (points[3 * BONE.hips + 1] - humanoid.ground) / humanoid.hipsHeight;
}

/** Way of the hips from their reference position, in units of their reference height. */
function wayOf(out: Float64Array, { points, humanoid }: Player): void {
  vec3.subtract(out, 0, points, 3 * BONE.hips, humanoid.reference.positions, 3 * BONE.hips);
  vec3.scale(out, 0, out, 0, 1 / humanoid.hipsHeight);
}

/** The worst angle of each of some parts of the body, radians. */
type Worst<Part extends string> = Map<Part, number>;

function note<Part extends string>(worst: Worst<Part>, part: Part, angle: number): void {
  worst.set(part, Math.max(worst.get(part) ?? 0, angle));
}

/** In degrees, parts in the order that is given. */
function degreesOf<Part extends string>(worst: Worst<Part>, parts: readonly Part[]): Partial<Record<Part, number>> {
  const there = parts.filter((part) => worst.has(part));
  return Object.fromEntries(there.map((part) => [part, (worst.get(part) as number) * DEGREES])) as Partial<
    Record<Part, number>
  >;
}

const DEGREES = 180 / Math.PI;
const SIDES = ['left', 'right'] as const;
const UP = [0, 1, 0] as const;
const FRONT = [0, 0, 1] as const;
const up = new Float64Array(3);

function headingOf(out: Float64Array, { points, deltas, humanoid }: Player, side: 'left' | 'right'): boolean {
  vec3.rotate(up, 0, deltas, 4 * BONE[`${side}Foot`], UP, 0);
  return footHeading(out, points, humanoid.map.nodes, side, up, 0);
}

function palmOf(out: Float64Array, { points, humanoid }: Player, side: 'left' | 'right'): boolean {
  return palmAcross(out, points, humanoid.map.nodes, side);
}

const SHORTEST_SEGMENT = 1e-6;

function segment(out: Float64Array, points: Floats, from: number, to: number): boolean {
  vec3.subtract(out, 0, points, 3 * to, points, 3 * from);
  return vec3.length(out, 0) > SHORTEST_SEGMENT;
}

/**
 * Compares a motion of one body with a motion of another, moment by moment.
 * Directions, palms and headings depend on the reference poses as well (a limb whose declared pose is off T by some degrees is off by as many here),
 * and on joints that a motion shifts; world deltas do not.
 */
export function measureGesture(
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  targetClip: Clip,
  { fps = 60 }: GestureOptions = {},
): GestureMeasure {
  const a = playerOf(source, sourceClip);
  const b = playerOf(target, targetClip);
  const bones = BONES.map((_, bone) => bone).filter(
    (bone) => source.map.nodes[bone] >= 0 && target.map.nodes[bone] >= 0,
  );
  const segments = commonSegments(source, target);
  const directions: Worst<Limb> = new Map();
  const palms: Worst<'left' | 'right'> = new Map();
  const headings: Worst<'left' | 'right'> = new Map();
  const shifts = {
    directions: new Map() as Worst<Limb>,
    palms: new Map() as typeof palms,
    headings: new Map() as typeof palms,
  };
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  let max = 0;
  let worst: BoneName | null = null;
  let worstTime = 0;
  let sum = 0;
  let hipsHeight = 0;
  let hipsPath = 0;
  let allFinite = true;
  const times = moments(Math.max(sourceClip.duration, targetClip.duration), fps);
  for (const time of times) {
    play(a, time);
    play(b, time);
    for (const bone of bones) {
      const angle = quat.angleBetween(a.deltas, 4 * bone, b.deltas, 4 * bone);
      sum += angle;
      if (!Number.isFinite(angle)) allFinite = false;
      if (!(angle > max)) continue;
      max = angle;
      worst = BONES[bone];
      worstTime = time;
    }
    for (const { limb, from, to, direction, isOne } of segments) {
      if (!segment(u, a.points, from, to) || !segment(v, b.points, from, to)) continue;
      const angle = vec3.angleBetween(u, 0, v, 0);
      note(directions, limb, angle);
      vec3.rotate(v, 0, a.deltas, 4 * from, direction, 0);
      if (isOne) note(shifts.directions, limb, vec3.angleBetween(u, 0, v, 0));
      if (!Number.isFinite(angle)) allFinite = false;
    }
    for (const side of SIDES) {
      if (palmOf(u, a, side) && palmOf(v, b, side)) {
        note(palms, side, vec3.angleBetween(u, 0, v, 0));
        vec3.rotate(v, 0, a.deltas, 4 * BONE[`${side}Hand`], FRONT, 0);
        note(shifts.palms, side, vec3.angleBetween(u, 0, v, 0));
      }
      if (headingOf(u, a, side) && headingOf(v, b, side)) {
        note(headings, side, vec3.angleBetween(u, 0, v, 0));
        vec3.rotate(v, 0, a.deltas, 4 * BONE[`${side}Foot`], FRONT, 0);
        note(shifts.headings, side, vec3.angleBetween(u, 0, v, 0));
      }
    }
    if (source.hipsHeight > 0 && target.hipsHeight > 0) {
      hipsHeight = Math.max(hipsHeight, Math.abs(heightOf(a) - heightOf(b)));
      wayOf(u, a);
      wayOf(v, b);
      hipsPath = Math.max(hipsPath, vec3.distance(u, 0, v, 0));
    }
    if (!b.points.every(Number.isFinite)) allFinite = false;
  }
  return {
    worldDelta: {
      max: max * DEGREES,
      mean: (sum * DEGREES) / Math.max(1, bones.length * times.length),
      bone: worst,
      time: worstTime,
    },
    directions: degreesOf(directions, LIMBS),
    palms: degreesOf(palms, SIDES),
    headings: degreesOf(headings, SIDES),
    shifts: {
      directions: degreesOf(shifts.directions, LIMBS),
      palms: degreesOf(shifts.palms, SIDES),
      headings: degreesOf(shifts.headings, SIDES),
    },
    hipsHeight,
    hipsPath,
    isFinite: allFinite,
  };
}
