/**
 * Reports an option that does not fit the files: a clip or skeleton that does not exist, an ambiguous choice that the caller has to make, or an
 * output format that cannot hold the content. The files themselves are fine. The message lists the alternatives.
 */
export class OptionError extends RangeError {
  /** Name of the class. */
  override readonly name = 'OptionError';

  /** Name of the option of the library function, such as `targetSkeleton`. */
  readonly option: string;

  /**
   * @param option Name of the option of the library function.
   * @param message What was found, what was expected and what to do.
   */
  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}
