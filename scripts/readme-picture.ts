/** Draws the picture of the README, one motion of the demo on four of its characters: `npx tsx scripts/readme-picture.ts`. */
import { writeFileSync } from 'node:fs';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../src/demo/index.ts';
import { openBytes } from '../src/files/open.ts';
import { retargetMotions } from '../src/files/retarget-motions.ts';
import { concatParts } from '../src/formats/gltf/glb.ts';
import { drawnBodies } from '../src/preview/drawn-body.ts';
import { drawSheet, type SheetRow } from '../src/preview/sheet.ts';
import { clipRow, columnTimes, type RowLabels } from '../src/preview/sheet-row.ts';

const COLUMNS = 7;
const SHOWN = ['unreal.glb', 'chibi.vrm', 'odd-axes.glb', 'giant.glb'];

async function rowsOf(name: string, bytes: Uint8Array, labels: RowLabels): Promise<SheetRow[]> {
  const file = await openBytes(bytes, { name });
  const { clips, duration } = file.asset.clips[0];
  return drawnBodies(file).map((body) => clipRow(body, clips[body.index], columnTimes(duration, COLUMNS), labels));
}

const [walk] = DEMO_MOTIONS;
const motion = await openBytes(walk.bytes(), { name: walk.name });
const rows = await rowsOf(walk.name, walk.bytes(), { title: walk.name, subtitle: walk.about, source: true });
for (const { name, about, bytes } of DEMO_CHARACTERS.filter((character) => SHOWN.includes(character.name))) {
  const target = await openBytes(bytes(), { name });
  const { outputs } = await retargetMotions([motion], target, { output: name });
  rows.push(...(await rowsOf(name, concatParts(outputs[outputs.length - 1].parts), { title: name, subtitle: about })));
}
writeFileSync(
  new URL('../docs/images/one-motion-four-characters.svg', import.meta.url),
  drawSheet(rows, { title: 'One walk on four characters' }),
);
