import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOrderMap, remap } from '../../../src/core/skeleton/order-map.ts';

/** Remaps onto a target of zeros, or onto what is given. */
function remapped(
  source: string,
  target: string,
  values: number[],
  { stride = 1, out = Array(target.length * stride).fill(0), fallback = undefined as number[] | undefined } = {},
): number[] {
  const buffer = Float64Array.from(out);
  remap(planOrderMap([...source], [...target]), values, stride, buffer, fallback);
  return [...buffer];
}

describe('planOrderMap', () => {
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
  ])('the map of %j to %j is %s', (source, target, kind, offset) => {
    const map = planOrderMap([...source], [...target]);
    expect([map.kind, map.offset, map.sourceCount, map.targetCount]).toEqual([
      kind,
      offset,
      source.length,
      target.length,
    ]);
  });

  it('is plain data', () => {
    const map = planOrderMap(['c', 'a'], ['a', 'b', 'c']);
    expect(structuredClone(map)).toEqual(map);
    expect([...map.places]).toEqual([2, 0]);
  });

  it('does not trip over names of object properties', () => {
    expect(remapped('x', 'y', [1])).toEqual([0]);
    const map = planOrderMap(['constructor', '__proto__'], ['__proto__', 'b']);
    expect([...map.places]).toEqual([-1, 0]);
  });
});

describe('remap', () => {
  it('brings values to their places', () => {
    expect(remapped('abc', 'abc', [1, 2, 3])).toEqual([1, 2, 3]);
    expect(remapped('bc', 'abcd', [1, 2])).toEqual([0, 1, 2, 0]);
    expect(remapped('ca', 'abc', [1, 2])).toEqual([2, 0, 1]);
    expect(remapped('xb', 'abc', [1, 2])).toEqual([0, 2, 0]);
  });

  it('moves values of several floats as one', () => {
    expect(remapped('ca', 'abc', [1, 2, 3, 4], { stride: 2 })).toEqual([3, 4, 0, 0, 1, 2]);
    expect(remapped('b', 'ab', [1, 2], { stride: 2 })).toEqual([0, 0, 1, 2]);
  });

  it('lets what was there show through, or lays a fallback in', () => {
    expect(remapped('ca', 'abc', [1, 2], { out: [7, 8, 9] })).toEqual([2, 8, 1]);
    expect(remapped('bc', 'abcd', [1, 2], { out: [6, 7, 8, 9] })).toEqual([6, 1, 2, 9]);
    expect(remapped('xy', 'ab', [1, 2], { out: [7, 8] })).toEqual([7, 8]);
    expect(remapped('ca', 'abc', [1, 2], { out: [7, 8, 9], fallback: [5] })).toEqual([2, 5, 1]);
    expect(remapped('b', 'ab', [1, 2], { stride: 2, fallback: [5, 6] })).toEqual([5, 6, 1, 2]);
    expect(remapped('xy', 'ab', [1, 2], { fallback: [5] })).toEqual([5, 5]);
  });

  it('fills in what a short source has', () => {
    expect(remapped('abc', 'abc', [1, 2])).toEqual([1, 2, 0]);
    expect(remapped('abc', 'abc', [1, 2], { fallback: [5] })).toEqual([1, 2, 5]);
    expect(remapped('cba', 'abc', [1])).toEqual([0, 0, 1]);
    expect(remapped('ab', 'ab', [1, 2, 3], { stride: 2 })).toEqual([1, 2, 0, 0]);
  });

  it('sends the values of equal names to the last place', () => {
    expect(remapped('ba', 'aba', [1, 2])).toEqual([0, 1, 2]);
    expect(remapped('a', 'aba', [1])).toEqual([1, 0, 0]);
    expect(remapped('ca', 'abac', [1, 2])).toEqual([0, 0, 2, 1]);
  });

  it('gives every target name the value of its source name, by whatever path', () => {
    const names = fc.shuffledSubarray([...'abcdefgh']);
    const property = fc.property(names, names, (source, target) => {
      const out = new Float64Array(target.length).fill(-1);
      const values = source.map((name) => name.charCodeAt(0));
      remap(planOrderMap(source, target), values, 1, out);
      expect([...out]).toEqual(target.map((name) => (source.includes(name) ? name.charCodeAt(0) : -1)));
    });
    fc.assert(property, { seed: 12, numRuns: 500 });
  });
});
