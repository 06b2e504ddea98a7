/**
 * Shared access of the validator to raw glTF JSON: nothing in it is trusted, every violation is added as an issue,
 * nothing throws.
 */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { type GltfList, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';

/** A document and the issues found in it so far. */
export interface Validation {
  /** The document under validation. */
  readonly doc: GltfDocument;
  /** In the order in which they were found. */
  readonly issues: Issue[];
}

export function addIssue({ issues }: Validation, code: IssueCode, pointer: string, message: string): void {
  issues.push(issue(code, message, { pointer }));
}

/** Gets a top-level array of the document. */
export function listOf({ doc }: Validation, list: GltfList): readonly unknown[] {
  const value = memberAt(doc.json, list);
  return Array.isArray(value) ? value : [];
}

/**
 * Gets an item of a top-level array.
 *
 * @returns The item; undefined where it is missing or not an object.
 */
export function itemOf(validation: Validation, list: GltfList, index: number): JsonObject | undefined {
  const value = listOf(validation, list)[index];
  return isObject(value) ? value : undefined;
}

/** Checks whether a JSON value is an index into a top-level array. */
export function isIndexOf(validation: Validation, list: GltfList, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < listOf(validation, list).length;
}

/**
 * Gets the EXT_skeleton_humanoid value of an object.
 *
 * @returns The raw extension value, which may be anything; undefined without the extension.
 */
export function extensionOf(object: JsonObject): unknown {
  const extensions = memberAt(object, 'extensions');
  return isObject(extensions) ? memberAt(extensions, EXT_SKELETON_HUMANOID) : undefined;
}
