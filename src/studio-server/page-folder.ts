/** Files of the built page. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { ServedFile } from './served-file.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The build puts a hash of the content into the names of these files. */
const HASHED = '/assets/';

/** Lists the files of a folder and its subfolders. Hidden files, which the build leaves for other programs, and links are left out. */
export function pageFiles(folder: string): Map<string, ServedFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const served = paths.map((path): [string, ServedFile] => {
    const url = `/${relative(folder, path).split(sep).map(encodeURIComponent).join('/')}`;
    const mediaType = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
    return [url, { mediaType, isImmutable: url.startsWith(HASHED), read: () => readFile(path) }];
  });
  return new Map(served.filter(([url]) => !url.includes('/.')));
}
