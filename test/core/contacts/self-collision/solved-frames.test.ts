import { expect, it } from 'vitest';
import {
  chooseFrames,
  timingOfFrames,
  valuesBetween,
} from '../../../../src/core/contacts/self-collision/solved-frames.ts';

const NO_CUTS = { step: 1 / 120, loops: false, cuts: new Uint8Array(13) };

it('chooseFrames takes 24 frames per second or more, with the first and the last', () => {
  expect([...chooseFrames(13, 1 / 120)]).toEqual([0, 4, 8, 12]);
  expect([...chooseFrames(6, 1 / 48)]).toEqual([0, 2, 3, 5]);
  expect([...chooseFrames(4, 1 / 30)]).toEqual([0, 1, 2, 3]);
  expect([...chooseFrames(1, 1 / 60)]).toEqual([0]);
});

it('valuesBetween goes through the solved frames, and is exact for a parabola between them', () => {
  const frames = Int32Array.of(0, 4, 8, 12);
  const value = (frame: number): number[] => [0.01 * frame, 0.001 * frame * frame, 1, 0];
  const out = valuesBetween(Float64Array.from([...frames].flatMap(value)), 4, frames, NO_CUTS);
  for (const frame of [0, 4, 5, 6, 7, 8, 12]) {
    for (const [u, one] of value(frame).entries()) expect(out[4 * frame + u]).toBeCloseTo(one, 12);
  }
});

it('valuesBetween jumps where the arm jumps, and nowhere else', () => {
  const frames = Int32Array.of(0, 4, 8, 12);
  const timing = { ...NO_CUTS, cuts: Uint8Array.from({ length: 13 }, (_, frame) => (frame === 6 ? 1 : 0)) };
  const unknowns = Float64Array.from([0, 0, 1, 1].flatMap((one) => [one, one, one, one]));
  const out = valuesBetween(unknowns, 4, frames, timing);
  expect(Array.from({ length: 13 }, (_, frame) => out[4 * frame])).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
  expect([...timingOfFrames(timing, frames).cuts]).toEqual([0, 0, 1, 0]);
});
