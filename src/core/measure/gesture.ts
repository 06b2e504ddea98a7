/**
 * How equal the gestures of two bodies are: the measures Q1, Q2 and Q5 of retargeting without ground truth. Both motions are
 * played by plain forward kinematics, so that this is independent of how a plan computes.
 */
import type { Clip } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../humanoid/bones.ts';
import { type Humanoid, LIMBS, type Limb } from '../humanoid/humanoid.ts';
import { T_POSE_CHAINS } from '../humanoid/t-pose.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices, localToModelRotations } from '../skeleton/pose.ts';

export interface GestureOptions {
  /** Moments a second at which the motions are compared. */
  readonly fps?: number;
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
  /** Q5: difference of the heights of the hips above the ground, each in units of its own reference height; 0 where one has none. */
  readonly hipsHeight: number;
  /** Whether all positions and rotations were finite numbers. */
  readonly isFinite: boolean;
}

/** A body in motion. */
interface Player {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  readonly local: Float64Array;
  readonly rotations: Float64Array;
  readonly matrices: Float64Array;
  /** World deltas per bone, canonical frame. */
  readonly deltas: Float64Array;
  /** Positions per bone, canonical frame, metres. */
  readonly points: Float64Array;
}

function playerOf(humanoid: Humanoid, clip: Clip): Player {
  const count = humanoid.skeleton.parents.length;
  return {
    humanoid,
    clip,
    local: new Float64Array(10 * count),
    rotations: new Float64Array(4 * count),
    matrices: new Float64Array(16 * count),
    deltas: new Float64Array(4 * BONE_COUNT),
    points: new Float64Array(3 * BONE_COUNT),
  };
}

function play(player: Player, time: number): void {
  const { humanoid, local, rotations, matrices, deltas, points } = player;
  const { skeleton, map, reference, frame, metresPerUnit } = humanoid;
  local.set(skeleton.rest);
  sampleClip(player.clip, time, local);
  localToModelRotations(rotations, skeleton.parents, local);
  localToModelMatrices(matrices, skeleton.parents, local);
  const inverse = new Float64Array(4);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    quat.multiply(deltas, 4 * bone, frame, 0, rotations, 4 * node);
    quat.conjugate(inverse, 0, reference.rotations, 4 * bone);
    quat.multiply(deltas, 4 * bone, deltas, 4 * bone, inverse, 0);
    vec3.scale(points, 3 * bone, matrices, 16 * node + 12, metresPerUnit);
    vec3.rotate(points, 3 * bone, frame, 0, points, 3 * bone);
  }
}

/** Segments that both bodies have: bones of a chain next to each other in both. */
function commonSegments(a: Humanoid, b: Humanoid): { limb: Limb; from: number; to: number }[] {
  return T_POSE_CHAINS.flatMap(({ limb, bones }) => {
    const both = bones.filter((bone) => a.map.nodes[bone] >= 0 && b.map.nodes[bone] >= 0);
    return both.slice(1).map((to, k) => ({ limb, from: both[k], to }));
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

const SHORTEST_SEGMENT = 1e-6;

function segment(out: Float64Array, points: Floats, from: number, to: number): boolean {
  vec3.subtract(out, 0, points, 3 * to, points, 3 * from);
  return vec3.length(out, 0) > SHORTEST_SEGMENT;
}

/**
 * Compares a motion of one body with a motion of another, moment by moment.
 * Directions depend on the reference poses as well (a limb whose declared pose is off T by some degrees is off by as many here),
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
  const directions = new Map<Limb, number>();
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  let max = 0;
  let worst: BoneName | null = null;
  let worstTime = 0;
  let sum = 0;
  let hipsHeight = 0;
  let allFinite = true;
  const times = moments(Math.max(sourceClip.duration, targetClip.duration), fps);
  for (const time of times) {
    play(a, time);
    play(b, time);
    for (const bone of bones) {
      const angle = quat.angleBetween(a.deltas, 4 * bone, b.deltas, 4 * bone);
      sum += angle;
      if (!Number.isFinite(angle)) allFinite = false;
      if (angle <= max) continue;
      max = angle;
      worst = BONES[bone];
      worstTime = time;
    }
    for (const { limb, from, to } of segments) {
      if (!segment(u, a.points, from, to) || !segment(v, b.points, from, to)) continue;
      const angle = vec3.angleBetween(u, 0, v, 0);
      directions.set(limb, Math.max(directions.get(limb) ?? 0, angle));
      if (!Number.isFinite(angle)) allFinite = false;
    }
    if (source.hipsHeight > 0 && target.hipsHeight > 0)
      hipsHeight = Math.max(hipsHeight, Math.abs(heightOf(a) - heightOf(b)));
    if (!b.points.every(Number.isFinite)) allFinite = false;
  }
  const degrees = 180 / Math.PI;
  const limbs = LIMBS.filter((limb) => directions.has(limb));
  return {
    worldDelta: {
      max: max * degrees,
      mean: (sum * degrees) / Math.max(1, bones.length * times.length),
      bone: worst,
      time: worstTime,
    },
    directions: Object.fromEntries(limbs.map((limb) => [limb, (directions.get(limb) as number) * degrees])),
    hipsHeight,
    isFinite: allFinite,
  };
}
