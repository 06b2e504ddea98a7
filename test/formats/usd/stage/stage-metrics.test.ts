import { describe, expect, it } from 'vitest';
import { stageOf } from './scene.ts';

describe('readMetrics', () => {
  it('has the fallbacks of OpenUSD: Y up, centimeters, 24 codes a second', () => {
    expect(stageOf('').metrics).toEqual({
      upAxis: 'Y',
      metersPerUnit: 0.01,
      timeCodesPerSecond: 24,
      startTimeCode: null,
      endTimeCode: null,
      defaultPrim: null,
      isUpAxisAuthored: false,
      isMetersPerUnitAuthored: false,
    });
  });

  it('reads what the root layer says, and not what its sublayers say', () => {
    const text =
      '(defaultPrim = "A"\nupAxis = "Z"\nmetersPerUnit = 1\nframesPerSecond = 30\nstartTimeCode = 1\nendTimeCode = 9\nsubLayers = [@s@])\ndef "A" {}';
    expect(stageOf(text, { s: '(timeCodesPerSecond = 99)' }).metrics).toMatchObject({
      upAxis: 'Z',
      metersPerUnit: 1,
      timeCodesPerSecond: 30,
      startTimeCode: 1,
      endTimeCode: 9,
      defaultPrim: '/A',
      isMetersPerUnitAuthored: true,
    });
  });

  it('does not believe units of nothing, or default prims that are not there', () => {
    expect(stageOf('(defaultPrim = "B"\nmetersPerUnit = 0)').metrics).toMatchObject({
      metersPerUnit: 0.01,
      defaultPrim: null,
    });
  });
});
