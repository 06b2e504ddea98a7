import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import type { RetargetOptions } from '../../../src/core/retarget/options.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { clipOf, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis } from '../../support/reference/plain.ts';
import { EXACT, RESAMPLED_HEIGHT } from '../../support/tolerances.ts';

const QUARTER = aboutAxis([0, 0, 1], Math.PI / 2);
const source = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
/** Half as tall; the hips and the space of the spine are rotated by 90° about z. */
const target = tinyHumanoid(
  { name: 'hips', at: [0, 0.5, 0], turn: QUARTER },
  { name: 'spine', parent: 'hips', at: [0.3, 0, 0], scale: [2, 2, 2] },
);

function result(moving: Track, options: RetargetOptions, fps?: number): readonly Track[] {
  const plan = planRetarget(source, target, options);
  return retargetClip(plan, clipOf(moving), fps === undefined ? {} : { fps }).tracks;
}

describe('translationTracks', () => {
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

  test('returns nothing unless translations are requested', () => {
    expect(result(stretch, {})).toEqual([]);
  });

  test('rotates offsets from the rest to the axes of the target and scales them as the hips', () => {
    const [moved] = result(stretch, { translation: true });
    expect(moved).toMatchObject({
      target: 1,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
    });
    // 0.1 to the left and 0.2 up are, at half the size, 0.1 along x and −0.05 along y of the rotated hips.
    expectNear(moved.values, [0.3, 0, 0, 0.4, -0.05, 0], EXACT);
  });

  test('keeps meters with hipsScale none', () => {
    const [moved] = result(stretch, { translation: true, hipsScale: 'none' });
    expectNear(moved.values, [0.3, 0, 0, 0.5, -0.1, 0], EXACT);
  });

  test('writes keys on a uniform grid with fps', () => {
    const [moved] = result(stretch, { translation: true }, 2);
    expect(Array.from(moved.times)).toEqual([0, 0.5, 1]);
    expectNear(moved.values, [0.3, 0, 0, 0.35, -0.025, 0, 0.4, -0.05, 0], EXACT);
  });
});

describe('scaleTracks', () => {
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

  test('returns nothing unless scales are requested', () => {
    expect(result(size('STEP'), {})).toEqual([]);
  });

  test('maps scales relative to the rest to the axes of the target', () => {
    const [scaled] = result(size('STEP'), { scale: true });
    expect(scaled).toMatchObject({ target: 1, path: 'scale', interpolation: 'STEP', times: Float32Array.of(0, 1) });
    expectNear(scaled.values, [2, 2, 2, 2, 6, 2], EXACT);
  });

  test('resamples a LINEAR track, since the map is not linear', () => {
    const [scaled] = result(size('LINEAR'), { scale: true });
    const value = new Float64Array(3);
    for (const time of [0, 0.3, 0.77, 1]) {
      sampleTrack(scaled, time, value, 0);
      expectNear(value, [2, 2 + 4 * time, 2], RESAMPLED_HEIGHT);
    }
  });
});
