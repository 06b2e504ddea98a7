/**
 * Measures the pose error between two motions: Q1, Q2, Q4 and Q5 of the quality measures that need no ground truth.
 * Both motions are sampled by plain forward kinematics, independent of retargeting plans. Directions come from joint
 * positions.
 */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, BONES, type BoneName, SIDES } from '../../../src/core/humanoid/bones.ts';
import { type ReferencePair, selectReferencePoses } from '../../../src/core/humanoid/declared-pose.ts';
import { type Humanoid, LIMBS, type Limb } from '../../../src/core/humanoid/humanoid.ts';
import { pelvisPosition } from '../../../src/core/humanoid/pelvis.ts';
import { footHeading, palmDirection, type SideAngles } from '../../../src/core/humanoid/t-pose/palm-and-heading.ts';
import { T_POSE_CHAINS } from '../../../src/core/humanoid/t-pose/t-pose-chains.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { createMotionSampler, type MotionSampler, sampleMotion } from './motion-sampler.ts';

/** Options of {@link measurePoseError}. */
export interface PoseErrorOptions {
  /** Samples per second; 60 by default. */
  readonly fps?: number;
}

/** Angles of limbs, palms and feet from joint positions, degrees; only parts that both characters have. */
export interface JointAngles {
  /** Per limb, the worst of its segments. */
  readonly directions: Readonly<Partial<Record<Limb, number>>>;
  /** Per hand. */
  readonly palms: SideAngles;
  /** Per foot. */
  readonly headings: SideAngles;
}

/** Differences between two motions, the worst over all samples. Angles in degrees. */
export interface PoseErrorMeasure {
  /**
   * Q1: angle between the world deltas `W · W̄⁻¹` of a bone that both have, canonical frame. `bone` and `time`
   * (seconds) are those of the maximum.
   */
  readonly worldDelta: {
    /** Maximum. */
    readonly max: number;
    /** Mean over all bones and samples. */
    readonly mean: number;
    /** Bone with the maximum; null if no bone is compared. */
    readonly bone: BoneName | null;
    /** Time of the maximum, in seconds. */
    readonly time: number;
  };
  /** Q2: angle between the segments of arms, hands, fingers and legs that both have, from joint to joint. */
  readonly directions: Readonly<Partial<Record<Limb, number>>>;
  /**
   * Angle between the directions across the palms, from the knuckle of the little finger to that of the index finger;
   * see `palmDirection`.
   */
  readonly palms: SideAngles;
  /**
   * Angle between the headings of the feet, from ankle to toes without the part along the up axis of the foot; see
   * `footHeading`. The up axis of a foot is that of its reference pose, rotated by the motion: soles differ in
   * thickness in every pose.
   */
  readonly headings: SideAngles;
  /**
   * Angle, in the source motion alone, between each of these and its direction in the T-pose as the bone rotates it. It
   * is the part that comes from moving or stretching joints, or from another parent in the node tree. Rotations cannot
   * transfer it, so the other angles include it.
   */
  readonly shifts: JointAngles;
  /**
   * Q5: difference of the hips heights above the ground, each in units of its reference height; 0 where one has none.
   */
  readonly hipsHeight: number;
  /**
   * Q4: difference of the offsets of the hips from their reference positions, all three axes, each in units of its own
   * reference height; 0 where one has none. It is 0 when the offset is that of the source times the ratio of the
   * heights.
   */
  readonly hipsPath: number;
  /** Whether all positions and rotations are finite numbers. */
  readonly isFinite: boolean;
}

/** A segment of a limb. */
interface Segment {
  readonly limb: Limb;
  readonly from: number;
  readonly to: number;
  /** Its direction in the T-pose, canonical frame. */
  readonly direction: readonly [number, number, number];
  /** Whether the source has no bone in between. */
  readonly isOne: boolean;
}

/** Segments that both characters have: bones of a chain that are adjacent in both. */
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

/** Sample times of the longer clip: multiples of the frame time and the end. */
function sampleTimes(duration: number, fps: number): Float64Array {
  const frames = Math.ceil(duration * fps);
  return Float64Array.from({ length: frames + 1 }, (_, frame) => Math.min(frame / fps, duration));
}

/** Whose path is compared: see `selectReferencePoses`. */
type HipsPoint = ReferencePair['hips'];

function hipsPoint({ map }: Humanoid, positions: Floats, point: HipsPoint): Float64Array {
  return point === 'pelvis' ? pelvisPosition(map.nodes, positions) : Float64Array.from(positions.subarray(0, 3));
}

/** The height that the path of the hips is relative to, meters. */
function hipsUnit(humanoid: Humanoid, point: HipsPoint): number {
  const { reference, ground, hipsHeight } = humanoid;
  return point === 'pelvis' ? hipsHeight : hipsPoint(humanoid, reference.positions, point)[1] - ground;
}

/** Height of the hips above the ground in units of their reference height. */
function heightOf({ positions, humanoid }: MotionSampler, point: HipsPoint): number {
  return (hipsPoint(humanoid, positions, point)[1] - humanoid.ground) / hipsUnit(humanoid, point);
}

/** Offset of the hips from their reference position in units of the reference height. */
function hipsOffset(out: Float64Array, { positions, humanoid }: MotionSampler, point: HipsPoint): void {
  const { reference } = humanoid;
  vec3.subtract(out, 0, hipsPoint(humanoid, positions, point), 0, hipsPoint(humanoid, reference.positions, point), 0);
  vec3.scale(out, 0, out, 0, 1 / hipsUnit(humanoid, point));
}

