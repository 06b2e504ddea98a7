import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder with `assets/` and `conformance/`: third-party files, which the project does not ship. */
export const ASSETS: string = resolve(root, process.env['ANYRIG_ASSETS'] ?? '../shared');

/** Whether the third-party files are present: `describe.skipIf(!HAS_ASSETS)`. */
export const HAS_ASSETS: boolean = existsSync(join(ASSETS, 'assets'));

/** Path of a file below the folder of assets. */
export function asset(...parts: string[]): string {
  return join(ASSETS, ...parts);
}

/** All files below a folder of the assets with one of the extensions, sorted; empty where there are none. */
export function assetFiles(folder: string, ...extensions: string[]): string[] {
  const base = asset(folder);
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((name) => extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`)))
    .sort()
    .map((name) => join(base, name));
}

/** Like {@link assetFiles}, without the files that are there to be refused: their path says `negative`. */
export function humanoidFiles(folder: string, ...extensions: string[]): string[] {
  return assetFiles(folder, ...extensions).filter((path) => !path.slice(ASSETS.length).includes('negative'));
}
