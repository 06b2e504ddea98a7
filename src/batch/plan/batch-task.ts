/** What a batch is made of: tasks as plain data, which threads, other processes and queues can receive. */
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import type { PoseOption } from '../../files/humanoid/describe-file-humanoid.ts';
import type { RetargetMotionsOptions } from '../../files/jobs/retarget-motions.ts';
import type { OpenOptions } from '../../files/open.ts';

/** What the caller knows about a humanoid, as plain data. */
export interface BatchHumanoidOptions {
  /** Name or index of the skeleton. */
  readonly skeleton?: string | number;
  /** Nodes of bones, by name or by index in the file. */
  readonly map?: BoneAssignments;
  /** Which pose becomes the reference pose; `auto` by default. */
  readonly pose?: Exclude<PoseOption, object> | { readonly frame: number };
}

/** What the caller knows about motions whose files do not say it. */
export type BatchOpenOptions = Pick<OpenOptions, 'frameRate' | 'up'>;

/** How to retarget the motions of a batch, or to extract them: the options of `retargetMotions` as plain data. */
export interface BatchOptions
  extends Omit<RetargetMotionsOptions, 'output' | 'vrma' | 'source' | 'target' | 'signal' | 'onProgress'>,
    BatchOpenOptions {
  /** What the caller knows about the humanoids of the motions. */
  readonly source?: BatchHumanoidOptions;
  /** What the caller knows about the characters. */
  readonly target?: BatchHumanoidOptions;
}

/** File extensions that a batch writes: formats whose files need no other file. */
export const BATCH_FORMATS = ['glb', 'vrm', 'vrma', 'bvh', 'usdz', 'fbx'] as const;

/** One of {@link BATCH_FORMATS}. */
export type BatchFormat = (typeof BATCH_FORMATS)[number];

/**
 * What a task makes. `pair`: one motion on one character. `pack`: all motions of a character in one file. `extract`: the humanoid clips of one motion.
 */
export type BatchTaskKind = 'pair' | 'pack' | 'extract';

/** One result of a batch. */
export interface BatchTask {
  /** Identifies the task in its batch: path of its output relative to the output folder, with slashes and without extension. */
  readonly id: string;
  /** What it makes. */
  readonly kind: BatchTaskKind;
  /** Paths of the motions; one, but for `pack`. */
  readonly motions: readonly string[];
  /** Path of the character; null for `extract`. */
  readonly character: string | null;
  /** File extension of the output. */
  readonly format: BatchFormat;
  /** How to retarget or extract. */
  readonly options: BatchOptions;
}

/** All tasks of a batch. */
export interface BatchPlan {
  /** The tasks, those of a character one after the other. */
  readonly tasks: readonly BatchTask[];
}

export function inputsOfTask({ motions, character }: BatchTask): string[] {
  return character === null ? [...motions] : [...motions, character];
}
