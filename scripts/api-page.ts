/**
 * Writes docs/api.md: every function, constant and class that the package exports, with the first sentence of its docstring.
 *
 *     npx tsx scripts/api-page.ts
 */
import { writeFileSync } from 'node:fs';
import ts from 'typescript';
import { isType, type PackageEntries, readPackageEntries } from './package-entries.ts';

const PAGE = new URL('../docs/api.md', import.meta.url);

/** The first sentence of a text, on one line, with {@link X} as code. */
function firstSentence(text: string): string {
  const line = text
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?=\s+[A-Z]|$)/.exec(line)?.[0] ?? line;
}

/** A table cell: a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Builds the page as Markdown. */
export function apiPage({ entries }: PackageEntries): string {
  const lines = [
    '# API at a glance',
    '',
    'Made by `npx tsx scripts/api-page.ts` from the docstrings. `npm run docs` builds the full reference, with parameters and types.',
  ];
  for (const { name, exports, about } of entries) {
    const values = exports.filter(({ symbol }) => !isType(symbol) || symbol.flags & ts.SymbolFlags.Class);
    const rows = values
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((one) => `| \`${one.name}\` | ${cell(firstSentence(one.about))} |`);
    lines.push('', `## \`${name}\``, '', about, '', '| export | |', '| --- | --- |', ...rows);
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1]?.endsWith('api-page.ts')) writeFileSync(PAGE, apiPage(readPackageEntries()));
