import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip, Track } from '../../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { handBones } from '../../../../src/core/contacts/hands/touch-parts.ts';
import { applyContacts, type ContactResult } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactOptions } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, SIDES } from '../../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../../src/core/humanoid/mirror-humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../../../src/core/skeleton/skeleton.ts';
import { ADULT, CHIBI, type Proportions } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { insideOf, smoothnessOf } from '../../../contacts/ruler-of.ts';
import { lowestVertex } from '../../../support/reference/contact-figures.ts';
import { aboutAxis, product, rotationOf } from '../../../support/reference/plain.ts';
import { MIRRORED_CONTACTS } from '../../../support/tolerances.ts';

/** An adult as wide as two. */
const STOUT: Proportions = { ...ADULT, girth: 2, hipWidth: 0.3 };

/** Enough for percentages. */
const FEW = { fps: 10, mostVertices: 80 };

let adult: DemoBody;
let stout: DemoBody;
let chibi: DemoBody;

beforeAll(async () => {
  [adult, stout, chibi] = await Promise.all([demoBody(), demoBody(STOUT), demoBody(CHIBI)]);
});

/** A clip that lowers both arms from the T-pose by an angle (raises, if negative), a little later on the right, and moves them back. */
function lowerArms({ humanoid }: DemoBody, degrees: number): Clip {
  const tracks = SIDES.map((side, k) => {
    const node = humanoid.map.nodes[BONE[`${side}UpperArm`]];
    const rest = rotationOf(humanoid.skeleton.rest, node);
    const angles = [0, 1, 1, 0].map((part) => (part * (k === 0 ? -degrees : degrees) * Math.PI) / 180);
    const values = Float64Array.from(angles.flatMap((angle) => [...product(aboutAxis([0, 0, 1], angle), rest)]));
    const times = Float64Array.of(0, 0.6, 0.9, 1.5).map((time) => time + 0.1 * k);
    return { target: node, path: 'rotation', interpolation: 'LINEAR', times, values } as const;
  });
  return { name: 'lower', duration: 1.6, tracks };
}

/** A clip that sits on the ground with its legs to the front, and lowers both arms from the T-pose by an angle. */
function sit(body: DemoBody, degrees: number): Clip {
  const { map, skeleton } = body.humanoid;
  const still = (node: number, path: 'rotation' | 'translation', values: readonly number[]): Track => ({
    target: node,
    path,
    interpolation: 'LINEAR',
    times: Float64Array.of(0),
    values: Float64Array.from(values),
  });
  const legs = SIDES.map((side) => {
    const node = map.nodes[BONE[`${side}UpperLeg`]];
    return still(node, 'rotation', product(aboutAxis([1, 0, 0], -Math.PI / 2), rotationOf(skeleton.rest, node)));
  });
  const hips = map.nodes[BONE.hips];
  const at = POSE_STRIDE * hips;
  const seat = still(hips, 'translation', [skeleton.rest[at], 0.1 * body.humanoid.hipsHeight, skeleton.rest[at + 2]]);
  const { tracks, ...arms } = lowerArms(body, degrees);
  return { ...arms, tracks: [seat, ...legs, ...tracks] };
}

function run(source: DemoBody, target: DemoBody, clip: Clip, options: ContactOptions = { selfCollision: 'strict' }) {
  const retarget = planRetarget(source.humanoid, target.humanoid);
  const plain = retargetClip(retarget, clip);
  const plan = planContacts(retarget, source.humanoid, target.humanoid, {
    sourceSurface: source.surface,
    targetSurface: target.surface,
    ...options,
  });
  const result: ContactResult = applyContacts(plan, clip, plain);
  return { ...result, plain };
}

