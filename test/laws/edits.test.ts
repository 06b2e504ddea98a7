/** Clip edits commute with retargeting: trim and speed (L9), mirror (L10). */
import { describe } from 'vitest';
import { changeSpeed } from '../../src/core/animation/change-speed.ts';
import type { Clip } from '../../src/core/animation/clip.ts';
import { loopClip } from '../../src/core/animation/loop-clip.ts';
import { mirrorClip } from '../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { trimClip } from '../../src/core/animation/trim-clip.ts';
import { BONE_COUNT, BONE_MIRRORS } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../src/core/humanoid/mirror-humanoid.ts';
import { findRootMotionNode } from '../../src/core/humanoid/root-motion-node.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { isAncestor } from '../../src/core/skeleton/topology.ts';
import { between, type Random } from '../../src/demo/random.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { type RigOptions, randomRig } from '../support/make/random-rig.ts';
import {
  angle,
  apart,
  IDENTITY,
  inverse,
  minus,
  product,
  type Quaternion,
  read,
  rotated,
  times,
  type Vector,
  worldPose,
} from '../support/reference/plain.ts';
import {
  driverOf,
  hipsPosition,
  pelvisPosition,
  referencePelvis,
  worldDeltas,
} from '../support/reference/world-retarget.ts';
import { LAW_F32, LAW_F64, LOOP_SEAM, RESAMPLED_HEIGHT, RESAMPLED_RADIANS } from '../support/tolerances.ts';
import { validateClip } from '../support/validate-clip.ts';
import { law as baseLaw, deltaError, largest, rotationError } from './law.ts';

/** Fewer cases than other laws: each one creates and samples whole clips. */
function law(title: string, tolerance: number, error: (random: Random) => number): void {
  baseLaw(title, tolerance, error, 300);
}

/** In such rigs one rotation of the source drives each bone. */
const MATCHED: RigOptions = { bones: 'all', detached: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

/** Returns a range of a clip: float32 times, at least a tenth of the duration. */
function randomRange(random: Random, { duration }: Clip): [from: number, to: number] {
  const from = Math.fround(between(random, 0, 0.9 * duration));
  return [from, Math.fround(between(random, from + 0.1 * duration, 1.1 * duration))];
}

/** Returns how far apart two clips are at a time: radians, and meters per meter of hips height. */
function apartAt(humanoid: Humanoid, a: Clip, b: Clip, time: number): { rotated: number; moved: number } {
  const [p, q] = [sampled(humanoid, a, time), sampled(humanoid, b, time)];
  return {
    rotated: deltaError(humanoid, p, humanoid, q),
    moved: apart(hipsPosition(humanoid, p), hipsPosition(humanoid, q)) / humanoid.hipsHeight,
  };
}

describe('trimClip', () => {
  law('commutes with retargetClip for any interpolation', 1, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source, { style: 'smooth' });
    const plan = planRetarget(source, target);
    const [from, to] = randomRange(random, clip);
    const before = retargetClip(plan, trimClip(clip, from, to));
    const after = trimClip(retargetClip(plan, clip), from, to);
    // Resampled keys are at float32 times, as in files.
    const inFile = { ...before, duration: before.duration * (1 + 2 ** -23) };
    const { valid, reasons } = validateClip(inFile, target.skeleton.names.length);
    if (!valid) throw new Error(reasons.join('; '));
    return largest(
      Math.abs(before.duration - after.duration) / LAW_F32,
      ...Array.from({ length: 4 }, () => {
        const { rotated, moved } = apartAt(target, before, after, between(random, 0, after.duration));
        return largest(rotated / LAW_F32, moved / (2 * RESAMPLED_HEIGHT));
      }),
    );
  });

  const resampled = (random: Random): number => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const clip = randomClip(random, source, { style: 'smooth', others: true, isShort: !IS_FULL_RUN });
    const plan = planRetarget(source, target);
    const [from, to] = randomRange(random, clip);
    const before = retargetClip(plan, trimClip(clip, from, to));
    const after = trimClip(retargetClip(plan, clip), from, to);
    return largest(
      ...Array.from({ length: 4 }, () => {
        const { rotated, moved } = apartAt(target, before, after, between(random, 0, after.duration));
        return largest(rotated / (2 * RESAMPLED_RADIANS + LAW_F32), moved / (2 * RESAMPLED_HEIGHT + LAW_F32));
      }),
    );
  };
  // Resampling twice is slow.
  baseLaw('commutes with retargetClip within the tolerance for resampled tracks', 1, resampled, 100);

  law('shows the same poses as the range of the whole clip', LAW_F32, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { style: 'smooth', others: true });
    const [from, to] = randomRange(random, clip);
    const part = trimClip(clip, from, to);
    return largest(
      ...[0, part.duration, between(random, 0, part.duration)].map((time) => {
        // Times within rounding of a jump are not compared.
        if (clip.tracks.some((track) => track.times.some((key) => Math.abs(key - from - time) < 1e-9 && time > 0)))
          return 0;
        const [p, q] = [sampled(humanoid, clip, from + time), sampled(humanoid, part, time)];
        return largest(
          deltaError(humanoid, p, humanoid, q),
          apart(hipsPosition(humanoid, p), hipsPosition(humanoid, q)) / humanoid.hipsHeight,
        );
      }),
    );
  });
});

