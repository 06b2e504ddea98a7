import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { measureFootSkate } from '../../../src/core/measure/foot-skate.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { resized, without } from '../../make/change-rig.ts';
import { clipOf, tPoseHumanoid, track } from '../../make/tiny-humanoid.ts';

/** 1.7 m tall, legs of 0.9 m: a foot at 2.25 cm counts partly, one at 4.5 cm does not count. */
const body = tPoseHumanoid();
const PLANTED_HEIGHT = 0.025 * 0.9;

/** The character glides by a distance in one second, its feet at a height above the reference pose. */
function glide(distance: number, height = 0, humanoid = body): Clip {
  const up = humanoid.reference.positions[1] + height;
  return clipOf(
    track(
      humanoid,
      'hips',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, up, 0],
        [distance, up, 0],
      ],
    ),
  );
}

function skate(clip: Clip): number {
  return measureFootSkate(body, glide(1), body, clip).target.skate;
}

describe('measureFootSkate', () => {
  test('returns the speed of planted feet in percent of the height per second', () => {
    expect(skate(glide(1))).toBeCloseTo(100 / 1.7, 6);
    expect(skate(glide(2))).toBeCloseTo(200 / 1.7, 6);
    expect(skate(glide(0))).toBe(0);
  });

  test('counts feet less the higher they are, and not at all from twice the threshold', () => {
    expect(skate(glide(1, PLANTED_HEIGHT))).toBeCloseTo(0, 6);
    expect(skate(glide(1, PLANTED_HEIGHT / 2))).toBeCloseTo(((2 - Math.SQRT2) * 100) / 1.7, 6);
    expect(skate(glide(1, 2 * PLANTED_HEIGHT))).toBe(0);
    expect(skate(glide(1, -0.1))).toBeCloseTo(100 / 1.7, 6);
  });

  test('ignores vertical movement', () => {
    const lift = clipOf(
      track(
        body,
        'hips',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0, 1, 0],
          [0, 0.5, 0],
        ],
      ),
    );
    expect(skate(lift)).toBe(0);
  });

  test('averages over both feet', () => {
    // Only the left foot moves.
    const swing = clipOf(
      track(
        body,
        'leftFoot',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0, -0.4, 0],
          [0.5, -0.4, 0],
        ],
      ),
    );
    expect(skate(swing)).toBeCloseTo(50 / 1.7 / 2, 6);
  });

  test('returns the ratio of target to source, null when the source does not slide', () => {
    expect(measureFootSkate(body, glide(1), body, glide(1.5)).skateRatio).toBeCloseTo(1.5, 9);
    expect(measureFootSkate(body, glide(0), body, glide(1)).skateRatio).toBeNull();
  });

  test('returns a ratio of 1 for a smaller copy of the character', () => {
    const { humanoid: small } = resized(body, 0.4);
    const clip = glide(1.2);
    const { skateRatio } = measureFootSkate(body, clip, small, retargetClip(planRetarget(body, small), clip));
    expect(skateRatio).toBeCloseTo(1, 9);
  });

  test('measures the penetration of feet below the reference pose', () => {
    const { target } = measureFootSkate(body, glide(1), body, glide(1, -0.034));
    expect(target.penetration.max).toBeCloseTo(2, 9);
    expect(target.penetration.mean).toBeCloseTo(2, 9);
    expect(measureFootSkate(body, glide(1), body, glide(1, 0.1)).target.penetration).toEqual({ mean: 0, max: 0 });
  });

  test('does not depend on the thickness of soles', () => {
    const heels = tPoseHumanoid({ leftFoot: { at: [0, -0.3, 0] }, rightFoot: { at: [0, -0.3, 0] } });
    const { source, target } = measureFootSkate(body, glide(1), heels, glide(1, 0, heels));
    expect(target.skate / source.skate).toBeCloseTo(1, 9);
    expect(target.penetration.max).toBeCloseTo(0, 9);
  });

  test('measures the ankles of both when one has no toes', () => {
    const toeless = without(body, [BONE.leftToes, BONE.rightToes]);
    // Only the toes move, but the ankles count.
    const wiggle = clipOf(
      track(
        body,
        'leftToes',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0, -0.08, 0.15],
          [1, -0.08, 0.15],
        ],
      ),
    );
    expect(measureFootSkate(body, wiggle, toeless, glide(1)).source.skate).toBe(0);
    expect(measureFootSkate(body, wiggle, body, glide(1)).source.skate).toBeGreaterThan(0);
  });

  test('returns 0 for characters without feet', () => {
    const footless = without(body, [BONE.leftToes, BONE.rightToes, BONE.leftFoot, BONE.rightFoot]);
    expect(measureFootSkate(footless, glide(1), body, glide(1))).toEqual({
      source: { skate: 0, penetration: { mean: 0, max: 0 } },
      target: { skate: 0, penetration: { mean: 0, max: 0 } },
      skateRatio: null,
    });
  });

  test('does not depend on the sampling rate for a steady motion', () => {
    const at = (fps: number): number => measureFootSkate(body, glide(1), body, glide(1), { fps }).source.skate;
    expect(at(12)).toBeCloseTo(at(120), 6);
  });
});
