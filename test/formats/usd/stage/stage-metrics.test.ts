import { describe, expect, it } from 'vitest';
import { stageOf } from './scene.ts';

describe('readMetrics', () => {
  it('has the fallbacks of OpenUSD: Y up, centimeters, 24 time codes per second', () => {
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

  it('reads the root layer only, not its sublayers', () => {
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

  it('ignores units of 0 and missing default prims', () => {
    expect(stageOf('(defaultPrim = "B"\nmetersPerUnit = 0)').metrics).toMatchObject({
      metersPerUnit: 0.01,
      defaultPrim: null,
    });
  });
});
