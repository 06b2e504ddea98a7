import { describe, expect, it } from 'vitest';
import { checkFrameRate } from '../../../src/files/clips/frame-rate.ts';
import { OptionError } from '../../../src/files/option-error.ts';

const lasting = (duration: number) => [
  { clip: { name: 'a', duration, clips: [], morphs: [], otherChannels: 0 }, index: 0 },
];

describe('checkFrameRate', () => {
  it('accepts rates that give up to an hour at 60 fps', () => {
    expect(() => checkFrameRate(undefined, lasting(1e9))).not.toThrow();
    expect(() => checkFrameRate(60, lasting(3600))).not.toThrow();
  });

  it.each([0, -1, Number.NaN, 1001])('throws for %d frames per second', (fps) => {
    expect(() => checkFrameRate(fps, lasting(1))).toThrow(OptionError);
  });

  it('throws for more frames than an hour at 60 fps', () => {
    expect(() => checkFrameRate(61, lasting(3600))).toThrow(/216000 frames/);
  });
});
