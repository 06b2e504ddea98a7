import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, presentParent } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { createNormalizedHumanoid, isNormalized } from '../../../src/core/humanoid/normalized-humanoid.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { validateTopology } from '../../../src/core/skeleton/topology.ts';
import { largest, law, rotationError } from '../../laws/law.ts';
import { without } from '../../support/make/change-rig.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import {
  aboutAxis,
  apart,
  IDENTITY,
  inverse,
  minus,
  product,
  read,
  rotationOf,
  worldPose,
} from '../../support/reference/plain.ts';
import { expectedHips, hipsPosition, referencePelvis, worldDeltas } from '../../support/reference/world-retarget.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

describe('createNormalizedHumanoid', () => {
  it('creates one node per bone, named and ordered like the bones', () => {
    const body = createNormalizedHumanoid(tPoseHumanoid({}, { name: 'prop', at: [3, 3, 3] }));
    expect(body.skeleton.names.length).toBe(17);
    expect(body.skeleton.names).toEqual(BONES.filter((name) => body.map.nodes[BONE[name]] >= 0));
    expect(validateTopology(body.skeleton.parents, body.skeleton.names).reasons).toEqual([]);
    const parentOf = (name: string): string | undefined =>
      body.skeleton.names[body.skeleton.parents[body.skeleton.names.indexOf(name)]];
    // The missing bones between spine and arms are skipped.
    expect(parentOf('leftUpperArm')).toBe('spine');
    expect(parentOf('hips')).toBeUndefined();
    expect(isNormalized(body)).toBe(true);
  });

  it('keeps the measures of the humanoid and drops its issues', () => {
    const rig = tPoseHumanoid();
    const { reference, map, issues, basePose, height, hipsHeight } = createNormalizedHumanoid({
      ...rig,
      issues: [{ code: 'GROUND_GUESSED', severity: 'info', message: 'known', where: {} }],
    });
    expect(reference.kind).toBe(rig.reference.kind);
    expect([map.from, issues, basePose]).toEqual([rig.map.from, [], null]);
    expect([height, hipsHeight]).toEqual([rig.height, rig.hipsHeight]);
  });

  it('takes the lowest foot as the ground when the hips are not above the ground', () => {
    const sunk = tPoseHumanoid({ hips: { at: [0, 0, 0] } });
    const body = createNormalizedHumanoid(sunk);
    expect(sunk.hipsHeight).toBe(0);
    expect(body.hipsHeight).toBeCloseTo(0.98, 12);
    expect(body.height).toBeCloseTo(0.7 + 0.98, 12);
    expect(read(body.skeleton.rest, 0, 3)).toEqual([0, body.hipsHeight, 0]);
    expect(planRetarget(sunk, body).hipsScale).toBe(1);
  });

  it('rests in the declared pose of a VRM whose pose was straightened, so that players show what was retargeted', () => {
    const turns = {
      leftUpperArm: { turn: aboutAxis([0, 0, 1], -0.2) },
      rightUpperLeg: { turn: aboutAxis([0, 0, 1], 0.2) },
    };
    const { skeleton, map } = tPoseHumanoid(turns);
    const declared = { format: 'vrm1' as const, nodes: map.nodes, facing: '+Z' as const };
    const { humanoid } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
    const body = createNormalizedHumanoid(humanoid!);
    expect([body.declaredPose!.format, body.reference.kind, isNormalized(body)]).toEqual(['vrma', 'estimated', true]);
    const hand = BONE.leftHand;
    const { positions } = worldPose(body.skeleton.parents, body.skeleton.rest);
    expect(apart(positions[body.map.nodes[hand]], read(humanoid!.declaredPose!.reference.positions, 3 * hand, 3))).toBe(
      0,
    );
    // From the VRM itself, motion is measured from the declared pose, from other rigs from the straightened one.
    const toOwn = planRetarget(humanoid!, body);
    const own = retargetPose(toOwn, skeleton.rest, restPose(body.skeleton));
    expect(rotationError([read(own, 10 * body.map.nodes[BONE.leftUpperArm] + 3, 4)], [IDENTITY])).toBeLessThan(LAW_F64);
    const straight = tPoseHumanoid();
    const other = retargetPose(planRetarget(straight, body), straight.skeleton.rest, restPose(body.skeleton));
    const arm = read(other, 10 * body.map.nodes[BONE.leftUpperArm] + 3, 4);
    expect(rotationError([arm], [aboutAxis([0, 0, 1], 0.2)])).toBeLessThan(LAW_F64);
    expect([body.hipsHeight, body.height]).toEqual([humanoid!.hipsHeight, humanoid!.height]);
    expect(body.declaredPose!.hipsHeight).toBe(humanoid!.declaredPose!.hipsHeight);
  });

  it('throws a RangeError without hips', () => {
    expect(() => createNormalizedHumanoid(without(tPoseHumanoid(), [BONE.hips]))).toThrow(RangeError);
  });

  law('puts hips that are far from the pelvis there', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { hipsAnywhere: true });
    const [joint, pelvis] = [read(humanoid.reference.positions, 0, 3), referencePelvis(humanoid)];
    const rig = createNormalizedHumanoid(humanoid);
    const expected = apart(joint, pelvis) > 0.2 * humanoid.height ? pelvis : joint;
    return apart(read(rig.reference.positions, 0, 3), minus(expected, [0, humanoid.ground, 0]));
  });

  law('rests in the reference pose on y = 0', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { hipsAnywhere: false });
    const body = createNormalizedHumanoid(humanoid);
    const { rotations, positions } = worldPose(body.skeleton.parents, body.skeleton.rest);
    return largest(
      ...Array.from(body.map.nodes, (node, bone) => {
        if (node < 0) return humanoid.map.nodes[bone] < 0 ? 0 : Number.NaN;
        const standing = minus(read(humanoid.reference.positions, 3 * bone, 3), [0, humanoid.ground, 0]);
        const known = read(body.reference.positions, 3 * bone, 3);
        return largest(
          apart(positions[node], standing),
          apart(positions[node], known),
          rotationError([rotations[node]], [IDENTITY]),
        );
      }),
    );
  });

  law('receives motions with local rotations D(p)⁻¹ · D(b) at scale 1', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const body = createNormalizedHumanoid(humanoid);
    const plan = planRetarget(humanoid, body);
    if (plan.hipsScale !== 1 || plan.issues.length > 0) return Number.NaN;
    const pose = randomPose(random, humanoid, { others: true });
    const local = retargetPose(plan, pose, restPose(body.skeleton));
    const deltas = worldDeltas(humanoid, pose);
    const way = expectedHips(humanoid, body, pose, 1);
    const rotations = Array.from({ length: BONE_COUNT }, (_, bone) => {
      const delta = deltas[bone];
      const above = presentParent(bone, humanoid.map.nodes);
      if (delta === null) return null;
      return above < 0 ? delta : product(inverse(deltas[above]!), delta);
    });
    return largest(
      rotationError(
        Array.from(body.map.nodes, (node) => (node < 0 ? null : rotationOf(local, node))),
        rotations,
      ),
      apart(hipsPosition(body, local), way),
    );
  });

  law('is idempotent', 0, (random) => {
    const once = createNormalizedHumanoid(randomRig(random).humanoid);
    const again = createNormalizedHumanoid(once);
    return largest(...again.reference.positions.map((x, k) => Math.abs(x - once.reference.positions[k])));
  });

  law('gives two characters in the same pose the same motion', LAW_F64, (random) => {
    const a = randomRig(random, { bones: 'all' }).humanoid;
    const b = randomRig(random, { bones: 'all' }).humanoid;
    const pose = randomPose(random, a, { others: true });
    const onB = retargetPose(planRetarget(a, b), pose, restPose(b.skeleton));
    const [p, q] = [[a, pose] as const, [b, onB] as const].map(([rig, local]) => {
      const body = createNormalizedHumanoid(rig);
      return retargetPose(planRetarget(rig, body), local, restPose(body.skeleton));
    });
    const rotations = (local: Float64Array): (readonly number[])[] => BONES.map((_, node) => rotationOf(local, node));
    return rotationError(rotations(p), rotations(q));
  });
});

describe('isNormalized', () => {
  it('returns false for a frame, a unit, a ground, rotations, scales, other nodes or another hierarchy', () => {
    const body = createNormalizedHumanoid(tPoseHumanoid());
    const rest = (at: number, value: number): Float64Array => {
      const changed = Float64Array.from(body.skeleton.rest);
      changed[at] = value;
      return changed;
    };
    const others = [
      { ...body, frame: Float64Array.of(0, 1, 0, 0) },
      { ...body, metersPerUnit: 0.01 },
      { ...body, ground: 0.1 },
      { ...body, skeleton: { ...body.skeleton, rest: rest(13, 0.1) } },
      { ...body, skeleton: { ...body.skeleton, rest: rest(17, 2) } },
      { ...body, skeleton: { ...body.skeleton, parents: body.skeleton.parents.map((parent) => Math.min(parent, 0)) } },
      without(body, [BONE.head]),
    ];
    expect(others.map(isNormalized)).toEqual(others.map(() => false));
    expect(isNormalized({ ...body, skeleton: { ...body.skeleton, rest: rest(0, 5) } })).toBe(true);
  });
});
