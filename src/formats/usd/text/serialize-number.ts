/** Serializes numbers as OpenUSD does: with the fewest digits that read back as the same number of their type. */

/** OpenUSD writes an exponent from here on, JavaScript only from 1e21 on. */
const LEAST_EXPONENTIAL = 1e15;

function serializeFinite(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size < LEAST_EXPONENTIAL || size >= 1e21) return String(value).replace('e+', 'e');
  return value.toExponential().replace('e+', 'e');
}

function serializeNonFinite(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/** Serializes a double. JavaScript finds the shortest digits. */
export function serializeDouble(value: number): string {
  return Number.isFinite(value) ? serializeFinite(value) : serializeNonFinite(value);
}

/** Smaller floats are subnormal and have fewer digits. */
const LEAST_NORMAL_FLOAT = 2 ** -126;
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;

/**
 * Serializes a float with the fewest digits that round to it, 9 at most. Six digits always survive a round trip, so only subnormal floats are tried
 * with fewer.
 */
export function serializeFloat(value: number): string {
  if (!Number.isFinite(value)) return serializeNonFinite(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return serializeFinite(value);
  for (let digits = Math.abs(value) < LEAST_NORMAL_FLOAT ? 1 : FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return serializeFinite(short);
  }
  return serializeFinite(Number(value.toPrecision(MOST_DIGITS)));
}

/** Serializes a half as OpenUSD does: with at most six digits (five would be enough), and with an exponent of two digits below 1e-4. */
export function serializeHalf(value: number): string {
  if (!Number.isFinite(value)) return serializeNonFinite(value);
  if (value === 0) return serializeFinite(value);
  const short = Number(value.toPrecision(6));
  if (Math.abs(short) >= 1e-4) return serializeFinite(short);
  return short.toExponential().replace(/-(\d)$/, '-0$1');
}
