export interface Validity {
  readonly valid: boolean;
  /** Why the input is invalid, one clause each; after twenty, the last one counts the others. */
  readonly reasons: readonly string[];
}

/** Reasons that are listed; further ones are counted, so that a large broken file does not make a huge report. */
const REASON_LIMIT = 20;

export function validity(reasons: readonly string[]): Validity {
  const kept = reasons.slice(0, REASON_LIMIT);
  if (reasons.length > REASON_LIMIT) kept.push(`and ${reasons.length - REASON_LIMIT} more`);
  return { valid: reasons.length === 0, reasons: kept };
}
