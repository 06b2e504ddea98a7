/** Converts half-precision floats (IEEE 754 binary16). */

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** Rounds a number to the nearest half, ties to even. */
export function halfBits(value: number): number {
  FLOAT[0] = value;
  const [bits] = BITS;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa === 0 ? 0 : 0x200 | (mantissa >>> 13));
  const shifted = exponent - 112;
  if (shifted >= 0x1f) return sign | 0x7c00;
  if (shifted <= 0) {
    if (shifted < -10) return sign;
    const whole = mantissa | 0x800000;
    const drop = 14 - shifted;
    return sign | roundOff(whole, drop);
  }
  // A mantissa that rounds up to 1.0 correctly carries into the exponent.
  return sign | ((shifted << 10) + roundOff(mantissa, 13));
}

/** Removes the lowest bits of an integer; rounds to nearest, ties to even. */
function roundOff(value: number, bits: number): number {
  const kept = value >>> bits;
  const rest = value & ((1 << bits) - 1);
  const tie = 1 << (bits - 1);
  return kept + (rest > tie || (rest === tie && (kept & 1) === 1) ? 1 : 0);
}

export function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >>> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0x1f) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

/** Rounds a number to the nearest half, ties to even. */
export function roundToHalf(value: number): number {
  return halfToNumber(halfBits(value));
}
