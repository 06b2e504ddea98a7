import type { Zippable } from 'fflate';
import type { RetargetRequest } from '../engine/protocol.ts';
import { messageOf } from './message.ts';
import { fileStem, formatsOf, type OutputFormat, outputName } from './outputs.ts';
import { editsOf, type Project } from './project.ts';
import { isCharacter, isMotion, type Studio, type StudioFile } from './studio.ts';

/** The list of pairs that failed, in the archive. */
const FAILED = 'failed.txt';

/** How far the work is. */
export interface ZipProgress {
  readonly done: number;
  readonly total: number;
  readonly name: string;
}

/** A motion on a character, in the format that suits the character. */
export interface Pair {
  readonly motion: StudioFile;
  readonly character: StudioFile;
  readonly format: OutputFormat;
}

/**
 * Lists every motion of the user on every character of the user; those of the page stand for what the user does not have. `format`: wanted format;
 * null, and one that does not suit a character, give the best for each character.
 */
export function pairsOf(files: readonly StudioFile[], format: OutputFormat | null): Pair[] {
  const own = files.filter(({ isBuiltIn }) => !isBuiltIn);
  const motions = (own.some(isMotion) ? own : files).filter(isMotion);
  const characters = (own.some(isCharacter) ? own : files).filter(isCharacter);
  return characters.flatMap((character) => {
    const formats = formatsOf(character);
    const suited = formats.find((one) => one === format) ?? formats[0];
    const others = motions.filter(({ input }) => input.id !== character.input.id);
    return others.map((motion) => ({ motion, character, format: suited }));
  });
}

/** Returns what a pair is made from: all of the motion, with the options and decisions of the page. */
export function requestOf(project: Project, { motion, character }: Pair): RetargetRequest {
  return {
    motion: motion.input.id,
    clip: 0,
    character: character.input.id,
    options: { ...project.options, trim: null },
    source: editsOf(project, motion.input.id),
    target: editsOf(project, character.input.id),
  };
}

/**
 * Writes all pairs. `format`: format of the outputs; null, and one that does not suit a character, give the best for each character. Returns the
 * archive; null when it was stopped. Pairs that failed are in `failed.txt`.
 */
export async function zipAll(
  studio: Studio,
  format: OutputFormat | null,
  onProgress: (progress: ZipProgress) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const project = studio.history.state.peek();
  const archive: Zippable = {};
  const taken = new Set([FAILED]);
  const pairs = pairsOf(studio.files.peek(), format);
  const characters = [...new Set(pairs.map(({ character }) => character))];
  const folders = new Map(
    characters.map((one) => [one, { folder: fileStem(one.input.name, taken), names: new Set<string>() }]),
  );
  const failed: string[] = [];
  for (const [done, pair] of pairs.entries()) {
    const { folder, names } = folders.get(pair.character) as { folder: string; names: Set<string> };
    const output = outputName(pair.motion.input.name, pair.character.input.name, pair.format, names);
    onProgress({ done, total: pairs.length, name: output });
    if (signal.aborted) return null;
    try {
      const written = await studio.client.engine().write({
        ...requestOf(project, pair),
        clip: null,
        output,
        replace: false,
        mesh: true,
      });
      for (const { path, bytes } of written) archive[`${folder}/${path}`] = [bytes, { level: 0 }];
    } catch (error) {
      failed.push(`${output}: ${messageOf(error)}`);
    }
  }
  if (signal.aborted) return null;
  const { strToU8, zipSync } = await import('fflate');
  if (failed.length > 0) archive[FAILED] = strToU8(failed.join('\n'));
  return zipSync(archive) as Uint8Array<ArrayBuffer>;
}
