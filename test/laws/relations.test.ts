/** L7 to L14: laws between several bodies, and between motions that are one another's images. */
import { describe } from 'vitest';
import { BONE_COUNT, BONE_MIRRORS } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { resized } from '../make/change-rig.ts';
import { randomPose } from '../make/random-clip.ts';
import { randomRig, randomVector } from '../make/random-rig.ts';
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
  rotationOf,
  times,
  translationOf,
  turned,
  type Vector,
} from '../reference/plain.ts';
import { driverOf, fromCanonical, hipsPosition, poseOfDeltas, worldDeltas } from '../reference/world-law.ts';
import { LAW_F64 } from '../tolerances.ts';
import { deltaError, largest, law, rotationError } from './law.ts';

function run(source: Humanoid, target: Humanoid, pose: Float64Array): Float64Array {
  return retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
}

function reference(humanoid: Humanoid): Vector {
  return read(humanoid.reference.positions, 0, 3);
}

/** Indices of the bones that are there. */
function bonesOf({ map }: Humanoid): number[] {
  return Array.from(map.nodes, (_, bone) => bone).filter((bone) => map.nodes[bone] >= 0);
}

describe('L7 there and back', () => {
  law('a motion comes back as it was, on the bones that both bodies have', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const b = randomRig(random).humanoid;
    const pose = randomPose(random, a, { others: true });
    const back = run(b, a, run(a, b, pose));
    const onlyA = bonesOf(a).filter((bone) => b.map.nodes[bone] < 0);
    return largest(deltaError(a, back, a, pose, onlyA), apart(hipsPosition(a, back), hipsPosition(a, pose)));
  });

  law('the two hips scales are each other’s inverse', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const b = randomRig(random).humanoid;
    return Math.abs(planRetarget(a, b).hipsScale * planRetarget(b, a).hipsScale - 1);
  });
});

describe('L8 composition', () => {
  law('A → B → C is A → C, when B has every bone of A that drives one of C', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const c = randomRig(random).humanoid;
    const drivers = bonesOf(c).map((bone) => driverOf(a, bone));
    const some = bonesOf(randomRig(random, { others: false }).humanoid);
    const b = randomRig(random, { bones: [...new Set([...drivers, ...some])] }).humanoid;
    const pose = randomPose(random, a, { others: true });
    const direct = run(a, c, pose);
    const around = run(b, c, run(a, b, pose));
    return largest(deltaError(c, direct, c, around), apart(hipsPosition(c, direct), hipsPosition(c, around)));
  });
});

/** A rotation seen in the mirror x → −x. */
function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return [x, -y, -z, w];
}

/** Deltas seen in the mirror, left and right exchanged. */
function mirroredDeltas(deltas: readonly (Quaternion | null)[]): (Quaternion | null)[] {
  return Array.from({ length: BONE_COUNT }, (_, bone) => {
    const other = deltas[BONE_MIRRORS[bone]];
    return other === null ? null : mirrored(other);
  });
}

/** The way of the hips from their reference position. */
function way(humanoid: Humanoid, local: Float64Array): Vector {
  return minus(hipsPosition(humanoid, local), reference(humanoid));
}

describe('L10 mirror', () => {
  law(
    'the mirrored motion gives the mirrored result on bodies whose two sides have the same bones',
    LAW_F64,
    (random) => {
      const source = randomRig(random, { symmetric: true }).humanoid;
      const target = randomRig(random, { symmetric: true }).humanoid;
      const pose = randomPose(random, source);
      const [x, y, z] = way(source, pose);
      const image = poseOfDeltas(
        source,
        mirroredDeltas(worldDeltas(source, pose)),
        plus(reference(source), [-x, y, z]),
      );
      const result = run(source, target, pose);
      const imageResult = run(source, target, image);
      const [tx, ty, tz] = way(target, result);
      return largest(
        rotationError(worldDeltas(target, imageResult), mirroredDeltas(worldDeltas(target, result))),
        apart(way(target, imageResult), [-tx, ty, tz]),
      );
    },
  );
});

/** The whole body of a pose turned about a vertical axis through a point, and moved: at the roots, canonical frame, meters. */
function moved(humanoid: Humanoid, pose: Float64Array, turn: Quaternion, center: Vector, move: Vector): Float64Array {
  const { skeleton, frame } = humanoid;
  const toFile = inverse(Array.from(frame));
  const fileTurn = product(toFile, turn, inverse(toFile));
  const out = Float64Array.from(pose);
  const fileCenter = fromCanonical(humanoid, center);
  for (let node = 0; node < skeleton.parents.length; node++) {
    if (skeleton.parents[node] >= 0) continue;
    const offset = turned(fileTurn, minus(translationOf(pose, node), fileCenter));
    out.set(plus(plus(fileCenter, offset), fromCanonical(humanoid, move)), 10 * node);
    out.set(product(fileTurn, rotationOf(pose, node)), 10 * node + 3);
  }
  return out;
}

describe('L12 yaw and translation', () => {
  law('a motion that faces and stands elsewhere gives a result that does, its way scaled', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const turn = aboutAxis([0, 1, 0], between(random, -3, 3));
    const move = randomVector(random, 5);
    const result = run(source, target, pose);
    const elsewhere = run(source, target, moved(source, pose, turn, reference(source), move));
    const expected = worldDeltas(target, result).map((delta) => (delta === null ? null : product(turn, delta)));
    const factor = target.hipsHeight / source.hipsHeight;
    const expectedWay = plus(turned(turn, way(target, result)), times(move, factor));
    return largest(rotationError(worldDeltas(target, elsewhere), expected), apart(way(target, elsewhere), expectedWay));
  });
});

describe('L13 size', () => {
  law('a target c times as large travels c times as far with the same rotations', LAW_F64, (random) => {
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

  law('a source c times as large with a way c times as long gives the same', LAW_F64, (random) => {
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

/** The same rotations, some written as −q. */
function flipped(random: Random, pose: Float64Array): Float64Array {
  const out = Float64Array.from(pose);
  for (let at = 3; at < out.length; at += 10) {
    if (random() < 0.5) for (let c = 0; c < 4; c++) out[at + c] = -out[at + c];
  }
  return out;
}

describe('L14 sign', () => {
  law('q and −q are one rotation, in poses and in rests', LAW_F64, (random) => {
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
