/** Numbers of USD texts, as OpenUSD spells them: the fewest digits that give the same number of their type again. */

/** JavaScript spells out all digits up to 1e21, OpenUSD up to 1e15. */
const LEAST_EXPONENTIAL = 1e15;

function printFinite(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size < LEAST_EXPONENTIAL || size >= 1e21) return String(value).replace('e+', 'e');
  return value.toExponential().replace('e+', 'e');
}

function printSpecial(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/** A double: the digits of JavaScript, which are the shortest. */
export function printDouble(value: number): string {
  return Number.isFinite(value) ? printFinite(value) : printSpecial(value);
}

/** Below it, floats have fewer digits than others. */
const LEAST_NORMAL_FLOAT = 2 ** -126;

/** A float: the fewest digits that round to it, 9 at most. Any decimal of 6 digits comes back as it was, so none but the tiniest need fewer tried. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) return printSpecial(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return printFinite(value);
  for (let digits = Math.abs(value) < LEAST_NORMAL_FLOAT ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return printFinite(short);
  }
  return printFinite(Number(value.toPrecision(9)));
}

/** A half: six digits at most, and an exponent of two digits below 1e-4, as OpenUSD has it; five digits would do. */
export function printHalf(value: number): string {
  if (!Number.isFinite(value)) return printSpecial(value);
  if (value === 0) return printFinite(value);
  const short = Number(value.toPrecision(6));
  if (Math.abs(short) >= 1e-4) return printFinite(short);
  return short.toExponential().replace(/-(\d)$/, '-0$1');
}
