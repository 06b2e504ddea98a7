/** Outputs of anyrig on disk, and where its own reader says that their joints are. */
import { readFileSync } from 'node:fs';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile, writeFiles } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { openDemo } from '../../support/make/demo-files.ts';

/** World positions (xyz, meters) by joint name. */
export type Positions = ReadonlyMap<string, readonly number[]>;

/** A written file. */
export interface Output {
  readonly path: string;
  /** Name of the new clip. */
  readonly clip: string;
  /** Index of the new clip in the file. */
  readonly index: number;
  /** Number of clips in the file. */
  readonly clipCount: number;
  /** Some times of keys and, after them, as many times between keys, in seconds. */
  readonly times: readonly number[];
  /** Meters per unit of the file. */
  readonly unit: number;
  /** Returns where the joints are at a time, by the reader of anyrig. */
  readonly at: (seconds: number) => Positions;
}

/** Number of times of keys that are compared. */
const KEYS = 4;

/** Selects times of keys, and the middles after them. */
function timesOf(file: OpenFile, index: number): number[] {
  const tracks = file.asset.clips[index].clips.flatMap((clip) => clip.tracks);
  const all = [...new Set(tracks.flatMap(({ times }) => Array.from(times)))].sort((a, b) => a - b);
  const keys = Array.from({ length: KEYS }, (_, k) => Math.floor(((k + 0.5) / KEYS) * (all.length - 1)));
  return [...keys.map((k) => all[k]), ...keys.map((k) => (all[k] + all[k + 1]) / 2)];
}

function positionsOf(
  { asset: { skeletons, clips } }: OpenFile,
  index: number,
  unit: number,
  seconds: number,
): Positions {
  const found = new Map<string, number[]>();
  for (const [s, { skeleton }] of skeletons.entries()) {
    const pose = Float64Array.from(skeleton.rest);
    sampleClip(clips[index].clips[s], seconds, pose);
    const worlds = new Float64Array(MATRIX_STRIDE * skeleton.parents.length);
    localToModelMatrices(worlds, skeleton.parents, pose);
    for (const [node, name] of skeleton.names.entries()) {
      const at = MATRIX_STRIDE * node + 12;
      found.set(
        name,
        [...worlds.subarray(at, at + 3)].map((value) => value * unit),
      );
    }
  }
  return found;
}

/** Opens a written file as an output. */
export async function outputAt(path: string, clip: string): Promise<Output> {
  const file = await openFile(path);
  const index = file.asset.clips.findIndex(({ name }) => name === clip);
  const clipCount = file.asset.clips.length;
  // A BVH has one clip without a name, and centimeters.
  const [own, unit] = path.endsWith('.bvh') ? [0, 0.01] : [index, 1];
  if (own < 0) throw new Error(`${path} has no clip ${clip}`);
  const at = (seconds: number): Positions => positionsOf(file, own, unit, seconds);
  return { path, clip, index: own, clipCount, times: timesOf(file, own), unit, at };
}

/** Retargets a motion to a character, writes the output and opens it again. */
export async function retargetTo(
  path: string,
  motion: OpenFile,
  character: OpenFile,
  options: { readonly mesh?: boolean; readonly replace?: boolean } = {},
): Promise<Output> {
  const { report, outputs } = await retargetMotions([motion], character, { ...options, output: path });
  await writeFiles(outputs, { force: true });
  return outputAt(path, report.clips[0].name);
}

/** Converts a motion without a mesh, writes the output and opens it again. */
export async function convertTo(path: string, motion: OpenFile): Promise<Output> {
  const { report, outputs } = await convertFile(motion, { output: path });
  await writeFiles(outputs, { force: true });
  return outputAt(path, report.clips[0].name);
}

/** A motion and characters to put it on. */
export interface Inputs {
  readonly name: string;
  readonly motion: OpenFile;
  readonly character: OpenFile;
  /** A character whose output is a VRM Animation. */
  readonly avatar: OpenFile;
}

async function real(path: string): Promise<OpenFile> {
  return openBytes(readFileSync(asset('assets', path)), { name: path.slice(path.indexOf('/') + 1) });
}

let opened: Promise<Inputs[]> | null = null;

/** Returns the inputs, opened once: those of the demo, and real ones where they are present. */
export function inputs(): Promise<Inputs[]> {
  opened ??= openInputs();
  return opened;
}

async function openInputs(): Promise<Inputs[]> {
  const [walk, mixamo, child] = ['walk.glb', 'mixamo.glb', 'child.vrm'].map((name) => openDemo(name));
  const made = { motion: await walk, character: await mixamo, avatar: await child };
  const all = [{ name: 'demo', ...made }];
  if (!HAS_ASSETS) return all;
  const [motion, character, avatar] = ['fbx/mixamo_Walking.fbx', 'glb/Xbot.glb', 'vrm/Godette_vrm_v4.vrm'].map(real);
  return [...all, { name: 'mixamo', motion: await motion, character: await character, avatar: await avatar }];
}

/** Largest distance (m) of joints that both have, at the times of keys and between them; throws where less than half are shared. */
export function largestDistances(output: Output, theirs: readonly Positions[]): { atKeys: number; between: number } {
  const largest = [0, 0];
  for (const [k, time] of output.times.entries()) {
    const ours = output.at(time);
    const shared = [...ours].filter(([name]) => theirs[k].has(name));
    if (shared.length < ours.size / 2) {
      throw new Error(`${output.path}: only ${shared.length} of ${ours.size} joints were found by name`);
    }
    for (const [name, [x, y, z]] of shared) {
      const [a, b, c] = theirs[k].get(name) as readonly number[];
      const part = k < KEYS ? 0 : 1;
      largest[part] = Math.max(largest[part], Math.hypot(x - a, y - b, z - c));
    }
  }
  return { atKeys: largest[0], between: largest[1] };
}
