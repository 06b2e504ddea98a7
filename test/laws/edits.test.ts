/** Edits of clips and retargeting: trim and speed commute with it (L9), the mirror does (L10). */
import { describe } from 'vitest';
import { changeSpeed } from '../../src/core/animation/change-speed.ts';
import type { Clip } from '../../src/core/animation/clip.ts';
import { loopClip } from '../../src/core/animation/loop-clip.ts';
import { mirrorClip } from '../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { trimClip } from '../../src/core/animation/trim-clip.ts';
import { validateClip } from '../../src/core/animation/validate-clip.ts';
import { BONE_COUNT, BONE_MIRRORS } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../src/core/humanoid/mirror-humanoid.ts';
import { travellerOf } from '../../src/core/humanoid/traveller.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { isAncestor } from '../../src/core/skeleton/topology.ts';
import { between, type Random } from '../../src/demo/random.ts';
import { randomClip } from '../make/random-clip.ts';
import { type RigOptions, randomRig } from '../make/random-rig.ts';
import {
  angle,
  apart,
  IDENTITY,
  inverse,
  minus,
  product,
  type Quaternion,
  read,
  times,
  turned,
  type Vector,
  worldPose,
} from '../reference/plain.ts';
import { driverOf, hipsPosition, worldDeltas } from '../reference/world-law.ts';
import { LAW_F32, LAW_F64, LOOP_SEAM, RESAMPLED_HEIGHT, RESAMPLED_RADIANS } from '../tolerances.ts';
import { deltaError, largest, law as lawOnRigs, rotationError } from './law.ts';

/** On fewer rigs than other laws: each case makes and samples whole clips. */
function law(sentence: string, tolerance: number, error: (random: Random) => number): void {
  lawOnRigs(sentence, tolerance, error, 300);
}

/** Every bone of such rigs is driven by one rotation of the source. */
const MATCHED: RigOptions = { bones: 'all', tangled: false };

function sampled(humanoid: Humanoid, clip: Clip, time: number): Float64Array {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  return local;
}

/** A cut of a clip: float32 moments, at least a tenth of it long. */
function randomRange(random: Random, { duration }: Clip): [from: number, to: number] {
  const from = Math.fround(between(random, 0, 0.9 * duration));
  return [from, Math.fround(between(random, from + 0.1 * duration, 1.1 * duration))];
}

/** How far apart two clips of a body are at a time: radians, meters per meter of the hips' height. */
function apartAt(humanoid: Humanoid, a: Clip, b: Clip, time: number): { turned: number; moved: number } {
  const [p, q] = [sampled(humanoid, a, time), sampled(humanoid, b, time)];
  return {
    turned: deltaError(humanoid, p, humanoid, q),
    moved: apart(hipsPosition(humanoid, p), hipsPosition(humanoid, q)) / humanoid.hipsHeight,
  };
}