describe('changeSpeed', () => {
  law('commutes with retargetClip', 1, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const factor = between(random, 0.2, 5);
    const plan = planRetarget(source, target);
    const before = retargetClip(plan, changeSpeed(clip, factor));
    const after = changeSpeed(retargetClip(plan, clip), factor);
    return largest(
      ...Array.from({ length: 3 }, () => {
        const { rotated, moved } = apartAt(target, before, after, between(random, 0, clip.duration / factor));
        return largest(rotated / LAW_F64, moved / (2 * RESAMPLED_HEIGHT));
      }),
    );
  });
});

/** Splits a rotation into a yaw about the vertical of the canonical frame and the rest. */
function withoutYaw([x, y, z, w]: Quaternion): { swing: Quaternion; yaw: Quaternion } {
  const length = Math.hypot(y, w);
  const yaw = length > 0 ? [0, y / length, 0, w / length] : IDENTITY;
  return { swing: product([x, y, z, w], inverse(yaw)), yaw };
}

/** Measures the seam of a clip: how far its last pose is from its first, in radians and relative to the hips height, without root motion. */
function seam(humanoid: Humanoid, clip: Clip): { error: number; yaw: number; way: number } {
  const { skeleton, map, frame, hipsHeight, metersPerUnit } = humanoid;
  const { parents } = skeleton;
  const [first, last] = [0, clip.duration].map((time) => worldPose(parents, sampled(humanoid, clip, time)));
  const hips = map.nodes[0];
  const canonical = Array.from(frame);
  const toMeters = (point: Vector): Vector => times(rotated(canonical, point), metersPerUnit);
  const change = (node: number): Quaternion =>
    product(canonical, last.rotations[node], inverse(first.rotations[node]), inverse(canonical));
  const { swing, yaw } = withoutYaw(change(hips));
  const way = minus(toMeters(last.positions[hips]), toMeters(first.positions[hips]));
  const errors = [angle(swing, IDENTITY), Math.abs(way[1]) / hipsHeight];
  for (let node = 0; node < parents.length; node++) {
    if (!isAncestor(parents, hips, node)) continue;
    const before = minus(toMeters(first.positions[node]), toMeters(first.positions[hips]));
    const after = minus(toMeters(last.positions[node]), toMeters(last.positions[hips]));
    errors.push(angle(change(node), yaw), apart(rotated(yaw, before), after) / hipsHeight);
  }
  return { error: largest(...errors), yaw: angle(yaw, IDENTITY), way: Math.hypot(way[0], way[2]) / hipsHeight };
}

describe('loopClip', () => {
  law('first and last pose match up to root motion, for any rig and clip', LOOP_SEAM, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const looped = loopClip(humanoid.skeleton, clip, findRootMotionNode(humanoid));
    const { valid, reasons } = validateClip(looped, humanoid.skeleton.names.length);
    if (!valid) throw new Error(reasons.join('; '));
    return seam(humanoid, looped).error;
  });

  law('closes small hips motion, and preserves the length of root motion', LOOP_SEAM, (random) => {
    const { humanoid } = randomRig(random);
    const some = randomClip(random, humanoid, { style: 'smooth' });
    const before = seam(humanoid, some);
    const after = seam(humanoid, loopClip(humanoid.skeleton, some, findRootMotionNode(humanoid)));
    return largest(
      before.way < 0.25 ? after.way : Math.abs(after.way - before.way),
      before.yaw < Math.PI / 12 ? after.yaw : Math.abs(after.yaw - before.yaw),
    );
  });

  law('preserves the first pose', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const looped = loopClip(humanoid.skeleton, clip, findRootMotionNode(humanoid));
    const [p, q] = [sampled(humanoid, clip, 0), sampled(humanoid, looped, 0)];
    return deltaError(humanoid, p, humanoid, q);
  });

  law('does not change a looped clip', LOOP_SEAM, (random) => {
    const { humanoid } = randomRig(random);
    const rootMotionNode = findRootMotionNode(humanoid);
    const once = loopClip(humanoid.skeleton, randomClip(random, humanoid, { others: true }), rootMotionNode);
    const twice = loopClip(humanoid.skeleton, once, rootMotionNode);
    const time = between(random, 0, once.duration);
    const { rotated: rotatedBy, moved } = apartAt(humanoid, once, twice, time);
    return largest(rotatedBy, moved);
  });
});

