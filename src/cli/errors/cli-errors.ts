import type { FormatError } from '../../core/report/format-error.ts';

/** Errors of the command line. */

/** An input file that cannot be read. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** Path of the file. */
  readonly file: string;
  /** Why it cannot be read. */
  readonly reason: FormatError;

  constructor(file: string, reason: FormatError) {
    super(reason.message, { cause: reason });
    this.file = file;
    this.reason = reason;
  }
}

/** A command line that cannot be run as written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whether the usage of the command is shown below the message. */
  readonly showsUsage: boolean;

  constructor(message: string, { showsUsage = false }: { readonly showsUsage?: boolean } = {}) {
    super(message);
    this.showsUsage = showsUsage;
  }
}
