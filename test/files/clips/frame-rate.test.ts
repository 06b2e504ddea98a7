import { describe, expect, it } from 'vitest';
import { checkFrameRate } from '../../../src/files/clips/frame-rate.ts';
import { OptionError } from '../../../src/files/option-error.ts';

const lasting = (duration: number) => [
  { clip: { name: 'a', duration, clips: [], morphs: [], otherChannels: 0 }, index: 0 },
];

describe('checkFrameRate', () => {
  it('takes what makes a bearable number of frames', () => {
    expect(() => checkFrameRate(undefined, lasting(1e9))).not.toThrow();
    expect(() => checkFrameRate(60, lasting(3600))).not.toThrow();
  });

  it.each([0, -1, Number.NaN, 1001])('refuses %d frames a second', (fps) => {
    expect(() => checkFrameRate(fps, lasting(1))).toThrow(OptionError);
  });

  it('refuses more frames than an hour at 60 fps', () => {
    expect(() => checkFrameRate(61, lasting(3600))).toThrow(/216000 frames/);
  });
});
