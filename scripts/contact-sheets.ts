/**
 * Draws contact sheets of pairs with their meshes, to look at: the source, plain retargeting, with contacts, and frame by frame in three.js. They are rendered
 * by three.js in a headless Chromium and written to a folder.
 *
 *     npx tsx scripts/contact-sheets.ts FOLDER                 all pairs
 *     npx tsx scripts/contact-sheets.ts FOLDER Sit Walk        pairs whose names contain one of these texts
 *     npx tsx scripts/contact-sheets.ts FOLDER --live          also with live contacts
 *     npx tsx scripts/contact-sheets.ts FOLDER --hands         with contacts of hands, enlarged
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { openFile } from '../src/files/node.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { asset } from '../test/assets.ts';
import { runInChromium } from '../test/browser/chromium.ts';
import type { PageOrder, PageRow, PageView } from './contact-sheets-page.ts';

/** A motion, a clip and a character, paths in the asset folder. */
type Pair = readonly [motion: string, clip: string, character: string];

/** Motions on characters of other proportions: walks and runs, sitting, lying, kneeling, jumps, blows, dances. */
const PAIRS: readonly Pair[] = [
  ['glb/Xbot.glb', 'walk', 'vrm/Godette_vrm_v4.vrm'],
  ['fbx/mixamo_Walking.fbx', 'mixamo.com', 'glb/pc_lumberjack.glb'],
  ['glb/RobotExpressive.glb', 'Death', 'glb/Xbot.glb'],
  ['glb/RobotExpressive.glb', 'Sitting', 'glb/VALID_AIAN_M_1_Casual.glb'],
  ['glb/KayKit_Knight.glb', 'Lie_Down', 'glb/m2m_human-female.glb'],
  ['glb/KayKit_Knight.glb', 'Sit_Floor_Down', 'glb/Xbot.glb'],
  ['glb/KayKit_Knight.glb', 'Sit_Chair_Idle', 'vrm/Godette_vrm_v4.vrm'],
  ['bvh/AD_cmu1_jumping_jacks.bvh', '0', 'glb/RobotExpressive.glb'],
  ['fbx/ozz_pab_run.fbx', 'run', 'glb/KayKit_Knight.glb'],
  ['bvh/AD_rokoko_jesse_dance.bvh', '0', 'vrm/cool_loops.vrm'],
  ['bvh/pybvh_cmu_12_01_walk.bvh', '0', 'glb/KayKit_Knight.glb'],
  ['glb/m2mold_human-addon-animations.glb', 'YMCA', 'vrm/Godette_vrm_v4.vrm'],
  ['glb/pc_lumberjack.glb', 'Poses', 'glb/RobotExpressive.glb'],
  ['glb/pc_lumberjack.glb', 'Poses', 'glb/KayKit_Knight.glb'],
  ['glb/KayKit_Knight.glb', '2H_Melee_Attack_Chop', 'glb/m2m_human-male.glb'],
  ['glb/KayKit_Knight.glb', 'Jump_Full_Short', 'glb/pc_lumberjack.glb'],
  ['glb/RobotExpressive.glb', 'Dance', 'vrm/saturday06_debug_robot.vrm'],
  ['fbx/m2m_CMU_91_48.fbx', '91_48|91_48', 'glb/KayKit_Knight.glb'],
  ['glb/Xbot.glb', 'sneak_pose', 'glb/RobotExpressive.glb'],
  ['glb/Xbot.glb', 'idle', 'glb/KayKit_Knight.glb'],
  ['vrma/ChatVRM_idle_loop.vrma', '0', 'glb/pc_lumberjack.glb'],
];

const COLUMNS = 8;
const CELL: readonly [number, number] = [184, 176];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { live: { type: 'boolean', default: false }, hands: { type: 'boolean', default: false } },
});
const [folder, ...only] = positionals;
if (folder === undefined) throw new Error('Name the folder to write to.');
mkdirSync(folder, { recursive: true });

const served: Record<string, Uint8Array> = {};
const orders: PageOrder[] = [];
const names: string[] = [];
for (const [motionPath, clip, characterPath] of PAIRS) {
  const name = `${basename(motionPath)} ${clip} on ${basename(characterPath)}`;
  if (only.length > 0 && !only.some((text) => name.includes(text))) continue;
  const [motionFile, characterFile] = [asset(`assets/${motionPath}`), asset(`assets/${characterPath}`)];
  const clipChoice = /^\d+$/.test(clip) ? Number(clip) : clip;
  let duration = 0;
  const retarget = async (label: string, options: { contacts: 'auto' | 'off'; hands?: boolean }): Promise<PageRow> => {
    const [motion, character] = [await openFile(motionFile), await openFile(characterFile)];
    const output = `${names.length}-${label.replaceAll(' ', '-')}${extname(characterPath) === '.vrm' ? '.vrm' : '.glb'}`;
    const { outputs } = await retargetMotions([motion], character, {
      output,
      clips: [clipChoice],
      replace: true,
      ...options,
    });
    duration = motion.asset.clips.find((one, index) => one.name === clip || index === clipChoice)?.duration ?? 0;
    served[output] = concatParts(outputs[0].parts);
    return { label, character: { file: output } };
  };
  const serve = (path: string): string => {
    served[basename(path)] ??= readFileSync(path);
    return basename(path);
  };
  const hasSource = !motionPath.endsWith('.vrma');
  const source = { file: serve(motionFile), clip };
  const rows: PageRow[] = hasSource ? [{ label: 'source', character: source }] : [];
  rows.push(await retarget(values.hands ? 'hands off' : 'off', { contacts: values.hands ? 'auto' : 'off' }));
  rows.push(
    values.hands
      ? await retarget('hands keep', { contacts: 'auto', hands: true })
      : await retarget('auto', { contacts: 'auto' }),
  );
  if (values.live && hasSource) rows.push({ label: 'live', character: { file: serve(characterFile) }, live: source });
  const views: PageView[] = values.hands ? ['hands'] : ['side', 'front'];
  const times = Array.from({ length: COLUMNS }, (_, k) => (duration * k) / (COLUMNS - 1));
  orders.push({ title: name, rows, views, times, cell: values.hands ? [220, 220] : CELL });
  names.push(name);
}
const page = fileURLToPath(new URL('./contact-sheets-page.ts', import.meta.url));
for (const [index, order] of orders.entries()) {
  const files = Object.fromEntries(
    order.rows
      .flatMap(({ character, live }) => [character.file, ...(live === undefined ? [] : [live.file])])
      .map((file) => [file, served[file]]),
  );
  const bytes = new TextEncoder().encode(JSON.stringify([order]));
  const [picture] = (await runInChromium(page, { ...files, 'order.json': bytes })) as readonly string[];
  if (!picture.startsWith('data:')) {
    console.log(`${order.title}: ${picture}`);
    continue;
  }
  const path = join(folder, `${names[index].replaceAll(/[^\w.-]+/g, '_')}.png`);
  writeFileSync(path, Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));
  console.log(path);
}
