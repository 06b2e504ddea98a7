/** The worker of the page: offers the library to it. Large results are moved, not copied. */
import { expose, transfer } from 'comlink';
import { STANDARD_RIG_NAMES } from '../../../src/core/humanoid/rigs/rig-names.ts';
import { rigUrl } from '../../../src/files/rig-url.ts';
import type { StageClip } from '../../../src/stage/contract.ts';
import { bones, figure, glb, mirroredPose, rig, rotatedPose, sourceClip } from './describe.ts';
import type { TimingOptions } from './edit-timing.ts';
import { close, load, open } from './open-files.ts';
import type {
  FileSummary,
  HumanoidEdits,
  Measures,
  RetargetRequest,
  RetargetResult,
  SentFile,
  WriteRequest,
  WrittenFile,
} from './protocol.ts';
import { forgetResults, measure, retarget } from './retarget.ts';
import { buffersOf } from './stage-clip.ts';

function moved(files: WrittenFile[]): WrittenFile[] {
  return transfer(
    files,
    files.map(({ bytes }) => bytes.buffer),
  );
}

/** Loads the writers when something is taken away. */
const takeAway = () => import('./take-away.ts');

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}

async function read<T>(
  { id, name, blob, resources }: SentFile,
  work: (id: string, name: string, bytes: Uint8Array, resources: ReadonlyMap<string, Uint8Array>) => Promise<T>,
): Promise<T> {
  const entries = [...resources].map(async ([path, one]) => [path, await bytesOf(one)] as const);
  return await work(id, name, await bytesOf(blob), new Map(await Promise.all(entries)));
}

const api = {
  open: (file: SentFile): Promise<FileSummary> => read(file, open),
  load: async (file: SentFile): Promise<void> => {
    await read(file, load);
  },
  close: (id: string): void => {
    close(id);
    forgetResults(id);
  },
  bones,
  figure,
  mirroredPose,
  rig,
  rotatedPose,
  /** Makes one built-in motion, then one standard rig; null after the last. Characters are files of the page. */
  builtIn: async (index: number): Promise<(WrittenFile & { readonly title: string }) | null> => {
    const { DANCE, DEMO_MOTIONS } = await import('../../../src/demo/index.ts');
    const motions = [DANCE, ...DEMO_MOTIONS];
    const motion = motions[index];
    if (motion === undefined) {
      const rig = STANDARD_RIG_NAMES[index - motions.length];
      return rig === undefined ? null : { path: rigUrl(rig), title: `Skeleton ${rig}`, bytes: new Uint8Array() };
    }
    const bytes = motion.bytes() as Uint8Array<ArrayBuffer>;
    return transfer({ path: motion.name, title: motion.title, bytes }, [bytes.buffer]);
  },
  glb: async (id: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await glb(id);
    return transfer(bytes, [bytes.buffer]);
  },
  sourceClip: async (id: string, index: number, timing: TimingOptions): Promise<StageClip | null> => {
    const clip = await sourceClip(id, index, timing);
    return clip === null ? null : transfer(clip, buffersOf(clip));
  },
  retarget: async (request: RetargetRequest): Promise<RetargetResult> => {
    const result = await retarget(request);
    return result.clip === null ? result : transfer(result, buffersOf(result.clip));
  },
  measure: (request: RetargetRequest): Promise<Measures | null> => measure(request),
  write: async (request: WriteRequest): Promise<WrittenFile[]> => moved(await (await takeAway()).write(request)),
  extract: async (request: WriteRequest): Promise<WrittenFile[]> => moved(await (await takeAway()).extract(request)),
  sheet: async (request: WriteRequest): Promise<WrittenFile[]> => moved(await (await takeAway()).sheet(request)),
  pose: async (id: string, edits: HumanoidEdits, path: string): Promise<WrittenFile[]> => {
    return moved(await (await takeAway()).pose(id, edits, path));
  },
};

export type Engine = typeof api;

expose(api);
