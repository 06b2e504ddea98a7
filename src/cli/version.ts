import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the version from package.json, two folders up from here in the source and in the bundle.
 * @returns the version of anyrig
 */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
