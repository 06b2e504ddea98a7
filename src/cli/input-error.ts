import type { FormatError } from '../core/report/format-error.ts';

/** A file of the user's that cannot be read, and which one. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  readonly reason: FormatError;

  constructor(file: string, reason: FormatError) {
    super(reason.message);
    this.file = file;
    this.reason = reason;
  }
}