describe('avoidSelfCollision', () => {
  test('keeps arms out of a stout character and of a big head, smoothly', () => {
    for (const [target, degrees] of [
      [stout, 86],
      [chibi, -97],
    ] as const) {
      const { clip, plain, report } = run(adult, target, lowerArms(adult, degrees));
      const [before, after] = [plain, clip].map((one) => insideOf({ ...target, clip: one }, FEW)!);
      expect(before.worst).toBeGreaterThan(10);
      expect(after.worst).toBeLessThan(0.2 * before.worst);
      expect(report.arms!.seconds).toBeGreaterThan(0.3);
      expect(report.arms!.largestChange).toBeGreaterThan(0.02);
      const [rough, smooth] = [plain, clip].map((one) => smoothnessOf(target.humanoid, one));
      expect(smooth.jerk).toBeLessThan(1.15 * rough.jerk);
    }
  });

  test('keeps hands out of the ground as a character with longer arms sits on it, smoothly', async () => {
    const hands = SIDES.map((side) => handBones(side).map((name) => BONE[name]));
    for (const [arm, degrees] of [
      [1.3, 45],
      [1.5, 40],
    ] as const) {
      const target = await demoBody({ ...ADULT, arm: arm * ADULT.arm });
      const depthOf = (clip: Clip): number =>
        Math.max(0, ...hands.map((bones) => -lowestVertex(target, clip, 0.8, bones) / target.humanoid.height));
      const [off, soft, strict] = (['off', 'soft', 'strict'] as const).map(
        (selfCollision) => run(adult, target, sit(adult, degrees), { selfCollision, hands: false }).clip,
      );
      expect(depthOf(off)).toBeGreaterThan(0.02);
      expect(depthOf(strict)).toBeLessThan(0.01);
      expect(depthOf(soft)).toBeLessThan(0.5 * depthOf(off));
      for (const clip of [soft, strict]) {
        expect(smoothnessOf(target.humanoid, clip).jerk).toBeLessThan(1.15 * smoothnessOf(target.humanoid, off).jerk);
      }
    }
  });

  test('changes only the rotations of upper arms and forearms', () => {
    const { clip, plain } = run(adult, stout, lowerArms(adult, 86));
    const { nodes } = stout.humanoid.map;
    const arms = SIDES.flatMap((side) => [nodes[BONE[`${side}UpperArm`]], nodes[BONE[`${side}LowerArm`]]]);
    const changed = clip.tracks.filter((track) => !plain.tracks.includes(track));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every(({ target, path }) => arms.includes(target) && path === 'rotation')).toBe(true);
  });

  test('returns the clip itself where no arm is inside, and where the arms of the source are as deep', () => {
    const free = run(adult, stout, lowerArms(adult, 40));
    expect(free.clip).toBe(free.plain);
    expect(free.report.arms).toEqual({ seconds: 0, largestChange: 0 });
    const same = run(stout, stout, lowerArms(stout, 110));
    expect(insideOf({ ...stout, clip: same.plain }, FEW)!.worst).toBeGreaterThan(10);
    expect(same.clip).toBe(same.plain);
  });

  test('is off on request, with contacts ground, and for a target without a mesh', () => {
    const motion = lowerArms(adult, 86);
    const estimated = describeContactSurface(stout.humanoid, null);
    for (const options of [{ selfCollision: 'off' }, { mode: 'ground' }, { targetSurface: estimated }] as const) {
      const { clip, plain, report } = run(adult, stout, motion, options);
      expect(clip).toBe(plain);
      expect(report.arms).toBeNull();
    }
  });

  test('commutes with mirroring', () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const motion = lowerArms(adult, 86);
    const expected = mirrorClip(run(adult, stout, motion).clip);
    const [source, target] = [mirror(adult), mirror(stout)];
    const { clip } = run(source, target, mirrorClip(motion));
    for (const time of [0.2, 0.55, 0.7, 1.3]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });

  test('a loop stays a loop', () => {
    const { clip } = run(adult, stout, adult.walk);
    const { skeleton } = stout.humanoid;
    const { nodes } = stout.humanoid.map;
    const [a, b] = [restPose(skeleton), restPose(skeleton)];
    sampleClip(clip, 0, a);
    sampleClip(clip, clip.duration, b);
    for (const side of SIDES) {
      for (const bone of [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`]]) {
        const at = 10 * nodes[bone] + 3;
        const dot = a.subarray(at, at + 4).reduce((sum, value, c) => sum + value * b[at + c], 0);
        expect(Math.abs(dot)).toBeGreaterThan(0.99999);
      }
    }
  });
});
