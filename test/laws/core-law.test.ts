import { describe } from 'vitest';
import { presentParent } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { isAncestor } from '../../src/core/skeleton/topology.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { randomRig, randomVector } from '../support/make/random-rig.ts';
import {
  angle,
  apart,
  minus,
  plus,
  read,
  rotated,
  rotationOf,
  translationOf,
  worldPose,
} from '../support/reference/plain.ts';
import {
  expectedDeltas,
  expectedHips,
  expectedPelvis,
  hipsPosition,
  jointPositions,
  pelvisPosition,
  poseOfJoints,
  referencePelvis,
  retargetInWorldSpace,
  toCanonical,
  worldDeltas,
} from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { largest, law, rotationError } from './law.ts';

describe('retargetPose', () => {
  law('transfers the world deltas of the source, for any two rigs', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true, stretch: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    return rotationError(worldDeltas(target, result), expectedDeltas(source, target, pose));
  });

  law(
    'moves the pelvis by the offset of the source pelvis, times the ratio of the heights of both',
    LAW_F64,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = randomRig(random).humanoid;
      const pose = randomPose(random, source, { others: true, stretch: true });
      const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
      const position = pelvisPosition(target, result);
      const ratio = (position[1] - target.ground) / target.hipsHeight;
      const sourceRatio = (pelvisPosition(source, pose)[1] - source.ground) / source.hipsHeight;
      return largest(apart(position, expectedPelvis(source, target, pose)), Math.abs(ratio - sourceRatio));
    },
  );

  /** The distance of the farthest joint of a retargeted pose from where forward kinematics of the human skeleton has it. */
  const farthestJoint = (random: Random, source: Humanoid, target: Humanoid): number => {
    const bent = randomPose(random, source);
    const deltas = worldDeltas(source, bent);
    const pelvis = plus(referencePelvis(source), randomVector(random, 1));
    const pose = poseOfJoints(source, deltas, jointPositions(source, deltas, pelvis));
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const { positions } = worldPose(target.skeleton.parents, result);
    const lawful = expectedDeltas(source, target, pose);
    const expected = jointPositions(target, lawful, expectedPelvis(source, target, pose));
    return largest(
      rotationError(worldDeltas(target, result), lawful),
      ...expected.map((joint, bone) =>
        joint === null ? 0 : apart(toCanonical(target, positions[target.map.nodes[bone]]), joint),
      ),
    );
  };

  law('puts every joint at the end of its limb, wherever the nodes called hips are', LAW_F64, (random) => {
    const [a, b] = pick(random, [
      [true, false],
      [false, true],
      [true, true],
    ]);
    const rig = (hipsAnywhere: boolean): Humanoid => randomRig(random, { hipsAnywhere, detached: false }).humanoid;
    return farthestJoint(random, rig(a), rig(b));
  });

  law(
    'puts every joint at the end of its limb, however the joints of source and target are nested',
    LAW_F64,
    (random) => {
      const [a, b] = pick(random, [
        ['any', 'human'],
        ['human', 'any'],
        ['any', 'any'],
      ] as const);
      const rig = (nesting: 'any' | 'human'): Humanoid => randomRig(random, { nesting, detached: false }).humanoid;
      return farthestJoint(random, rig(a), rig(b));
    },
  );

  law('a number or none as hipsScale replaces the ratio of the hips heights', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const factor = between(random, 0, 3);
    const scaled = retargetPose(planRetarget(source, target, { hipsScale: factor }), pose, restPose(target.skeleton));
    const plain = retargetPose(planRetarget(source, target, { hipsScale: 'none' }), pose, restPose(target.skeleton));
    return largest(
      apart(hipsPosition(target, scaled), expectedHips(source, target, pose, factor)) / 3,
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
