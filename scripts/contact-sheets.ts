/**
 * Draws contact sheets of pairs with their meshes, to look at: the source, plain retargeting, with contacts, and frame by frame in three.js. They are rendered
 * by three.js in a headless Chromium and written to a folder.
 *
 *     npx tsx scripts/contact-sheets.ts FOLDER                 all pairs
 *     npx tsx scripts/contact-sheets.ts FOLDER Sit Walk        pairs whose names contain one of these texts
 *     npx tsx scripts/contact-sheets.ts FOLDER --live          also with live contacts
 *     npx tsx scripts/contact-sheets.ts FOLDER --hands         with contacts of hands, enlarged
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nameOf, type RenderedPair, type RenderedRow, renderPair, type SheetLayout } from './render-contacts.ts';

/** Motions on characters of other proportions: walks and runs, sitting, lying, kneeling, jumps, blows, dances. */
const PAIRS: readonly RenderedPair[] = [
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
  ['glb/KayKit_Knight.glb', 'Sit_Chair_Idle', 'glb/Xbot.glb'],
  ['glb/KayKit_Knight.glb', 'Sit_Chair_Idle', 'glb/gdquest_sophia.glb'],
  ['glb/KayKit_Knight.glb', 'Sit_Chair_Idle', 'glb/quaternius_women_Witch.glb'],
  ['glb/Xbot.glb', 'agree', 'glb/KayKit_Knight.glb'],
  ['glb/Xbot.glb', 'run', 'glb/gdquest_sophia.glb'],
  ['glb/Xbot.glb', 'walk', 'glb/quaternius_women_Witch.glb'],
  ['glb/Xbot.glb', 'walk', 'glb/BrainStem.glb'],
  ['glb/Xbot.glb', 'idle', 'glb/VALID_AIAN_M_1_Casual.glb'],
  ['glb/KayKit_Knight.glb', 'Cheer', 'glb/gdquest_sophia.glb'],
  ['glb/KayKit_Knight.glb', 'Walking_A', 'glb/m2m_human-female.glb'],
  ['glb/KayKit_Knight.glb', 'Block', 'glb/Xbot.glb'],
  ['glb/m2mold_human-addon-animations.glb', 'YMCA', 'glb/KayKit_Knight.glb'],
  ['glb/m2mold_human-addon-animations.glb', 'YMCA', 'glb/gdquest_sophia.glb'],
  ['glb/pc_lumberjack.glb', 'Walk', 'glb/Xbot.glb'],
  ['glb/pc_lumberjack.glb', 'Walk', 'vrm/Godette_vrm_v4.vrm'],
  ['glb/RobotExpressive.glb', 'Walking', 'glb/m2m_human-zombie.glb'],
  ['bvh/AD_rokoko_jesse_dance.bvh', '0', 'glb/gdquest_sophia.glb'],
  ['bvh/slope_cmu_03_03_uneven_terrain.bvh', '0', 'glb/Xbot.glb'],
  ['bvh/sit_AD_motorcycle.bvh', '0', 'glb/Xbot.glb'],
  ['bvh/AD_fair1_dab.bvh', '0', 'glb/KayKit_Knight.glb'],
  ['fbx/mixamo_Walking.fbx', 'mixamo.com', 'usd/openusd_skeleton.usda'],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { live: { type: 'boolean', default: false }, hands: { type: 'boolean', default: false } },
});
const [folder, ...only] = positionals;
if (folder === undefined) throw new Error('Name the folder to write to.');
mkdirSync(folder, { recursive: true });

const rows: readonly RenderedRow[] = ['source', 'off', 'auto', ...(values.live ? (['live'] as const) : [])];
const layout: SheetLayout = values.hands
  ? { rows: ['source', 'auto', 'hands'], views: ['hands'], columns: 8, cell: [220, 220], image: 'png' }
  : { rows, views: ['side', 'front'], columns: 8, cell: [184, 176], image: 'png' };
for (const pair of PAIRS) {
  const name = nameOf(pair);
  if (only.length > 0 && !only.some((text) => name.includes(text))) continue;
  const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '_')}.png`);
  try {
    writeFileSync(path, await renderPair(pair, layout));
    console.log(path);
  } catch (error) {
    console.log(`${name}: ${(error as Error).stack}`);
  }
}
