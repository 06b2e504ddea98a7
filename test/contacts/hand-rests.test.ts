import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Clip, PATH_WIDTH, type Track } from '../../src/core/animation/clip.ts';
import { mirrorClip } from '../../src/core/animation/mirror-clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { createPosedCharacter } from '../../src/core/contacts/frames/posed-character.ts';
import { handBones } from '../../src/core/contacts/hands/touch-parts.ts';

import { applyContacts, type ContactResult } from '../../src/core/contacts/plan/apply-contacts.ts';
import type { ContactPlan } from '../../src/core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import { findFloors } from '../../src/core/contacts/plants/find-floors.ts';
import { describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import { mirrorSkinPoints } from '../../src/core/deform/skin-points.ts';

import { BONE, SIDES, type Side } from '../../src/core/humanoid/bones.ts';

import { mirrorHumanoid } from '../../src/core/humanoid/mirror-humanoid.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../src/core/skeleton/skeleton.ts';
import { ADULT } from '../../src/demo/figure/proportions.ts';
import { IS_FULL_RUN, lawRuns } from '../support/law-runs.ts';
import { lowestVertex } from '../support/reference/contact-figures.ts';
import { MIRRORED_CONTACTS } from '../support/tolerances.ts';
import { crawl, LIFTED, sampleHands } from './crawl-motion.ts';
import { type DemoBody, demoBody } from './demo-pair.ts';
import { playLive } from './play-live.ts';

const RIGHT_HAND = handBones('right').map((name) => BONE[name]);

let source: DemoBody;
let motion: Clip;

beforeAll(async () => {
  source = await demoBody();
  motion = crawl(source);
});

function planBetween(from: DemoBody, to: DemoBody): ContactPlan {
  const plan = planRetarget(from.humanoid, to.humanoid);
  const surfaces = { sourceSurface: from.surface, targetSurface: to.surface };
  return planContacts(plan, from.humanoid, to.humanoid, surfaces);
}

function retargeted(from: DemoBody, to: DemoBody, clip = motion): ContactResult {
  const plan = planBetween(from, to);
  return applyContacts(plan, clip, retargetClip(plan.retarget, clip));
}

describe('hands of a body on hands and knees', () => {
  test('rest where they rest in the motion, on bodies of other proportions whose arms reach the ground', async () => {
    const proportions = fc.record({
      arm: fc.double({ min: 1, max: 1.5, noNaN: true }),
      girth: fc.double({ min: 0.8, max: 1.3, noNaN: true }),
      leg: fc.double({ min: 0.8, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(proportions, async ({ arm, girth, leg }) => {
        const body = await demoBody({ ...ADULT, arm: arm * ADULT.arm, girth, leg: leg * ADULT.leg });
        const { clip } = retargeted(source, body);
        const { arms } = sampleHands(body, clip);
        // All vertices: the surface has only those that are the furthest in some direction.
        const lowest = lowestVertex(body, clip, 1, RIGHT_HAND);
        expect(Math.abs(lowest - body.humanoid.ground)).toBeLessThan(0.01 * body.humanoid.height);
        for (const side of SIDES) {
          const { clearance, ball } = arms[side]!;
          for (let frame = 0; frame < clearance.length; frame++) {
            // At its end a rest is left gradually.
            const isLifted = side === 'left' && frame > 60 * LIFTED[0] - 12 && frame < 60 * LIFTED[1] + 12;
            if (isLifted) continue;
            expect(Math.abs(clearance[frame])).toBeLessThan(0.01 * body.humanoid.height);
            if (side === 'right')
              expect(vec3.distance(ball, 3 * frame, ball, 0)).toBeLessThan(0.002 * body.humanoid.height);
          }
        }
      }),
      { numRuns: lawRuns(60) },
    );
  });

  test.runIf(IS_FULL_RUN)('rest frame by frame too, without knowing what comes', async () => {
    const proportions = fc.record({
      arm: fc.double({ min: 1, max: 1.5, noNaN: true }),
      leg: fc.double({ min: 0.8, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(proportions, async ({ arm, leg }) => {
        const body = await demoBody({ ...ADULT, arm: arm * ADULT.arm, leg: leg * ADULT.leg });
        const { arms } = sampleHands(body, playLive(planBetween(source, body), motion, 60).clip);
        for (const side of SIDES) {
          const { clearance, ball } = arms[side]!;
          for (let frame = 0; frame < clearance.length; frame++) {
            if (side === 'left' && frame > 60 * LIFTED[0] - 12 && frame < 60 * LIFTED[1] + 12) continue;
            expect(Math.abs(clearance[frame])).toBeLessThan(0.01 * body.humanoid.height);
            if (side === 'right')
              expect(vec3.distance(ball, 3 * frame, ball, 0)).toBeLessThan(0.002 * body.humanoid.height);
          }
        }
      }),
      { numRuns: lawRuns(60) },
    );
  });

  it('let go of the ground without a jump when the body gets up, frame by frame', async () => {
    const body = await demoBody({ ...ADULT, arm: 1.3 * ADULT.arm, leg: 0.9 * ADULT.leg });
    const { rest } = source.humanoid.skeleton;
    // On the hands for a second, upright after half a second more.
    const tracks = motion.tracks.map((track): Track => {
      const [at, size] = [PATH_OFFSET[track.path] + POSE_STRIDE * track.target, PATH_WIDTH[track.path]];
      const first = track.values.subarray(0, size);
      const values = Float64Array.of(
        ...first,
        ...first,
        ...rest.subarray(at, at + size),
        ...rest.subarray(at, at + size),
      );
      return { ...track, times: Float64Array.of(0, 1, 1.5, 3), values };
    });
    const rising = { ...motion, tracks };
    const plan = planBetween(source, body);
    const plain = sampleHands(body, retargetClip(plan.retarget, rising)).arms;
    const kept = sampleHands(body, playLive(plan, rising, 60).clip).arms;
    for (const side of SIDES) {
      const moved = kept[side]!.ball.map((value, c) => value - plain[side]!.ball[c]);
      const apart = (frame: number): number => vec3.distance(moved, 3 * frame, moved, 3 * frame - 3);
      const held = vec3.length(moved, 0);
      expect(held).toBeGreaterThan(0.05);
      const steps = Array.from({ length: 180 }, (_, frame) => apart(frame + 1));
      // Hands are let go in tenths of a second.
      expect(Math.max(...steps)).toBeLessThan(0.15 * held);
      expect(vec3.length(moved, 3 * 180)).toBeLessThan(1e-3);
    }
  });

  it('stay as they are on the same body', () => {
    const plan = planBetween(source, source);
    const plain = retargetClip(plan.retarget, motion);
    const { clip: result, report } = applyContacts(plan, motion, plain);
    expect(result).toBe(plain);
    expect(report.handsMoved).toBeLessThan(1e-6);
  });

  it('rest mirrored in the mirrored motion', async () => {
    const mirror = (body: DemoBody): DemoBody => {
      const humanoid = mirrorHumanoid(body.humanoid);
      const skin = mirrorSkinPoints(body.skin);
      return { humanoid, skin, surface: describeContactSurface(humanoid, skin), walk: mirrorClip(body.walk) };
    };
    const long = await demoBody({ ...ADULT, arm: 1.3 * ADULT.arm });
    const expected = mirrorClip(retargeted(source, long, motion).clip);
    const target = mirror(long);
    const { clip } = retargeted(mirror(source), target, mirrorClip(motion));
    for (const time of [0.3, 1.5, 2.6]) {
      const [a, b] = [restPose(target.humanoid.skeleton), restPose(target.humanoid.skeleton)];
      sampleClip(expected, time, a);
      sampleClip(clip, time, b);
      for (const [k, value] of a.entries()) expect(Math.abs(value - b[k])).toBeLessThan(MIRRORED_CONTACTS);
    }
  });

  it('do not rest where they hang a little above the ground', () => {
    const floors = findFloors(sampleHands(source, crawl(source, 0.05)));
    expect(floors?.hands ?? { left: null, right: null }).toEqual({ left: null, right: null });
  });
});

describe('arms of a posed character', () => {
  /** Sides of the arms of a character, the skin of some of whose hands ends a meter from the wrist. */
  const armsOf = ({ humanoid, surface }: DemoBody, long: readonly Side[]): Side[] => {
    const bones = long.map((side): number => BONE[`${side}Hand`]);
    const radii = surface.radii.map((one, bone) => (one !== null && bones.includes(bone) ? { ...one, to: 1 } : one));
    const { arms } = createPosedCharacter(humanoid, { ...surface, radii });
    return SIDES.filter((side) => arms[side] !== null);
  };

  test.each<[Side, Side]>([
    ['left', 'right'],
    ['right', 'left'],
  ])('a %s hand with a tool has no arm when the %s hand has none', (armed, other) => {
    expect(armsOf(source, [armed])).toEqual([other]);
  });

  test('both hands of a person have arms', () => {
    expect(armsOf(source, [])).toEqual(['left', 'right']);
  });
});
