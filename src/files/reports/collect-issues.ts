import { type Issue, issue } from '../../core/report/issue.ts';

/** Creates a list of issues. `add` skips those with the same code, message and location as an earlier one. */
export function createIssueCollector(): { readonly issues: Issue[]; readonly add: (more: readonly Issue[]) => void } {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const add = (more: readonly Issue[]): void => {
    for (const one of more) {
      const key = JSON.stringify([one.code, one.message, one.where]);
      if (!seen.has(key)) issues.push(one);
      seen.add(key);
    }
  };
  return { issues, add };
}

/** Adds the name of a file to the location of its issues, unless they name a resource already. */
export function withFileName(file: string, issues: readonly Issue[]): Issue[] {
  return issues.map((one) => ({ ...one, where: { resource: file, ...one.where } }));
}

export function notHumanoidIssue(file: string, reason: string | null): Issue {
  return issue('NOT_HUMANOID', `${file} is not humanoid: ${reason}`, { resource: file });
}
