import { formatLocation } from '../../core/report/format-error.ts';
import type { Issue } from '../../core/report/issue.ts';
import { withFlags } from '../errors/flag-names.ts';
import { oneLine, type Style, type StyleText } from '../io.ts';

const COLORS: Readonly<Record<Issue['severity'], Style>> = {
  fatal: 'red',
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};
const ORDER: readonly Issue['severity'][] = ['fatal', 'error', 'warning', 'info'];

const MOST_PER_CODE = 5;
const MOST_CHARACTERS = 280;
const MOST_FILES = 3;

/** Issues with the same text, of one or several files, for the left side or the right. */
interface IssueGroup {
  readonly first: Issue<string>;
  /** The files, each once; empty where the issues concern none. */
  readonly files: Set<string>;
  /** The different texts, without the file, each with the bone that it is about. */
  readonly bones: Map<string, string | undefined>;
  count: number;
}

/** A bone or part of one side, such as `leftPalm`. */
const SIDED = /\b(?:left|right)([A-Z]\w*)/;

/** Groups issues that differ only in their file or side, in the order of the first of each group. */
function groupIssues(issues: readonly Issue<string>[]): IssueGroup[] {
  const groups = new Map<string, IssueGroup>();
  for (const one of issues) {
    const { resource, ...inside } = one.where;
    // A message about a file often contains its name.
    const text = resource === undefined ? one.message : one.message.replaceAll(resource, '\0');
    const key = JSON.stringify([one.code, text.replaceAll(new RegExp(SIDED, 'g'), '$1'), inside]);
    const group = groups.get(key) ?? { first: one, files: new Set(), bones: new Map(), count: 0 };
    groups.set(key, group);
    group.bones.set(text, SIDED.exec(text)?.[0]);
    group.count++;
    if (resource !== undefined) group.files.add(resource);
  }
  return [...groups.values()];
}

/** Describes the location of a group: the location inside the file, the files with their number, and the other side. */
function locationOf({ first: { message, where }, files, bones, count }: IssueGroup): string {
  const { resource, ...inside } = where;
  const others = [...bones.values()].slice(1).map((bone) => `also ${bone}`);
  const parts = [...others, formatLocation(inside)];
  if (files.size > 1) {
    const named = [...files].slice(0, MOST_FILES).join(', ');
    parts.push(`${files.size} files: ${named}${files.size > MOST_FILES ? ' …' : ''}`);
  } else if (resource !== undefined && !message.includes(resource)) parts.unshift(resource);
  if (files.size <= 1 && count > bones.size) parts.push(`${count} times`);
  return parts.filter((part) => part !== '').join(', ');
}

function shortened(message: string): string {
  const isLong = message.length > MOST_CHARACTERS;
  return isLong ? `${message.slice(0, MOST_CHARACTERS)}… (complete with --verbose)` : message;
}

/** Formats issues as lines, errors first. Issues that differ only in their file or side are one line with the number of files. */
export function issueLines(issues: readonly Issue<string>[], style: StyleText, isVerbose: boolean): string[] {
  const shown = isVerbose ? issues : issues.filter(({ severity }) => severity !== 'info');
  const sorted = groupIssues(shown).sort((a, b) => ORDER.indexOf(a.first.severity) - ORDER.indexOf(b.first.severity));
  const counts = new Map<string, number>();
  const lines: string[] = [];
  for (const group of sorted) {
    const { code, severity, message } = group.first;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > MOST_PER_CODE && !isVerbose) continue;
    const location = locationOf(group);
    const whole = withFlags(message);
    const text = `${oneLine(isVerbose ? whole : shortened(whole))}${location === '' ? '' : ` (${oneLine(location)})`}`;
    lines.push(`${style(COLORS[severity], severity)} ${code}: ${text}`);
  }
  for (const [code, count] of isVerbose ? [] : counts) {
    if (count > MOST_PER_CODE)
      lines.push(style('dim', `and ${count - MOST_PER_CODE} more ${code}; --verbose lists all`));
  }
  return lines;
}

export function issueBlock(issues: readonly Issue<string>[], style: StyleText, isVerbose: boolean): string[] {
  const lines = issueLines(issues, style, isVerbose);
  if (lines.length === 0 && !isVerbose) return [];
  const shown = isVerbose ? issues : issues.filter(({ severity }) => severity !== 'info');
  return ['', style('bold', `issues: ${shown.length}`), ...lines.map((line) => `  ${line}`)];
}
