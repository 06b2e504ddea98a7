/** L7 to L14: laws between several humanoids, and between poses and their images. */
import { describe } from 'vitest';
import { BONE, BONE_COUNT, BONE_MIRRORS, BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { resized } from '../support/make/change-rig.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { randomRig, randomVector } from '../support/make/random-rig.ts';
import {
  aboutAxis,
  angle,
  apart,
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  rotated,
  rotationOf,
  times,
  translationOf,
  type Vector,
} from '../support/reference/plain.ts';
import {
  driverOf,
  fromCanonical,
  hipsPosition,
  pelvisPosition,
  poseOfDeltas,
  referencePelvis,
  worldDeltas,
} from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { deltaError, largest, law, rotationError } from './law.ts';

function run(source: Humanoid, target: Humanoid, pose: Float64Array): Float64Array {
  return retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
}

function reference(humanoid: Humanoid): Vector {
  return read(humanoid.reference.positions, 0, 3);
}

/** Returns the bones of a humanoid. */
function bonesOf({ map }: Humanoid): number[] {
  return Array.from(map.nodes, (_, bone) => bone).filter((bone) => map.nodes[bone] >= 0);
}

describe('L7 round trip: retargetPose', () => {
  law('restores the pose on the bones that both humanoids have', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const b = randomRig(random).humanoid;
    const pose = randomPose(random, a, { others: true });
    const back = run(b, a, run(a, b, pose));
    const onlyA = bonesOf(a).filter((bone) => b.map.nodes[bone] < 0);
    return largest(deltaError(a, back, a, pose, onlyA), apart(pelvisPosition(a, back), pelvisPosition(a, pose)));
  });

  law('the hips scales of the two plans are inverse', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const b = randomRig(random).humanoid;
    return Math.abs(planRetarget(a, b).hipsScale * planRetarget(b, a).hipsScale - 1);
  });
});

/** Returns the first bone of the finger that a bone belongs to; the bone itself outside of fingers. */
function knuckleOf(bone: number): number {
  return BONE[BONES[bone].replace(/(Index|Middle|Ring|Little)(?:Intermediate|Distal)$/, '$1Proximal') as BoneName];
}

describe('L8 composition: retargetPose', () => {
  // A finger of B that A lacks follows another finger in B, and its missing joints do not in C.
  law(
    'A → B → C equals A → C if B has every bone of A that drives a bone of C, with the knuckles of its fingers, and no other fingers',
    LAW_F64,
    (random) => {
      const a = randomRig(random).humanoid;
      const c = randomRig(random).humanoid;
      const drivers = bonesOf(c).map((bone) => driverOf(a, bone));
      const knuckles = drivers.map((bone) => knuckleOf(bone)).filter((bone) => a.map.nodes[bone] >= 0);
      const some = bonesOf(randomRig(random, { others: false }).humanoid).filter(
        (bone) => a.map.nodes[bone] >= 0 || !/Index|Middle|Ring|Little/.test(BONES[bone]),
      );
      const b = randomRig(random, { bones: [...new Set([...drivers, ...knuckles, ...some])] }).humanoid;
      const pose = randomPose(random, a, { others: true });
      const direct = run(a, c, pose);
      const around = run(b, c, run(a, b, pose));
      return largest(deltaError(c, direct, c, around), apart(hipsPosition(c, direct), hipsPosition(c, around)));
    },
  );
});

/** Mirrors a rotation at x → −x. */
function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return [x, -y, -z, w];
}

/** Mirrors deltas, left and right swapped. */
function mirroredDeltas(deltas: readonly (Quaternion | null)[]): (Quaternion | null)[] {
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const other = deltas[BONE_MIRRORS[bone]];
    return other === null ? null : mirrored(other);
  });
}

/** Returns the offset of the hips from their reference position. */
function hipsOffset(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(hipsPosition(humanoid, local), reference(humanoid));
}

/** Returns the offset of the pelvis from its reference position. */
function pelvisOffset(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(pelvisPosition(humanoid, local), referencePelvis(humanoid));
}

