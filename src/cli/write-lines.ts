import type { Output } from './io.ts';

/** Writes lines of text. */
export function writeLines(output: Output, lines: readonly string[]): void {
  output.write(`${lines.join('\n')}\n`);
}
