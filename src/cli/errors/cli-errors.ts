import type { FormatError } from '../../core/report/format-error.ts';

/** Errors of the command line. */

export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
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
