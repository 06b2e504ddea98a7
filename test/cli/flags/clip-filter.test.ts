import { expect, it } from 'vitest';
import { clipFilter } from '../../../src/cli/flags/clip-filter.ts';

const CLIPS = ['idle', 'walk', 'run', '1'];

function taken(selectors: readonly (string | number)[]): string[] {
  const wants = clipFilter(selectors);
  return CLIPS.filter((name, index) => wants(name, index));
}

it('clipFilter: accepts all clips without a selector', () => {
  expect(taken([])).toEqual(CLIPS);
});

it('clipFilter: accepts clips by name and by index, and always the first', () => {
  expect(taken(['run'])).toEqual(['idle', 'run']);
  expect(taken([2])).toEqual(['idle', 'run']);
  // Whether it is a name or an index is decided when all names are known.
  expect(taken(['1'])).toEqual(['idle', 'walk', '1']);
  expect(taken(['nothing'])).toEqual(['idle']);
});

it('clipFilter: accepts clips with generic names, because the file name may select them', () => {
  const wants = clipFilter(['walk']);
  expect(['idle', 'run', '', 'Take 001', 'mixamo.com'].map((name, k) => wants(name, k))).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});
