import { printPlace } from '../core/report/format-error.ts';
import type { Issue } from '../core/report/issue.ts';
import { oneLine, type Style, type StyleText } from './io.ts';

const COLORS: Readonly<Record<Issue['severity'], Style>> = {
  fatal: 'red',
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};
const ORDER: readonly Issue['severity'][] = ['fatal', 'error', 'warning', 'info'];

/** Issues of one code that are shown at most. */
const SHOWN = 5;

/** Characters of a message that are shown at most. */
const LENGTH = 280;

/** Lines of text for issues, errors first; of many with one code the first few. */
export function issueLines(issues: readonly Issue[], style: StyleText): string[] {
  const sorted = [...issues].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const counts = new Map<string, number>();
  const lines: string[] = [];
  for (const { code, severity, message, where } of sorted) {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > SHOWN) continue;
    const { resource, ...inside } = where;
    const place = printPlace(resource === undefined || message.includes(resource) ? inside : where);
    const short = message.length > LENGTH ? `${message.slice(0, LENGTH)}… (whole in --json)` : message;
    const text = `${oneLine(short)}${place === '' ? '' : ` (${oneLine(place)})`}`;
    lines.push(`${style(COLORS[severity], severity)} ${code}: ${text}`);
  }
  for (const [code, count] of counts) {
    if (count > SHOWN) lines.push(style('dim', `and ${count - SHOWN} more of ${code}; all are in --json`));
  }
  return lines;
}
