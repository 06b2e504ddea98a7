/** Issues of a job on several files. */
import { type Issue, issue } from '../core/report/issue.ts';

/** Issues of one kind about one thing are reported once. */
export function collector(): { issues: Issue[]; add: (more: readonly Issue[]) => void } {
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

/** Issues that a reader or a description has about a file, with the name of the file in front. */
export function about(file: string, issues: readonly Issue[]): Issue[] {
  return issues.map((one) => ({ ...one, where: { resource: file, ...one.where } }));
}

/** Why nothing can be done with the body of a file. */
export function refusal(file: string, reason: string | null): Issue {
  return issue('NOT_HUMANOID', `${file} is not humanoid: ${reason}`, { resource: file });
}
