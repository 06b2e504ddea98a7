import { FormatError, type SourceLocation } from '../../../core/report/format-error.ts';
import type { FbxRecord } from './fbx-tree.ts';
import { numberOf, recordIn } from './records.ts';

const MIN_VERSION = 6000;
const MAX_VERSION = 7999;

/** Returns a number of `FBXHeaderExtension`, the first record of a file; undefined if the record is missing or is not a number. */
export function headerNumber(records: readonly FbxRecord[], name: string): number | undefined {
  const header = recordIn(records, 'FBXHeaderExtension');
  return numberOf(recordIn(header?.records ?? [], name)?.properties[0]);
}

/** Throws if files of this version have another layout or are unknown. Throws FormatError `FBX_VERSION` for versions below 6.0 and above 7.9. */
export function assertSupportedVersion(version: number, where: SourceLocation): void {
  if (version >= MIN_VERSION && version <= MAX_VERSION) return;
  const name = `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 100)}`;
  const message = `The file is FBX ${name}; anyrig reads FBX 6.0 to 7.9. Save the file again in one of these versions.`;
  throw new FormatError('FBX_VERSION', message, where);
}

/** Throws if the header declares an encryption. Throws FormatError `FBX_VERSION` for encrypted files. */
export function assertNotEncrypted(records: readonly FbxRecord[]): void {
  const kind = headerNumber(records, 'EncryptionType') ?? 0;
  if (kind === 0) return;
  throw new FormatError(
    'FBX_VERSION',
    `The FBX file is encrypted (type ${kind}); anyrig reads unencrypted files only. Save it again without a password.`,
  );
}
