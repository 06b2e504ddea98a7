/** Writes the numbers of arrays as bytes: a string per number would take several times as long. */
import { serializeDouble, serializeFloat } from './serialize-number.ts';

export const LONGEST_NUMBER = 32;

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The powers of ten that doubles hold exactly. */
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Sizes of the floats that are written by arithmetic. */
const LEAST_SIZE = 1e-12;
const GREATEST_SIZE = 1e6;
/** Smaller numbers are written with an exponent. */
const LEAST_WITHOUT_EXPONENT = 1e-6;
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;
/** A product that is this close to the middle of two integers may have been rounded across it. */
const MIDDLE = 1e-6;

export function writeText(out: Uint8Array, at: number, text: string): number {
  for (let k = 0; k < text.length; k++) out[at + k] = text.charCodeAt(k);
  return at + text.length;
}

/** Writes a positive integer with a point before its last `decimals` digits. */
function writeDecimal(out: Uint8Array, at: number, integer: number, decimals: number): number {
  let rest = integer;
  let left = decimals;
  while (left > 0 && rest % 10 === 0) {
    rest /= 10;
    left--;
  }
  let count = 1;
  while (POWERS_OF_TEN[count] <= rest) count++;
  count = Math.max(count, left + 1);
  const end = at + count + (left > 0 ? 1 : 0);
  for (let k = 0, to = end - 1; k < count; k++) {
    if (k === left && k > 0) out[to--] = POINT;
    const next = Math.floor(rest / 10);
    out[to--] = ZERO + rest - 10 * next;
    rest = next;
  }
  return end;
}

/**
 * Writes a float between {@link LEAST_SIZE} and {@link GREATEST_SIZE} by arithmetic. A decimal of up to 9 digits is an integer divided by a power of
 * ten, both exact, so that the quotient is the double that the decimal reads as. Returns −1 where arithmetic cannot tell.
 */
function writeShortest(out: Uint8Array, at: number, size: number): number {
  // Digits before the point; zeros after the point count as negative.
  let before = 0;
  if (size >= 1) while (size >= POWERS_OF_TEN[before]) before++;
  else while (size * POWERS_OF_TEN[1 - before] < 1) before--;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const power = POWERS_OF_TEN[digits - before];
    const scaled = size * power;
    const whole = Math.floor(scaled);
    const fraction = scaled - whole;
    if (Math.abs(fraction - 0.5) < MIDDLE) return -1;
    const integer = fraction < 0.5 ? whole : whole + 1;
    const short = integer / power;
    if (Math.fround(short) !== size) continue;
    if (short >= LEAST_WITHOUT_EXPONENT) return writeDecimal(out, at, integer, digits - before);
    // Rounded up to a power of ten, the integer has a digit more.
    const more = integer === POWERS_OF_TEN[digits] ? 1 : 0;
    return writeText(out, writeDecimal(out, at, integer, digits - 1 + more), `e${before - 1 + more}`);
  }
  return -1;
}

/** Writes an integer, or a float of the usual sizes; returns −1 for other numbers. */
function writeUsual(out: Uint8Array, at: number, value: number, isFloat: boolean): number {
  const size = Math.abs(value);
  if (!(size < GREATEST_SIZE)) return -1;
  let to = at;
  if (value < 0 || Object.is(value, -0)) out[to++] = MINUS;
  if (Number.isInteger(size)) return writeDecimal(out, to, size, 0);
  return isFloat && size >= LEAST_SIZE ? writeShortest(out, to, size) : -1;
}

export function writeFloat(out: Uint8Array, at: number, value: number): number {
  const end = writeUsual(out, at, value, true);
  return end >= 0 ? end : writeText(out, at, serializeFloat(value));
}

export function writeDouble(out: Uint8Array, at: number, value: number): number {
  const end = writeUsual(out, at, value, false);
  return end >= 0 ? end : writeText(out, at, serializeDouble(value));
}
