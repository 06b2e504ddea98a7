import type { SourceLocation } from '../report/format-error.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Computes the line and column of a character. Lines end with LF, CR LF or CR. */
export function locationOf(text: string, at: number): SourceLocation {
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < at; i++) {
    const code = text.charCodeAt(i);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(i + 1) === LINE_FEED) {
      if (i + 1 === at) break;
      i++;
    }
    line++;
    lineStart = i + 1;
  }
  return { line, column: at - lineStart + 1 };
}
