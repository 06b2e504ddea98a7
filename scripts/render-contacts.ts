/** Contact sheets of pairs with their meshes, rendered by three.js in a headless Chromium: source, plain retargeting, contacts, live contacts, hands. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../src/files/open.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { runInChromium } from '../test/external/browser/chromium.ts';
import { asset } from '../test/support/assets.ts';
import type { PageOrder, PageRow, PageView } from './contact-sheets-page.ts';

/** A motion, a clip and a character, paths in the asset folder. */
export type RenderedPair = readonly [motion: string, clip: string, character: string];

/** A row: the motion itself, or the character, retargeted in one of several ways. */
export type RenderedRow = 'source' | 'off' | 'auto' | 'strict' | 'live' | 'hands';

/** How a sheet is drawn. */
export interface SheetLayout {
  readonly rows: readonly RenderedRow[];
  readonly views: readonly PageView[];
  readonly columns: number;
  /** Width and height of a cell, pixels. */
  readonly cell: readonly [number, number];
  readonly image: PageOrder['image'];
}

/** Names a pair. */
export function nameOf([motion, clip, character]: RenderedPair): string {
  return `${basename(motion)}, ${clip}, on ${basename(character)}`;
}

const OPTIONS = {
  off: { contacts: 'off' },
  auto: { contacts: 'auto' },
  strict: { contacts: 'auto', selfCollision: 'strict' },
  hands: { contacts: 'auto', hands: true },
} as const;
const LABELS: Readonly<Record<RenderedRow, string>> = {
  source: 'source',
  off: 'off',
  auto: 'auto',
  strict: 'arms strict',
  live: 'live',
  hands: 'hands keep',
};

/** A file as bytes. */
interface RenderedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A motion and a character as bytes. */
export interface RenderedMotion {
  readonly title: string;
  readonly motion: RenderedFile;
  /** Name or index of the clip. */
  readonly clip: string;
  readonly character: RenderedFile;
}

/**
 * Draws a sheet. Clips in humanoid form have no source to draw.
 *
 * @param rendered What is drawn.
 * @param layout How it is drawn.
 * @returns Bytes of the image.
 */
export async function renderMotion(
  { title, motion: motionFile, clip, character }: RenderedMotion,
  layout: SheetLayout,
): Promise<Uint8Array> {
  const open = ({ name, bytes }: RenderedFile): Promise<OpenFile> => openBytes(bytes, { name });
  const motion = await open(motionFile);
  const chosen = /^\d+$/.test(clip) ? Number(clip) : clip;
  const { duration } = motion.asset.clips.find((one, index) => one.name === clip || index === chosen)!;
  const files: Record<string, Uint8Array> = { [motionFile.name]: motionFile.bytes, [character.name]: character.bytes };
  const source = { file: motionFile.name, clip };
  const rows: PageRow[] = [];
  for (const row of layout.rows) {
    const label = LABELS[row];
    if (extname(motionFile.name) === '.vrma' && (row === 'source' || row === 'live')) continue;
    if (row === 'source') rows.push({ label, character: source });
    else if (row === 'live') rows.push({ label, character: { file: character.name }, live: source });
    else {
      const output = `${row}${extname(character.name) === '.vrm' ? '.vrm' : '.glb'}`;
      const options = { output, clips: [chosen], replace: true, ...OPTIONS[row] };
      const { outputs } = await retargetMotions([motion], await open(character), options);
      files[output] = concatParts(outputs[0].parts);
      rows.push({ label, character: { file: output } });
    }
  }
  const { views, columns, cell, image } = layout;
  const times = Array.from({ length: columns }, (_, k) => (duration * k) / (columns - 1));
  const order: PageOrder = { title, rows, views, times, cell, image };
  const page = fileURLToPath(new URL('./contact-sheets-page.ts', import.meta.url));
  const bytes = new TextEncoder().encode(JSON.stringify(order));
  const picture = (await runInChromium(page, { ...files, 'order.json': bytes })) as string;
  return Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
}

/**
 * Draws a sheet of a pair of the asset folder.
 *
 * @param pair The pair.
 * @param layout How it is drawn.
 * @returns Bytes of the image.
 */
export function renderPair(pair: RenderedPair, layout: SheetLayout): Promise<Uint8Array> {
  const [motion, clip, character] = pair;
  const read = (path: string): RenderedFile => {
    return { name: basename(path), bytes: readFileSync(asset(`assets/${path}`)) };
  };
  return renderMotion({ title: nameOf(pair), motion: read(motion), clip, character: read(character) }, layout);
}
