/** Plays dances on models of MMD in babylon-mmd and in three.js: bones are where ours are. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { localToModelMatrices, restPose } from '../../../src/core/skeleton/pose.ts';
import { mmdAsset, parseMmdModel, parseMmdMotion } from '../../../src/formats/mmd/read-mmd.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { inProject } from '../../support/documents.ts';
import { MMD_PLAYERS } from '../../support/tolerances.ts';

const MODELS = ['yw_test_model', 'Gene', 'threemmd_test_semi_basic_bone'];
const MOTIONS = ['wavefile_v2_dance', 'gene_22_apology', 'gene_10_impressed', 'gene_stand'];
const PAIRS = MODELS.flatMap((model) => MOTIONS.map((motion) => [model, motion] as const));
/** Every this many frames are compared. */
const STEP = 15;
/** Height of the models, units. */
const HEIGHT = 20;

/** Positions of all bones, xyz each, of every frame. */
type Frames = readonly (readonly number[])[];

function bytesOf(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

const modelPath = (model: string): string => asset('assets/pmx', `${model}.pmx`);
const motionPath = (motion: string): string => asset('assets/vmd', `${motion}.vmd`);

function playOurs(model: string, motion: string): Frames {
  const played = mmdAsset(parseMmdModel(bytesOf(modelPath(model))), parseMmdMotion(bytesOf(motionPath(motion))));
  const [{ skeleton, sourceNodes }] = played.skeletons;
  const [clip] = played.clips[0].clips;
  const frames: number[][] = [];
  for (let frame = 0; frame <= Math.round(clip.duration * 30); frame += STEP) {
    const pose = restPose(skeleton);
    for (const { target, path, values } of clip.tracks) {
      const width = path === 'rotation' ? 4 : 3;
      pose.set(values.subarray(width * frame, width * (frame + 1)), 10 * target + (path === 'rotation' ? 3 : 0));
    }
    const matrices = new Float64Array(16 * skeleton.names.length);
    localToModelMatrices(matrices, skeleton.parents, pose);
    const positions: number[] = [];
    for (const [node, bone] of sourceNodes.entries())
      for (let c = 0; c < 3; c++) positions[3 * bone + c] = matrices[16 * node + 12 + c];
    frames.push(positions);
  }
  return frames;
}

/** Plays all motions on all models in another program, in one process of its own: these programs take a second to load. */
function playIn(player: 'babylon-mmd' | 'three-mmd'): Map<string, Frames> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-mmd-'));
  try {
    const jobs = PAIRS.map(([model, motion], k) => [modelPath(model), motionPath(motion), join(folder, `${k}.json`)]);
    const script = inProject(`test/external/oracle/mmd-players/${player}.ts`);
    const tsx = inProject('node_modules/tsx/dist/esm/index.mjs');
    execFileSync(process.execPath, ['--import', tsx, script, String(STEP), ...jobs.flat()], { stdio: 'ignore' });
    return new Map(PAIRS.map((pair, k) => [pair.join(), JSON.parse(readFileSync(jobs[k][2], 'utf8'))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The greatest distance of each bone, in parts of the height. */
function distances(ours: Frames, others: Frames, names: readonly string[]): Map<string, number> {
  const worst = new Map<string, number>();
  for (const [frame, positions] of others.entries()) {
    for (const [bone, name] of names.entries()) {
      const [x, y, z] = [0, 1, 2].map((c) => positions[3 * bone + c] - ours[frame][3 * bone + c]);
      worst.set(name, Math.max(worst.get(name) ?? 0, Math.hypot(x, y, z) / HEIGHT));
    }
  }
  return worst;
}

/** The solver of three.js bends knees elsewhere where a leg is almost straight, and joins the bones that IK moves later. */
const LEG = /足|ひざ|つま先|クローク|xc/;

describe.skipIf(!HAS_ASSETS)('models of MMD', () => {
  let [babylon, three] = [new Map<string, Frames>(), new Map<string, Frames>()];
  beforeAll(() => {
    [babylon, three] = [playIn('babylon-mmd'), playIn('three-mmd')];
  }, 120_000);

  it.each(PAIRS)('%s has its bones where babylon-mmd and three.js have them while it plays %s', (model, motion) => {
    const names = parseMmdModel(bytesOf(modelPath(model))).bones.map(({ name }) => name);
    const ours = playOurs(model, motion);
    expect(ours.length).toBeGreaterThan(5);
    const inBabylon = babylon.get([model, motion].join())!;
    expect(inBabylon.length).toBe(ours.length);
    expect([...distances(ours, inBabylon, names)].filter(([, distance]) => !(distance <= MMD_PLAYERS))).toEqual([]);
    const inThree = distances(ours, three.get([model, motion].join())!, names);
    expect([...inThree].filter(([name, distance]) => !LEG.test(name) && !(distance <= MMD_PLAYERS))).toEqual([]);
    const ankles = ['左足首', '右足首'].map((name) => inThree.get(name) as number);
    expect(Math.max(...ankles)).toBeLessThan(3 * MMD_PLAYERS);
  });
});
