import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which is two folders up from here in the source and in the bundle. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
