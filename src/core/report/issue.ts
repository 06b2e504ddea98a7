import { CODES, type IssueCode, type Severity } from './codes.ts';
import type { Place } from './format-error.ts';

/** Something odd but usable that was met. Reports are arrays of issues: data, never printed by the library. */
export interface Issue {
  readonly code: IssueCode;
  readonly severity: Severity;
  readonly message: string;
  readonly where: Place;
}

/** Makes an issue with the severity that the table of codes gives. */
export function issue(code: IssueCode, message: string, where: Place = {}): Issue {
  return { code, severity: CODES[code].severity, message, where };
}
