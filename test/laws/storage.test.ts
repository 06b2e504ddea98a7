/** L1 to L6: the result does not depend on how a character is stored. */
import { describe } from 'vitest';
import { BONE_COUNT, BONES, REQUIRED_BONES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
import {
  insertNode,
  type Placing,
  permute,
  regauge,
  resting,
  underArmature,
  without,
} from '../support/make/change-rig.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { randomRig, randomVector } from '../support/make/random-rig.ts';
import {
  aboutAxis,
  angle,
  apart,
  product,
  read,
  rotationOf,
  translationOf,
  worldPose,
} from '../support/reference/plain.ts';
import {
  driverOf,
  expectedDeltas,
  hipsPosition,
  pelvisPosition,
  worldDeltas,
} from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { deltaError, largest, law, rotationError } from './law.ts';

function run(source: Humanoid, target: Humanoid, pose: Float64Array): Float64Array {
  return retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
}

/** Returns how far apart two local poses are: radians, and lengths relative to those of the first. */
function poseError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  for (let node = 0; 10 * node < a.length; node++) {
    const size = 1 + Math.hypot(...translationOf(a, node));
    error = largest(error, angle(rotationOf(a, node), rotationOf(b, node)));
    error = largest(error, apart(translationOf(a, node), translationOf(b, node)) / size);
  }
  return error;
}

/** Returns the nodes of the bones. */
function boneNodes({ map }: Humanoid): number[] {
  return Array.from(map.nodes).filter((node) => node >= 0);
}

function randomPlacing(random: Random, size: number): Placing {
  const turn = pick(random, [
    aboutAxis([1, 0, 0], -Math.PI / 2),
    aboutAxis([0, 1, 0], between(random, -3, 3)),
    randomRotation(random),
  ]);
  return {
    translation: randomVector(random, size),
    rotation: turn,
    scale: pick(random, [1, 0.01, 100, between(random, 0.5, 2)]),
  };
}

describe('L1 identity: retargetPose', () => {
  law('returns the pose itself for the same humanoid', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { detached: false });
    const pose = randomPose(random, humanoid);
    return poseError(run(humanoid, humanoid, pose), pose);
  });

  law('keeps world deltas and hips if nodes between the bones move only in the source', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const pose = randomPose(random, humanoid, { others: true });
    const result = run(humanoid, humanoid, pose);
    return largest(
      deltaError(humanoid, result, humanoid, pose),
      apart(pelvisPosition(humanoid, result), pelvisPosition(humanoid, pose)),
    );
  });
});

describe('L2 local axes: retargetPose', () => {
  law('does not depend on the local axes of the source', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const other = regauge(
      source,
      source.skeleton.names.map(() => randomRotation(random)),
    );
    return poseError(run(source, target, pose), run(other.humanoid, target, other.pose(pose)));
  });

  law("other local axes G of the target give W_t · G and the same positions (L2')", LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const gauges = target.skeleton.names.map(() => randomRotation(random));
    const other = regauge(target, gauges);
    const plain = worldPose(target.skeleton.parents, run(source, target, pose));
    const gauged = worldPose(target.skeleton.parents, run(source, other.humanoid, pose));
    return largest(
      ...gauges.map((gauge, node) => angle(gauged.rotations[node], product(plain.rotations[node], gauge))),
      ...gauges.map((_, node) => apart(gauged.positions[node], plain.positions[node]) * target.metersPerUnit),
    );
  });
});

describe('L3 armatures: retargetPose', () => {
  law('does not depend on a rotated, scaled and moved armature above the source', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const other = underArmature(source, randomPlacing(random, 1 / source.metersPerUnit));
    return poseError(run(source, target, pose), run(other.humanoid, target, other.pose(pose)));
  });

  law('gives the same local values below an armature above the target', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const other = underArmature(target, randomPlacing(random, 1 / target.metersPerUnit));
    const result = run(source, other.humanoid, pose);
    return poseError(run(source, target, pose), result.subarray(10));
  });

  law('motion of the source armature counts as motion of its hips', LAW_F64, (random) => {
    const source = randomRig(random, { others: false, detached: false }).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source);
    const size = 1 / source.metersPerUnit;
    const still: Placing = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: 1 };
    const moving: Placing = {
      translation: randomVector(random, size),
      rotation: randomRotation(random),
      scale: between(random, 0.5, 2),
    };
    const other = insertNode(source, 0, still);
    return poseError(run(source, target, pose), run(other.humanoid, target, other.pose(pose, moving)));
  });
});

