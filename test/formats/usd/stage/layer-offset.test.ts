import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyOffset,
  composeOffsets,
  IDENTITY_OFFSET,
  invertOffset,
  isInvertibleOffset,
  scaleByRates,
  timeCodesPerSecondOf,
} from '../../../../src/formats/usd/stage/layer-offset.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { USD_STAGE_F64 } from '../../../support/tolerances.ts';

const offsets = fc.record({
  offset: fc.double({ min: -100, max: 100, noNaN: true }),
  scale: fc.double({ min: 0.1, max: 10, noNaN: true }),
});
const times = fc.double({ min: -100, max: 100, noNaN: true });

describe('layer offsets', () => {
  it('composeOffsets: equals applying one after the other', () => {
    fc.assert(
      fc.property(offsets, offsets, times, (outer, inner, time) => {
        const stepwise = applyOffset(outer, applyOffset(inner, time));
        expect(Math.abs(applyOffset(composeOffsets(outer, inner), time) - stepwise)).toBeLessThan(
          USD_STAGE_F64 * (1 + Math.abs(stepwise)),
        );
      }),
      { seed: 81 },
    );
  });

  it('composeOffsets: is associative and invertible', () => {
    fc.assert(
      fc.property(offsets, offsets, offsets, times, (a, b, c, time) => {
        const left = applyOffset(composeOffsets(composeOffsets(a, b), c), time);
        const right = applyOffset(composeOffsets(a, composeOffsets(b, c)), time);
        expect(Math.abs(left - right)).toBeLessThan(USD_STAGE_F64 * (1 + Math.abs(left)));
        expect(Math.abs(invertOffset(a, applyOffset(a, time)) - time)).toBeLessThan(
          USD_STAGE_F64 * (1 + Math.abs(time)),
        );
      }),
      { seed: 82 },
    );
  });

  it('isInvertibleOffset: is false for zero, infinite and NaN offsets', () => {
    expect(isInvertibleOffset({ offset: 1, scale: 2 })).toBe(true);
    for (const bad of [
      { offset: 0, scale: 0 },
      { offset: Number.NaN, scale: 1 },
      { offset: 0, scale: Number.POSITIVE_INFINITY },
    ]) {
      expect(isInvertibleOffset(bad)).toBe(false);
    }
  });
});

describe('time code rates', () => {
  const rate = (text: string): number => timeCodesPerSecondOf(parseUsda(`#usda 1.0\n(${text}\n)`));
  it('timeCodesPerSecondOf: is timeCodesPerSecond, else framesPerSecond, else 24', () => {
    expect(rate('framesPerSecond = 25\ntimeCodesPerSecond = 30')).toBe(30);
    expect(rate('framesPerSecond = 25')).toBe(25);
    expect(rate('')).toBe(24);
    expect(rate('timeCodesPerSecond = 0')).toBe(24);
    expect(rate('timeCodesPerSecond = 1e-320\nframesPerSecond = 25')).toBe(25);
  });

  it('scaleByRates: preserves seconds', () => {
    expect(scaleByRates(IDENTITY_OFFSET, 24, 30)).toEqual({ offset: 0, scale: 0.8 });
    expect(scaleByRates({ offset: 5, scale: 2 }, 60, 30)).toEqual({ offset: 5, scale: 4 });
    expect(scaleByRates(IDENTITY_OFFSET, 24, 24)).toBe(IDENTITY_OFFSET);
  });
});
