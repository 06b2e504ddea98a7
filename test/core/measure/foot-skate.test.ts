import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { measureFootSkate } from '../../../src/core/measure/foot-skate.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { resized, without } from '../../make/change-rig.ts';
import { clipOf, tBody, track } from '../../make/tiny-humanoid.ts';

/** 1.7 m tall, legs of 0.9 m: a foot that is 2.25 cm up stands no more with all its weight, one at 4.5 cm not at all. */
const body = tBody();
const STANDING = 0.025 * 0.9;

/** The whole body glides by a way in a second, its feet at a height above their place in the reference pose. */
function glide(way: number, height = 0, humanoid = body): Clip {
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
        [way, up, 0],
      ],
    ),
  );
}

function skate(clip: Clip): number {
  return measureFootSkate(body, glide(1), body, clip).target.skate;
}

describe('measureFootSkate', () => {
  test('is the speed of feet that stand, in percent of the height a second', () => {
    expect(skate(glide(1))).toBeCloseTo(100 / 1.7, 6);
    expect(skate(glide(2))).toBeCloseTo(200 / 1.7, 6);
    expect(skate(glide(0))).toBe(0);
  });

  test('counts feet less the higher they are, and not at all from twice the bound', () => {
    expect(skate(glide(1, STANDING))).toBeCloseTo(0, 6);
    expect(skate(glide(1, STANDING / 2))).toBeCloseTo(((2 - Math.SQRT2) * 100) / 1.7, 6);
    expect(skate(glide(1, 2 * STANDING))).toBe(0);
    expect(skate(glide(1, -0.1))).toBeCloseTo(100 / 1.7, 6);
  });

  test('counts no way up and down', () => {
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

  test('counts each foot by itself', () => {
    // A straight leg that swings sideways about the hip: only its own foot moves.
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

  test('has the ratio of the target to the source; none where the source does not slide', () => {
    expect(measureFootSkate(body, glide(1), body, glide(1.5)).skateRatio).toBeCloseTo(1.5, 9);
    expect(measureFootSkate(body, glide(0), body, glide(1)).skateRatio).toBeNull();
  });

  test('is 1 for a body that is the same but smaller', () => {
    const { humanoid: small } = resized(body, 0.4);
    const clip = glide(1.2);
    const { skateRatio } = measureFootSkate(body, clip, small, retargetClip(planRetarget(body, small), clip));
    expect(skateRatio).toBeCloseTo(1, 9);
  });

  test('measures how deep feet sink below their place in the reference pose', () => {
    const { target } = measureFootSkate(body, glide(1), body, glide(1, -0.034));
    expect(target.sunk.max).toBeCloseTo(2, 9);
    expect(target.sunk.mean).toBeCloseTo(2, 9);
    expect(measureFootSkate(body, glide(1), body, glide(1, 0.1)).target.sunk).toEqual({ mean: 0, max: 0 });
  });

  test('takes the soles as they are: thick ones do not float, thin ones do not sink', () => {
    const heels = tBody({ leftFoot: { at: [0, -0.3, 0] }, rightFoot: { at: [0, -0.3, 0] } });
    const { source, target } = measureFootSkate(body, glide(1), heels, glide(1, 0, heels));
    expect(target.skate / source.skate).toBeCloseTo(1, 9);
    expect(target.sunk.max).toBeCloseTo(0, 9);
  });

  test('looks at the ankles of both where one has no toes', () => {
    const toeless = without(body, [BONE.leftToes, BONE.rightToes]);
    // Toes that wiggle: only the ankles count.
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

  test('is nothing for bodies without feet', () => {
    const footless = without(body, [BONE.leftToes, BONE.rightToes, BONE.leftFoot, BONE.rightFoot]);
    expect(measureFootSkate(footless, glide(1), body, glide(1))).toEqual({
      source: { skate: 0, sunk: { mean: 0, max: 0 } },
      target: { skate: 0, sunk: { mean: 0, max: 0 } },
      skateRatio: null,
    });
  });

  test('does not depend on the rate for a steady motion', () => {
    const at = (fps: number): number => measureFootSkate(body, glide(1), body, glide(1), { fps }).source.skate;
    expect(at(12)).toBeCloseTo(at(120), 6);
  });
});
