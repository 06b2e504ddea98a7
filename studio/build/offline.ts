/** Writes the service worker, which makes the page work without its server. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = new URL('service-worker.js', import.meta.url);

/** Name of the service worker, beside the page: its folder is its scope. */
const FILE = 'sw.js';

/** Lists the files of the built page by address relative to the page. Hidden files are for other programs. */
export function builtFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return names.filter((name) => name !== FILE && !/(?:^|\/)\./.test(name)).sort();
}

/**
 * Writes the service worker of pages. `folder`: folder that it is written to: its scope. `files`: what it keeps, relative to the folder. `pages`:
 * addresses of the pages among them, relative to the folder.
 */
export function writeServiceWorker(folder: string, files: readonly string[], pages: readonly string[]): void {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  const build = { version: hash.digest('hex').slice(0, 16), files: [...pages, ...files] };
  const source = readFileSync(SOURCE, 'utf8');
  writeFileSync(join(folder, FILE), `const BUILD = ${JSON.stringify(build)};\n${source}`);
}

export function offline(): Plugin {
  let folder = '';
  return {
    name: 'anyrig-offline',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, relative(root, build.outDir));
    },
    // The address of the page is its folder.
    closeBundle: () => writeServiceWorker(folder, builtFiles(folder), ['./']),
  };
}
