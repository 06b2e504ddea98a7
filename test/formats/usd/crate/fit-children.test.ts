import { expect, it } from 'vitest';
import { fitChildren } from '../../../../src/formats/usd/crate/fit-children.ts';
import type { FieldValue } from '../../../../src/formats/usd/layer/layer.ts';

const names = (...all: string[]): FieldValue => ({ type: 'names', names: all });

it.each([
  ['primChildren', names('A', 'a:b', '', 'A'), names('A')],
  ['properties', names('x', 'a:b', '', 'x', 'a b'), names('x', 'a:b')],
  ['variantSetChildren', names('look', '1'), names('look')],
  ['variantChildren', names('red', '.a', '1', '', ';-)'), names('red', '.a', '1')],
])('fitChildren: leaves out invalid and repeated names of %s', (field, value, expected) => {
  expect(fitChildren(field, value)).toEqual(expected);
});

it('fitChildren: returns valid lists, and values of other fields, as they are', () => {
  const [valid, others] = [names('A', 'B'), names('', '')];
  expect(fitChildren('primChildren', valid)).toBe(valid);
  expect(fitChildren('allowedTokens', others)).toBe(others);
});
