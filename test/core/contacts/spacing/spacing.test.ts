import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { applyContacts } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactOptions } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { applySpacing } from '../../../../src/core/contacts/spacing/apply-spacing.ts';
import { planSpacing } from '../../../../src/core/contacts/spacing/plan-spacing.ts';
import { measureTouchAngles } from '../../../../src/core/contacts/spacing/touch-angles.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, SIDES } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { expectNear } from '../../../support/near.ts';
import { createMotionSampler, sampleMotion } from '../../../support/reference/motion-sampler.ts';
import { aboutAxis, angle, inverse, product, read } from '../../../support/reference/plain.ts';
import { EXACT, MIRRORED_CONTACTS } from '../../../support/tolerances.ts';

const DEGREE = Math.PI / 180;

let adult: DemoBody;
let stout: DemoBody;

beforeAll(async () => {
  [adult, stout] = await Promise.all([demoBody(), demoBody({ ...ADULT, girth: 2, hipWidth: 0.3 })]);
});

function plainClip(source: DemoBody, target: DemoBody, clip = source.walk) {
  const retarget = planRetarget(source.humanoid, target.humanoid);
  return { retarget, plain: retargetClip(retarget, clip) };
}

function spaced(source: DemoBody, target: DemoBody, options: ContactOptions, clip = source.walk) {
  const { retarget, plain } = plainClip(source, target, clip);
  const plan = planContacts(retarget, source.humanoid, target.humanoid, {
    sourceSurface: source.surface,
    targetSurface: target.surface,
    selfCollision: 'off',
    ...options,
  });
  return { ...applyContacts(plan, clip, plain), plain };
}

/** World delta of a bone relative to that of another one. */
function relativeDelta(body: DemoBody, clip: Clip, time: number, bone: number, above: number): number[] {
  const sampler = createMotionSampler(body.humanoid, clip);
  sampleMotion(sampler, time);
  const [own, parent] = [bone, above].map((one) => read(sampler.worldDeltas, 4 * one, 4));
  return [...product(inverse(parent), own)];
}

describe('measureTouchAngles', () => {
  test('lowered arms of a wider character are further out, and its thighs are closer to each other', () => {
    const [slim, wide] = [adult, stout].map(({ humanoid, surface }) => measureTouchAngles(humanoid, surface));
    expect(wide.arm).toBeGreaterThan(slim.arm + 5 * DEGREE);
    expect(slim.leg).toBeLessThan(0);
  });
});

describe('planSpacing', () => {
  test('auto: the difference of both characters, never inward; 0 for equal characters', () => {
    const [from, to] = [adult, stout].map(({ humanoid, surface }) => measureTouchAngles(humanoid, surface));
    expect(planSpacing(adult, stout, 'auto', 0)).toEqual({ arm: to.arm - from.arm, leg: 0 });
    expect(planSpacing(stout, adult, 'auto', 'auto').arm).toBe(0);
    expect(planSpacing(stout, stout, 'auto', 'auto')).toEqual({ arm: 0, leg: 0 });
  });

  test('degrees: that angle, but not for a motion of the character itself', () => {
    const { arm, leg } = planSpacing(adult, stout, 12, -3);
    expectNear([arm, leg], [12 * DEGREE, -3 * DEGREE], EXACT);
    expect(planSpacing(stout, stout, 12, 3)).toEqual({ arm: 0, leg: 0 });
    expect(() => planSpacing(adult, stout, 91, 0)).toThrow(RangeError);
    expect(() => planSpacing(adult, stout, 0, Number.NaN)).toThrow(RangeError);
  });
});

describe('applySpacing', () => {
  test('rotates upper arms and upper legs outward by the angle, relative to the bone above; feet keep their world rotation', () => {
    const { retarget, plain } = plainClip(adult, stout);
    const clip = applySpacing(stout.humanoid, retarget, { arm: 15 * DEGREE, leg: 6 * DEGREE }, plain);
    const { map } = stout.humanoid;
    for (const time of [0, 0.2, 0.7]) {
      for (const [k, side] of SIDES.entries()) {
        const sign = k === 0 ? 1 : -1;
        const trunk = map.nodes[BONE[`${side}Shoulder`]] >= 0 ? BONE[`${side}Shoulder`] : BONE.upperChest;
        for (const [bone, above, degrees] of [
          [BONE[`${side}UpperArm`], trunk, 15],
          [BONE[`${side}UpperLeg`], BONE.hips, 6],
        ]) {
          const before = relativeDelta(stout, plain, time, bone, above);
          const expected = product(aboutAxis([0, 0, 1], sign * degrees * DEGREE), before);
          expect(angle(relativeDelta(stout, clip, time, bone, above), expected)).toBeLessThan(1e-5);
        }
        const foot = BONE[`${side}Foot`];
        const [was, is] = [plain, clip].map((one) => relativeDelta(stout, one, time, foot, BONE.hips));
        expect(angle(is, was)).toBeLessThan(0.01);
      }
    }
  });

  test('keeps the keys of arms, tangents included', () => {
    const { retarget, plain } = plainClip(adult, stout);
    const node = stout.humanoid.map.nodes[BONE.leftUpperArm];
    const cubic: Clip = {
      ...plain,
      tracks: [
        {
          target: node,
          path: 'rotation',
          interpolation: 'CUBICSPLINE',
          times: Float64Array.of(0),
          values: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1),
        },
      ],
    };
    const [track] = applySpacing(stout.humanoid, retarget, { arm: 0.2, leg: 0 }, cubic).tracks;
    expect(track.interpolation).toBe('CUBICSPLINE');
    const value = track.values.slice(4, 8);
    expectNear(track.values.subarray(0, 4), value, EXACT);
    expectNear(
      track.values.subarray(8, 12),
      value.map((one) => -one),
      EXACT,
    );
  });

  test('twice is the same as once', () => {
    for (const options of [{ armSpace: 'auto' }, { armSpace: 9, legSpace: 4 }] as const) {
      const once = spaced(adult, stout, options);
      expect(once.report.armSpace).toBeGreaterThan(5);
      const twice = spaced(stout, stout, options, once.clip);
      expect(twice.clip).toBe(twice.plain);
      expect(twice.report.armSpace).toBe(0);
    }
  });

  test('feet stay on the ground with legs further apart', () => {
    const { clip } = spaced(adult, stout, { legSpace: 8 });
    const sampler = createMotionSampler(stout.humanoid, clip);
    sampleMotion(sampler, 0.3);
    const [left, right] = [BONE.leftFoot, BONE.rightFoot].map((bone) => sampler.positions[3 * bone]);
    const usual = createMotionSampler(stout.humanoid, spaced(adult, stout, {}).clip);
    sampleMotion(usual, 0.3);
    const [l, r] = [BONE.leftFoot, BONE.rightFoot].map((bone) => usual.positions[3 * bone]);
    expect(left - right).toBeGreaterThan(l - r + 0.1);
    const heights = [BONE.leftFoot, BONE.rightFoot].map((bone) => sampler.positions[3 * bone + 1]);
    const usualHeights = [BONE.leftFoot, BONE.rightFoot].map((bone) => usual.positions[3 * bone + 1]);
    expect(Math.min(...heights)).toBeCloseTo(Math.min(...usualHeights), 2);
  });

  test('commutes with mirroring, with contacts', () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const options = { armSpace: 'auto', legSpace: 5, selfCollision: 'strict' } as const;
    const expected = mirrorClip(spaced(adult, stout, options).clip);
    const [source, target] = [mirror(adult), mirror(stout)];
    const { clip } = spaced(source, target, options);
    for (const time of [0, 0.13, 0.77]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });
});
