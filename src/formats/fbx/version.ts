import { FormatError, type Place } from '../../core/report/format-error.ts';
import { numberOf, recordIn } from './records.ts';
import type { FbxRecord } from './tree.ts';

const OLDEST = 6000;
const NEWEST = 7999;

/** A value of `FBXHeaderExtension`, the first record of a file. */
export function headerNumber(records: readonly FbxRecord[], name: string): number | undefined {
  const header = recordIn(records, 'FBXHeaderExtension');
  return numberOf(recordIn(header?.records ?? [], name)?.properties[0]);
}

/** FormatError `FBX_VERSION` where files of this version have another layout or are not known. */
export function refuseVersion(version: number, where: Place): void {
  if (version >= OLDEST && version <= NEWEST) return;
  const name = `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 100)}`;
  const message = `The file is FBX ${name}; 6.0 to 7.9 are read. Save it again with a program that writes those.`;
  throw new FormatError('FBX_VERSION', message, where);
}

/** FormatError `FBX_VERSION` where the header says that the file is encrypted. */
export function refuseEncrypted(records: readonly FbxRecord[]): void {
  const kind = headerNumber(records, 'EncryptionType') ?? 0;
  if (kind === 0) return;
  throw new FormatError('FBX_VERSION', `The FBX file is encrypted (type ${kind}). Save it without a password first.`);
}
