import { expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { applyContacts } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import type { SelfCollision } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { trunkBoneOf, UNKNOWNS } from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { gestureChange, limitChange } from '../../../../src/core/contacts/self-collision/limit-change.ts';
import { BONE, SIDES } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { localToModelMatrices, restPose } from '../../../../src/core/skeleton/pose.ts';
import { ADULT, CHIBI, HEAVY } from '../../../../src/demo/figure/proportions.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { insideOf } from '../../../contacts/ruler-of.ts';
import { touchMotion } from '../../../contacts/touch-motions.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';
import { minus, type Vector } from '../../../support/reference/plain.ts';

/** World directions of upper arms and forearms at times of a clip. */
function armDirections({ skeleton, map }: Humanoid, clip: Clip, times: readonly number[]): Vector[] {
  const pose = restPose(skeleton);
  const matrices = new Float64Array(16 * skeleton.parents.length);
  const joint = (bone: number): Vector => [...matrices.slice(16 * map.nodes[bone] + 12, 16 * map.nodes[bone] + 15)];
  return times.flatMap((time) => {
    sampleClip(clip, time, pose);
    localToModelMatrices(matrices, skeleton.parents, pose);
    return SIDES.flatMap((side) => {
      const [upper, lower, hand] = (['UpperArm', 'LowerArm', 'Hand'] as const).map((name) =>
        joint(BONE[`${side}${name}`]),
      );
      return [minus(lower, upper), minus(hand, lower)];
    });
  });
}

function degreesBetween(a: Vector, b: Vector): number {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return (Math.acos(Math.min(1, dot / (Math.hypot(...a) * Math.hypot(...b)))) * 180) / Math.PI;
}

it('applyContacts: arms are kept out softly by at most 12°, strictly by what it takes', async () => {
  const stout = { ...ADULT, girth: 2.4, hipWidth: 0.36 };
  const [adult, ...targets] = await Promise.all(
    [ADULT, stout, HEAVY, CHIBI].map((proportions) => demoBody(proportions)),
  );
  let [most, mostStrict] = [0, 0];
  for (const target of targets) {
    const retarget = planRetarget(adult.humanoid, target.humanoid);
    const plain = retargetClip(retarget, adult.walk);
    const times = Array.from({ length: 20 }, (_, k) => (k / 20) * plain.duration);
    const keep = (selfCollision: SelfCollision): Clip => {
      const surfaces = { sourceSurface: adult.surface, targetSurface: target.surface };
      const plan = planContacts(retarget, adult.humanoid, target.humanoid, { selfCollision, ...surfaces });
      return applyContacts(plan, adult.walk, plain).clip;
    };
    const [off, soft, strict] = (['off', 'soft', 'strict'] as const).map(keep);
    const before = armDirections(target.humanoid, off, times);
    const changes = [soft, strict].map((clip) => {
      const after = armDirections(target.humanoid, clip, times);
      return Math.max(...after.map((direction, k) => degreesBetween(direction, before[k])));
    });
    const [plainInside, softInside, strictInside] = [off, soft, strict].map(
      (clip) => insideOf({ ...target, clip }, { fps: 10, mostVertices: 80 })?.mean ?? 0,
    );
    expect(changes[0]).toBeLessThanOrEqual(12.1);
    expect(changes[0]).toBeLessThanOrEqual(changes[1] + 0.1);
    expect(softInside).toBeLessThanOrEqual(plainInside);
    expect(strictInside).toBeLessThanOrEqual(softInside + 0.1);
    [most, mostStrict] = [Math.max(most, changes[0]), Math.max(mostStrict, changes[1])];
  }
  expect(most).toBeGreaterThan(5);
  expect(mostStrict).toBeGreaterThan(14);
});

it('limitChange: no rotation of up to 1.6 rad turns an arm by more than the bound', async () => {
  const { humanoid, surface, walk } = await demoBody(ADULT);
  const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 1, step: 0.1 });
  const [arm] = findArms(humanoid, surface);
  const trunk = trunkBoneOf(humanoid.map.nodes);
  const random = makeRandom(7);
  for (let run = 0; run < 200; run++) {
    const unknowns = Float64Array.from({ length: UNKNOWNS }, () => 1.6 * (2 * random() - 1));
    const most = run === 0 ? 0 : (25 * random() * Math.PI) / 180;
    if (run === 0) unknowns.fill(0);
    limitChange(
      arm,
      trunk,
      bones,
      unknowns,
      () => most,
      () => 0.9 * most,
    );
    expect(gestureChange(arm, trunk, bones, 0, unknowns)).toBeLessThanOrEqual(1.01 * most);
  }
});

it.runIf(IS_FULL_RUN)(
  'applyContacts: a hand that touches turns no arm by more than 25°, and reaches what it can within it',
  async () => {
    const [adult, ...targets] = await Promise.all(
      [ADULT, CHIBI, { ...ADULT, arm: 0.3 }].map((proportions) => demoBody(proportions)),
    );
    let most = 0;
    for (const target of targets) {
      const retarget = planRetarget(adult.humanoid, target.humanoid);
      for (const kind of ['head', 'hips'] as const) {
        const motion = touchMotion(kind, adult, 1.5);
        const plain = retargetClip(retarget, motion);
        const times = Array.from({ length: 31 }, (_, k) => (k / 30) * plain.duration);
        const surfaces = { sourceSurface: adult.surface, targetSurface: target.surface };
        const { clip, report } = applyContacts(
          planContacts(retarget, adult.humanoid, target.humanoid, { hands: true, ...surfaces }),
          motion,
          plain,
        );
        const before = armDirections(target.humanoid, plain, times);
        const changes = armDirections(target.humanoid, clip, times).map((after, k) => degreesBetween(after, before[k]));
        expect(report.hands!.contacts, kind).toBeGreaterThan(0);
        expect(Math.max(...changes), kind).toBeLessThanOrEqual(25.1);
        most = Math.max(most, ...changes);
      }
    }
    // An arm that stays below this is not held by the limit.
    expect(most).toBeGreaterThan(23);
  },
);
