import { FormatError } from '../../../../core/report/format-error.ts';

/** Maximum number of keys per file: hours of motion capture, up to a gigabyte. */
const MAX_KEYS = 64_000_000;

export interface KeyLimit {
  left: number;
}

export function createKeyLimit(): KeyLimit {
  return { left: MAX_KEYS };
}

/** Takes keys from the limit, before they are created. `keyLimit`: the limit, changed in place. */
export function takeKeys(keyLimit: KeyLimit, keys: number, prim: string): void {
  keyLimit.left -= keys;
  if (keyLimit.left >= 0) return;
  const message = `The animations have more than ${MAX_KEYS} keys, the limit. Split the file.`;
  throw new FormatError('USD_LIMIT', message, { pointer: prim });
}