/** The worst angle of each part, radians. */
type Worst<Part extends string> = Map<Part, number>;

function note<Part extends string>(worst: Worst<Part>, part: Part, angle: number): void {
  worst.set(part, Math.max(worst.get(part) ?? 0, angle));
}

/** Converts to degrees, in the order of `parts`. */
function degreesOf<Part extends string>(worst: Worst<Part>, parts: readonly Part[]): Partial<Record<Part, number>> {
  const present = parts.filter((part) => worst.has(part));
  return Object.fromEntries(present.map((part) => [part, (worst.get(part) as number) * DEGREES])) as Partial<
    Record<Part, number>
  >;
}

const DEGREES = 180 / Math.PI;
const UP = [0, 1, 0] as const;
const FRONT = [0, 0, 1] as const;
const up = new Float64Array(3);

function headingOf(
  out: Float64Array,
  { positions, worldDeltas, humanoid }: MotionSampler,
  side: 'left' | 'right',
): boolean {
  vec3.rotate(up, 0, worldDeltas, 4 * BONE[`${side}Foot`], UP, 0);
  return footHeading(out, positions, humanoid.map.nodes, side, up, 0);
}

function palmOf(out: Float64Array, { positions, humanoid }: MotionSampler, side: 'left' | 'right'): boolean {
  return palmDirection(out, positions, humanoid.map.nodes, side);
}

/** Minimum length of a segment that has a direction, meters. */
const SHORTEST_SEGMENT = 1e-6;

function segment(out: Float64Array, points: Floats, from: number, to: number): boolean {
  vec3.subtract(out, 0, points, 3 * to, points, 3 * from);
  return vec3.length(out, 0) > SHORTEST_SEGMENT;
}

/**
 * Measures how far two characters are from being in the same pose over their motions, sample by sample.
 *
 * Directions, palms and headings also depend on the reference poses: a limb whose declared pose deviates from a T-pose
 * has this deviation as an error, also between a VRM Animation and a VRM, whose declared poses are used as by
 * planRetarget. They also depend on joints that a motion shifts. World deltas do not.
 *
 * @param source The source character.
 * @param sourceClip Its clip.
 * @param target The target character.
 * @param targetClip The retargeted clip.
 * @param options Sampling rate.
 * @returns The worst errors over the longer clip.
 * @example
 * ```ts
 * const retargeted = retargetClip(planRetarget(source, target), clip);
 * const error = measurePoseError(source, clip, target, retargeted);
 * console.log(`${error.worldDelta.max}° at ${error.worldDelta.bone}`);
 * ```
 */
export function measurePoseError(
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  targetClip: Clip,
  { fps = 60 }: PoseErrorOptions = {},
): PoseErrorMeasure {
  const pair = selectReferencePoses(source, target);
  const a = createMotionSampler(pair.source, sourceClip);
  const b = createMotionSampler(pair.target, targetClip);
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
  const times = sampleTimes(Math.max(sourceClip.duration, targetClip.duration), fps);
  for (const time of times) {
    sampleMotion(a, time);
    sampleMotion(b, time);
    for (const bone of bones) {
      const angle = quat.angleBetween(a.worldDeltas, 4 * bone, b.worldDeltas, 4 * bone);
      sum += angle;
      if (!Number.isFinite(angle)) allFinite = false;
      if (!(angle > max)) continue;
      max = angle;
      worst = BONES[bone];
      worstTime = time;
    }
    for (const { limb, from, to, direction, isOne } of segments) {
      if (!segment(u, a.positions, from, to) || !segment(v, b.positions, from, to)) continue;
      const angle = vec3.angleBetween(u, 0, v, 0);
      note(directions, limb, angle);
      vec3.rotate(v, 0, a.worldDeltas, 4 * from, direction, 0);
      if (isOne) note(shifts.directions, limb, vec3.angleBetween(u, 0, v, 0));
      if (!Number.isFinite(angle)) allFinite = false;
    }
    for (const side of SIDES) {
      if (palmOf(u, a, side) && palmOf(v, b, side)) {
        note(palms, side, vec3.angleBetween(u, 0, v, 0));
        vec3.rotate(v, 0, a.worldDeltas, 4 * BONE[`${side}Hand`], FRONT, 0);
        note(shifts.palms, side, vec3.angleBetween(u, 0, v, 0));
      }
      if (headingOf(u, a, side) && headingOf(v, b, side)) {
        note(headings, side, vec3.angleBetween(u, 0, v, 0));
        vec3.rotate(v, 0, a.worldDeltas, 4 * BONE[`${side}Foot`], FRONT, 0);
        note(shifts.headings, side, vec3.angleBetween(u, 0, v, 0));
      }
    }
    if (hipsUnit(pair.source, pair.hips) > 0 && hipsUnit(pair.target, pair.hips) > 0) {
      hipsHeight = Math.max(hipsHeight, Math.abs(heightOf(a, pair.hips) - heightOf(b, pair.hips)));
      hipsOffset(u, a, pair.hips);
      hipsOffset(v, b, pair.hips);
      hipsPath = Math.max(hipsPath, vec3.distance(u, 0, v, 0));
    }
    if (!b.positions.every(Number.isFinite)) allFinite = false;
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
