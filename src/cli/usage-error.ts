/** A command line that makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
