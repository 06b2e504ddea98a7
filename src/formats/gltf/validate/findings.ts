/** Raw glTF JSON looked at by a validator: nothing in it is believed, everything that is wrong is noted, nothing throws. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { type GltfList, isObject, type JsonObject, memberAt } from '../schema.ts';

/** A document and what was found wrong with it so far. */
export interface Findings {
  readonly doc: GltfDocument;
  readonly issues: Issue[];
}

/** Notes something at a place of the JSON. */
export function note({ issues }: Findings, code: IssueCode, pointer: string, message: string): void {
  issues.push(issue(code, message, { pointer }));
}

/** A top-level array; empty when it is missing or something else. */
export function listOf({ doc }: Findings, list: GltfList): readonly unknown[] {
  const value = memberAt(doc.json, list);
  return Array.isArray(value) ? value : [];
}

/** An item of a top-level array; undefined when there is none or it is no object. */
export function itemOf(findings: Findings, list: GltfList, index: number): JsonObject | undefined {
  const value = listOf(findings, list)[index];
  return isObject(value) ? value : undefined;
}

/** Whether a JSON value is the index of an item of a top-level array. */
export function isIndexOf(findings: Findings, list: GltfList, value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < listOf(findings, list).length;
}

/** The object of the extension inside another one; undefined when there is none. It may be anything. */
export function extensionOf(object: JsonObject): unknown {
  const extensions = memberAt(object, 'extensions');
  return isObject(extensions) ? memberAt(extensions, EXT_SKELETON_HUMANOID) : undefined;
}

/** What reading gives, or undefined with the reason noted under `code` where the file is too broken to be read. */
export function attempt<T>(findings: Findings, code: IssueCode, pointer: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    note(findings, code, error.where.pointer ?? pointer, error.message);
    return undefined;
  }
}
