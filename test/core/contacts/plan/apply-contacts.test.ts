import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { applyContacts, type ContactResult } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactMode } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT, CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { lyingPair } from '../../../contacts/lying-pair.ts';
import { lowestVertex } from '../../../support/reference/contact-figures.ts';
import { measureContacts } from '../../../support/reference/contact-quality.ts';
import { DEEPER_SOLE, LATER_CONTACTS, MIRRORED_CONTACTS } from '../../../support/tolerances.ts';

/** Seconds before the first key: frame 1 of Blender, which is no frame of 30 fps. */
const LATE = 1 / 24;
/** Seconds that another track is longer. */
const HELD = 0.4;

let adult: DemoBody;
let chibi: DemoBody;
let short: DemoBody;

beforeAll(async () => {
  [adult, chibi, short] = await Promise.all([
    demoBody(),
    demoBody(CHIBI),
    demoBody({ ...ADULT, leg: 0.6 * ADULT.leg, foot: 1.4 * ADULT.foot }),
  ]);
});

function run(source: DemoBody, target: DemoBody, clip: Clip, mode: ContactMode): ContactResult & { plain: Clip } {
  const retarget = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(retarget, clip);
  const plan = planContacts(retarget, source.humanoid, target.humanoid, {
    mode,
    sourceSurface: source.surface,
    targetSurface: target.surface,
  });
  return { ...applyContacts(plan, clip, plain), plain };
}

function measure(source: DemoBody, target: DemoBody, result: Clip) {
  return measureContacts({ ...source, clip: source.walk }, { ...target, clip: result });
}

