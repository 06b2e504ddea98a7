/** A small page as the build writes it, for tests of the server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the script of the page, with a hash like those of the build. */
export const SCRIPT = '/assets/main-B1nAz7.js';

/** Writes the page to a folder. */
export function writePage(folder: string): string {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head><!-- anyrig-files --></head><body></body>');
  writeFileSync(join(folder, SCRIPT), 'console.log(1);\n');
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  writeFileSync(join(folder, '.vite/manifest.json'), '{}');
  return folder;
}
