import { describe, expect, it } from 'vitest';
import {
  attributeKeys,
  clockOf,
  keyTimes,
  type SampledKeys,
  secondsOf,
} from '../../../../src/formats/usd/read/sampled-keys.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { stageOf } from '../skel/scene.ts';

const CLOCK = { origin: 0, codesPerSecond: 1 };

function keysOf(attribute: string, interpolation: 'linear' | 'held' = 'linear'): SampledKeys<number[]> {
  const stage = openStage(parseUsda(`#usda 1.0\ndef "P" {\n ${attribute}\n}`), { interpolation });
  const { samples, ...keys } = attributeKeys(stage, '/P', 'a', 1, CLOCK);
  return { ...keys, samples: samples.map((sample) => sample && Array.from(sample)) };
}

describe('the keys of an attribute of another layer', () => {
  it('are its samples at the times of the stage, also where they run backwards', () => {
    const keys = (offset: string): unknown => {
      const text = `#usda 1.0
def "P" (references = </T> (${offset})) {
}
def "T" {
  float a.timeSamples = { 0: 5, 2: 6, 3: None }
}`;
      const { codes, samples } = attributeKeys(openStage(parseUsda(text)), '/P', 'a', 1, CLOCK);
      return codes.map((code, k) => [code, samples[k]?.[0] ?? null]);
    };
    expect(keys('offset = 10; scale = 2')).toEqual([
      [10, 5],
      [14, 6],
      [16, 6],
      [16, null],
    ]);
    expect(keys('offset = 10; scale = -1')).toEqual([
      [7, null],
      [8, null],
      [8, 6],
      [10, 5],
    ]);
  });
});

describe('the clock of a stage', () => {
  const origin = (metadata: string, first: number): number =>
    clockOf(stageOf(`#usda 1.0\n(\n ${metadata}\n)`), first).origin;

  it('starts where the stage says that it starts, unless samples come before', () => {
    expect(origin('startTimeCode = 1', 1)).toBe(1);
    expect(origin('startTimeCode = -5', 3)).toBe(-5);
    expect(origin('startTimeCode = 100', 40)).toBe(0);
    expect(origin('startTimeCode = 100', -40)).toBe(-40);
  });

  it('starts at 0 or at an earlier first sample where the stage does not say', () => {
    expect(origin('upAxis = "Y"', 10)).toBe(0);
    expect(origin('upAxis = "Y"', -2)).toBe(-2);
    expect(origin('startTimeCode = 1', Number.POSITIVE_INFINITY)).toBe(0);
  });

  it('counts time codes of the stage', () => {
    const clock = clockOf(stageOf('#usda 1.0\n(\n startTimeCode = 1\n timeCodesPerSecond = 30\n)'), 1);
    expect(secondsOf(clock, 31)).toBe(1);
  });
});

describe('keys of an attribute', () => {
  it('are its samples', () => {
    expect(keysOf('float[] a.timeSamples = { 1: [1], 3: [2] }')).toEqual({
      interpolation: 'LINEAR',
      codes: [1, 3],
      samples: [[1], [2]],
    });
  });

  it('are one key for a default', () => {
    expect(keysOf('float a = 7')).toEqual({ interpolation: 'LINEAR', codes: [0], samples: [[7]] });
    expect(keysOf('float b = 7').samples).toEqual([null]);
  });

  it('hold up to blocks and other sizes, with the same time twice', () => {
    expect(keysOf('float[] a.timeSamples = { 0: [1], 1: None, 2: [2], 3: [3, 4], 4: [5, 6] }')).toEqual({
      interpolation: 'LINEAR',
      codes: [0, 1, 1, 2, 2, 3, 3, 4],
      samples: [[1], [1], null, null, [2], [2], [3, 4], [5, 6]],
    });
  });

  it('hold where the stage or the type does', () => {
    expect(keysOf('float[] a.timeSamples = { 0: [1], 1: None }', 'held')).toEqual({
      interpolation: 'STEP',
      codes: [0, 1],
      samples: [[1], null],
    });
    expect(keysOf('int[] a.timeSamples = { 0: [1], 1: [2] }').interpolation).toBe('STEP');
  });
});

describe('times of keys', () => {
  it('are seconds; the left side of a jump is one float32 step before', () => {
    const { times, places } = keyTimes({ origin: 1, codesPerSecond: 2 }, [1, 3, 3, 5]);
    expect([...places]).toEqual([0, 1, 2, 3]);
    expect([times[0], times[2], times[3]]).toEqual([0, 1, 2]);
    expect(times[1]).toBe(1 - 2 ** -24);
  });

  it('leave out what float32 cannot tell apart', () => {
    const { times, places } = keyTimes(CLOCK, [0, 0, 1, 1, 1]);
    expect([...places]).toEqual([1, 2, 4]);
    expect(times[0]).toBe(0);
    expect(Math.fround(times[1])).toBeLessThan(1);
    const close = keyTimes(CLOCK, [1000, 1000 + 1e-9, 1000 + 2e-9, 1001]);
    for (let k = 1; k < close.times.length; k++) {
      expect(Math.fround(close.times[k])).toBeGreaterThan(Math.fround(close.times[k - 1]));
    }
    expect(close.places.at(-1)).toBe(3);
  });
});
