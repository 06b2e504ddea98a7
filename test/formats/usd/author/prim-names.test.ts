import { describe, expect, it } from 'vitest';
import { primName, unusedName } from '../../../../src/formats/usd/author/prim-names.ts';

describe('primName', () => {
  it.each([
    ['Skin', 'Skin'],
    ['mixamorig:Hips', 'mixamorig_Hips'],
    ['a / b.png', 'a_b_png'],
    ['1st', '_1st'],
    ['_', 'Fallback'],
    ['', 'Fallback'],
    ['顔', 'Fallback'],
    ['顔_2', '__2'],
  ])('converts %j to %j', (name, expected) => {
    expect(primName(name, 'Fallback')).toBe(expected);
  });
});

describe('unusedName', () => {
  it('appends the lowest number that makes a name unique', () => {
    const taken = new Set(['a_1']);
    expect(['a', 'a', 'a', 'a_1'].map((name) => unusedName(name, taken))).toEqual(['a', 'a_2', 'a_3', 'a_1_1']);
  });
});
