import { describe, expect, test } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { type DescribeOptions, describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { DeclaredHumanoid, Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { resized } from '../../support/make/change-rig.ts';
import { withControls } from '../../support/make/rig-with-controls.ts';
import { clipOf, tinyHumanoid, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { aboutAxis, IDENTITY, read } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

function described({ skeleton, map }: Humanoid, options: DescribeOptions = {}): Humanoid {
  const { humanoid, reason } = describeHumanoid(skeleton, { map, metersPerUnit: 1, ...options });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

function codes({ issues }: Humanoid): string[] {
  return issues.map(({ code }) => code).filter((code) => code !== 'POSE_LIMB_AMBIGUOUS');
}

function declaredBy({ map }: Humanoid): DeclaredHumanoid {
  return { format: 'vrm1', nodes: map.nodes, facing: '+Z' };
}

describe('describeHumanoid', () => {
  test('measures a character on y = 0 in meters', () => {
    const body = described(tPoseHumanoid());
    expect(body.metersPerUnit).toBe(1);
    expect(body.ground).toBe(0);
    expect(body.hipsHeight).toBeCloseTo(1, 12);
    expect(body.height).toBeCloseTo(1.7, 12);
    expectSameRotation(body.frame, IDENTITY, EXACT);
    expect(body.reference).toMatchObject({
      kind: 'estimated',
      from: 'node',
      deviationDegrees: { leftArm: 0, rightLeg: 0 },
    });
    expect(codes(body)).toEqual([]);
  });

  test.each(['found', 'given'])(
    'leaves controls that move no vertex out of the joints, with bones that are %s',
    (how) => {
      const { rig, own, moves } = withControls(
        makeCharacter({ naming: 'vrm' }),
        [(name) => `c_${name}`, (name) => name],
        true,
      );
      const confidence = new Float32Array(own.length).fill(1);
      const { humanoid } = describeHumanoid(rig, {
        vertices: () => ({ positions: new Float32Array(3), nodes: Int32Array.of(moves.length - 1), moves }),
        ...(how === 'given' ? { map: { nodes: own, confidence, from: 'given' } } : {}),
      });
      expect([...humanoid!.map.nodes]).toEqual([...own]);
      expect([...humanoid!.skeleton.joints]).toEqual([...moves]);
    },
  );

  test('reports a reference pose that is estimated from a stride', () => {
    const body = tPoseHumanoid();
    const legs = (degrees: number): Humanoid => {
      const rest = Float64Array.from(body.skeleton.rest);
      for (const [bone, sign] of [
        [BONE.leftUpperLeg, 1],
        [BONE.rightUpperLeg, -1],
      ] as const) {
        const half = (sign * degrees * Math.PI) / 360;
        rest.set([Math.sin(half), 0, 0, Math.cos(half)], 10 * body.map.nodes[bone] + 3);
      }
      return { ...body, skeleton: { ...body.skeleton, rest } };
    };
    expect(codes(described(legs(10)))).not.toContain('POSE_NOT_AT_REST');
    const { issues } = described(legs(35));
    expect(issues.find(({ code }) => code === 'POSE_NOT_AT_REST')?.message).toMatch(/leftLeg 35°, rightLeg 35°/);
  });

  test('maps the bones by name', () => {
    const { humanoid } = describeHumanoid(tPoseHumanoid().skeleton, { metersPerUnit: 1 });
    expect(humanoid?.map.nodes).toEqual(tPoseHumanoid().map.nodes);
  });

  test('returns a reason for a non-humanoid skeleton and does not throw', () => {
    const { skeleton } = tinyHumanoid({ name: 'root' }, { name: 'wheel', parent: 'root' });
    const { humanoid, reason } = describeHumanoid(skeleton);
    expect(humanoid).toBeNull();
    expect(reason).toMatch(/\w+/);
    const empty = {
      ...skeleton,
      names: [],
      parents: new Int32Array(0),
      rest: new Float64Array(0),
      joints: new Uint8Array(0),
    };
    expect(describeHumanoid(empty).humanoid).toBeNull();
  });

  test('uses a user-supplied map against names and shape', () => {
    const named = tPoseHumanoid();
    const nameless = { ...named.skeleton, names: named.skeleton.names.map(() => '') };
    expect(describeHumanoid(nameless).humanoid?.map.from).toBe('shape');
    expect(describeHumanoid(nameless, { map: named.map }).humanoid?.map).toBe(named.map);
  });

  test('returns a reason for a map without hips and for a character without a front', () => {
    const named = tPoseHumanoid();
    const nodes = new Int32Array(55).fill(-1);
    expect(describeHumanoid(named.skeleton, { map: { ...named.map, nodes } }).reason).toMatch(/no hips/);
    nodes[BONE.hips] = 0;
    expect(describeHumanoid(named.skeleton, { map: { ...named.map, nodes } }).reason).toMatch(/no breadth or height/);
  });

  test('uses a declared pose and reports its deviation from a T-pose', () => {
    const bent = tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -0.5) } });
    const body = described(bent, { declared: declaredBy(bent) });
    expect(body.reference.kind).toBe('declared');
    expect(body.reference.deviationDegrees.leftArm).toBeCloseTo(90 / Math.PI, 9);
    expect(codes(body)).toEqual(['DECLARED_POSE_NOT_T']);
    expect(body.issues[0].message).toContain('leftArm by 28.6°');
    expect(body.declaredPose).toBeUndefined();
  });

  test('straightens a declared pose near a T-pose and keeps the declared one with its heights', () => {
    const knees = aboutAxis([1, 0, 0], 0.2);
    const legs = { leftUpperLeg: { turn: knees }, rightUpperLeg: { turn: knees } };
    const little = tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -0.3) }, ...legs });
    const body = described(little, { declared: declaredBy(little) });
    expect(codes(body)).toEqual([]);
    expect([body.reference.kind, body.reference.from]).toEqual(['estimated', 'vrm1']);
    expect(body.reference.deviationDegrees.leftArm).toBeCloseTo(0, 9);
    expect(body.reference.startDeviationDegrees.leftArm).toBeCloseTo(54 / Math.PI, 9);
    const { format, reference, ground, hipsHeight, height } = body.declaredPose!;
    expect([format, reference.kind, ground]).toEqual(['vrm1', 'declared', 0]);
    expect(reference.deviationDegrees.leftArm).toBeCloseTo(54 / Math.PI, 9);
    expect([hipsHeight, height]).toEqual([1, 1.7]);
    // Straight legs are longer, and the feet stay on the ground.
    expect(body.hipsHeight).toBeGreaterThan(1.005);
    expect(body.height - body.hipsHeight).toBeCloseTo(0.7, 12);
    const exact = described(little, { declared: declaredBy(little), pose: 'declared' });
    expect(exact.declaredPose).toBeUndefined();
    expect({ ...exact.reference }).toEqual({ ...reference });
  });

  test('returns the deviation of the pose that an estimate started from', () => {
    const { reference } = described(tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -0.5) } }));
    expect(reference.startDeviationDegrees.leftArm).toBeCloseTo(90 / Math.PI, 9);
    expect(reference.deviationDegrees.leftArm).toBeCloseTo(0, 9);
  });

  test('guesses the unit when it is undeclared or implausible', () => {
    const centimeters = resized(tPoseHumanoid(), 100).humanoid;
    for (const metersPerUnit of [null, 1]) {
      const body = described(centimeters, { metersPerUnit });
      expect(body.metersPerUnit).toBe(0.01);
      expect(body.hipsHeight).toBeCloseTo(1, 12);
      expectNear(read(body.reference.positions, 3 * BONE.head, 3), [0, 1.7, 0], EXACT);
      expect(codes(body)).toEqual(['UNIT_GUESSED']);
    }
    expect(codes(described(centimeters, { metersPerUnit: 0.01 }))).toEqual([]);
  });

  test('reports an implausible unit in a field of the file', () => {
    const huge = resized(tPoseHumanoid(), 10_000).humanoid;
    const body = described(huge, { metersPerUnit: 0.01, unitSource: 'file' });
    expect(body.metersPerUnit).toBeCloseTo(0.0001, 12);
    expect(codes(body)).toEqual(['UNIT_IMPLAUSIBLE']);
    expect(body.issues.find(({ code }) => code === 'UNIT_IMPLAUSIBLE')?.message).toMatch(
      /one unit as 0\.01 m, which makes the character 1[67]\d m tall/,
    );
    expect(codes(described(huge, { metersPerUnit: null, unitSource: 'file' }))).toEqual(['UNIT_GUESSED']);
    expect(codes(described(huge, { metersPerUnit: 0.0001, unitSource: 'file' }))).toEqual([]);
  });

  test('takes the lowest foot as the ground when it is far from y = 0', () => {
    const body = described(tPoseHumanoid({ hips: { at: [0, 0, 0] } }));
    expect(body.ground).toBeCloseTo(-0.98, 12);
    expect(body.hipsHeight).toBeCloseTo(0.98, 12);
    expect(codes(body)).toEqual(['GROUND_GUESSED']);
  });

  test('keeps the ground of a declared pose at y = 0', () => {
    const sunk = tPoseHumanoid({ hips: { at: [0, 0.5, 0] } });
    const body = described(sunk, { declared: declaredBy(sunk) });
    expect(body.ground).toBe(0);
    expect(body.hipsHeight).toBeCloseTo(0.5, 12);
  });

  test('moves a pose at the origin onto y = 0 when its motion walks there', () => {
    const atOrigin = tPoseHumanoid({ hips: { at: [0, 0, 0] } });
    const motion = clipOf(
      track(
        atOrigin,
        'hips',
        'translation',
        'LINEAR',
        [0, 1, 2],
        [
          [0, 1, 0],
          [0, 1.1, 1],
          [0, 1, 2],
        ],
      ),
    );
    const body = described(atOrigin, { motion });
    expect(body.ground).toBe(0);
    expect(body.hipsHeight).toBeCloseTo(1, 12);
    expect(codes(body)).toEqual(['GROUND_GUESSED']);
    expect(body.issues.at(-1)?.message).toMatch(/moved onto y = 0/);
  });

  test.each([
    ['moves a pose that floats by a quarter of its hips onto y = 0 when its motion walks there', 1.33, 1, 1],
    ['keeps a pose on thick soles, on which its motion walks too', 1.33, 1.33, 1.33],
  ])('%s', (_, height, walking, hipsHeight) => {
    const body = tPoseHumanoid({ hips: { at: [0, height, 0] } });
    const keys = [
      [0, walking, 0],
      [0, walking, 1],
    ];
    const motion = clipOf(track(body, 'hips', 'translation', 'LINEAR', [0, 1], keys));
    expect(described(body, { motion }).hipsHeight).toBeCloseTo(hipsHeight, 12);
  });

  test('does not move a pose when its motion walks at another height', () => {
    const atOrigin = tPoseHumanoid({ hips: { at: [0, 0, 0] } });
    const motion = clipOf(
      track(
        atOrigin,
        'hips',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0, 5, 0],
          [0, 5, 1],
        ],
      ),
    );
    expect(described(atOrigin, { motion }).ground).toBeCloseTo(-0.98, 12);
  });

  test('takes y = 0 as the ground of a map without shins and feet, which shows no other', () => {
    const { skeleton, map } = tPoseHumanoid();
    const nodes = map.nodes.map((node, bone) => (/(Leg|Foot|Toes)$/.test(BONES[bone]) ? -1 : node));
    const body = described({ ...tPoseHumanoid(), skeleton, map: { ...map, nodes } });
    expect(body.ground).toBe(0);
    expect(body.hipsHeight).toBeCloseTo(1, 12);
    expect(codes(body)).toEqual([]);
  });

  test('reports hips that are not above the ground', () => {
    const flat = tPoseHumanoid({
      hips: { at: [0, 0.001, 0] },
      leftUpperLeg: { at: [0.1, 0, 0] },
      rightUpperLeg: { at: [-0.1, 0, 0] },
    });
    const body = described(flat, { declared: declaredBy(flat) });
    expect(body.hipsHeight).toBeCloseTo(0.001, 12);
    expect(codes(body)).toContain('HIPS_HEIGHT_ZERO');
  });

  test('gives declared bones a confidence of 1', () => {
    const body = tPoseHumanoid();
    const { map } = describeHumanoid(body.skeleton, { declared: declaredBy(body), metersPerUnit: 1 }).humanoid!;
    expect(map.from).toBe('vrm1');
    expect(map.confidence[BONE.hips]).toBe(1);
    expect(map.confidence[BONE.jaw]).toBe(0);
  });

  test('does not throw for NaN positions', () => {
    const broken = tPoseHumanoid({ spine: { at: [Number.NaN, 0, 0] } });
    expect(describeHumanoid(broken.skeleton, { map: broken.map }).humanoid).toBeNull();
  });
});
