/**
 * An option that does not fit the files: a clip or skeleton that is not there, a choice that only the caller can make, an
 * output that cannot be. The caller's mistake, not the file's; the message says what there is to choose from.
 */
export class OptionError extends RangeError {
  override readonly name = 'OptionError';

  /** Also of another copy of this class: programs may hold several, of bundles that were made apart. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'OptionError';
  }

  /** The option of the library function, as in `targetSkeleton`. */
  readonly option: string;

  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}
