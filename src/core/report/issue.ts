import { CODES, type IssueCode, type Severity } from './codes.ts';
import type { SourceLocation } from './format-error.ts';

/** A fault or a decision that does not stop the work. Functions return issues as data; the library never prints them. */
export interface Issue<Code extends string = IssueCode> {
  /** Permanent code from the table `CODES`; in reports of `validate` also a code of the Khronos glTF Validator. */
  readonly code: Code;
  /** Severity of the code. */
  readonly severity: Severity;
  /** What was found, what was done, and what to do about it; plain text for people. */
  readonly message: string;
  /** Location in the file; empty when it concerns the whole file. */
  readonly where: SourceLocation;
}

/** Creates an issue with the severity of its code. */
export function issue(code: IssueCode, message: string, where: SourceLocation = {}): Issue {
  return { code, severity: CODES[code], message, where };
}