describe('applyContacts', () => {
  test('returns the clip itself for a character of the same proportions', () => {
    const { clip, plain, report } = run(adult, adult, adult.walk, 'auto');
    expect(clip).toBe(plain);
    expect(report.largestChange).toBeLessThan(1e-7);
    expect(report.plants.left).toBeGreaterThan(0);
  });

  test.each(['auto', 'lock'] as const)(
    '%s: feet of other characters slide and drift as little as those of the source, on the ground',
    (mode) => {
      for (const target of [chibi, short]) {
        const { clip, plain } = run(adult, target, adult.walk, mode);
        const [before, after] = [measure(adult, target, plain), measure(adult, target, clip)];
        expect(before.penetration.max).toBeGreaterThan(0.5);
        expect(after.penetration.max).toBeLessThan(0.2);
        expect(after.float.max).toBeLessThan(0.5);
        expect(after.drift.target).toBeLessThan(after.drift.source + 0.15);
        expect(after.slide.target).toBeLessThan(1.05 * after.slide.source + 0.05);
      }
    },
  );

  test('no vertex of a foot is deeper below the floor than the deepest of the source, between keys too', () => {
    for (const target of [chibi, short]) {
      const { clip } = run(adult, target, adult.walk, 'auto');
      const k = target.humanoid.hipsHeight / adult.humanoid.hipsHeight;
      for (const [foot, toes] of [
        [BONE.leftFoot, BONE.leftToes],
        [BONE.rightFoot, BONE.rightToes],
      ]) {
        for (let time = 0.011; time < clip.duration; time += 0.083) {
          const [before, after] = [
            lowestVertex(adult, adult.walk, time, [foot, toes]) - adult.surface.floor,
            lowestVertex(target, clip, time, [foot, toes]) - target.surface.floor,
          ];
          expect(after - Math.min(0, k * before)).toBeGreaterThan(-DEEPER_SOLE * target.humanoid.height);
        }
      }
    }
  });

  test('steps longer than the legs are shortened: feet stay on the ground', () => {
    const retarget = planRetarget(adult.humanoid, short.humanoid, { hipsScale: 1.3 });
    const plain = retargetClip(retarget, adult.walk);
    const surfaces = { sourceSurface: adult.surface, targetSurface: short.surface };
    const plan = planContacts(retarget, adult.humanoid, short.humanoid, surfaces);
    const { clip, report } = applyContacts(plan, adult.walk, plain);
    expect(report.reach).toBeGreaterThan(1);
    const options = { hipsScale: retarget.hipsScale };
    const figures = measureContacts({ ...adult, clip: adult.walk }, { ...short, clip }, options);
    expect(figures.float.max).toBeLessThan(0.5);
    expect(figures.penetration.max).toBeLessThan(0.2);
    const without = measureContacts({ ...adult, clip: adult.walk }, { ...short, clip: plain }, options);
    expect(figures.slide.target).toBeLessThan(without.slide.target);
    expect(figures.drift.target).toBeLessThan(without.drift.target);
  });

  test('ground: only raises what is below the floor', () => {
    const { clip, plain, report } = run(adult, short, adult.walk, 'ground');
    expect(measure(adult, short, plain).penetration.max).toBeGreaterThan(0.5);
    expect(measure(adult, short, clip).penetration.max).toBeLessThan(0.2);
    expect(report.hipsLowered).toBe(0);
  });

  test('keeps all other tracks, the duration and the name', () => {
    const { clip, plain } = run(adult, short, adult.walk, 'auto');
    expect(clip.name).toBe(plain.name);
    expect(clip.duration).toBe(plain.duration);
    const kept = clip.tracks.filter((one) => plain.tracks.includes(one));
    expect(plain.tracks.length - kept.length).toBeLessThanOrEqual(7);
    expect(clip.tracks.length).toBe(plain.tracks.length);
  });

  test('does not depend on when the first and the last key are: a pose that is held before or after is no pause', () => {
    const later = (clip: Clip): Clip => ({
      ...clip,
      duration: LATE + clip.duration + HELD,
      tracks: clip.tracks.map((track) => ({ ...track, times: track.times.map((time) => time + LATE) })),
    });
    const expected = later(run(adult, short, adult.walk, 'auto').clip);
    const { clip } = run(adult, short, later(adult.walk), 'auto');
    const { rest } = short.humanoid.skeleton;
    for (const time of [0, ...Array.from({ length: 41 }, (_, k) => LATE + (k / 40) * adult.walk.duration)]) {
      const [pose, wanted] = [clip, expected].map((one) => {
        const local = Float64Array.from(rest);
        sampleClip(one, time, local);
        return local;
      });
      expect(Math.max(...pose.map((value, k) => Math.abs(value - wanted[k])))).toBeLessThan(LATER_CONTACTS);
    }
  });

  test('commutes with mirroring', () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const expected = mirrorClip(run(adult, short, adult.walk, 'auto').clip);
    const [source, target] = [mirror(adult), mirror(short)];
    const { clip } = run(source, target, source.walk, 'auto');
    for (const time of [0, 0.13, 0.4, 0.77]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });

  test('puts a lying character on the ground: it is as high above it as that of the source, relative to its thickness', () => {
    const { humanoid, thin, thick, thickness, clip } = lyingPair();
    const retarget = planRetarget(humanoid, humanoid);
    const plain = retargetClip(retarget, clip);
    const plan = planContacts(retarget, humanoid, humanoid, { sourceSurface: thin, targetSurface: thick });
    const { clip: result, report } = applyContacts(plan, clip, plain);
    expect(report.trunkSeconds).toBeGreaterThan(0.9);
    expect(report.hipsRaised).toBeCloseTo(0.5 * thickness, 3);
    const figures = measureContacts({ humanoid, surface: thin, clip }, { humanoid, surface: thick, clip: result });
    expect(figures.trunk!.max).toBeLessThan(0.1);
  });

  test('leaves clips alone when a humanoid has no hips height', () => {
    const flat = { ...adult.humanoid, hipsHeight: 0 };
    const retarget = planRetarget(flat, short.humanoid);
    const plain = retargetClip(retarget, adult.walk);
    expect(applyContacts(planContacts(retarget, flat, short.humanoid), adult.walk, plain).clip).toBe(plain);
  });
});
