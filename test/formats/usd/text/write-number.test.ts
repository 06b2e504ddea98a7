import { expect, it } from 'vitest';
import { makeRandom } from '../../../../src/demo/random.ts';
import { serializeDouble, serializeFloat } from '../../../../src/formats/usd/text/serialize-number.ts';
import { LONGEST_NUMBER, writeDouble, writeFloat, writeText } from '../../../../src/formats/usd/text/write-number.ts';
import { lawRuns } from '../../../support/law-runs.ts';

function textOf(write: (out: Uint8Array, at: number) => number): string {
  const out = new Uint8Array(3 + LONGEST_NUMBER);
  const end = write(out, 3);
  expect(end).toBeLessThanOrEqual(out.length);
  return new TextDecoder().decode(out.subarray(3, end));
}

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  10,
  999_999,
  1e6,
  -1e6,
  1e15,
  1e21,
  0.1,
  1e-6,
  1e-7,
  9.9999997e-7,
  0.5,
  1 / 3,
  2 ** -149,
];

it('writeFloat: equals serializeFloat for all sizes and special values', () => {
  const random = makeRandom(20);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const isEqual = (): boolean => textOf((out, at) => writeFloat(out, at, float[0])) === serializeFloat(float[0]);
  for (const value of [...SPECIAL, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    float[0] = value;
    expect(isEqual(), String(value)).toBe(true);
  }
  for (let run = lawRuns(200_000); run > 0; run--) {
    // Half of them have the sizes of animations; some of those have few bits, and so are in the middle of two decimals.
    const size = (random() < 0.5 ? -1 : 1) * 10 ** (20 * random() - 13);
    if (run % 2 === 0) bits[0] = 2 ** 32 * random();
    else float[0] = run % 4 === 1 ? size : Math.round(size * 1024) / 1024;
    if (!isEqual()) expect.fail(`${float[0]} is written as ${textOf((out, at) => writeFloat(out, at, float[0]))}`);
  }
});

it('writeDouble: equals serializeDouble', () => {
  const random = makeRandom(21);
  const values = Array.from({ length: lawRuns(5000) }, () => (random() - 0.5) * 10 ** (40 * random() - 20));
  for (const value of [...SPECIAL, ...values, ...values.map(Math.round), Number.NaN, Number.NEGATIVE_INFINITY])
    expect(textOf((out, at) => writeDouble(out, at, value))).toBe(serializeDouble(value));
});

it('writeText: writes ASCII and returns the index after it', () => {
  const out = new Uint8Array(4);
  expect(writeText(out, 1, '), ')).toBe(4);
  expect([...out]).toEqual([0, 41, 44, 32]);
});
