import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { applyContacts } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactOptions } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, type BoneName, SIDES, type Side } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { gapsOf, insideOf, smoothnessOf } from '../../../contacts/ruler-of.ts';
import { TOUCH_KINDS, touchMotion } from '../../../contacts/touch-motions.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';
import { createMotionSampler, sampleMotion } from '../../../support/reference/motion-sampler.ts';
import { MIRRORED_CONTACTS } from '../../../support/tolerances.ts';

let adult: DemoBody;
let wide: DemoBody;
/** With wide shoulders and short arms. */
let short: DemoBody;

beforeAll(async () => {
  const shoulderWidth = 0.5;
  [adult, wide, short] = await Promise.all([
    demoBody(),
    demoBody({ ...ADULT, shoulderWidth }),
    demoBody({ ...ADULT, shoulderWidth, arm: 0.35 }),
  ]);
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

/** Gives the hands of a clip the rotations in the world that they have in another one. */
function withHandsOf(plain: Clip, clip: Clip, { humanoid }: DemoBody): Clip {
  const [before, after] = [plain, clip].map((one) => createMotionSampler(humanoid, one));
  const hands = SIDES.map((side) => humanoid.map.nodes[BONE[`${side}Hand`]]);
  const tracks = clip.tracks.map((track) => {
    const { target, times } = track;
    if (!hands.includes(target)) return track;
    const values = new Float64Array(4 * times.length);
    for (const [k, time] of times.entries()) {
      for (const sampler of [before, after]) sampleMotion(sampler, time);
      quat.conjugate(values, 4 * k, after.rotations, 4 * humanoid.skeleton.parents[target]);
      quat.multiply(values, 4 * k, values, 4 * k, before.rotations, 4 * target);
    }
    return { ...track, values };
  });
  return { ...clip, tracks };
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
      // Hands at the hips hang, and keep a gap that counts as a touch: 2 % of the height.
      expect(gaps[1].result).toBeLessThan(kind === 'hips' ? 2 : 1.5);
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

  test('arms that touch change their direction by less than 25° in every frame, also between those in which they are solved', () => {
    const slow = touchMotion('stroke', adult);
    const motion = {
      ...slow,
      duration: slow.duration / 4,
      tracks: slow.tracks.map((track) => ({ ...track, times: track.times.map((time) => time / 4) })),
    };
    const { clip, plain } = run(adult, short, motion, { selfCollision: 'off' });
    const samplers = [plain, clip].map((one) => createMotionSampler(short.humanoid, one));
    let most = 0;
    for (const time of motion.tracks[0].times) {
      for (const sampler of samplers) sampleMotion(sampler, time);
      for (const side of SIDES) {
        for (const [from, to] of [
          ['UpperArm', 'LowerArm'],
          ['LowerArm', 'Hand'],
        ]) {
          const [before, after] = samplers.map(({ positions }) => {
            const direction = new Float64Array(3);
            vec3.subtract(
              direction,
              0,
              positions,
              3 * BONE[`${side}${to}` as BoneName],
              positions,
              3 * BONE[`${side}${from}` as BoneName],
            );
            return direction;
          });
          most = Math.max(most, vec3.angleBetween(before, 0, after, 0));
        }
      }
    }
    expect((most * 180) / Math.PI).toBeGreaterThan(20);
    expect((most * 180) / Math.PI).toBeLessThan(25);
  });

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
      expect(turn(0.1, side)).toBeLessThan(4);
      expect(turn(1.4, side)).toBeLessThan(4);
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

  describe('where arms are too short for hands on the hips', () => {
    const motion = () => touchMotion('hips', adult, 1.6);

    /** Degrees by which a contact turns a bone, in the world, while hands touch. */
    function turnOf({ plain, clip }: { plain: Clip; clip: Clip }, bone: BoneName): number {
      const [before, after] = [plain, clip].map((one) => createMotionSampler(short.humanoid, one));
      for (const sampler of [before, after]) sampleMotion(sampler, 0.8);
      const at = 4 * BONE[bone];
      return (quat.angleBetween(before.worldDeltas, at, after.worldDeltas, at) * 180) / Math.PI;
    }

    test.runIf(IS_FULL_RUN)('hands turn, and are nearer to them by it', () => {
      const result = run(adult, short, motion());
      const { plain, clip } = result;
      for (const side of SIDES) expect(turnOf(result, `${side}Hand`)).toBeGreaterThan(10);
      const straight = withHandsOf(plain, clip, short);
      expect(turnOf({ plain, clip: straight }, 'leftHand')).toBeLessThan(0.1);
      expect(turnOf({ plain, clip: straight }, 'leftLowerArm')).toBe(turnOf(result, 'leftLowerArm'));
      const [turned, unturned] = [clip, straight].map((one) => {
        return gapsOf({ ...adult, clip: motion() }, { ...short, clip: one }, { fps: 8, mostVertices: 60 })!.result;
      });
      // In percent of the height: 1.0 and 2.6.
      expect(turned).toBeLessThan(0.45 * unturned);
    });

    test('shoulders turn toward them, by at most 10°', () => {
      const result = run(adult, short, motion());
      for (const side of SIDES) {
        expect(turnOf(result, `${side}Shoulder`)).toBeGreaterThan(2);
        expect(turnOf(result, `${side}Shoulder`)).toBeLessThan(10.001);
      }
    });

    test('hands that meet on the knees move both shoulders nearly as much', () => {
      const result = run(adult, short, touchMotion('knees', adult, 1.6));
      const [left, right] = SIDES.map((side) => turnOf(result, `${side}Shoulder`));
      expect(left).toBeGreaterThan(5);
      expect(Math.abs(left - right)).toBeLessThan(1);
    });

    test.runIf(IS_FULL_RUN)('a hand with a tool keeps its rotation in the world, and touches by its arm alone', () => {
      const radii = short.surface.radii.map((one, bone) => {
        // What is part of the hand is as long as a sword.
        return one !== null && bone === BONE.leftHand ? { ...one, to: 1 } : one;
      });
      const result = run(adult, short, motion(), { targetSurface: { ...short.surface, radii } });
      expect(turnOf(result, 'leftHand')).toBeLessThan(0.1);
      expect(turnOf(result, 'leftLowerArm')).toBeGreaterThan(10);
      expect(turnOf(result, 'rightHand')).toBeGreaterThan(10);
    });
  });

  test.runIf(IS_FULL_RUN).each(
    sampledCases([
      ['amid a contact', 60],
      ['where a contact ends', 90],
    ] as const),
  )('arms move on across the seam of a loop %s, as where the loop has its seam elsewhere', (_, shift) => {
    const motion = touchMotion('head', adult);
    const tracks = motion.tracks.map((track) => {
      const frames = track.times.length - 1;
      // The last frame is the first one.
      const from = (u: number): number => 4 * (((u >> 2) + shift) % frames) + (u & 3);
      return { ...track, values: Float64Array.from(track.values, (_, u) => track.values[from(u)]) };
    });
    const [whole, shifted] = [motion, { ...motion, tracks }].map((one) => run(adult, wide, one));
    expect(shifted.report.hands!.contacts).toBe(whole.report.hands!.contacts);
    const samplers = [whole, shifted].map(({ clip }) => createMotionSampler(wide.humanoid, clip));
    const { duration } = motion;
    for (const time of [0, 1 / 60, 0.1, duration - 0.1, duration - 1 / 60, duration]) {
      sampleMotion(samplers[0], (time + shift / 60) % duration);
      sampleMotion(samplers[1], time);
      for (const bone of SIDES.flatMap((side) => [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`]])) {
        const [a, b] = samplers.map(({ worldDeltas }) => worldDeltas);
        // Degrees; solvers stop at angles of this size.
        expect((quat.angleBetween(a, 4 * bone, b, 4 * bone) * 180) / Math.PI).toBeLessThan(0.1);
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

  test.runIf(IS_FULL_RUN)('gives up what is far out of reach', async () => {
    const short = await demoBody({ ...ADULT, arm: 0.25 });
    const { clip, plain, report } = run(adult, short, touchMotion('knees', adult), { selfCollision: 'off' });
    expect(report.hands!.reach).toBeGreaterThan(1.2);
    const [rough, smooth] = [plain, clip].map((one) => smoothnessOf(short.humanoid, one));
    expect(smooth.jerk).toBeLessThan(1.35 * rough.jerk);
  });

  test.runIf(IS_FULL_RUN).each(
    sampledCases([
      [
        'knees',
        { leg: 0.514, spine: 0.318, shoulderWidth: 0.445, arm: 0.981, hipWidth: 0.156, hand: 0.217, girth: 0.864 },
      ],
      [
        'hips',
        { leg: 1.156, spine: 0.417, shoulderWidth: 0.336, arm: 0.435, hipWidth: 0.328, hand: 0.178, girth: 1.141 },
      ],
    ] as const),
  )('%s: keeps both hands of a symmetric motion, even where one is a little deeper', async (kind, body) => {
    const target = await demoBody({ ...ADULT, ...body });
    const { report } = run(adult, target, touchMotion(kind, adult));
    expect(report.hands!.contacts).toBe(4);
    expect(report.hands!.lost).toBe(0);
  });

  test.runIf(IS_FULL_RUN)('commutes with mirroring', () => {
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