describe('L10 mirror: retargetPose', () => {
  law('maps the mirrored pose to the mirrored result if both sides have the same bones', LAW_F64, (random) => {
    const source = randomRig(random, { symmetric: true, detached: false }).humanoid;
    const target = randomRig(random, { symmetric: true }).humanoid;
    const pose = randomPose(random, source);
    const [x, y, z] = hipsOffset(source, pose);
    const image = poseOfDeltas(source, mirroredDeltas(worldDeltas(source, pose)), plus(reference(source), [-x, y, z]));
    const result = run(source, target, pose);
    const imageResult = run(source, target, image);
    const [tx, ty, tz] = hipsOffset(target, result);
    return largest(
      rotationError(worldDeltas(target, imageResult), mirroredDeltas(worldDeltas(target, result))),
      apart(hipsOffset(target, imageResult), [-tx, ty, tz]),
    );
  });
});

/** Rotates a pose about an axis through `center` and moves it, at the roots; canonical frame, meters. */
function moved(humanoid: Humanoid, pose: Float64Array, turn: Quaternion, center: Vector, move: Vector): Float64Array {
  const { skeleton, frame } = humanoid;
  const toFile = inverse(Array.from(frame));
  const fileTurn = product(toFile, turn, inverse(toFile));
  const out = Float64Array.from(pose);
  const fileCenter = fromCanonical(humanoid, center);
  for (let node = 0; node < skeleton.parents.length; node++) {
    if (skeleton.parents[node] >= 0) continue;
    const offset = rotated(fileTurn, minus(translationOf(pose, node), fileCenter));
    out.set(plus(plus(fileCenter, offset), fromCanonical(humanoid, move)), 10 * node);
    out.set(product(fileTurn, rotationOf(pose, node)), 10 * node + 3);
  }
  return out;
}

describe('L12 yaw and translation: retargetPose', () => {
  law('maps a rotated and moved pose to the rotated and moved result, with the offset scaled', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const turn = aboutAxis([0, 1, 0], between(random, -3, 3));
    const move = randomVector(random, 5);
    const result = run(source, target, pose);
    const elsewhere = run(source, target, moved(source, pose, turn, referencePelvis(source), move));
    const expected = worldDeltas(target, result).map((delta) => (delta === null ? null : product(turn, delta)));
    const factor = target.hipsHeight / source.hipsHeight;
    const expectedOffset = plus(rotated(turn, pelvisOffset(target, result)), times(move, factor));
    return largest(
      rotationError(worldDeltas(target, elsewhere), expected),
      apart(pelvisOffset(target, elsewhere), expectedOffset) / (1 + Math.hypot(...expectedOffset)),
    );
  });
});

describe('L13 size: retargetPose', () => {
  law('a target c times as large moves c times as far with the same rotations', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const factor = pick(random, [0.01, 100, between(random, 0.3, 3)]);
    const large = resized(target, factor);
    const result = run(source, target, pose);
    const largeResult = run(source, large.humanoid, pose);
    return largest(
      apart(times(hipsPosition(large.humanoid, largeResult), 1 / factor), hipsPosition(target, result)),
      ...target.skeleton.names.map((_, node) => angle(rotationOf(largeResult, node), rotationOf(result, node))),
    );
  });

  law('a source c times as large with an offset c times as long gives the same result', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const large = resized(source, pick(random, [0.01, 100, between(random, 0.3, 3)]));
    const result = run(source, target, pose);
    const largeResult = run(large.humanoid, target, large.pose(pose));
    return largest(
      apart(hipsPosition(target, largeResult), hipsPosition(target, result)),
      deltaError(target, largeResult, target, result),
    );
  });
});

/** Returns the same rotations, some of them as −q. */
function flipped(random: Random, pose: Float64Array): Float64Array {
  const out = Float64Array.from(pose);
  for (let at = 3; at < out.length; at += 10) {
    if (random() < 0.5) for (let c = 0; c < 4; c++) out[at + c] = -out[at + c];
  }
  return out;
}

describe('L14 sign: retargetPose', () => {
  law('treats q and −q as one rotation, in poses and in rest poses', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const rest = flipped(random, Float64Array.from(target.skeleton.rest));
    const other: Humanoid = { ...target, skeleton: { ...target.skeleton, rest } };
    const result = run(source, target, pose);
    const otherResult = run(source, other, flipped(random, pose));
    return largest(
      apart(hipsPosition(target, result), hipsPosition(other, otherResult)),
      deltaError(target, result, other, otherResult),
    );
  });
});
