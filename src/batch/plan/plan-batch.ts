/** Plans a batch: which motions go onto which characters, and where the results go. */
import { extname } from 'node:path';
import { stemOf } from '../../files/clips/clip-names.ts';
import { OptionError } from '../../files/option-error.ts';
import { fileNameKey, safeFileName } from '../../files/outputs/file-names.ts';
import { sha256 } from '../sha256.ts';
import type { BatchFormat, BatchOptions, BatchPlan, BatchTask } from './batch-task.ts';

/** Digits of a hash that tell files with equal names apart. */
const DIGITS = 8;

/**
 * The first level at which the whole hash is in the name. Higher levels take other hashes, for a file that is called like the name of another one.
 * UTF-16 tells lone surrogates apart, which are all the same in UTF-8.
 */
const WHOLE_HASH = 4;

/** Names a path, from the shortest name at level 0 to those that no other path has. No name starts with a dot, as the folder of the journal does. */
function nameAt(path: string, level: number): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '');
  const name = (parts.at(-1) ?? '').replace(/^\./, '_');
  const stem = stemOf(name);
  if (level === 0) return safeFileName(stem);
  if (level === 1) return safeFileName(name);
  if (level === 2) return safeFileName([...parts.slice(-2, -1), name].join('-').replace(/^\./, '_'));
  const end =
    level < WHOLE_HASH ? `-${sha256(path).slice(0, DIGITS)}` : `-${sha256(Buffer.from(`${level} ${path}`, 'utf16le'))}`;
  return safeFileName(stem, end.length) + end;
}

/**
 * Names files after their paths: by the file name without extension; where several have the same, with the extension, the folder or a hash of the path. The
 * order of the paths does not matter, and names that are one file on some system are the same.
 */
export function uniqueStems(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let left = [...new Set(paths)];
  for (let level = 0; left.length > 0; level++) {
    const found = left.map((path) => {
      const name = nameAt(path, level);
      return { path, name, key: fileNameKey(name) };
    });
    const counts = new Map<string, number>();
    for (const { key } of found) counts.set(key, (counts.get(key) ?? 0) + 1);
    const free = found.filter(({ key }) => counts.get(key) === 1 && !taken.has(key));
    for (const { path, name, key } of free) {
      names.set(path, name);
      taken.add(key);
    }
    left = left.filter((path) => !names.has(path));
  }
  return names;
}

/** A motion and a character with options of their own. */
export interface BatchPair {
  /** Path of the motion. */
  readonly motion: string;
  /** Path of the character. */
  readonly character: string;
  /** Options of this pair; those of the request apply where it has none. */
  readonly options?: BatchOptions;
}

/** What a batch is asked for. */
export interface BatchRequest {
  /** Paths of motions. With `characters`, every motion goes onto every character. */
  readonly motions?: readonly string[];
  /** Paths of characters. */
  readonly characters?: readonly string[];
  /** More pairs, or the same pairs with other options. */
  readonly pairs?: readonly BatchPair[];
  /** `pairs`, the default, makes one result per pair, `pack` one file per character with all clips, `extract` one clip library per motion. */
  readonly mode?: 'pairs' | 'pack' | 'extract';
  /** File extension of the results; by default that of the character: `vrma` for VRM, `usdz` for USD, `fbx` for FBX, else `glb`. */
  readonly format?: BatchFormat;
  /** Options of all tasks. */
  readonly options?: BatchOptions;
}

function formatFor(character: string): BatchFormat {
  const extension = extname(character).toLowerCase();
  if (extension === '.vrm') return 'vrma';
  if (extension === '.fbx') return 'fbx';
  return extension.startsWith('.usd') ? 'usdz' : 'glb';
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/** All pairs of a request. The last one of equal pairs counts. */
function pairsOf({ motions = [], characters = [], pairs = [] }: BatchRequest): BatchPair[] {
  const found = new Map<string, BatchPair>();
  const all = distinct(characters).flatMap((character) => distinct(motions).map((motion) => ({ motion, character })));
  for (const pair of [...all, ...pairs]) found.set(JSON.stringify([pair.character, pair.motion]), pair);
  const order = distinct([...found.values()].map(({ character }) => character));
  return order.flatMap((character) => [...found.values()].filter((pair) => pair.character === character));
}

function checkFormat(mode: string, format: BatchFormat | undefined): void {
  if (mode === 'pack' && (format === 'vrma' || format === 'bvh'))
    throw new OptionError('format', `A .${format} file holds one clip, so clips cannot be packed into one; use glb`);
  if (mode === 'extract' && format !== undefined && format !== 'glb')
    throw new OptionError('format', `Clip libraries are .glb, not .${format}; leave out the format`);
}

function packTasks(pairs: readonly BatchPair[], request: BatchRequest): BatchTask[] {
  const characters = distinct(pairs.map(({ character }) => character));
  const stems = uniqueStems(characters);
  return characters.map((character) => {
    const own = pairs.filter((pair) => pair.character === character);
    if (own.some(({ options }) => options !== undefined))
      throw new OptionError(
        'pack',
        'Packed clips share their options, but a pair of the manifest has options of its own',
      );
    return {
      id: stems.get(character) ?? character,
      kind: 'pack',
      motions: own.map(({ motion }) => motion),
      character,
      // A VRM Animation holds one clip.
      format: request.format ?? (extname(character).toLowerCase() === '.vrm' ? 'vrm' : formatFor(character)),
      options: request.options ?? {},
    };
  });
}

/**
 * Plans a batch. The plan depends only on the request, so that several machines can plan the same batch.
 *
 * @param request Motions, characters and options.
 * @returns The tasks, those of a character one after the other. Results are named after their inputs: `character/motion`, `character` or `motion`.
 * @throws OptionError for a format that cannot hold the results, and for a request without a motion or character.
 * @example
 * const plan = planBatch({ motions: ['walk.fbx', 'wave.bvh'], characters: ['hero.glb', 'avatar.vrm'] });
 * console.log(plan.tasks.map(({ id }) => id));
 */
export function planBatch(request: BatchRequest): BatchPlan {
  const { mode = 'pairs', format, options = {} } = request;
  checkFormat(mode, format);
  if (mode === 'extract') {
    const motions = distinct([...(request.motions ?? []), ...(request.pairs ?? []).map(({ motion }) => motion)]);
    if (motions.length === 0) throw new OptionError('motions', 'There is no motion; name at least one');
    const stems = uniqueStems(motions);
    const tasks = motions.map((motion): BatchTask => {
      const id = stems.get(motion) ?? motion;
      return { id, kind: 'extract', motions: [motion], character: null, format: 'glb', options };
    });
    return { tasks };
  }
  const pairs = pairsOf(request);
  if (pairs.length === 0) throw new OptionError('motions', 'There is no pair; name motions and characters');
  if (mode === 'pack') return { tasks: packTasks(pairs, request) };
  const characters = uniqueStems(distinct(pairs.map(({ character }) => character)));
  const motions = uniqueStems(distinct(pairs.map(({ motion }) => motion)));
  const tasks = pairs.map(({ motion, character, options: own }): BatchTask => {
    return {
      id: `${characters.get(character)}/${motions.get(motion)}`,
      kind: 'pair',
      motions: [motion],
      character,
      format: format ?? formatFor(character),
      options: { ...options, ...own },
    };
  });
  return { tasks };
}
