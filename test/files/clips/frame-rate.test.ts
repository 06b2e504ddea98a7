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

  it('throws for more than 2 million keys, unless the file has an eighth of them', () => {
    const trackOf = (count: number) => {
      const times = new Float32Array(count);
      return { target: 0, path: 'scale', interpolation: 'LINEAR', times, values: new Float32Array(3 * count) } as const;
    };
    const chosen = (count: number) => {
      const tracks = Array.from({ length: 60 }, () => trackOf(count));
      const clip = { name: 'a', duration: 1800, clips: [{ name: 'a', duration: 1800, tracks }] };
      return [{ clip: { ...clip, morphs: [], otherChannels: 0 }, index: 0 }];
    };
    expect(() => checkFrameRate(30, chosen(2))).toThrow(/2000000 keys/);
    expect(() => checkFrameRate(30, chosen(1800 * 4))).not.toThrow();
    expect(() => checkFrameRate(10, chosen(2))).not.toThrow();
  });
});