describe('trim', () => {
  law('the trimmed result is the result of the trimmed motion, keys kept and any interpolation', LAW_F32, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source, { style: 'smooth' });
    const plan = planRetarget(source, target);
    const [from, to] = randomRange(random, clip);
    const before = retargetClip(plan, trimClip(clip, from, to));
    const after = trimClip(retargetClip(plan, clip), from, to);
    const { valid, reasons } = validateClip(before, target.skeleton.names.length);
    if (!valid) throw new Error(reasons.join('; '));
    return largest(
      Math.abs(before.duration - after.duration),
      ...Array.from({ length: 4 }, () => {
        const { turned, moved } = apartAt(target, before, after, between(random, 0, after.duration));
        return largest(turned, moved);
      }),
    );
  });

  const resampled = (random: Random): number => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const clip = randomClip(random, source, { style: 'smooth', others: true });
    const plan = planRetarget(source, target);
    const [from, to] = randomRange(random, clip);
    const before = retargetClip(plan, trimClip(clip, from, to));
    const after = trimClip(retargetClip(plan, clip), from, to);
    return largest(
      ...Array.from({ length: 4 }, () => {
        const { turned, moved } = apartAt(target, before, after, between(random, 0, after.duration));
        return largest(turned / (2 * RESAMPLED_RADIANS + LAW_F32), moved / (2 * RESAMPLED_HEIGHT + LAW_F32));
      }),
    );
  };
  // Resampling twice takes its time.
  lawOnRigs('where tracks are resampled both are within the bound of the motion', 1, resampled, 100);

  law('a trimmed motion shows what the whole one shows later', LAW_F32, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { style: 'smooth', others: true });
    const [from, to] = randomRange(random, clip);
    const part = trimClip(clip, from, to);
    return largest(
      ...[0, part.duration, between(random, 0, part.duration)].map((time) => {
        // The very moment of a jump, up to a rounding, is not compared.
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

describe('speed', () => {
  law('the result of a faster motion is the result, faster', LAW_F64, (random) => {
    const source = randomRig(random, MATCHED).humanoid;
    const target = randomRig(random, MATCHED).humanoid;
    const clip = randomClip(random, source);
    const factor = between(random, 0.2, 5);
    const plan = planRetarget(source, target);
    const before = retargetClip(plan, changeSpeed(clip, factor));
    const after = changeSpeed(retargetClip(plan, clip), factor);
    return largest(
      ...Array.from({ length: 3 }, () => {
        const { turned, moved } = apartAt(target, before, after, between(random, 0, clip.duration / factor));
        return largest(turned, moved);
      }),
    );
  });
});

/** What is left of a rotation without its turn about the vertical of the canonical frame, and that turn. */
function withoutYaw([x, y, z, w]: Quaternion): { swing: Quaternion; yaw: Quaternion } {
  const length = Math.hypot(y, w);
  const yaw = length > 0 ? [0, y / length, 0, w / length] : IDENTITY;
  return { swing: product([x, y, z, w], inverse(yaw)), yaw };
}

/** The seam of a clip: radians and meters by the height of the hips that its last pose is off its first, travel left out. */
function seam(humanoid: Humanoid, clip: Clip): { error: number; yaw: number; way: number } {
  const { skeleton, map, frame, hipsHeight, metersPerUnit } = humanoid;
  const { parents } = skeleton;
  const [first, last] = [0, clip.duration].map((time) => worldPose(parents, sampled(humanoid, clip, time)));
  const hips = map.nodes[0];
  const canonical = Array.from(frame);
  const place = (point: Vector): Vector => times(turned(canonical, point), metersPerUnit);
  const change = (node: number): Quaternion =>
    product(canonical, last.rotations[node], inverse(first.rotations[node]), inverse(canonical));
  const { swing, yaw } = withoutYaw(change(hips));
  const way = minus(place(last.positions[hips]), place(first.positions[hips]));
  const errors = [angle(swing, IDENTITY), Math.abs(way[1]) / hipsHeight];
  for (let node = 0; node < parents.length; node++) {
    if (!isAncestor(parents, hips, node)) continue;
    const before = minus(place(first.positions[node]), place(first.positions[hips]));
    const after = minus(place(last.positions[node]), place(last.positions[hips]));
    errors.push(angle(change(node), yaw), apart(turned(yaw, before), after) / hipsHeight);
  }
  return { error: largest(...errors), yaw: angle(yaw, IDENTITY), way: Math.hypot(way[0], way[2]) / hipsHeight };
}

describe('loop', () => {
  law('the last pose is the first one, but for the travel, on any rig and any motion', LOOP_SEAM, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const looped = loopClip(humanoid.skeleton, clip, travellerOf(humanoid));
    const { valid, reasons } = validateClip(looped, humanoid.skeleton.names.length);
    if (!valid) throw new Error(reasons.join('; '));
    return seam(humanoid, looped).error;
  });

  law(
    'a motion of the hips that is no travel is closed too, and one that is stays as long as it was',
    LOOP_SEAM,
    (random) => {
      const { humanoid } = randomRig(random);
      const some = randomClip(random, humanoid, { style: 'smooth' });
      const before = seam(humanoid, some);
      const after = seam(humanoid, loopClip(humanoid.skeleton, some, travellerOf(humanoid)));
      return largest(
        before.way < 0.25 ? after.way : Math.abs(after.way - before.way),
        before.yaw < Math.PI / 12 ? after.yaw : Math.abs(after.yaw - before.yaw),
      );
    },
  );

  law('the pose at the start stays', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const looped = loopClip(humanoid.skeleton, clip, travellerOf(humanoid));
    const [p, q] = [sampled(humanoid, clip, 0), sampled(humanoid, looped, 0)];
    return deltaError(humanoid, p, humanoid, q);
  });

  law('what has been looped is not changed by looping it again', LOOP_SEAM, (random) => {
    const { humanoid } = randomRig(random);
    const traveller = travellerOf(humanoid);
    const once = loopClip(humanoid.skeleton, randomClip(random, humanoid, { others: true }), traveller);
    const twice = loopClip(humanoid.skeleton, once, traveller);
    const time = between(random, 0, once.duration);
    const { turned: turnedBy, moved } = apartAt(humanoid, once, twice, time);
    return largest(turnedBy, moved);
  });
});

/** A rotation seen in the mirror x → −x. */
function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return [x, -y, -z, w];
}

