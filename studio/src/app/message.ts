/**
 * Returns the text of an error.
 *
 * @param error Anything that was thrown.
 * @returns Its message.
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
