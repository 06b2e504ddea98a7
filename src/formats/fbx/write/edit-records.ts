/** Edits records of a tree. Trees are immutable: every function returns a copy of what changes. */
import type { FbxProperty, FbxRecord } from '../document/fbx-tree.ts';

export function withRecords(record: FbxRecord, records: readonly FbxRecord[]): FbxRecord {
  const { hasEmptyList: _hasEmptyList, ...rest } = record;
  // What had a list keeps one.
  return { ...rest, records, ...(records.length === 0 ? { hasEmptyList: true } : {}) };
}

export function withProperties(record: FbxRecord, properties: readonly FbxProperty[]): FbxRecord {
  return { ...record, properties };
}

export function editLast(
  records: readonly FbxRecord[],
  name: string,
  edit: (records: readonly FbxRecord[]) => readonly FbxRecord[],
): readonly FbxRecord[] {
  const at = records.findLastIndex((record) => record.name === name);
  return at < 0 ? records : records.with(at, withRecords(records[at], edit(records[at].records)));
}
