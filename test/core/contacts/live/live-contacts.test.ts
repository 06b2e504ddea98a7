import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { sampleCharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { createLiveContacts, type LiveContacts } from '../../../../src/core/contacts/live/live-contacts.ts';
import type { ContactMode, ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT, CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { bytesPerCall } from '../../../allocation/bytes-per-call.ts';
import { crawl } from '../../../contacts/crawl-motion.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { lyingPair } from '../../../contacts/lying-pair.ts';
import { plantAgreement, playLive } from '../../../contacts/play-live.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';
import { measureContacts } from '../../../support/reference/contact-quality.ts';
import { JUMPED_CONTACTS, LIVE_IDENTITY, MIRRORED_CONTACTS, NO_ALLOCATION } from '../../../support/tolerances.ts';

let adult: DemoBody;
let chibi: DemoBody;
let short: DemoBody;
/** Its arms reach through the ground where those of the adult are on it. */
let long: DemoBody;

beforeAll(async () => {
  [adult, chibi, short, long] = await Promise.all([
    demoBody(),
    demoBody(CHIBI),
    demoBody({ ...ADULT, leg: 0.6 * ADULT.leg, foot: 1.4 * ADULT.foot }),
    demoBody({ ...ADULT, arm: 1.3 * ADULT.arm }),
  ]);
});

function planOf(source: DemoBody, target: DemoBody, mode: ContactMode): ContactPlan {
  const retarget = planRetarget(source.humanoid, target.humanoid);
  const surfaces = { sourceSurface: source.surface, targetSurface: target.surface };
  return planContacts(retarget, source.humanoid, target.humanoid, { mode, ...surfaces });
}

function measure(source: DemoBody, target: DemoBody, clip: Clip) {
  return measureContacts({ ...source, clip: source.walk }, { ...target, clip });
}

/** Shows times of a walk one after the other and returns the poses of the target. */
function playTimes(plan: ContactPlan, clip: Clip, times: readonly number[], moved = [0, 0]): Float64Array[] {
  const live = createLiveContacts(plan);
  const sourcePose = restPose(plan.source.skeleton);
  return times.map((time, k) => {
    sampleClip(clip, time, sourcePose);
    const hips = plan.retarget.hips!;
    sourcePose[10 * hips.sourceNode + 2] += moved[k === times.length - 1 ? 1 : 0];
    const targetPose = retargetPose(plan.retarget, sourcePose, restPose(plan.target.skeleton));
    live.update(sourcePose, targetPose, k === 0 ? 0 : Math.abs(time - times[k - 1]));
    return targetPose;
  });
}

describe('createLiveContacts', () => {
  test('leaves the poses of a character of the same proportions alone', () => {
    const plan = planOf(adult, adult, 'auto');
    const live = createLiveContacts(plan);
    const sourcePose = restPose(adult.humanoid.skeleton);
    for (let time = 0; time < adult.walk.duration; time += 1 / 60) {
      sampleClip(adult.walk, time, sourcePose);
      const expected = retargetPose(plan.retarget, sourcePose, restPose(adult.humanoid.skeleton));
      const found = Float64Array.from(expected);
      live.update(sourcePose, found, 1 / 60);
      for (const [k, value] of expected.entries()) expect(Math.abs(value - found[k])).toBeLessThan(LIVE_IDENTITY);
    }
  });

  test.each(
    sampledCases([
      ['auto', 30],
      ['auto', 60],
      ['lock', 60],
    ] as const),
  )('%s at %i fps: feet of other characters slide as the source, on the ground', (mode, fps) => {
    for (const target of [chibi, short]) {
      const { clip } = playLive(planOf(adult, target, mode), adult.walk, fps);
      const { clip: plain } = playLive(planOf(adult, target, 'ground'), adult.walk, fps);
      const [before, after] = [measure(adult, target, plain), measure(adult, target, clip)];
      expect(after.penetration.p95).toBeLessThan(0.2);
      expect(after.float.p95).toBeLessThan(0.5);
      expect(after.drift.target).toBeLessThan(after.drift.source + 0.15);
      expect(after.drift.target).toBeLessThan(before.drift.target);
      expect(after.slide.target).toBeLessThan(1.05 * after.slide.source + 0.1);
    }
  });

  test('ground: nothing is below the floor', () => {
    const { clip } = playLive(planOf(adult, short, 'ground'), adult.walk, 60);
    expect(measure(adult, short, clip).penetration.max).toBeLessThan(0.2);
  });

  test.each([30, 60])('at %i fps: finds the plants of findFootPlants', (fps) => {
    const plan = planOf(adult, chibi, 'auto');
    expect(plantAgreement(plan, adult.walk, fps)).toBeGreaterThan(0.95);
  });

  test('commutes with mirroring', () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const expected = mirrorClip(playLive(planOf(adult, short, 'auto'), adult.walk, 30).clip);
    const [source, target] = [mirror(adult), mirror(short)];
    const { clip } = playLive(planOf(source, target, 'auto'), source.walk, 30);
    for (const time of [0, 0.4, 0.7]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });

  test('shows the same pose when a frame is shown again', () => {
    const poses = playTimes(planOf(adult, short, 'auto'), adult.walk, [0.3, 0.32, 0.34, 0.34, 0.34]);
    for (const [k, value] of poses[4].entries()) expect(Math.abs(value - poses[3][k])).toBeLessThan(MIRRORED_CONTACTS);
  });

  test('starts anew after a jump in time', () => {
    const plan = planOf(adult, short, 'auto');
    const [fresh] = playTimes(plan, adult.walk, [0.9]);
    expect(playTimes(plan, adult.walk, [0.1, 0.15, 0.9]).at(-1)).toEqual(fresh);
  });

  test('moves along with a source that jumps to another position', () => {
    const plan = planOf(adult, short, 'auto');
    const times = [0.3, 0.32, 0.34, 0.36];
    const [stay, jump] = [playTimes(plan, adult.walk, times), playTimes(plan, adult.walk, times, [0, 5])].map(
      (poses) => poses.at(-1)!,
    );
    const hips = 10 * plan.retarget.hips!.targetNode;
    for (const [k, value] of stay.entries()) {
      if (k < hips || k >= hips + 3) expect(Math.abs(value - jump[k])).toBeLessThan(JUMPED_CONTACTS);
    }
  });

  test('starts anew after a cut to another motion, as on the first frame, also over ground with heights', () => {
    for (const ground of [undefined, () => 1]) {
      const plan = planOf(adult, long, 'auto');
      const show = (live: LiveContacts, clip: Clip, time: number): Float64Array => {
        const sourcePose = restPose(plan.source.skeleton);
        sampleClip(clip, time, sourcePose);
        const targetPose = retargetPose(plan.retarget, sourcePose, restPose(plan.target.skeleton));
        live.update(sourcePose, targetPose, 1 / 60);
        return targetPose;
      };
      const heights = ground === undefined ? {} : { ground };
      const onHands = crawl(adult);
      for (const [before, after] of [
        [adult.walk, onHands],
        [onHands, adult.walk],
      ]) {
        const live = createLiveContacts(plan, heights);
        for (let frame = 0; frame < 5; frame++) show(live, before, frame / 60);
        const fresh = show(createLiveContacts(plan, heights), after, 0.5);
        expect(show(live, after, 0.5)).toEqual(fresh);
      }
    }
  });

  test('moves along with hands on the ground that jump to another position', () => {
    const plan = planOf(adult, long, 'auto');
    const times = [0.3, 0.32, 0.34, 0.36];
    const [stay, jump] = [
      [0, 0],
      [0, 5],
    ].map((moved) => playTimes(plan, crawl(adult), times, moved).at(-1)!);
    const hips = 10 * plan.retarget.hips!.targetNode;
    for (const [k, value] of stay.entries()) {
      if (k < hips || k >= hips + 3) expect(Math.abs(value - jump[k])).toBeLessThan(JUMPED_CONTACTS);
    }
  });

  test('ground: leaves arms as they are', () => {
    const plan = planOf(adult, long, 'ground');
    const [pose] = playTimes(plan, crawl(adult), [0.3]);
    const sourcePose = restPose(plan.source.skeleton);
    sampleClip(crawl(adult), 0.3, sourcePose);
    const plain = retargetPose(plan.retarget, sourcePose, restPose(plan.target.skeleton));
    for (const bone of ['leftUpperArm', 'leftLowerArm', 'rightUpperArm', 'rightLowerArm'] as const) {
      const at = 10 * plan.target.map.nodes[BONE[bone]];
      expect(pose.subarray(at, at + 10)).toEqual(plain.subarray(at, at + 10));
    }
  });

  test('is right again after a pose that is not a number', () => {
    const plan = planOf(adult, short, 'auto');
    const live = createLiveContacts(plan);
    const sourcePose = restPose(plan.source.skeleton);
    sampleClip(adult.walk, 0.4, sourcePose);
    const show = (from: Float64Array): Float64Array => {
      const targetPose = retargetPose(plan.retarget, from, restPose(plan.target.skeleton));
      live.update(from, targetPose, 1 / 60);
      return targetPose;
    };
    const expected = show(sourcePose);
    show(new Float64Array(sourcePose.length).fill(Number.NaN));
    expect(show(sourcePose)).toEqual(expected);
  });

  test('puts a lying character on the ground', () => {
    const { humanoid, thin, thick, clip } = lyingPair();
    const retarget = planRetarget(humanoid, humanoid);
    const plan = planContacts(retarget, humanoid, humanoid, { sourceSurface: thin, targetSurface: thick });
    const { clip: result } = playLive(plan, clip, 60);
    const figures = measureContacts({ humanoid, surface: thin, clip }, { humanoid, surface: thick, clip: result });
    expect(figures.trunk!.max).toBeLessThan(0.1);
  });

  test('leaves poses alone when a humanoid has no hips height', () => {
    const flat = { ...adult, humanoid: { ...adult.humanoid, hipsHeight: 0 } };
    const [pose] = playTimes(planOf(flat, short, 'auto'), adult.walk, [0.2]);
    const sourcePose = restPose(adult.humanoid.skeleton);
    sampleClip(adult.walk, 0.2, sourcePose);
    const retarget = planRetarget(flat.humanoid, short.humanoid);
    expect(pose).toEqual(retargetPose(retarget, sourcePose, restPose(short.humanoid.skeleton)));
  });

  test.runIf(IS_FULL_RUN)(
    'allocates nothing in a frame',
    async () => {
      expect(await bytesPerCall(new URL('live-contacts.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
    },
    30_000,
  );
});

describe('plants of live contacts', () => {
  test('are those of the toe joint and the heel, per foot', () => {
    const plan = planOf(adult, chibi, 'auto');
    const live = createLiveContacts(plan);
    const posed = createPosedCharacter(adult.humanoid, adult.surface);
    const { legs } = sampleCharacterFrames(posed, adult.walk, { start: 0, count: 1, step: 1 / 60 });
    const sourcePose = restPose(adult.humanoid.skeleton);
    sampleClip(adult.walk, 0, sourcePose);
    live.update(sourcePose, retargetPose(plan.retarget, sourcePose, restPose(chibi.humanoid.skeleton)), 0);
    for (const { side, isToePlanted } of live.feet) {
      const { ball, leg } = legs[side]!;
      expect(isToePlanted).toBe(ball[1] - adult.surface.floor - leg.sole.ballHeight < 0.07 * leg.length);
    }
  });
});