describe('L4 nodes between bones: retargetPose', () => {
  law('does not depend on a constant node between two bones of the source', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const placing = randomPlacing(random, 0.1 / source.metersPerUnit);
    const other = insertNode(source, pick(random, boneNodes(source)), placing);
    return poseError(run(source, target, pose), run(other.humanoid, target, other.pose(pose, placing)));
  });

  law(
    'does not depend on a moving node between two bones of the source if the world pose is the same',
    LAW_F64,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = randomRig(random).humanoid;
      const pose = randomPose(random, source, { others: true });
      const size = 0.1 / source.metersPerUnit;
      const other = insertNode(source, pick(random, boneNodes(source)), randomPlacing(random, size));
      const moved = other.pose(pose, { ...randomPlacing(random, size), scale: 1 });
      return poseError(run(source, target, pose), run(other.humanoid, target, moved));
    },
  );

  law('gives the same world pose with a constant node between two bones of the target', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const other = insertNode(
      target,
      pick(random, boneNodes(target)),
      randomPlacing(random, 0.1 / target.metersPerUnit),
    );
    const result = run(source, target, pose);
    const inserted = run(source, other.humanoid, pose);
    const a = worldPose(target.skeleton.parents, result);
    const b = worldPose(other.humanoid.skeleton.parents, inserted);
    return largest(
      ...target.map.nodes.map((node, bone) => {
        if (node < 0) return 0;
        const other_ = other.humanoid.map.nodes[bone];
        const moved = apart(a.positions[node], b.positions[other_]) * target.metersPerUnit;
        return largest(angle(a.rotations[node], b.rotations[other_]), moved);
      }),
    );
  });
});

/** Returns some bones of a rig, without the hips. */
function someBones(random: Random, { map }: Humanoid): number[] {
  return BONES.map((_, bone) => bone).filter((bone) => bone > 0 && map.nodes[bone] >= 0 && random() < 0.3);
}

describe('L5 missing bones: retargetPose', () => {
  law('bones below those that the target lacks keep their world deltas', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    // Without its upper legs a humanoid has another pelvis.
    const missing = someBones(random, target).filter((bone) => !/UpperLeg/.test(BONES[bone]));
    const less = without(target, missing);
    const kept = run(source, target, pose);
    const result = run(source, less, pose);
    return largest(
      deltaError(target, kept, less, result),
      apart(hipsPosition(target, kept), hipsPosition(less, result)),
    );
  });

  law('bones that the source lacks move with the bone above, the others are unchanged', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const missing = someBones(random, source);
    const less = without(source, missing);
    const deltas = worldDeltas(source, pose);
    const result = run(less, target, pose);
    const shown = worldDeltas(target, result);
    const full = worldDeltas(target, run(source, target, pose));
    const expected = Array.from({ length: BONE_COUNT }, (_, bone) => {
      if (target.map.nodes[bone] < 0) return null;
      const drivers = [driverOf(less, bone), driverOf(source, bone)];
      return drivers[0] === drivers[1] ? full[bone] : deltas[drivers[0]];
    });
    return rotationError(shown, expected);
  });

  law('a source with only the 15 required bones drives a target with all 55', LAW_F64, (random) => {
    const required = REQUIRED_BONES.map((name) => BONES.indexOf(name));
    const source = randomRig(random, { bones: required }).humanoid;
    const target = randomRig(random, { bones: 'all' }).humanoid;
    const pose = randomPose(random, source, { others: true });
    return rotationError(worldDeltas(target, run(source, target, pose)), expectedDeltas(source, target, pose));
  });
});

describe('L6 node order: retargetPose', () => {
  law('gives the same numbers to the last bit for another node order', 0, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const otherSource = permute(random, source);
    const otherTarget = permute(random, target);
    const result = otherTarget.pose(run(source, target, pose));
    const other = run(otherSource.humanoid, otherTarget.humanoid, otherSource.pose(pose));
    return result.every((value, k) => Object.is(value, other[k])) ? 0 : 1;
  });
});

describe('L16 rest pose: retargetPose', () => {
  law('does not depend on the rest pose if the reference pose is known', LAW_F64, (random) => {
    const source = randomRig(random);
    const target = randomRig(random);
    const pose = randomPose(random, source.humanoid, { others: true });
    const storedInReference = resting(source.humanoid, source.referenceLocal);
    const targetInReference = resting(target.humanoid, target.referenceLocal);
    const hips = 10 * target.humanoid.map.nodes[0];
    const a = run(source.humanoid, target.humanoid, pose);
    const b = run(storedInReference, targetInReference, pose);
    const position = (local: Float64Array): number[] => read(local, hips, 3);
    const size = 1 + Math.hypot(...position(a));
    return largest(
      apart(position(a), position(b)) / size,
      ...boneNodes(target.humanoid).map((node) => angle(rotationOf(a, node), rotationOf(b, node))),
    );
  });
});
