/**
 * Lets the page do other work.
 *
 * @returns Resolves in another task.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
