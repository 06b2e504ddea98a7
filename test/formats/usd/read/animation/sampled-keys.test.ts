import { describe, expect, it } from 'vitest';
import {
  attributeKeys,
  keyTimes,
  type SampledKeys,
  stageTimeCodes,
} from '../../../../../src/formats/usd/read/animation/sampled-keys.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../../src/formats/usd/text/parse-usda.ts';
import { secondsOf } from '../../../../../src/formats/usd/time-codes.ts';
import { stageOf } from '../../skel/scene.ts';

const SECONDS = { origin: 0, perSecond: 1 };

function keysOf(attribute: string, interpolation: 'linear' | 'held' = 'linear'): SampledKeys<number[]> {
  const stage = openStage(parseUsda(`#usda 1.0\ndef "P" {\n ${attribute}\n}`), { interpolation });
  const { samples, ...keys } = attributeKeys(stage, '/P', 'a', 1, SECONDS);
  return { ...keys, samples: samples.map((sample) => sample && Array.from(sample)) };
}

describe('attributeKeys with a layer offset', () => {
  it('returns samples at stage times, also for a negative scale', () => {
    const keys = (offset: string): unknown => {
      const text = `#usda 1.0
def "P" (references = </T> (${offset})) {
}
def "T" {
  float a.timeSamples = { 0: 5, 2: 6, 3: None }
}`;
      const { codes, samples } = attributeKeys(openStage(parseUsda(text)), '/P', 'a', 1, SECONDS);
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

describe('stageTimeCodes', () => {
  const origin = (metadata: string, first: number): number =>
    stageTimeCodes(stageOf(`#usda 1.0\n(\n ${metadata}\n)`), first).origin;

  it('starts at startTimeCode unless a sample is earlier', () => {
    expect(origin('startTimeCode = 1', 1)).toBe(1);
    expect(origin('startTimeCode = -5', 3)).toBe(-5);
    expect(origin('startTimeCode = 100', 40)).toBe(0);
    expect(origin('startTimeCode = 100', -40)).toBe(-40);
  });

  it('starts at 0 or at an earlier first sample without a startTimeCode', () => {
    expect(origin('upAxis = "Y"', 10)).toBe(0);
    expect(origin('upAxis = "Y"', -2)).toBe(-2);
    expect(origin('startTimeCode = 1', Number.POSITIVE_INFINITY)).toBe(0);
  });

  it('uses the timeCodesPerSecond of the stage', () => {
    const timeCodes = stageTimeCodes(stageOf('#usda 1.0\n(\n startTimeCode = 1\n timeCodesPerSecond = 30\n)'), 1);
    expect(secondsOf(timeCodes, 31)).toBe(1);
  });
});

describe('attributeKeys', () => {
  it('returns the time samples', () => {
    expect(keysOf('float[] a.timeSamples = { 1: [1], 3: [2] }')).toEqual({
      interpolation: 'LINEAR',
      codes: [1, 3],
      samples: [[1], [2]],
    });
  });

  it('returns one key for a default value', () => {
    expect(keysOf('float a = 7')).toEqual({ interpolation: 'LINEAR', codes: [0], samples: [[7]] });
    expect(keysOf('float b = 7').samples).toEqual([null]);
  });

  it('repeats the time code at blocks and size changes', () => {
    expect(keysOf('float[] a.timeSamples = { 0: [1], 1: None, 2: [2], 3: [3, 4], 4: [5, 6] }')).toEqual({
      interpolation: 'LINEAR',
      codes: [0, 1, 1, 2, 2, 3, 3, 4],
      samples: [[1], [1], null, null, [2], [2], [3, 4], [5, 6]],
    });
  });

  it('returns STEP keys for stages and types without interpolation', () => {
    expect(keysOf('float[] a.timeSamples = { 0: [1], 1: None }', 'held')).toEqual({
      interpolation: 'STEP',
      codes: [0, 1],
      samples: [[1], null],
    });
    expect(keysOf('int[] a.timeSamples = { 0: [1], 1: [2] }').interpolation).toBe('STEP');
  });
});

describe('keyTimes', () => {
  it('converts to seconds and puts the left limit of a jump one float32 step before it', () => {
    const { times, codeIndices } = keyTimes({ origin: 1, perSecond: 2 }, [1, 3, 3, 5]);
    expect([...codeIndices]).toEqual([0, 1, 2, 3]);
    expect([times[0], times[2], times[3]]).toEqual([0, 1, 2]);
    expect(times[1]).toBe(1 - 2 ** -24);
  });

  it('drops times that float32 cannot distinguish', () => {
    const { times, codeIndices } = keyTimes(SECONDS, [0, 0, 1, 1, 1]);
    expect([...codeIndices]).toEqual([1, 2, 4]);
    expect(times[0]).toBe(0);
    expect(Math.fround(times[1])).toBeLessThan(1);
    const close = keyTimes(SECONDS, [1000, 1000 + 1e-9, 1000 + 2e-9, 1001]);
    for (let k = 1; k < close.times.length; k++) {
      expect(Math.fround(close.times[k])).toBeGreaterThan(Math.fround(close.times[k - 1]));
    }
    expect(close.codeIndices.at(-1)).toBe(3);
  });
});
