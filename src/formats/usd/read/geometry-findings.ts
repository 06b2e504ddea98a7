/** What reading geometry left out or mended, counted by kind: a file with a thousand odd meshes makes one issue, not a thousand. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

/** What was found, by its text. */
export type Findings = Map<string, { readonly code: IssueCode; count: number; readonly first: string }>;

/** Counts something; `what` is a sentence without its end, `prim` where it was found. Nothing where the count is 0. */
export function note(findings: Findings, code: IssueCode, what: string, prim: string, count = 1): void {
  if (count === 0) return;
  const found = findings.get(what);
  if (found === undefined) findings.set(what, { code, count, first: prim });
  else found.count += count;
}

/** Adds one issue a kind, with the place of the first. */
export function reportFindings(findings: Findings, issues: Issue[]): void {
  for (const [what, { code, count, first }] of findings) {
    const message = `${what}: ${count}${count === 1 ? ', at' : ', the first at'} ${first}.`;
    issues.push(issue(code, message, { pointer: first }));
  }
}
