import { buildKeyframes } from '@babylonjs/loaders/FBX/interpreter/animationCurve.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONSTANT_END,
  evaluateCurve,
  type FbxCurve,
  SEGMENT,
} from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { buildCurve, DEFAULT_WEIGHT, KEY_FLAG } from '../../../../src/formats/fbx/animation/key-tangents.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { BABYLON_WEIGHTS } from '../../../support/tolerances.ts';

const { BREAK, CUBIC, USER, TCB, LINEAR, CONSTANT, CONSTANT_NEXT, CLAMP, CLAMP_PROGRESSIVE, TIME_INDEPENDENT } =
  KEY_FLAG;

interface Key {
  readonly time: number;
  readonly value: number;
  readonly flags: number;
  readonly data?: readonly [number, number, number];
  readonly weights?: readonly [number, number];
}

function curveOf(keys: readonly Key[]): FbxCurve {
  return buildCurve(
    {
      times: Float64Array.from(keys, ({ time }) => time),
      values: Float64Array.from(keys, ({ value }) => value),
      flags: Int32Array.from(keys, ({ flags }) => flags),
      data: Float64Array.from(keys.flatMap(({ data = [0, 0, 0] }) => data)),
      weights: Float64Array.from(keys.flatMap(({ weights = [DEFAULT_WEIGHT, DEFAULT_WEIGHT] }) => weights)),
    },
    CONSTANT_END,
    CONSTANT_END,
  );
}

/** Slope before the key `k` of a curve. */
const slopeBefore = ({ times, values, handles }: FbxCurve, k: number): number =>
  (values[k] - handles[k * 4 - 1]) / ((1 - handles[k * 4 - 2]) * (times[k] - times[k - 1]));

/** Slope after the key `k` of a curve. */
const slopeAfter = ({ times, values, handles }: FbxCurve, k: number): number =>
  (handles[k * 4 + 1] - values[k]) / (handles[k * 4] * (times[k + 1] - times[k]));

