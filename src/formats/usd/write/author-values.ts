/** Values as layers keep them, from plain numbers and texts. */
import type { FieldValue } from '../layer/layer.ts';
import type { Numbers, NumericValue, TextValue } from '../layer/value.ts';

type NumericType = Exclude<NumericValue['type'], 'int64' | 'uint64'>;

/** Numbers of a stored type; halves are kept as floats. */
function numbersFor(type: NumericType, numbers: ArrayLike<number>): Numbers {
  if (type === 'bool' || type === 'uchar') return Uint8Array.from(numbers);
  if (type === 'uint') return Uint32Array.from(numbers);
  if (/^int[234]?$/.test(type)) return Int32Array.from(numbers);
  return /^double|^timecode|d$/.test(type) ? Float64Array.from(numbers) : Float32Array.from(numbers);
}

/** One number or tuple: `single('float3', 1, 0, 0)`. */
export function single(type: NumericType, ...numbers: number[]): NumericValue {
  return { type, isArray: false, numbers: numbersFor(type, numbers) };
}

/** An array of numbers or tuples, given one after the other. Quaternions are xyzw, matrices row by row for row vectors. Copies. */
export function arrayOf(type: NumericType, numbers: ArrayLike<number>): NumericValue {
  return { type, isArray: true, numbers: numbersFor(type, numbers) };
}

/** One token, string or asset path. */
export function text(type: TextValue['type'], content: string): TextValue {
  return { type, isArray: false, texts: [content] };
}

/** An array of tokens, strings or asset paths. */
export function texts(type: TextValue['type'], contents: readonly string[]): TextValue {
  return { type, isArray: true, texts: [...contents] };
}

/** Metadata of attributes that never change over time. */
export const UNIFORM: Readonly<Record<string, FieldValue>> = { variability: { type: 'word', word: 'uniform' } };
