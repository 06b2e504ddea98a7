/** Issues of jobs that involve several files. */
import { type Issue, issue } from '../../core/report/issue.ts';

/** A list of issues without duplicates. */
export interface IssueCollector {
  /** The issues so far, in the order in which they were added. */
  readonly issues: Issue[];
  /**
   * Adds issues; those with the same code, message and location as an earlier one are skipped.
   *
   * @param more Issues to add.
   */
  readonly add: (more: readonly Issue[]) => void;
}

/**
 * Creates an empty list of issues that skips duplicates.
 *
 * @returns The list and the function that adds to it.
 */
export function createIssueCollector(): IssueCollector {
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

/**
 * Adds the name of a file to the location of its issues, unless they name a resource already.
 *
 * @param file Name of the file.
 * @param issues Issues of reading or describing the file.
 * @returns Issues that say which file they belong to.
 */
export function withFileName(file: string, issues: readonly Issue[]): Issue[] {
  return issues.map((one) => ({ ...one, where: { resource: file, ...one.where } }));
}

/**
 * Creates the issue that no humanoid was found in a file.
 *
 * @param file Name of the file.
 * @param reason Why its skeleton is not humanoid.
 * @returns An issue `NOT_HUMANOID`.
 */
export function notHumanoidIssue(file: string, reason: string | null): Issue {
  return issue('NOT_HUMANOID', `${file} is not humanoid: ${reason}`, { resource: file });
}
