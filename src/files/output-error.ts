/** Why nothing was written: a file is in the way and may not be replaced, or the system refuses. */
export type OutputErrorCode = 'OVERWRITE_REFUSED' | 'CANNOT_WRITE';

/** Files that could not be written. Nothing was left half written. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code: OutputErrorCode;
  readonly path: string;

  constructor(code: OutputErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
