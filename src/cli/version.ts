import { readFileSync } from 'node:fs';

/** The version in package.json, which is two folders up from here in the source and in the bundle. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
