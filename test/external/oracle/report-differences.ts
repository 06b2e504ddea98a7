/** Compares two reports. */
import { QUANTIZED_TWIN, QUANTIZED_TWIN_DEGREES } from '../../support/tolerances.ts';

/** Returns the paths of different values; numbers may differ by the tolerance of quantized twins. */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    const tolerance = path.includes('Degrees') ? QUANTIZED_TWIN_DEGREES : QUANTIZED_TWIN;
    return Math.abs(a - b) <= tolerance ? [] : [`${path}: ${a} and ${b}`];
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
    return a === b ? [] : [`${path}: ${a} and ${b}`];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => {
    return differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}/${key}`);
  });
}