/** Mirrors a rotation at x → −x. */
function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return [x, -y, -z, w];
}

/** Returns the offset of the hips from their reference position. */
function hipsOffset(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(hipsPosition(humanoid, local), read(humanoid.reference.positions, 0, 3));
}

function mirroredHipsOffset(humanoid: Humanoid, local: Float64Array): Vector {
  const [x, y, z] = hipsOffset(humanoid, local);
  return [-x, y, z];
}

/** Returns the offset of the pelvis from its reference position. */
function pelvisOffset(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(pelvisPosition(humanoid, local), referencePelvis(humanoid));
}

function mirroredPelvisOffset(humanoid: Humanoid, local: Float64Array): Vector {
  const [x, y, z] = pelvisOffset(humanoid, local);
  return [-x, y, z];
}

/** Mirrors deltas, left and right swapped. */
function mirroredDeltas(deltas: readonly (Quaternion | null)[]): (Quaternion | null)[] {
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const other = deltas[BONE_MIRRORS[bone]];
    return other === null ? null : mirrored(other);
  });
}

/** Returns NaN if two values differ, other than in the sign of zeros. */
function sameOrNaN(a: unknown, b: unknown): number {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part));
  return text(a) === text(b) ? 0 : Number.NaN;
}

describe('L10: mirrorHumanoid and mirrorClip', () => {
  law('applied twice give the same humanoid and clip, to the last bit', 0, (random) => {
    const { humanoid } = randomRig(random, { twisted: random() < 0.3, detached: false });
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    return largest(
      sameOrNaN(mirrorHumanoid(mirrorHumanoid(humanoid)), humanoid),
      sameOrNaN(mirrorClip(mirrorClip(clip)), clip),
    );
  });

  law('give the mirrored deltas of the other side', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const [mirror, motion] = [mirrorHumanoid(humanoid), mirrorClip(clip)];
    const time = between(random, 0, clip.duration);
    const [pose, image] = [sampled(humanoid, clip, time), sampled(mirror, motion, time)];
    return largest(
      rotationError(worldDeltas(mirror, image), mirroredDeltas(worldDeltas(humanoid, pose))),
      apart(hipsOffset(mirror, image), mirroredHipsOffset(humanoid, pose)),
    );
  });

  law(
    'on any target: D_t(b) = M · D_s(mirror of the driver of b) · M, with mirrored hips offset',
    LAW_F64,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = randomRig(random).humanoid;
      const clip = randomClip(random, source, { others: true });
      const time = between(random, 0, clip.duration);
      const image = mirrorHumanoid(source);
      const pose = sampled(source, clip, time);
      const plan = planRetarget(image, target);
      const result = retargetPose(plan, sampled(image, mirrorClip(clip), time), restPose(target.skeleton));
      const deltas = worldDeltas(source, pose);
      const expected = Array.from({ length: BONE_COUNT }, (_, bone) => {
        if (target.map.nodes[bone] < 0) return null;
        const delta = deltas[BONE_MIRRORS[driverOf(image, bone)]];
        return delta === null ? null : mirrored(delta);
      });
      return largest(
        rotationError(worldDeltas(target, result), expected),
        apart(
          pelvisOffset(target, result),
          times(mirroredPelvisOffset(source, pose), target.hipsHeight / source.hipsHeight),
        ),
      );
    },
  );

  law('on symmetric rigs the mirrored clip gives the mirrored result', LAW_F64, (random) => {
    const source = randomRig(random, { symmetric: true, detached: false }).humanoid;
    const target = randomRig(random, { symmetric: true, detached: false }).humanoid;
    const clip = randomClip(random, source);
    const time = between(random, 0, clip.duration);
    const image = mirrorHumanoid(source);
    const result = retargetPose(planRetarget(source, target), sampled(source, clip, time), restPose(target.skeleton));
    const imageResult = retargetPose(
      planRetarget(image, target),
      sampled(image, mirrorClip(clip), time),
      restPose(target.skeleton),
    );
    return largest(
      rotationError(worldDeltas(target, imageResult), mirroredDeltas(worldDeltas(target, result))),
      apart(hipsOffset(target, imageResult), mirroredHipsOffset(target, result)),
    );
  });

  law('retargeted clips are mirror images between keys too', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const image = mirrorHumanoid(source);
    const result = retargetClip(planRetarget(source, target), clip);
    const imageResult = retargetClip(planRetarget(image, target), mirrorClip(clip));
    const time = between(random, 0, clip.duration);
    return rotationError(
      worldDeltas(target, sampled(target, imageResult, time)),
      mirroredDeltas(worldDeltas(target, sampled(target, result, time))),
    );
  });
});
