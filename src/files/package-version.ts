import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the version of anyrig from package.json, two folders up from here in the source, in the built library and in the bundle of the command line.
 * Node only.
 */
export function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
