import { expect, it } from 'vitest';
import {
  count,
  dictionaryOf,
  figure,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  textLike,
} from '../../../src/batch/check/shape.ts';

interface Sample {
  readonly name: string;
  readonly size?: number;
  readonly tags: readonly (string | null)[];
}
const sample: Shape<Sample> = objectOf<Sample>({ name: text, size: optional(count), tags: listOf(orNull(text)) });

it('objectOf: copies known fields, leaves out others, and takes none from the prototype', () => {
  const value = JSON.parse('{"name":"a","tags":["b",null],"more":1,"__proto__":{"size":3}}');
  expect(sample(value, 'it')).toEqual({ name: 'a', tags: ['b', null] });
  expect(matching(sample, Object.create({ name: 'a', tags: [] }))).toBeNull();
});

it('shapes: say where a value is, what it is, and what was expected', () => {
  const reasons: readonly [value: unknown, reason: string][] = [
    [null, 'it is null; expected an object'],
    [[], 'it is a list; expected an object'],
    [{ tags: [] }, 'it.name is missing; expected text'],
    [{ name: 'a', size: -1, tags: [] }, 'it.size is -1; expected a count'],
    [{ name: 'a', size: 1e30, tags: [] }, 'it.size is 1e+30; expected a count'],
    [{ name: 'a', tags: {} }, 'it.tags is an object; expected a list'],
    [{ name: 'a', tags: ['b', 5] }, 'it.tags[1] is 5; expected text'],
    [{ name: 'a', tags: ['x'.repeat(200), {}] }, 'it.tags[1] is an object; expected text'],
  ];
  for (const [value, reason] of reasons) expect(() => sample(value, 'it')).toThrow(reason);
  expect(() => oneOf(['a', 'b'])('c'.repeat(500), 'it')).toThrow(/^it is "c{79}…; expected one of a, b$/);
});

it('figure: takes every number, and null, which JSON has for those that are not finite, as 0', () => {
  expect([1.5, -1, null].map((value) => figure(value, 'it'))).toEqual([1.5, -1, 0]);
  expect([figure(Number.NaN, 'it'), matching(figure, '1')]).toEqual([Number.NaN, null]);
});

it('dictionaryOf and textLike: check every value', () => {
  const shape = dictionaryOf(textLike(/^\d+$/, 'digits'));
  expect(shape(JSON.parse('{"a":"1","__proto__":"2"}'), 'it')).toEqual(JSON.parse('{"a":"1","__proto__":"2"}'));
  expect([matching(shape, { a: 'x' }), matching(shape, [])]).toEqual([null, null]);
});
