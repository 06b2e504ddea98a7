import { describe, expect, test } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { without } from '../../make/change-rig.ts';
import { randomPose } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { tinyHumanoid } from '../../make/tiny-humanoid.ts';

const body = tinyHumanoid(
  { name: 'hips', at: [0, 1, 0] },
  { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
  { name: 'head', parent: 'spine', at: [0, 0.4, 0] },
);

describe('planRetarget', () => {
  test('rejects bodies without hips, and says which', () => {
    const headless = without(body, [BONE.hips]);
    expect(() => planRetarget(headless, body)).toThrow(
      new RangeError('planRetarget: the source has no hips, expected a humanoid with the bone hips'),
    );
    expect(() => planRetarget(body, headless)).toThrow(/the target has no hips/);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('rejects the hips scale %s', (hipsScale) => {
    expect(() => planRetarget(body, body, { hipsScale })).toThrow(RangeError);
  });

  test('is plain data: a structured clone plans the same', () => {
    const random = makeRandom(7);
    const source = randomRig(random, { tangled: true }).humanoid;
    const target = randomRig(random, { tangled: true }).humanoid;
    const plan = planRetarget(source, target, { translation: true, scale: true });
    const pose = randomPose(random, source, { others: true, stretch: true });
    const clone = structuredClone(plan);
    expect(clone).toEqual(plan);
    expect(retargetPose(clone, pose, restPose(target.skeleton))).toEqual(
      retargetPose(plan, pose, restPose(target.skeleton)),
    );
  });

  test('lists the bones of the target with parents first, each with the bone above it', () => {
    const { bones, targetNodes, above } = planRetarget(body, body);
    expect(Array.from(bones, (bone) => BONES[bone])).toEqual(['hips', 'spine', 'head']);
    expect(targetNodes).toEqual(Int32Array.of(0, 1, 2));
    expect(above).toEqual(Int32Array.of(-1, 0, 1));
  });

  test('says which bones fold into others and which are held', () => {
    const noSpine = without(body, [BONE.spine]);
    expect(planRetarget(body, body).issues).toEqual([]);
    expect(planRetarget(body, noSpine).issues).toEqual([
      expect.objectContaining({
        code: 'BONES_MISSING_IN_TARGET',
        severity: 'info',
        message: 'The character lacks spine: their motion goes into the bones below them.',
      }),
    ]);
    expect(planRetarget(noSpine, body).issues).toEqual([
      expect.objectContaining({
        code: 'BONES_MISSING_IN_SOURCE',
        severity: 'info',
        message: expect.stringContaining('lacks spine'),
      }),
    ]);
  });

  test('takes the bone above as driver of a bone that the source lacks', () => {
    const { bones, drivers } = planRetarget(without(body, [BONE.spine]), body);
    expect(drivers[bones.indexOf(BONE.spine)]).toBe(BONE.hips);
    expect(drivers[bones.indexOf(BONE.head)]).toBe(BONE.head);
  });

  test('gives neither rotations nor a way of the hips when they are not asked for', () => {
    const pose = restPose(body.skeleton);
    pose.set([3, 3, 3, 0, 1, 0, 0], 0);
    pose.set([0, 1, 0, 0], 13);
    const rest = restPose(body.skeleton);
    const still = retargetPose(
      planRetarget(body, body, { rotation: false, hipsTranslation: false }),
      pose,
      restPose(body.skeleton),
    );
    expect(still).toEqual(rest);
    const turned = retargetPose(planRetarget(body, body, { hipsTranslation: false }), pose, restPose(body.skeleton));
    expect(Array.from(turned.subarray(0, 7))).toEqual([0, 1, 0, 0, 1, 0, 0]);
    const moved = retargetPose(planRetarget(body, body, { rotation: false }), pose, restPose(body.skeleton));
    expect(Array.from(moved.subarray(0, 7))).toEqual([3, 3, 3, 0, 0, 0, 1]);
  });
});