describe('buildCurve', () => {
  it('makes constant, linear and cubic segments', () => {
    const flags = [CONSTANT, CONSTANT | CONSTANT_NEXT, LINEAR, CUBIC, 0];
    const { segments } = curveOf(flags.map((flag, time) => ({ time, value: time, flags: flag })));
    expect([...segments]).toEqual([
      SEGMENT.CONSTANT,
      SEGMENT.CONSTANT_NEXT,
      SEGMENT.LINEAR,
      SEGMENT.CUBIC,
      SEGMENT.LINEAR,
    ]);
  });

  it('uses the slopes and weights of the file for user tangents', () => {
    const curve = curveOf([
      { time: 1, value: 10, flags: CUBIC | USER, data: [4, -8, 0], weights: [0.25, 0.5] },
      { time: 3, value: 20, flags: LINEAR },
    ]);
    // 4 a second for a quarter of 2 s; −8 a second for half of 2 s, backwards.
    expect([...curve.handles.subarray(0, 4)]).toEqual([0.25, 12, 0.5, 28]);
    expect(evaluateCurve(curve, 1)).toBe(10);
    expect(evaluateCurve(curve, 3)).toBe(20);
  });

  it('computes automatic slopes from the neighbors', () => {
    const keys = (flag: number): FbxCurve =>
      curveOf([
        { time: 0, value: 0, flags: CUBIC | flag },
        { time: 1, value: 1, flags: CUBIC | flag },
        { time: 3, value: 9, flags: CUBIC | flag },
      ]);
    // Between the neighbors: 9 in 3 s. By default half of it, half of the mean of 1 and 4 that leans to the shorter side.
    expect(slopeAfter(keys(TIME_INDEPENDENT), 1)).toBeCloseTo(3, 12);
    expect(slopeAfter(keys(0), 1)).toBeCloseTo((3 + (2 / 3) * 1 + (1 / 3) * 4) / 2, 12);
    expect(slopeAfter(keys(0), 0)).toBeCloseTo(1, 12);
    expect(slopeAfter(keys(CLAMP_PROGRESSIVE), 0)).toBeCloseTo(0, 12);
  });

  it('flattens clamped slopes at peaks, without overshoot', () => {
    const keys = (flag: number, next: number): FbxCurve =>
      curveOf([
        { time: 0, value: 0, flags: CUBIC | flag },
        { time: 1, value: 1, flags: CUBIC | flag },
        { time: 2, value: next, flags: CUBIC | flag },
      ]);
    expect(slopeAfter(keys(CLAMP, 1), 1)).toBe(0);
    expect(slopeAfter(keys(CLAMP_PROGRESSIVE, 0.5), 1)).toBeCloseTo(0, 12);
    // A handle of a third of a second that rises by no more than the 0.01 that are left.
    expect(slopeAfter(keys(CLAMP_PROGRESSIVE, 1.01), 1)).toBeCloseTo(0.03, 12);
  });

  it('applies tension, continuity and bias', () => {
    const keys = (data: readonly [number, number, number]): FbxCurve =>
      curveOf([
        { time: 0, value: 0, flags: CUBIC },
        { time: 1, value: 1, flags: CUBIC | TCB, data },
        { time: 2, value: 5, flags: CUBIC },
      ]);
    expect(slopeAfter(keys([0, 0, 0]), 1)).toBeCloseTo(2.5, 12);
    expect(slopeAfter(keys([1, 0, 0]), 1)).toBeCloseTo(0, 12);
    expect(slopeAfter(keys([0, 0, 1]), 1)).toBeCloseTo(1, 12);
    expect(slopeAfter(keys([0, 1, 0]), 1)).toBeCloseTo(1, 12);
  });

  describe('ends as in the FBX SDK, which read the slopes below', () => {
    const keys = (first: Partial<Key>, second: Partial<Key>, third: Partial<Key> = second): FbxCurve =>
      curveOf([
        { time: 0, value: 0, flags: LINEAR, ...first },
        { time: 0.303, value: 10, flags: LINEAR, ...second },
        { time: 0.603, value: 13, flags: LINEAR, ...third },
        { time: 1, value: 5, flags: LINEAR, ...second },
      ]);

    it('an automatic interval at a linear or constant key, by the mode of its first key', () => {
      for (const flags of [LINEAR, CONSTANT]) {
        const ends = (flag: number, data: Key['data'] = [0, 0, 0]): number[] => {
          const curve = keys({ flags: CUBIC | flag, data }, { flags }, { flags: CUBIC | flag, data });
          return [slopeBefore(curve, 1), slopeBefore(curve, 3)].map((slope) => Math.round(1000 * slope) / 1000);
        };
        expect(ends(0)).toEqual([21.502, -20.151]);
        expect(ends(0, [50, -30, 0])).toEqual([18.051, -20.151]);
        expect(ends(TIME_INDEPENDENT)).toEqual([21.559, -20.151]);
        expect(ends(TIME_INDEPENDENT | CLAMP_PROGRESSIVE)).toEqual([21.559, 0]);
      }
    });

    it('a TCB interval at a key with a slope of its own, and at a broken one by tension, continuity and bias', () => {
      const tcb: Partial<Key> = { flags: CUBIC | TCB, data: [0.3, 0.2, 0.5] };
      const user = CUBIC | USER;
      expect(slopeBefore(keys(tcb, { flags: LINEAR }), 1)).toBeCloseTo(10, 3);
      expect(slopeBefore(keys(tcb, { flags: user, data: [30, -20, 0] }), 1)).toBeCloseTo(30, 3);
      expect(slopeBefore(keys(tcb, { flags: user | BREAK, data: [30, -20, 0] }), 1)).toBeCloseTo(15.961, 3);
      expect(slopeBefore(keys(tcb, { flags: LINEAR }, tcb), 3)).toBeCloseTo(0, 3);
    });

    it('a TCB interval at a linear key, also where its first key is flagged as one with slopes of its own', () => {
      const end = (flags: number): number =>
        slopeBefore(keys({ flags: CUBIC | TCB | flags, data: [0.3, 0.2, 0.5] }, { flags: LINEAR }), 1);
      expect(end(USER)).toBe(end(0));
    });

    it('a biased interval at a time-independent key, as at one that is not', () => {
      const user: Partial<Key> = { flags: CUBIC | USER, data: [30, -20, 0] };
      const next = keys(user, { flags: CUBIC | TIME_INDEPENDENT }, { flags: LINEAR });
      expect([slopeBefore(next, 1), slopeAfter(next, 1)]).toEqual([
        expect.closeTo(19.201, 3),
        expect.closeTo(21.559, 3),
      ]);
    });
  });

  // It ends automatic and TCB intervals flat at keys of other kinds, and ignores biases of time-independent keys; the FBX SDK does not.
  it('agrees with Babylon.js for all tangent modes', () => {
    const key = fc.record({
      step: fc.double({ min: 0.05, max: 2, noNaN: true }),
      value: fc.oneof(fc.double({ min: -5, max: 5, noNaN: true }), fc.constantFrom(0, 1)),
      flags: fc
        .tuple(
          fc.constantFrom(CONSTANT, LINEAR, CUBIC, CUBIC, CUBIC | USER, CUBIC | TCB),
          fc.subarray([CLAMP, CLAMP_PROGRESSIVE, TIME_INDEPENDENT]),
        )
        .map(([kind, more]) => more.reduce((all, flag) => all | flag, kind)),
      data: fc.tuple(
        fc.double({ min: -700, max: 700, noNaN: true }),
        fc.double({ min: -700, max: 700, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
      ),
    });
    const isUnbiased = (one?: { readonly flags: number }): boolean =>
      one !== undefined &&
      (one.flags & (CUBIC | USER | TCB | TIME_INDEPENDENT | CLAMP_PROGRESSIVE)) === (CUBIC | TIME_INDEPENDENT);
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 6 }), (drawn) => {
        let time = 0;
        const keys = drawn.map(({ step, data: [right, left, third], ...rest }, k) => {
          time += step;
          const data = [isUnbiased(drawn[k]) ? 0 : right, isUnbiased(drawn[k + 1]) ? 0 : left, third] as const;
          return { ...rest, data, time: Math.round(time * 46186158000) / 46186158000 };
        });
        const ticks = keys.map((one) => one.time * 46186158000);
        const theirs = buildKeyframes(
          ticks,
          keys.map(({ value }) => value),
          (k) => ({ flags: keys[k].flags, data: [...keys[k].data, 0] }),
        );
        const { handles, times, values } = curveOf(keys);
        for (let k = 0; k + 1 < keys.length; k++) {
          const length = times[k + 1] - times[k];
          const scale = BABYLON_WEIGHTS * (1 + Math.abs(handles[k * 4 + 1]) + Math.abs(handles[k * 4 + 3]));
          // Handles of segments that are not cubic count for nothing.
          if (!(keys[k].flags & CUBIC)) continue;
          expect(Math.abs(handles[k * 4] - theirs[k].rightDx / length)).toBeLessThan(BABYLON_WEIGHTS);
          expect(Math.abs(handles[k * 4 + 1] - values[k] - theirs[k].rightDy)).toBeLessThan(scale);
          const hasSlope = keys[k].flags & USER || (keys[k + 1].flags & CUBIC && !(keys[k + 1].flags & USER));
          if (!hasSlope) continue;
          expect(Math.abs(1 - handles[k * 4 + 2] - theirs[k + 1].leftDx / length)).toBeLessThan(BABYLON_WEIGHTS);
          expect(Math.abs(values[k + 1] - handles[k * 4 + 3] - theirs[k + 1].leftDy)).toBeLessThan(scale);
        }
      }),
      { seed: 3, numRuns: lawRuns(1000) },
    );
  });
});
