import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { evaluateCurve, type FbxCurve, SEGMENT } from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { readLegacyCurve } from '../../../../src/formats/fbx/animation/read-legacy-curve.ts';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { rec } from '../fbx-bytes.ts';

const SECOND = 46186158000;

function read(keys: readonly FbxProperty[], version = 4005): { curve: FbxCurve | null; faults: string[] } {
  const faults: IssueTally = new Map();
  const channel = rec('Channel', ['X'], [rec('Default', [0]), rec('KeyVer', [version]), rec('Key', keys)]);
  return { curve: readLegacyCurve(channel, SECOND, faults), faults: [...faults.keys()] };
}

describe('readLegacyCurve', () => {
  it('reads linear, constant and cubic keys with the slopes of the file', () => {
    const { curve, faults } = read([
      ...[0, 1, 'L'],
      ...[SECOND, 2, 'C', 'n'],
      ...[2 * SECOND, 3, 'C', 's'],
      ...[3 * SECOND, 4, 'U', 's', 6, -3, 'n'],
      ...[4 * SECOND, 5, 'L'],
    ]);
    expect(faults).toEqual([]);
    expect([...curve!.times]).toEqual([0, 1, 2, 3, 4]);
    expect([...curve!.values]).toEqual([1, 2, 3, 4, 5]);
    const { LINEAR, CONSTANT, CONSTANT_NEXT, CUBIC } = SEGMENT;
    expect([...curve!.segments]).toEqual([LINEAR, CONSTANT_NEXT, CONSTANT, CUBIC, LINEAR]);
    // Slopes 6 and −3 over thirds of a second.
    expect(curve!.handles[13]).toBeCloseTo(6, 12);
    expect(curve!.handles[15]).toBeCloseTo(6, 12);
  });

  it('reads weights, letters as character codes, and the list as one array', () => {
    const code = (letter: string): number => letter.charCodeAt(0);
    const keys = [0, 0, code('U'), code('b'), 1, 1, code('a'), 0.25, 0.5, SECOND, 1, code('L')];
    for (const list of [keys, [Float64Array.from(keys)]]) {
      const { curve, faults } = read(list);
      expect(faults).toEqual([]);
      expect([curve!.handles[0], curve!.handles[2]]).toEqual([0.25, 0.5]);
    }
    const one = read([0, 0, 'U', 's', 1, 1, 'r', 0.1, SECOND, 1, 'U', 's', 1, 1, 'l', 0.2, 2 * SECOND, 1, 'L']).curve!;
    expect(one.handles[0]).toBe(0.1);
    expect(one.handles[2]).toBeCloseTo(2 / 3, 12);
    expect(one.handles[6]).toBeCloseTo(0.8, 12);
  });

  it('reads automatic slopes, which stay between the neighbors, and skips the numbers after the letter', () => {
    const lists: FbxProperty[][] = [
      ['a', 'n'],
      ['p', 7, 7, 'n', 'n'],
      ['q', 7, 7, 'n', 'c'],
      ['t', 7, 7, 7],
      ['d', 7, 'n'],
    ];
    for (const list of lists) {
      const { curve, faults } = read([0, 0, 'U', ...list, SECOND, 1, 'U', ...list, 2 * SECOND, 2, 'L']);
      expect(faults).toEqual([]);
      // Slope 1 at the middle key, none before the linear one.
      expect(evaluateCurve(curve!, 1.5)).toBeCloseTo(1.625, 12);
      for (let time = 0; time < 2; time += 0.1) expect(evaluateCurve(curve!, time)).toBeLessThanOrEqual(2);
    }
  });

  it('reads the number counts of older versions', () => {
    expect(read([0, 0, 'C', SECOND, 1, 'L'], 4003)).toMatchObject({ faults: [], curve: { times: { length: 2 } } });
    expect(read([0, 0, 'U', 's', 1, 1, SECOND, 1, 'L'], 4003).curve!.times.length).toBe(2);
    expect(read([0, 0, 'U', 's', 1, 1, 'n', SECOND, 1, 'L'], 4002).curve!.times.length).toBe(2);
    expect(read([0, 0, 'U', 'a', SECOND, 1, 'L'], 4004).curve!.times.length).toBe(2);
  });

  it('ends at unknown forms and incomplete keys', () => {
    const fault = ['have keys of an unknown form; the remaining keys were left out'];
    for (const rest of [
      ['X'],
      ['U', 'z'],
      ['U', 's', 1],
      ['U', 's', 1, 1, 'x'],
      ['U'],
      [true],
      [],
      ['U', 's', 1, 1, 'a'],
    ]) {
      const { curve, faults } = read([0, 5, 'L', SECOND, 1, ...rest]);
      expect([...curve!.values]).toEqual([5]);
      expect(faults).toEqual(fault);
    }
    expect(read([0]).curve).toBeNull();
    expect(readLegacyCurve(rec('Channel', ['X']), SECOND, new Map())).toBeNull();
  });

  it('returns finite numbers for any list', () => {
    const cell = fc.oneof(
      fc.double(),
      fc.constantFrom('U', 'C', 'L', 's', 'n', 'a', 'p', 't'),
      fc.bigInt(),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 60 }), fc.constantFrom(0, 4003, 4004, 4005), (keys, version) => {
        const { curve } = read(keys, version);
        if (curve === null) return;
        for (let k = 1; k < curve.times.length; k++) expect(curve.times[k]).toBeGreaterThan(curve.times[k - 1]);
        for (const values of [curve.times, curve.values]) expect(values.every(Number.isFinite)).toBe(true);
      }),
      { seed: 5, numRuns: lawRuns(500) },
    );
  });
});
