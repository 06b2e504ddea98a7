/**
 * Writes ISSUES.md: every code that an error or an issue can carry, from the table in src/core/report/codes.ts.
 *
 *     npx tsx scripts/issues-page.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CODES, type IssueCode } from '../src/core/report/codes.ts';

const TABLE = new URL('../src/core/report/codes.ts', import.meta.url);
const PAGE = new URL('../ISSUES.md', import.meta.url);

/** The codes by the groups that the comments of the table make, in its order. */
function groups(): Map<string, IssueCode[]> {
  const found = new Map<string, IssueCode[]>();
  let title = '';
  for (const line of readFileSync(TABLE, 'utf8').split('\n')) {
    const comment = /^ {2}\/\/ (.+)$/.exec(line)?.[1];
    if (comment !== undefined) title = comment;
    const code = /^ {2}([A-Z][A-Z0-9_]+): \{/.exec(line)?.[1] as IssueCode | undefined;
    if (code !== undefined) found.set(title, [...(found.get(title) ?? []), code]);
  }
  return found;
}

/** The page as Markdown. */
export function issuesPage(): string {
  const lines = [
    '# Codes of errors and issues',
    '',
    'Made by `npx tsx scripts/issues-page.ts` from `src/core/report/codes.ts`. Codes are permanent: never renamed, never reused.',
    '',
    '- **fatal**: the file cannot be read or written; a `FormatError` with this code and a place.',
    '- **error**, **warning**, **info**: an `Issue` in a report; what could be done was done.',
  ];
  for (const [title, codes] of groups()) {
    lines.push('', `## ${title}`, '', '| code | severity | meaning |', '| --- | --- | --- |');
    for (const code of codes) lines.push(`| \`${code}\` | ${CODES[code].severity} | ${CODES[code].about} |`);
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1]?.endsWith('issues-page.ts')) writeFileSync(PAGE, issuesPage());
