import { describe, expect, it } from 'vitest';
import {
  attributeValue,
  defaultValueLayer,
  hasAuthoredValue,
  mergeTimes,
  timeSamplesOf,
} from '../../../../src/formats/usd/stage/attribute-values.ts';
import { plain, stageOf } from './scene.ts';

describe('attributeValue', () => {
  it('prefers samples over the default of the same layer at times, and ignores them at the default time', () => {
    const stage = stageOf('def "A" { double a = 5\n double a.timeSamples = { 0: 0, 10: 10 } }');
    expect([plain(stage, '/A', 'a'), plain(stage, '/A', 'a', 4), plain(stage, '/A', 'a', 99)]).toEqual([5, 4, 10]);
    expect(plain(stageOf('def "A" { double a.timeSamples = { 0: 1 } }'), '/A', 'a')).toBeNull();
  });

  it('prefers a default of a stronger layer over samples of a weaker one', () => {
    const stage = stageOf('(subLayers = [@w@])\nover "A" { double a = 5 }', {
      w: 'def "A" { double a.timeSamples = { 0: 1 } }',
    });
    expect(plain(stage, '/A', 'a', 0)).toBe(5);
    expect(timeSamplesOf(stage, '/A', 'a')).toHaveLength(0);
  });

  it('returns null if the strongest opinion is a block', () => {
    const stage = stageOf('(subLayers = [@w@])\nover "A" { double a = None }', {
      w: 'def "A" { double a = 1\n double b = 1 }',
    });
    expect([
      plain(stage, '/A', 'a'),
      plain(stage, '/A', 'b'),
      plain(stage, '/A', 'c'),
      plain(stage, '/B', 'a'),
    ]).toEqual([null, 1, null, null]);
    expect(['a', 'b', 'c'].map((name) => hasAuthoredValue(stage, '/A', name))).toEqual([false, true, false]);
  });

  it('applies layer offsets and rates of all arcs', () => {
    const stage = stageOf('(subLayers = [@s@ (offset = 100)])', {
      s: 'def "A" (references = @r@</R> (offset = 10; scale = 2)) {}',
      r: '(timeCodesPerSecond = 48)\ndef "R" { double a.timeSamples = { 0: 0, 10: 10 }\n timecode t = 4 }',
    });
    expect([...timeSamplesOf(stage, '/A', 'a')]).toEqual([110, 120]);
    expect([plain(stage, '/A', 'a', 110), plain(stage, '/A', 'a', 115), plain(stage, '/A', 'a', 120)]).toEqual([
      0, 5, 10,
    ]);
    expect(plain(stage, '/A', 't')).toBe(114);
  });

  it('reverses samples for a negative scale', () => {
    const stage = stageOf('def "A" (references = @r@</R> (scale = -1)) {}', {
      r: 'def "R" { double a.timeSamples = { 0: 0, 10: 10 } }',
    });
    expect([...timeSamplesOf(stage, '/A', 'a')]).toEqual([-10, 0]);
    expect(plain(stage, '/A', 'a', -4)).toBe(4);
  });

  it('shares the arrays of layers between all prims that reference them', () => {
    const stage = stageOf('def "A" (references = @r@</R>) {}\ndef "B" (references = @r@</R>) {}', {
      r: 'def "R" { point3f[] points = [(1, 2, 3)] }',
    });
    const numbers = ['/A', '/B'].map((path) => {
      const value = attributeValue(stage, path, 'points', 'default');
      return value !== null && 'numbers' in value ? value.numbers : null;
    });
    expect(numbers[0]).not.toBeNull();
    expect(numbers[0]).toBe(numbers[1]);
  });

  it('keeps the previous sample between samples if the stage is opened with interpolation `held`', () => {
    const stage = stageOf('def "A" { double a.timeSamples = { 0: 0, 10: 10 } }', {}, { interpolation: 'held' });
    expect(plain(stage, '/A', 'a', 9)).toBe(0);
  });
});

describe('defaultValueLayer', () => {
  it('returns the layer of the strongest default', () => {
    const stage = stageOf('(subLayers = [@w@])\nover "A" { asset b = @b.png@\n asset c = None }', {
      w: 'def "A" (references = @r@</R>) { asset b = @x@\n asset c = @x@ }',
      r: 'def "R" { asset a = @a.png@\n asset b = @y@\n double d.timeSamples = { 0: 1 } }',
    });
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => defaultValueLayer(stage, '/A', name))).toEqual([
      'r',
      'root.usda',
      null,
      null,
      null,
    ]);
    expect(defaultValueLayer(stage, '/B', 'a')).toBeNull();
  });
});

describe('mergeTimes', () => {
  it('merges to ascending times, each once, and returns a single list itself', () => {
    const a = Float64Array.of(1, 3, 5);
    expect(mergeTimes([])).toEqual(new Float64Array(0));
    expect(mergeTimes([new Float64Array(0), a, a])).toBe(a);
    expect(mergeTimes([a, Float64Array.of(-1, 3, 4)])).toEqual(Float64Array.of(-1, 1, 3, 4, 5));
    expect(a).toEqual(Float64Array.of(1, 3, 5));
  });
});
