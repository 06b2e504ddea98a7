/** The answer of a check: why something is not valid, each reason a sentence. Valid when there is none. */
export interface Validity {
  readonly valid: boolean;
  readonly reasons: readonly string[];
}

/** Reasons that are kept of a check; the rest is counted, so that a large broken file does not make a huge report. */
const REASON_LIMIT = 20;

/** The answer with these reasons; the first twenty in words. */
export function validity(reasons: readonly string[]): Validity {
  const kept = reasons.slice(0, REASON_LIMIT);
  if (reasons.length > REASON_LIMIT) kept.push(`and ${reasons.length - REASON_LIMIT} more`);
  return { valid: reasons.length === 0, reasons: kept };
}