/** The way of the hips from their reference position. */
function way(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(hipsPosition(humanoid, local), read(humanoid.reference.positions, 0, 3));
}

function mirroredWay(humanoid: Humanoid, local: Float64Array): Vector {
  const [x, y, z] = way(humanoid, local);
  return [-x, y, z];
}

/** Deltas seen in the mirror, left and right exchanged. */
function mirroredDeltas(deltas: readonly (Quaternion | null)[]): (Quaternion | null)[] {
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const other = deltas[BONE_MIRRORS[bone]];
    return other === null ? null : mirrored(other);
  });
}

/** NaN where two values differ in anything, signs of zeros left out. */
function sameOrNaN(a: unknown, b: unknown): number {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part));
  return text(a) === text(b) ? 0 : Number.NaN;
}

describe('L10 mirror', () => {
  law('twice in the mirror is the same body and the same motion, to the last bit', 0, (random) => {
    const { humanoid } = randomRig(random, { twisted: random() < 0.3, tangled: false });
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    return largest(
      sameOrNaN(mirrorHumanoid(mirrorHumanoid(humanoid)), humanoid),
      sameOrNaN(mirrorClip(mirrorClip(clip)), clip),
    );
  });

  law('the mirrored body in its mirrored motion shows the deltas of the other side, mirrored', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const clip = randomClip(random, humanoid, { others: true, stretch: true });
    const [body, motion] = [mirrorHumanoid(humanoid), mirrorClip(clip)];
    const time = between(random, 0, clip.duration);
    const [pose, image] = [sampled(humanoid, clip, time), sampled(body, motion, time)];
    return largest(
      rotationError(worldDeltas(body, image), mirroredDeltas(worldDeltas(humanoid, pose))),
      apart(way(body, image), mirroredWay(humanoid, pose)),
    );
  });

  law(
    'on any target: D_t(b) = M · D_s(mirror of the driver of b) · M, and the hips go the mirrored way',
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
        apart(way(target, result), times(mirroredWay(source, pose), target.hipsHeight / source.hipsHeight)),
      );
    },
  );

  law('on bodies whose sides are alike, the mirrored motion gives the mirrored result', LAW_F64, (random) => {
    const source = randomRig(random, { symmetric: true, tangled: false }).humanoid;
    const target = randomRig(random, { symmetric: true, tangled: false }).humanoid;
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
      apart(way(target, imageResult), mirroredWay(target, result)),
    );
  });

  law(
    'a clip and its mirror image have the same keys: retargeted clips are mirror images between keys too',
    LAW_F64,
    (random) => {
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
    },
  );
});
