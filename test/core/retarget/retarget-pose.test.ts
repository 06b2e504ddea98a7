import { describe, expect, test } from 'vitest';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { applyLinear, retargetPose, retargetScale } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { randomPose } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { tinyHumanoid } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis } from '../../reference/plain.ts';
import { EXACT, LAW_F32, NO_ALLOCATION } from '../../tolerances.ts';

const random = makeRandom(11);
const source = randomRig(random, { tangled: true }).humanoid;
const target = randomRig(random, { tangled: true }).humanoid;
const plan = planRetarget(source, target, { translation: true, scale: true });
const pose = randomPose(random, source, { others: true, stretch: true });

describe('retargetPose', () => {
  test('gives back the buffer that it fills', () => {
    const local = restPose(target.skeleton);
    expect(retargetPose(plan, pose, local)).toBe(local);
  });

  test('leaves nodes that are no bone as they are', () => {
    const local = new Float64Array(target.skeleton.rest.length).fill(7);
    const filled = retargetPose(planRetarget(source, target), pose, Float64Array.from(local));
    target.skeleton.names.forEach((_, node) => {
      if (target.map.nodes.includes(node)) return;
      expect(filled.subarray(10 * node, 10 * node + 10)).toEqual(local.subarray(0, 10));
    });
  });

  test('runs on float32 buffers as on float64 ones, but for the rounding', () => {
    const exact = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const single = retargetPose(
      planRetarget(source, target),
      Float32Array.from(pose),
      Float32Array.from(target.skeleton.rest),
    );
    for (const node of target.map.nodes) {
      if (node >= 0)
        expectNear(
          single.subarray(10 * node + 3, 10 * node + 7),
          exact.subarray(10 * node + 3, 10 * node + 7),
          LAW_F32,
        );
    }
  });

  test('throws nothing on numbers that are none, and is right again on the next pose', () => {
    const broken = new Float64Array(pose.length).fill(Number.NaN);
    const local = retargetPose(plan, broken, restPose(target.skeleton));
    expect(local.some(Number.isNaN)).toBe(true);
    expect(retargetPose(plan, pose, local)).toEqual(retargetPose(plan, pose, restPose(target.skeleton)));
  });

  test('throws nothing on buffers that are too short', () => {
    expect(() => retargetPose(plan, new Float64Array(3), new Float64Array(3))).not.toThrow();
  });

  test('gives unit quaternions also for a source pose of zeros', () => {
    const local = retargetPose(plan, new Float64Array(pose.length), restPose(target.skeleton));
    for (const node of target.map.nodes) {
      if (node >= 0) expect(Math.hypot(...local.subarray(10 * node + 3, 10 * node + 7))).toBeCloseTo(1, 12);
    }
  });

  test('allocates nothing', async () => {
    expect(await bytesPerCall(new URL('retarget-pose.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
  });
});

describe('applyLinear', () => {
  test('multiplies a vector by three columns, also in place', () => {
    const v = Float64Array.of(1, 10, 100);
    applyLinear(v, 0, Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), v, 0);
    expect(v).toEqual(Float64Array.of(741, 852, 963));
  });
});

describe('retargetScale', () => {
  const scalePlan = (turn: readonly number[], sourceRest: readonly number[], targetRest: readonly number[]) => ({
    sourceNode: 0,
    targetNode: 0,
    turn: Float64Array.from(turn),
    sourceRest: Float64Array.from(sourceRest),
    targetRest: Float64Array.from(targetRest),
  });

  test('stretches the axis of the target that lies along the axis of the source', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan(aboutAxis([0, 0, 1], Math.PI / 2), [1, 1, 1], [1, 1, 1]), [3, 1, 1], 0);
    expectNear(out, [1, 3, 1], EXACT);
  });

  test('is relative to both rests', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan([0, 0, 0, 1], [2, 2, 2], [0.1, 0.2, 0.3]), [4, 2, 1], 0);
    expectNear(out, [0.2, 0.2, 0.15], EXACT);
  });

  test('takes a rest of 0 as no stretch', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan([0, 0, 0, 1], [0, 1, 1], [1, 1, 1]), [5, 1, 1], 0);
    expectNear(out, [1, 1, 1], EXACT);
  });
});

describe('attached bones', () => {
  test('keep their place when the node below which they hang has no size', () => {
    const flat = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'leftUpperLeg', parent: 'hips', at: [0.1, 0, 0] },
      { name: 'ik', scale: [0, 0, 0] },
      { name: 'leftLowerLeg', parent: 'ik' },
    );
    const local = retargetPose(planRetarget(flat, flat), restPose(flat.skeleton), restPose(flat.skeleton));
    expect(Array.from(local.subarray(30, 33))).toEqual([0, 0, 0]);
  });
});
