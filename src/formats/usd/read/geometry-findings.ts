/** Counts defects of geometry by kind, so that a file with a thousand damaged meshes yields one issue instead of a thousand. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

/** Defects keyed by their message; `first` is the path of the first affected prim. */
export type Findings = Map<string, { readonly code: IssueCode; count: number; readonly first: string }>;

export function addFinding(findings: Findings, code: IssueCode, what: string, prim: string, count = 1): void {
  if (count === 0) return;
  const found = findings.get(what);
  if (found === undefined) findings.set(what, { code, count, first: prim });
  else found.count += count;
}

/** Adds one issue for each kind of defect, with the number of occurrences and the path of the first prim. */
export function reportFindings(findings: Findings, issues: Issue[]): void {
  for (const [what, { code, count, first }] of findings) {
    const message = `${what} (${count} ${count === 1 ? 'occurrence, at' : 'occurrences, the first at'} ${first}).`;
    issues.push(issue(code, message, { pointer: first }));
  }
}
