import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJointMapper, mapJoints } from '../../../src/core/skeleton/joint-mapper.ts';
import { lawRuns } from '../../support/law-runs.ts';

/** Maps values to a target of zeros, or to `out`. */
function remapped(
  source: string,
  target: string,
  values: number[],
  { stride = 1, out = Array(target.length * stride).fill(0), fallback = undefined as number[] | undefined } = {},
): number[] {
  const buffer = Float64Array.from(out);
  mapJoints(createJointMapper([...source], [...target]), values, stride, buffer, fallback);
  return [...buffer];
}

describe('createJointMapper', () => {
  it.each([
    ['abc', 'abc', 'identity', 0],
    ['bc', 'abcd', 'ordered', 1],
    ['ab', 'abcd', 'ordered', 0],
    ['ca', 'abc', 'sparse', 0],
    ['bx', 'abc', 'sparse', 0],
    ['cd', 'abc', 'sparse', 0],
    ['xy', 'abc', 'null', 0],
    ['', 'abc', 'null', 0],
    ['abc', '', 'null', 0],
    ['', '', 'null', 0],
  ])('maps %j to %j: kind %s', (source, target, kind, offset) => {
    const mapper = createJointMapper([...source], [...target]);
    expect([mapper.kind, mapper.offset, mapper.sourceCount, mapper.targetCount]).toEqual([
      kind,
      offset,
      source.length,
      target.length,
    ]);
  });

  it('returns plain data', () => {
    const mapper = createJointMapper(['c', 'a'], ['a', 'b', 'c']);
    expect(structuredClone(mapper)).toEqual(mapper);
    expect([...mapper.targetIndices]).toEqual([2, 0]);
  });

  it('accepts joint names that are properties of every object', () => {
    expect(remapped('x', 'y', [1])).toEqual([0]);
    const mapper = createJointMapper(['constructor', '__proto__'], ['__proto__', 'b']);
    expect([...mapper.targetIndices]).toEqual([-1, 0]);
  });
});

describe('mapJoints', () => {
  it('copies values to their target indices', () => {
    expect(remapped('abc', 'abc', [1, 2, 3])).toEqual([1, 2, 3]);
    expect(remapped('bc', 'abcd', [1, 2])).toEqual([0, 1, 2, 0]);
    expect(remapped('ca', 'abc', [1, 2])).toEqual([2, 0, 1]);
    expect(remapped('xb', 'abc', [1, 2])).toEqual([0, 2, 0]);
  });

  it('copies values of several floats', () => {
    expect(remapped('ca', 'abc', [1, 2, 3, 4], { stride: 2 })).toEqual([3, 4, 0, 0, 1, 2]);
    expect(remapped('b', 'ab', [1, 2], { stride: 2 })).toEqual([0, 0, 1, 2]);
  });

  it('keeps former values of unmapped joints, or writes the fallback', () => {
    expect(remapped('ca', 'abc', [1, 2], { out: [7, 8, 9] })).toEqual([2, 8, 1]);
    expect(remapped('bc', 'abcd', [1, 2], { out: [6, 7, 8, 9] })).toEqual([6, 1, 2, 9]);
    expect(remapped('xy', 'ab', [1, 2], { out: [7, 8] })).toEqual([7, 8]);
    expect(remapped('ca', 'abc', [1, 2], { out: [7, 8, 9], fallback: [5] })).toEqual([2, 5, 1]);
    expect(remapped('b', 'ab', [1, 2], { stride: 2, fallback: [5, 6] })).toEqual([5, 6, 1, 2]);
    expect(remapped('xy', 'ab', [1, 2], { fallback: [5] })).toEqual([5, 5]);
  });

  it('maps the values of a short source', () => {
    expect(remapped('abc', 'abc', [1, 2])).toEqual([1, 2, 0]);
    expect(remapped('abc', 'abc', [1, 2], { fallback: [5] })).toEqual([1, 2, 5]);
    expect(remapped('cba', 'abc', [1])).toEqual([0, 0, 1]);
    expect(remapped('ab', 'ab', [1, 2, 3], { stride: 2 })).toEqual([1, 2, 0, 0]);
  });

  it('maps a repeated target name to its last index', () => {
    expect(remapped('ba', 'aba', [1, 2])).toEqual([0, 1, 2]);
    expect(remapped('a', 'aba', [1])).toEqual([1, 0, 0]);
    expect(remapped('ca', 'abac', [1, 2])).toEqual([0, 0, 2, 1]);
  });

  it('gives every target name the value of the same source name, for every kind of mapper', () => {
    const names = fc.shuffledSubarray([...'abcdefgh']);
    const property = fc.property(names, names, (source, target) => {
      const out = new Float64Array(target.length).fill(-1);
      const values = source.map((name) => name.charCodeAt(0));
      mapJoints(createJointMapper(source, target), values, 1, out);
      expect([...out]).toEqual(target.map((name) => (source.includes(name) ? name.charCodeAt(0) : -1)));
    });
    fc.assert(property, { seed: 12, numRuns: lawRuns(500) });
  });
});
