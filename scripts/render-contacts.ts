/** Contact sheets of pairs with their meshes, rendered by three.js in a headless Chromium: source, plain retargeting, contacts, live contacts, hands. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { openFile } from '../src/files/node.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { asset } from '../test/assets.ts';
import { runInChromium } from '../test/browser/chromium.ts';
import type { PageOrder, PageRow, PageView } from './contact-sheets-page.ts';

/** A motion, a clip and a character, paths in the asset folder. */
export type RenderedPair = readonly [motion: string, clip: string, character: string];

/** A row: the motion itself, or the character, retargeted in one of several ways. */
export type RenderedRow = 'source' | 'off' | 'auto' | 'live' | 'hands';

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
  hands: { contacts: 'auto', hands: true },
} as const;
const LABELS: Readonly<Record<RenderedRow, string>> = {
  source: 'source',
  off: 'off',
  auto: 'auto',
  live: 'live',
  hands: 'hands keep',
};

/**
 * Draws a sheet of a pair. Clips in humanoid form have no source to draw.
 *
 * @param pair The pair.
 * @param layout What is drawn.
 * @returns Bytes of the image.
 */
export async function renderPair(pair: RenderedPair, layout: SheetLayout): Promise<Uint8Array> {
  const [motionPath, clip, characterPath] = pair;
  const [motionFile, characterFile] = [motionPath, characterPath].map((path) => asset(`assets/${path}`));
  const motion = await openFile(motionFile);
  const chosen = /^\d+$/.test(clip) ? Number(clip) : clip;
  const { duration } = motion.asset.clips.find((one, index) => one.name === clip || index === chosen)!;
  const files: Record<string, Uint8Array> = {};
  const served = (path: string): string => {
    files[basename(path)] ??= readFileSync(path);
    return basename(path);
  };
  const source = { file: served(motionFile), clip };
  const rows: PageRow[] = [];
  for (const row of layout.rows) {
    const label = LABELS[row];
    if (motion.format === 'gltf' && extname(motionPath) === '.vrma' && (row === 'source' || row === 'live')) continue;
    if (row === 'source') rows.push({ label, character: source });
    else if (row === 'live') rows.push({ label, character: { file: served(characterFile) }, live: source });
    else {
      const output = `${row}${extname(characterPath) === '.vrm' ? '.vrm' : '.glb'}`;
      const options = { output, clips: [chosen], replace: true, ...OPTIONS[row] };
      const { outputs } = await retargetMotions([motion], await openFile(characterFile), options);
      files[output] = concatParts(outputs[0].parts);
      rows.push({ label, character: { file: output } });
    }
  }
  const { views, columns, cell, image } = layout;
  const times = Array.from({ length: columns }, (_, k) => (duration * k) / (columns - 1));
  const order: PageOrder = { title: nameOf(pair), rows, views, times, cell, image };
  const page = fileURLToPath(new URL('./contact-sheets-page.ts', import.meta.url));
  const bytes = new TextEncoder().encode(JSON.stringify(order));
  const picture = (await runInChromium(page, { ...files, 'order.json': bytes })) as string;
  return Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
}
