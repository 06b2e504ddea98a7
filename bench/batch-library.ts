/**
 * The library of small files that batches are measured on: 100 motions of about one second in BVH, FBX and GLB, which differ in source, trim, mirror and speed, and
 * 20 characters of less than 1.5 MB. From the asset folder where it exists, else from the demo. FBX files are copied as they are.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { DEMO_CHARACTERS, demoFiles } from '../src/demo/index.ts';
import type { ClipEdits } from '../src/files/clips/clip-edits.ts';
import { convertFile } from '../src/files/jobs/convert-file.ts';
import { type OpenFile, openFile, writeFiles } from '../src/files/node.ts';
import { asset, HAS_ASSETS } from '../test/support/assets.ts';

/** Number of motions. */
export const MOTIONS = 100;
/** Number of characters. */
export const CHARACTERS = 20;
/** Motions that are FBX files as they are. */
const COPIES = 20;
/** Longest motion, seconds. */
const LONGEST = 1.2;

const FBX = ['mixamo_Walking', 'ozz_pab_run', 'ozz_pab_walk', 'ufbx_maya_kenney_character_7700_binary'].map(
  (name) => `fbx/${name}.fbx`,
);
const SOURCES = [
  ...['AD_cmu1_jumping_jacks', 'AD_fair1_dab', 'makehuman_walk1', 'pybvh_cmu_12_01_walk'].map(
    (name) => `bvh/${name}.bvh`,
  ),
  ...['m2m_CMU_91_48', 'mixamo_Walking', 'ozz_pab_walk'].map((name) => `fbx/${name}.fbx`),
  ...['KayKit_Knight', 'RobotExpressive', 'Xbot', 'm2mold_human-addon-animations'].map((name) => `glb/${name}.glb`),
];
const TARGETS = [
  ...['human-male', 'human-female', 'human-zombie', 'rig-human'].map((name) => `glb/m2m_${name}.glb`),
  ...['RiggedFigure', 'CesiumMan', 'RobotExpressive', 'm2mold_human-skeleton'].map((name) => `glb/${name}.glb`),
  ...['Godette_vrm_v4', 'saturday06_debug_robot', 'spec_isBinary_Overrides', 'univrm_EmissionMigration'].map(
    (name) => `vrm/${name}.vrm`,
  ),
];

/** Folders of a library. */
export interface BatchLibrary {
  /** The motions. */
  readonly motions: string;
  /** The characters. */
  readonly characters: string;
}

/** Copies files under different names until there are `count`. */
export function fillFolder(folder: string, paths: readonly string[], count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let k = 0; k < count; k++) {
    const path = paths[k % paths.length];
    const extension = extname(path);
    copyFileSync(path, join(folder, `${basename(path, extension)}-${k}${extension}`));
  }
}

/** Writes the files of the demo. */
export function writeDemo(folder: string): { motions: string[]; characters: string[] } {
  mkdirSync(folder, { recursive: true });
  for (const file of demoFiles()) writeFileSync(join(folder, file.name), file.bytes());
  return {
    motions: ['walk.glb', 'wave.vrma', 'turn.bvh'].map((name) => join(folder, name)),
    characters: DEMO_CHARACTERS.map(({ name }) => join(folder, name)),
  };
}

/** A clip of a file and its seconds. */
interface Take {
  readonly file: OpenFile;
  readonly clip: number;
  readonly seconds: number;
}

/** The clips of a file that are not single poses. */
async function takesOf(path: string): Promise<Take[]> {
  const file = await openFile(path);
  return file.asset.clips
    .map((clip, index) => ({ file, clip: index, seconds: Math.max(...clip.clips.map(({ duration }) => duration)) }))
    .filter(({ seconds }) => seconds > 0.5);
}

/** Writes the k-th motion. Of the same source, `pass` counts up: another clip, trim, side and speed. */
async function writeMotion(folder: string, takes: readonly Take[], pass: number, k: number): Promise<void> {
  const { file, clip, seconds } = takes[pass % takes.length];
  const length = Math.min(LONGEST, seconds);
  const from = seconds > length ? (0.7 * pass) % (seconds - length) : 0;
  const edits: ClipEdits = {
    trim: { from, to: from + length },
    ...(pass % 2 === 1 ? { mirror: true } : {}),
    ...(pass % 3 === 2 ? { speed: 1.2 } : {}),
  };
  const name = `${basename(file.name, extname(file.name))}-${k}.${k % 2 === 0 ? 'bvh' : 'glb'}`;
  const output = join(folder, name);
  const { outputs, report } = await convertFile(file, { output, clips: [clip], edits, mesh: false });
  if (outputs.length === 0) throw new Error(`${output}: ${JSON.stringify(report.issues)}`);
  await writeFiles(outputs);
}

/** Makes the library. */
export async function makeLibrary(folder: string): Promise<BatchLibrary> {
  const demo = writeDemo(join(folder, 'demo'));
  const library = { motions: join(folder, 'motions'), characters: join(folder, 'characters') };
  const assets = (names: readonly string[]): string[] => (HAS_ASSETS ? names.map((name) => asset('assets', name)) : []);
  fillFolder(library.characters, [...assets(TARGETS), ...demo.characters], CHARACTERS);
  if (!HAS_ASSETS) {
    fillFolder(library.motions, demo.motions, MOTIONS);
    return library;
  }
  mkdirSync(library.motions, { recursive: true });
  fillFolder(library.motions, assets(FBX), COPIES);
  const takes = await Promise.all(assets(SOURCES).map(takesOf));
  for (let k = 0; k < MOTIONS - COPIES; k++) {
    const pass = Math.floor(k / takes.length);
    await writeMotion(library.motions, takes[k % takes.length], pass, k);
  }
  return library;
}
