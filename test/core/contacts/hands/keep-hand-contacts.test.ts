import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { applyContacts } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactOptions } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, SIDES, type Side } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { gapsOf, insideOf, smoothnessOf } from '../../../contacts/ruler-of.ts';
import { TOUCH_KINDS, touchMotion } from '../../../contacts/touch-motions.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { createMotionSampler, sampleMotion } from '../../../support/reference/motion-sampler.ts';
import { MIRRORED_CONTACTS } from '../../../support/tolerances.ts';

let adult: DemoBody;
let wide: DemoBody;

beforeAll(async () => {
  [adult, wide] = await Promise.all([demoBody(), demoBody({ ...ADULT, shoulderWidth: 0.5 })]);
});

function run(source: DemoBody, target: DemoBody, clip: Clip, options: ContactOptions = {}) {
  const retarget = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(retarget, clip);
  const plan = planContacts(retarget, source.humanoid, target.humanoid, {
    sourceSurface: source.surface,
    targetSurface: target.surface,
    hands: true,
    ...options,
  });
  return { ...applyContacts(plan, clip, plain), plain };
}

describe('keepHandContacts', () => {
  test.each(sampledCases(TOUCH_KINDS))(
    '%s: hands of a character with wide shoulders touch as those of the source, smoothly',
    (kind) => {
      const motion = touchMotion(kind, adult);
      const { clip, plain, report } = run(adult, wide, motion);
      const gaps = [plain, clip].map((one) => {
        return gapsOf({ ...adult, clip: motion }, { ...wide, clip: one }, { fps: 8, mostVertices: 60 })!;
      });
      expect(gaps[0].source).toBeLessThan(1);
      expect(gaps[0].result).toBeGreaterThan(3);
      expect(gaps[1].result).toBeLessThan(1.5);
      const [rough, smooth] = [plain, clip].map((one) => smoothnessOf(wide.humanoid, one));
      expect(smooth.jerk).toBeLessThan(1.3 * rough.jerk);
      expect(smooth.flips).toBe(rough.flips);
      expect(insideOf({ ...wide, clip }, { fps: 4, mostVertices: 60 })!.mean).toBeLessThan(1);
      expect(report.hands!.contacts).toBeGreaterThan(1);
      expect(report.hands!.seconds).toBeGreaterThan(0.1);
      expect(report.hands!.largestChange).toBeGreaterThan(0.03);
      expect(report.hands!.reach).toBeLessThan(1.1);
    },
  );

  test('a short touch leaves the arms alone half a second before and after it', () => {
    const { clip, plain } = run(adult, wide, touchMotion('head', adult, 1.5));
    const samplers = [plain, clip].map((one) => createMotionSampler(wide.humanoid, one));
    /** Degrees by which the touch turns a forearm. */
    const turn = (time: number, side: Side): number => {
      for (const sampler of samplers) sampleMotion(sampler, time);
      const at = 4 * BONE[`${side}LowerArm`];
      const [before, after] = samplers.map(({ worldDeltas }) => worldDeltas);
      return (quat.angleBetween(before, at, after, at) * 180) / Math.PI;
    };
    for (const side of SIDES) {
      expect(turn(0.75, side)).toBeGreaterThan(5);
      expect(turn(0.1, side)).toBeLessThan(3);
      expect(turn(1.4, side)).toBeLessThan(3);
    }
  });

  test('changes only the rotations of arms and hands; hands turn in the world by less than 25°', () => {
    const { clip, plain } = run(adult, wide, touchMotion('clap', adult, 1));
    const { nodes } = wide.humanoid.map;
    const bones = SIDES.flatMap((side) => [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]]);
    const changed = clip.tracks.filter((track) => !plain.tracks.includes(track));
    expect(changed.map(({ target }) => target).sort()).toEqual(bones.map((bone) => nodes[bone]).sort());
    const [before, after] = [plain, clip].map((one) => createMotionSampler(wide.humanoid, one));
    for (const time of [0.25, 0.5, 0.9]) {
      for (const sampler of [before, after]) sampleMotion(sampler, time);
      for (const side of SIDES) {
        const at = 4 * BONE[`${side}Hand`];
        const dot = [0, 1, 2, 3].reduce((sum, c) => sum + before.worldDeltas[at + c] * after.worldDeltas[at + c], 0);
        expect(2 * Math.acos(Math.min(1, Math.abs(dot)))).toBeLessThan((25 * Math.PI) / 180);
      }
    }
  });

  test('returns the clip itself on the same character, and where no hand touches', () => {
    for (const kind of sampledCases(TOUCH_KINDS)) {
      const { clip, plain } = run(adult, adult, touchMotion(kind, adult, 1.6), { selfCollision: 'off' });
      if (kind !== 'knees') expect(clip, kind).toBe(plain);
    }
    const { clip, report } = run(adult, wide, { ...touchMotion('clap', adult), tracks: [] });
    expect(report.hands).toEqual({ contacts: 0, lost: 0, seconds: 0, reach: 0, largestChange: 0 });
    expect(clip.tracks).toEqual([]);
  });

  test('is off on request, and without a mesh of the target', () => {
    const motion = touchMotion('clap', adult, 1);
    const estimated = describeContactSurface(adult.humanoid, null);
    for (const options of [{ hands: false }, { targetSurface: estimated }]) {
      const { clip, plain, report } = run(adult, wide, motion, options);
      expect(report.hands).toBeNull();
      expect(clip).toBe(plain);
    }
  });

  test('gives up what is far out of reach', async () => {
    const short = await demoBody({ ...ADULT, arm: 0.25 });
    const { clip, plain, report } = run(adult, short, touchMotion('knees', adult), { selfCollision: 'off' });
    expect(report.hands!.reach).toBeGreaterThan(1.2);
    const [rough, smooth] = [plain, clip].map((one) => smoothnessOf(short.humanoid, one));
    expect(smooth.jerk).toBeLessThan(1.3 * rough.jerk);
  });

  test.each([
    [
      'knees',
      { leg: 0.514, spine: 0.318, shoulderWidth: 0.445, arm: 0.981, hipWidth: 0.156, hand: 0.217, girth: 0.864 },
    ],
    [
      'hips',
      { leg: 1.156, spine: 0.417, shoulderWidth: 0.336, arm: 0.435, hipWidth: 0.328, hand: 0.178, girth: 1.141 },
    ],
  ] as const)('%s: keeps both hands of a symmetric motion, even where one is a little deeper', async (kind, body) => {
    const target = await demoBody({ ...ADULT, ...body });
    const { report } = run(adult, target, touchMotion(kind, adult));
    expect(report.hands!.contacts).toBe(4);
    expect(report.hands!.lost).toBe(0);
  });

  test('commutes with mirroring', () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const [source, target] = [mirror(adult), mirror(wide)];
    const { tracks, ...rest } = touchMotion('clap', adult, 1);
    // The right arm is a little late, so that the sides differ.
    const late = tracks.map((track, k) =>
      k < 3 ? track : { ...track, times: track.times.map((time) => time + 0.04) },
    );
    const motion = { ...rest, tracks: late };
    const expected = mirrorClip(run(adult, wide, motion).clip);
    const { clip, plain, report } = run(source, target, mirrorClip(motion));
    expect(report.hands!.contacts).toBeGreaterThan(0);
    expect(clip).not.toBe(plain);
    for (const time of [0.25, 0.5, 0.7]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });
});
