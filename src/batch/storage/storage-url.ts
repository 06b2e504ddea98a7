/** URLs of objects in S3-compatible storage: `s3://bucket/key`. */
import { OptionError } from '../../files/option-error.ts';

const SCHEME = 's3://';

/** An object, or the common start of several. */
export interface StorageLocation {
  readonly bucket: string;
  /** Key of the object, without a leading slash; empty for the whole bucket. */
  readonly key: string;
}

export function isStorageUrl(path: string): boolean {
  return path.startsWith(SCHEME);
}

/** Splits a URL. Keys are taken literally, without percent encoding. Throws OptionError (`storage`) for a URL without a valid bucket. */
export function parseStorageUrl(url: string): StorageLocation {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9._-]+)(?:\/+(.*))?$/s.exec(url) ?? [];
  if (bucket === undefined)
    throw new OptionError('storage', `${url} has no valid bucket; expected a URL such as s3://bucket/folder`);
  return { bucket, key: key ?? '' };
}

export function joinStorageUrl(folder: string, path: string): string {
  return `${folder.replace(/\/+$/, '')}/${path}`;
}
