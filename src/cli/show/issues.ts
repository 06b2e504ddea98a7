import { formatLocation } from '../../core/report/format-error.ts';
import type { Issue } from '../../core/report/issue.ts';
import { oneLine, type Style, type StyleText } from '../io.ts';

const COLORS: Readonly<Record<Issue['severity'], Style>> = {
  fatal: 'red',
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};
const ORDER: readonly Issue['severity'][] = ['fatal', 'error', 'warning', 'info'];

/** Most issues of one code that are shown. */
const MOST_PER_CODE = 5;

/** Most characters of a message that are shown. */
const MOST_CHARACTERS = 280;

/**
 * Formats issues as lines, errors first; of many with the same code only the first few.
 * @param issues the issues of a report
 * @param style colors text
 * @returns one line per shown issue
 */
export function issueLines(issues: readonly Issue[], style: StyleText): string[] {
  const sorted = [...issues].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const counts = new Map<string, number>();
  const lines: string[] = [];
  for (const { code, severity, message, where } of sorted) {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > MOST_PER_CODE) continue;
    const { resource, ...inside } = where;
    const location = formatLocation(resource === undefined || message.includes(resource) ? inside : where);
    const short =
      message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}… (complete in --json)` : message;
    const text = `${oneLine(short)}${location === '' ? '' : ` (${oneLine(location)})`}`;
    lines.push(`${style(COLORS[severity], severity)} ${code}: ${text}`);
  }
  for (const [code, count] of counts) {
    if (count > MOST_PER_CODE) lines.push(style('dim', `and ${count - MOST_PER_CODE} more ${code}; --json lists all`));
  }
  return lines;
}
