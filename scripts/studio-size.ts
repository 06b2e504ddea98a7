/**
 * Prints the sizes of the built studio after gzip, in kilobytes (1000 bytes): of what loads first, of everything that a GLB needs until it is on stage and
 * until it has been retargeted, and of all files.
 *
 *     npx vite build studio && npx tsx scripts/studio-size.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ListedChunk } from '../studio/build/chunk-list.ts';
import { SHOW_FOLDER } from '../studio/src/app/opening.ts';

/** Chunks that the page does not load for a GLB until it has been retargeted. Chunks that only these import are left out with them. All others count. */
const ON_DEMAND =
  /^(?:japanese|fbx-bundle|usd-bundle|mmd-bundle|read-npz|open-points|motion-from-points|standard-rig|measure-result|write-gltf|write-gltf-character|following-bones|take-away|convert-to-glb|attach-draco|decode-draco-meshes|TransformControls|open-bvh|write-bvh-motion|draco-decoder|demo|map-data|edit-motion|edit-asset-clip|linear-keys|reduce-keys|loop-clip|people|retarget-face|transfer-root-motion|map-panel|pose-panel|export-panel|meshopt-decoder|meshopt_decoder(?:\.module)?|browser)$/;

const folder = fileURLToPath(new URL('../dist/studio', import.meta.url));

function sizeOf(file: string): number {
  return gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
}

function chunksOf(build: string): ListedChunk[] {
  return JSON.parse(readFileSync(join(folder, `.vite/chunks-${build}.json`), 'utf8')) as ListedChunk[];
}

const page = chunksOf('page');
const worker = chunksOf('worker');
const chunks = new Map([...page, ...worker].map((chunk) => [chunk.file, chunk]));

/** Collects the files that load with a chunk, also dynamically if the chunk is not one of {@link ON_DEMAND}. */
function collect(file: string, isDynamic: boolean, found: Set<string>): Set<string> {
  const chunk = chunks.get(file);
  if (chunk === undefined || found.has(file)) return found;
  found.add(file);
  for (const other of chunk.imports) collect(other, isDynamic, found);
  if (!isDynamic) return found;
  for (const other of chunk.dynamicImports) {
    if (!ON_DEMAND.test(chunks.get(other)?.name ?? '')) collect(other, isDynamic, found);
  }
  return found;
}

function entryOf(list: readonly ListedChunk[]): string {
  const entries = list.filter(({ isEntry }) => isEntry);
  if (entries.length !== 1) throw new Error(`A build of the studio has ${entries.length} entries; expected 1`);
  return entries[0].file;
}

const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.includes('.vite'))
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
const styles = all.filter((file) => file.endsWith('.css'));
const show = all.filter((file) => file.startsWith(`${SHOW_FOLDER}/`));
const shell = new Set(['index.html', ...styles, ...show, ...collect(entryOf(page), false, new Set())]);
const gltf = new Set([
  ...shell,
  ...collect(entryOf(page), true, new Set()),
  ...collect(entryOf(worker), true, new Set()),
]);

/** Prints the size of files and the largest of them. */
function report(title: string, files: Iterable<string>): void {
  // Vite does not write the entry of a page that only imports another file: the HTML names that one.
  const written = [...files].filter((file) => all.includes(file));
  const sizes = written.map((file): [string, number] => [file, sizeOf(file) / 1000]).sort((a, b) => b[1] - a[1]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`${title}: ${total.toFixed(1)} kB`);
  for (const [file, size] of sizes.slice(0, 5)) console.log(`  ${size.toFixed(1).padStart(6)} kB ${file}`);
}

report('shell', shell);
report('glTF path', gltf);
const code = [...gltf].filter((file) => !show.includes(file));
report('glTF path without the files of the first view', code);
report(
  'the same until the GLB is on stage',
  code.filter((file) => chunks.get(file)?.name !== 'contacts'),
);
report('all', all);
