/**
 * Draws the moving picture of README and home page, the pictures of the gallery, and those of options in the studio: built-in motions on the stage of
 * anyrig/stage.
 *
 *     npx tsx --conditions=@anyrig/source scripts/site-pictures.ts [hero] [gallery] [options]
 *
 * Needs Chromium, and for the moving picture the third-party files (`ANYRIG_ASSETS`), of which it shows two. Run it again when the stage or the built-in characters change.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, runInChromium } from '../test/external/browser/chromium.ts';
import { asset } from '../test/support/assets.ts';
import { animatedWebp } from './animated-webp.ts';
import type { PictureJob, Pictures } from './site-pictures-page.ts';

const PUBLIC = new URL('../site/public/', import.meta.url);
const OPTIONS = new URL('../studio/public/options/', import.meta.url);
/** Pages that draw the moving picture one after the other. */
const PARTS = 12;
/** Characters of the moving picture that are not built in: by Quaternius (CC0) and VALID avatars (MIT). */
const HERO_FILES = ['quaternius_women_Witch.glb', 'VALID_AIAN_M_1_Casual.glb'];
const PAGE = fileURLToPath(new URL('site-pictures-page.ts', import.meta.url));

if (CHROMIUM === null) throw new Error('Chromium is missing. Install it, or set ANYRIG_CHROMIUM to its path.');

async function draw(job: PictureJob, files: Readonly<Record<string, Uint8Array>> = {}): Promise<Pictures> {
  const text = new TextEncoder().encode(JSON.stringify(job));
  return (await runInChromium(PAGE, { 'job.json': text, ...files })) as Pictures;
}

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

function save(path: URL, bytes: Uint8Array): void {
  writeFileSync(path, bytes);
  console.log(fileURLToPath(path).split('/').slice(-2).join('/'), Math.round(bytes.length / 1000), 'kB');
}

const wanted = process.argv.slice(2);
if (wanted.length === 0 || wanted.includes('hero')) {
  const files = Object.fromEntries(HERO_FILES.map((name) => [name, readFileSync(asset('assets', 'glb', name))]));
  const drawn: Pictures[] = [];
  for (let part = 0; part < PARTS; part++) drawn.push(await draw({ kind: 'hero', part, parts: PARTS }, files));
  const pictures = drawn.flatMap(({ frames }) => frames).map(bytesOf);
  save(new URL('../docs/images/hero.webp', import.meta.url), animatedWebp(pictures, drawn[0].milliseconds));
  save(new URL('hero-still.webp', PUBLIC), pictures[0]);
}
if (wanted.length === 0 || wanted.includes('gallery')) {
  mkdirSync(new URL('gallery/', PUBLIC), { recursive: true });
  const { frames, names } = await draw({ kind: 'gallery' });
  for (const [k, name] of names.entries()) save(new URL(`gallery/${name}.webp`, PUBLIC), bytesOf(frames[k]));
}
if (wanted.length === 0 || wanted.includes('options')) {
  const { frames, names } = await draw({ kind: 'options' });
  mkdirSync(OPTIONS, { recursive: true });
  for (const [k, name] of names.entries()) save(new URL(`${name}.webp`, OPTIONS), bytesOf(frames[k]));
}
