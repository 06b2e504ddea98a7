import { describe } from 'vitest';
import { presentParent } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { isAncestor } from '../../src/core/skeleton/topology.ts';
import { between } from '../../src/demo/random.ts';
import { randomPose } from '../make/random-clip.ts';
import { randomRig } from '../make/random-rig.ts';
import { angle, apart, minus, plus, read, rotated, rotationOf, translationOf, worldPose } from '../reference/plain.ts';
import {
  drivingHips,
  expectedDeltas,
  expectedHips,
  hipsPosition,
  retargetInWorldSpace,
  toCanonical,
  worldDeltas,
} from '../reference/world-retarget.ts';
import { LAW_F64 } from '../tolerances.ts';
import { largest, law, rotationError } from './law.ts';

describe('retargetPose', () => {
  law('transfers the world deltas of the source, for any two rigs', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true, stretch: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    return rotationError(worldDeltas(target, result), expectedDeltas(source, target, pose));
  });

  law('moves the hips by the offset of the source hips, times the ratio of the hips heights', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true, stretch: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const position = hipsPosition(target, result);
    const ratio = (position[1] - target.ground) / target.hipsHeight;
    const sourceRatio = (drivingHips(source, pose)[1] - source.ground) / source.hipsHeight;
    return largest(apart(position, expectedHips(source, target, pose)), Math.abs(ratio - sourceRatio));
  });

  law('a number or none as hipsScale replaces the ratio of the hips heights', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const factor = between(random, 0, 3);
    const scaled = retargetPose(planRetarget(source, target, { hipsScale: factor }), pose, restPose(target.skeleton));
    const plain = retargetPose(planRetarget(source, target, { hipsScale: 'none' }), pose, restPose(target.skeleton));
    return largest(
      apart(hipsPosition(target, scaled), expectedHips(source, target, pose, factor)),
      apart(hipsPosition(target, plain), expectedHips(source, target, pose, 1)),
    );
  });

  law('gives the same local pose as forward kinematics frame by frame', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const fast = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const slow = retargetInWorldSpace(source, target, pose);
    const hips = target.map.nodes[0];
    const size = Math.hypot(...translationOf(slow, hips)) + 1;
    return largest(
      apart(translationOf(fast, hips), translationOf(slow, hips)) / size,
      ...target.skeleton.names.map((_, node) => angle(rotationOf(fast, node), rotationOf(slow, node))),
    );
  });

  law('keeps a bone that is not below its parent bone at the end of its limb', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random, { detached: true }).humanoid;
    const pose = randomPose(random, source, { others: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const { positions } = worldPose(target.skeleton.parents, result);
    const deltas = worldDeltas(target, result);
    return largest(
      ...Array.from(target.map.nodes, (node, bone) => {
        const parentBone = presentParent(bone, target.map.nodes);
        if (node < 0 || parentBone < 0) return 0;
        if (isAncestor(target.skeleton.parents, target.map.nodes[parentBone], node)) return 0;
        const segment = minus(
          read(target.reference.positions, 3 * bone, 3),
          read(target.reference.positions, 3 * parentBone, 3),
        );
        const end = plus(
          toCanonical(target, positions[target.map.nodes[parentBone]]),
          rotated(deltas[parentBone]!, segment),
        );
        return apart(toCanonical(target, positions[node]), end);
      }),
    );
  });

  law('moves a character with a twisted and stretched rest pose in its base pose', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random, { twisted: true, detached: false }).humanoid;
    const pose = randomPose(random, source, { others: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const { positions } = worldPose(target.skeleton.parents, result);
    const lawful = expectedDeltas(source, target, pose);
    const segments = Array.from(target.map.nodes, (node, bone) => {
      const above = presentParent(bone, target.map.nodes);
      if (node < 0 || above < 0) return 0;
      const shown = minus(
        toCanonical(target, positions[node]),
        toCanonical(target, positions[target.map.nodes[above]]),
      );
      const reference = minus(
        read(target.reference.positions, 3 * bone, 3),
        read(target.reference.positions, 3 * above, 3),
      );
      return apart(shown, rotated(lawful[above]!, reference));
    });
    return largest(
      rotationError(worldDeltas(target, result), lawful),
      apart(hipsPosition(target, result), expectedHips(source, target, pose)),
      ...segments,
    );
  });
});
