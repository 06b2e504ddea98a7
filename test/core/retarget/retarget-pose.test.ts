import { describe, expect, test } from 'vitest';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetPose, retargetScale } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis } from '../../support/reference/plain.ts';
import { EXACT, LAW_F32, NO_ALLOCATION } from '../../support/tolerances.ts';

const random = makeRandom(11);
const source = randomRig(random, { detached: true }).humanoid;
const target = randomRig(random, { detached: true }).humanoid;
const plan = planRetarget(source, target, { translation: true, scale: true });
const pose = randomPose(random, source, { others: true, stretch: true });

describe('retargetPose', () => {
  test('returns the buffer that it fills', () => {
    const local = restPose(target.skeleton);
    expect(retargetPose(plan, pose, local)).toBe(local);
  });

  test('keeps non-bone nodes as they are', () => {
    const local = new Float64Array(target.skeleton.rest.length).fill(7);
    const filled = retargetPose(planRetarget(source, target), pose, Float64Array.from(local));
    target.skeleton.names.forEach((_, node) => {
      if (target.map.nodes.includes(node)) return;
      expect(filled.subarray(10 * node, 10 * node + 10)).toEqual(local.subarray(0, 10));
    });
  });

  test('gives the same on float32 and float64 buffers, up to rounding', () => {
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

  test('does not throw for NaN, and is right again for the next pose', () => {
    const broken = new Float64Array(pose.length).fill(Number.NaN);
    const local = retargetPose(plan, broken, restPose(target.skeleton));
    expect(local.some(Number.isNaN)).toBe(true);
    expect(retargetPose(plan, pose, local)).toEqual(retargetPose(plan, pose, restPose(target.skeleton)));
  });

  test('does not throw for buffers that are too short', () => {
    expect(() => retargetPose(plan, new Float64Array(3), new Float64Array(3))).not.toThrow();
  });

  test('returns unit quaternions for a source pose of zeros', () => {
    const local = retargetPose(plan, new Float64Array(pose.length), restPose(target.skeleton));
    for (const node of target.map.nodes) {
      if (node >= 0) expect(Math.hypot(...local.subarray(10 * node + 3, 10 * node + 7))).toBeCloseTo(1, 12);
    }
  });

  test.runIf(IS_FULL_RUN)('allocates nothing', async () => {
    expect(await bytesPerCall(new URL('retarget-pose.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
  });
});

describe('retargetScale', () => {
  const scalePlan = (
    toSourceAxes: readonly number[],
    sourceRest: readonly number[],
    targetRest: readonly number[],
  ) => ({
    sourceNode: 0,
    targetNode: 0,
    toSourceAxes: Float64Array.from(toSourceAxes),
    sourceRest: Float64Array.from(sourceRest),
    targetRest: Float64Array.from(targetRest),
  });

  test('scales the target axis that is parallel to the source axis', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan(aboutAxis([0, 0, 1], Math.PI / 2), [1, 1, 1], [1, 1, 1]), [3, 1, 1], 0);
    expectNear(out, [1, 3, 1], EXACT);
  });

  test('is relative to both rests', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan([0, 0, 0, 1], [2, 2, 2], [0.1, 0.2, 0.3]), [4, 2, 1], 0);
    expectNear(out, [0.2, 0.2, 0.15], EXACT);
  });

  test('treats a rest scale of 0 as unscaled', () => {
    const out = new Float64Array(3);
    retargetScale(out, 0, scalePlan([0, 0, 0, 1], [0, 1, 1], [1, 1, 1]), [5, 1, 1], 0);
    expectNear(out, [1, 1, 1], EXACT);
  });
});

describe('retargetPose with a detached bone', () => {
  test('keeps the translation below a parent with scale 0', () => {
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
