import { describe } from 'vitest';
import { presentParent } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { isAncestor } from '../../src/core/skeleton/topology.ts';
import { between } from '../../src/demo/random.ts';
import { randomPose } from '../make/random-clip.ts';
import { randomRig } from '../make/random-rig.ts';
import { angle, apart, minus, plus, read, rotationOf, translationOf, turned, worldPose } from '../reference/plain.ts';
import { hipsPosition, lawfulDeltas, lawfulHips, toCanonical, worldDeltas, worldLaw } from '../reference/world-law.ts';
import { LAW_F64 } from '../tolerances.ts';
import { largest, law, rotationError } from './law.ts';

describe('the law of retargeting', () => {
  law('the target shows the world deltas of the source, whatever the two rigs', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true, stretch: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    return rotationError(worldDeltas(target, result), lawfulDeltas(source, target, pose));
  });

  law(
    'the hips are as far from their reference position as those of the source, times the ratio of the heights',
    LAW_F64,
    (random) => {
      const source = randomRig(random).humanoid;
      const target = randomRig(random).humanoid;
      const pose = randomPose(random, source, { others: true, stretch: true });
      const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
      const position = hipsPosition(target, result);
      const ratio = (position[1] - target.ground) / target.hipsHeight;
      const sourceRatio = (hipsPosition(source, pose)[1] - source.ground) / source.hipsHeight;
      return largest(apart(position, lawfulHips(source, target, pose)), Math.abs(ratio - sourceRatio));
    },
  );

  law('a hips scale of a number or of none takes the place of that ratio', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const factor = between(random, 0, 3);
    const scaled = retargetPose(planRetarget(source, target, { hipsScale: factor }), pose, restPose(target.skeleton));
    const plain = retargetPose(planRetarget(source, target, { hipsScale: 'none' }), pose, restPose(target.skeleton));
    return largest(
      apart(hipsPosition(target, scaled), lawfulHips(source, target, pose, factor)),
      apart(hipsPosition(target, plain), lawfulHips(source, target, pose, 1)),
    );
  });

  law('planned products give the local pose that full kinematics gives', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const fast = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const slow = worldLaw(source, target, pose);
    const hips = target.map.nodes[0];
    const size = Math.hypot(...translationOf(slow, hips)) + 1;
    return largest(
      apart(translationOf(fast, hips), translationOf(slow, hips)) / size,
      ...target.skeleton.names.map((_, node) => angle(rotationOf(fast, node), rotationOf(slow, node))),
    );
  });

  law('a bone that hangs elsewhere in the node tree stays at the end of its limb', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random, { tangled: true }).humanoid;
    const pose = randomPose(random, source, { others: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const { positions } = worldPose(target.skeleton.parents, result);
    const deltas = worldDeltas(target, result);
    return largest(
      ...Array.from(target.map.nodes, (node, bone) => {
        const holder = presentParent(bone, target.map.nodes);
        if (node < 0 || holder < 0) return 0;
        if (isAncestor(target.skeleton.parents, target.map.nodes[holder], node)) return 0;
        const segment = minus(
          read(target.reference.positions, 3 * bone, 3),
          read(target.reference.positions, 3 * holder, 3),
        );
        const end = plus(toCanonical(target, positions[target.map.nodes[holder]]), turned(deltas[holder]!, segment));
        return apart(toCanonical(target, positions[node]), end);
      }),
    );
  });

  law('a character that rests twisted and stretched moves in the shape of its reference pose', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random, { twisted: true, tangled: false }).humanoid;
    const pose = randomPose(random, source, { others: true });
    const result = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const { positions } = worldPose(target.skeleton.parents, result);
    const lawful = lawfulDeltas(source, target, pose);
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
      return apart(shown, turned(lawful[above]!, reference));
    });
    return largest(
      rotationError(worldDeltas(target, result), lawful),
      apart(hipsPosition(target, result), lawfulHips(source, target, pose)),
      ...segments,
    );
  });
});
