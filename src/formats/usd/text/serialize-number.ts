/** Numbers of USD texts, as OpenUSD spells them: the fewest digits that give the same number of their type again. */

/** JavaScript spells out all digits up to 1e21, OpenUSD up to 1e15. */
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

/** A double: the digits of JavaScript, which are the shortest. */
export function serializeDouble(value: number): string {
  return Number.isFinite(value) ? serializeFinite(value) : serializeNonFinite(value);
}

/** Below it, floats have fewer digits than others. */
const LEAST_NORMAL_FLOAT = 2 ** -126;

/** A float: the fewest digits that round to it, 9 at most. Any decimal of 6 digits comes back as it was, so none but the tiniest need fewer tried. */
export function serializeFloat(value: number): string {
  if (!Number.isFinite(value)) return serializeNonFinite(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return serializeFinite(value);
  for (let digits = Math.abs(value) < LEAST_NORMAL_FLOAT ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return serializeFinite(short);
  }
  return serializeFinite(Number(value.toPrecision(9)));
}

/** A half: six digits at most, and an exponent of two digits below 1e-4, as OpenUSD has it; five digits would do. */
export function serializeHalf(value: number): string {
  if (!Number.isFinite(value)) return serializeNonFinite(value);
  if (value === 0) return serializeFinite(value);
  const short = Number(value.toPrecision(6));
  if (Math.abs(short) >= 1e-4) return serializeFinite(short);
  return short.toExponential().replace(/-(\d)$/, '-0$1');
}
