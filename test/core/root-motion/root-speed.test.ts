import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { measureRootSpeed } from '../../../src/core/root-motion/root-speed.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';

const hero = tinyHumanoid({ name: 'root' }, { name: 'hips', parent: 'root', at: [0, 1, 0] });

function moved(target: number, values: readonly number[], duration: number): Clip {
  const times = Float32Array.of(0, duration);
  const path = 'translation' as const;
  return {
    name: '',
    duration,
    tracks: [{ target, path, interpolation: 'LINEAR', times, values: Float64Array.from(values) }],
  };
}

describe('measureRootSpeed', () => {
  test('measures distance, speed and direction, in the hips or on a root bone', () => {
    const left = measureRootSpeed(hero, moved(1, [0, 1, 0, 3, 1, 0], 2));
    expect(left).toMatchObject({ where: 'hips', rotation: 0 });
    expect([left.distance, left.speed, left.heading].map((value) => Number(value.toFixed(9)))).toEqual([3, 1.5, 90]);
    const back = measureRootSpeed(hero, moved(0, [0, 0, 0, 0, 0, -1], 1));
    expect(back.where).toBe('armature');
    expect([back.speed, Math.abs(back.heading)].map((value) => Number(value.toFixed(9)))).toEqual([1, 180]);
  });

  test('is zero for a character that stays, and for a clip without duration', () => {
    const still = { where: 'hips', distance: 0, speed: 0, heading: 0, rotation: 0 };
    expect(measureRootSpeed(hero, moved(1, [0, 1, 0, 0, 1, 0], 1))).toEqual(still);
    expect(measureRootSpeed(hero, { name: '', duration: 0, tracks: [] })).toEqual(still);
  });
});
