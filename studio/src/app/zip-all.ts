/** Every motion on every character, as one archive. */
import type { Zippable } from 'fflate';
import { messageOf } from './message.ts';
import { fileStem, formatsOf, type OutputFormat, outputName } from './outputs.ts';
import { editsOf } from './project.ts';
import { isCharacter, isMotion, type Studio } from './studio.ts';

/** The list of pairs that failed, in the archive. */
const FAILED = 'failed.txt';

/** How far the work is. */
export interface ZipProgress {
  /** Number of pairs that are done. */
  readonly done: number;
  /** Number of all pairs. */
  readonly total: number;
  /** The pair in work. */
  readonly name: string;
}

/**
 * Retargets every motion of the page to every character of the user, or to all characters where the user has none.
 *
 * @param format Format of the outputs; null, and one that does not suit a character, give the best for each character.
 * @returns The archive; null when it was stopped. Pairs that failed are in `failed.txt`.
 */
export async function zipAll(
  studio: Studio,
  format: OutputFormat | null,
  onProgress: (progress: ZipProgress) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const project = studio.history.state.peek();
  const files = studio.files.peek();
  const own = files.filter(({ isBuiltIn }) => !isBuiltIn);
  const motions = (own.some(isMotion) ? own : files).filter(isMotion);
  const characters = (own.some(isCharacter) ? own : files).filter(isCharacter);
  const archive: Zippable = {};
  const taken = new Set([FAILED]);
  const folders = characters.map(({ input }) => ({ folder: fileStem(input.name, taken), names: new Set<string>() }));
  const failed: string[] = [];
  const pairs = characters.flatMap((character, k) => motions.map((motion) => ({ character, motion, ...folders[k] })));
  for (const [done, { character, motion, folder, names }] of pairs.entries()) {
    if (character.input.id === motion.input.id) continue;
    const formats = formatsOf(character);
    const suited = formats.find((one) => one === format) ?? formats[0];
    const output = outputName(motion.input.name, character.input.name, suited, names);
    onProgress({ done, total: pairs.length, name: output });
    if (signal.aborted) return null;
    try {
      const written = await studio.client.engine().write({
        motion: motion.input.id,
        clip: null,
        character: character.input.id,
        options: { ...project.options, trim: null },
        source: editsOf(project, motion.input.id),
        target: editsOf(project, character.input.id),
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
