import type { FieldValue } from '../layer/layer.ts';
import { ARRAYS, formOf, type Numbers, type NumericValue, type TextValue } from '../layer/value.ts';

type NumericType = Exclude<NumericValue['type'], 'int64' | 'uint64'>;

/** Converts numbers to the array of a value type. */
function numbersFor(type: NumericType, numbers: ArrayLike<number>): Numbers {
  const array = ARRAYS[formOf(type)] as { from(numbers: ArrayLike<number>): Numbers };
  return array.from(numbers);
}

/**
 * Creates a single number or tuple: `single('float3', 1, 0, 0)`. `numbers`: the components; quaternions are xyzw, matrices row by row for row
 * vectors.
 */
export function single(type: NumericType, ...numbers: number[]): NumericValue {
  return { type, isArray: false, numbers: numbersFor(type, numbers) };
}

/**
 * Creates an array of numbers or tuples. `numbers`: the elements one after the other, copied; quaternions are xyzw, matrices row by row for row
 * vectors.
 */
export function arrayOf(type: NumericType, numbers: ArrayLike<number>): NumericValue {
  return { type, isArray: true, numbers: numbersFor(type, numbers) };
}

/** Removes NUL characters, which USD texts cannot contain but names of other formats can. */
function withoutNul(content: string): string {
  return content.includes('\0') ? content.replaceAll('\0', '') : content;
}

/** Creates a single token, string or asset path. */
export function text(type: TextValue['type'], content: string): TextValue {
  return { type, isArray: false, texts: [withoutNul(content)] };
}

/** Creates an array of tokens, strings or asset paths. */
export function texts(type: TextValue['type'], contents: readonly string[]): TextValue {
  return { type, isArray: true, texts: contents.map(withoutNul) };
}

/** Metadata of uniform attributes, which cannot have time samples. */
export const UNIFORM: Readonly<Record<string, FieldValue>> = { variability: { type: 'word', word: 'uniform' } };
