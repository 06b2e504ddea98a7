import { expect, it } from 'vitest';
import { ticksOf } from '../../../../../src/formats/fbx/write/animation/time-mode.ts';

const TICKS = 46186158000;
const FRAMES = { mode: 6, rate: 30, isExact: true, isCustom: false };

it('ticksOf: moves keys between frames with the frames around them, whose times a file has rounded', () => {
  const frame = 0.0333333;
  const ticks = ticksOf([200 * frame, 200.5 * frame, 201 * frame], FRAMES);
  expect(ticks).toEqual([200, 200.5, 201].map((k) => Math.round((k * TICKS) / 30)));
});

it('ticksOf: leaves keys before the first and behind the last frame where they are', () => {
  expect(ticksOf([0.01, 0.1, 0.11], FRAMES)).toEqual([0.01, 0.1, 0.11].map((time) => Math.round(time * TICKS)));
});

it('ticksOf: keeps the key before a jump before it', () => {
  expect(ticksOf([0, 0.1, Math.fround(0.1)], FRAMES)).toEqual([0, TICKS / 10 - 1, TICKS / 10]);
});
