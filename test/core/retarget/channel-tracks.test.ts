import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import type { RetargetOptions } from '../../../src/core/retarget/options.ts';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { clipOf, tinyHumanoid, track } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis } from '../../reference/plain.ts';
import { EXACT, RESAMPLED_HEIGHT } from '../../tolerances.ts';

const QUARTER = aboutAxis([0, 0, 1], Math.PI / 2);
const source = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
/** Half as tall; the space of its spine is turned a quarter about z, that of its hips too. */
const target = tinyHumanoid(
  { name: 'hips', at: [0, 0.5, 0], turn: QUARTER },
  { name: 'spine', parent: 'hips', at: [0.3, 0, 0], scale: [2, 2, 2] },
);

function result(moving: Track, options: RetargetOptions, fps?: number): readonly Track[] {
  const plan = planRetarget(source, target, options);
  return retargetClip(plan, clipOf(moving), fps === undefined ? {} : { fps }).tracks;
}

describe('translations of other bones', () => {
  const stretch = track(
    source,
    'spine',
    'translation',
    'LINEAR',
    [0, 1],
    [
      [0, 0.2, 0],
      [0.1, 0.4, 0],
    ],
  );

  test('are left out unless they are asked for', () => {
    expect(result(stretch, {})).toEqual([]);
  });

  test('are offsets from the rest, turned into the target’s axes and scaled like the hips', () => {
    const [moved] = result(stretch, { translation: true });
    expect(moved).toMatchObject({
      target: 1,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
    });
    // 0.1 to the left and 0.2 up are, for half the size, 0.1 along x and −0.05 along y of the turned hips.
    expectNear(moved.values, [0.3, 0, 0, 0.4, -0.05, 0], EXACT);
  });

  test('are meters when the hips scale is none', () => {
    const [moved] = result(stretch, { translation: true, hipsScale: 'none' });
    expectNear(moved.values, [0.3, 0, 0, 0.5, -0.1, 0], EXACT);
  });

  test('are put on a grid when a rate is given', () => {
    const [moved] = result(stretch, { translation: true }, 2);
    expect(Array.from(moved.times)).toEqual([0, 0.5, 1]);
    expectNear(moved.values, [0.3, 0, 0, 0.35, -0.025, 0, 0.4, -0.05, 0], EXACT);
  });
});

describe('scales', () => {
  const size = (interpolation: 'STEP' | 'LINEAR'): Track =>
    track(
      source,
      'spine',
      'scale',
      interpolation,
      [0, 1],
      [
        [1, 1, 1],
        [3, 1, 1],
      ],
    );

  test('are left out unless they are asked for', () => {
    expect(result(size('STEP'), {})).toEqual([]);
  });

  test('are stretches relative to the rest, along the axes of the target', () => {
    const [scaled] = result(size('STEP'), { scale: true });
    expect(scaled).toMatchObject({ target: 1, path: 'scale', interpolation: 'STEP', times: Float32Array.of(0, 1) });
    expectNear(scaled.values, [2, 2, 2, 2, 6, 2], EXACT);
  });

  test('are resampled where they are no map of keys', () => {
    const [scaled] = result(size('LINEAR'), { scale: true });
    const value = new Float64Array(3);
    for (const time of [0, 0.3, 0.77, 1]) {
      sampleTrack(scaled, time, value, 0);
      expectNear(value, [2, 2 + 4 * time, 2], RESAMPLED_HEIGHT);
    }
  });
});
