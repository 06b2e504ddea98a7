/** Why files were not written: an existing file may not be replaced, or the operating system refused. */
type OutputErrorCode = 'OVERWRITE_REFUSED' | 'CANNOT_WRITE';

/** Reports files that could not be written. No partially written file is left behind. */
export class OutputError extends Error {
  /** Name of the class. */
  override readonly name = 'OutputError';

  /** The kind of failure. */
  readonly code: OutputErrorCode;
  /** Path of the file that could not be written. */
  readonly path: string;

  /**
   * @param code The kind of failure.
   * @param path Path of the file that could not be written.
   * @param message What was found, what was expected and what to do.
   */
  constructor(code: OutputErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
