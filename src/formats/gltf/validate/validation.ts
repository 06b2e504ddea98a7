/** Shared access of the validator to raw glTF JSON: nothing in it is trusted, every violation is added as an issue, nothing throws. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import type { GltfList } from '../document/json-access.ts';
import { isIndex, listOf } from '../document/loose-json.ts';

export interface Validation {
  readonly doc: GltfDocument;
  /** In the order in which they were found. */
  readonly issues: Issue[];
}

export function addIssue({ issues }: Validation, code: IssueCode, pointer: string, message: string): void {
  issues.push(issue(code, message, { pointer }));
}

export function isIndexOf({ doc }: Validation, list: GltfList, value: unknown): value is number {
  return isIndex(value, listOf(doc.json, list).length);
}
