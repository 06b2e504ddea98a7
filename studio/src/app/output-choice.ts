/** What is taken away: the choices of the panel, and the job and the command line that follow from them. */
import { signal } from '@preact/signals';
import type { WriteRequest, WrittenFile } from '../engine/protocol.ts';
import { commandLine } from './command-line.ts';
import { fileStem, formatsOf, isMotionOnly, type OutputFormat, outputName } from './outputs.ts';
import { editsOf } from './project.ts';
import type { Studio, StudioFile } from './studio.ts';

interface OutputChoice {
  /** The format; null, and one that does not suit the character, give the best for the character. */
  readonly format: OutputFormat | null;
  /** A name that the user typed; null takes those of character and motion. */
  readonly name: string | null;
  readonly isAll: boolean;
  /** Whether new clips replace those of the character. */
  readonly replace: boolean;
  readonly mesh: boolean;
}

/** The choices: kept while other panels are shown. */
export const outputChoice = signal<OutputChoice>({
  format: null,
  name: null,
  isAll: false,
  replace: false,
  mesh: true,
});

export function changeOutput(changes: Partial<OutputChoice>): void {
  outputChoice.value = { ...outputChoice.peek(), ...changes };
}

export interface Output {
  readonly motion: StudioFile;
  readonly character: StudioFile;
  readonly formats: readonly OutputFormat[];
  readonly format: OutputFormat;
  readonly request: WriteRequest;
  readonly command: string;
}

/**
 * Returns what the present project and choices write. Reads signals, so that panels that call it follow them. The output; null without a motion or
 * a character.
 */
export function outputOf(studio: Studio): Output | null {
  const project = studio.history.state.value;
  const fileOf = (id: string | undefined | null) => studio.files.value.find(({ input }) => input.id === id);
  const [motion, character] = [fileOf(project.motion?.file), fileOf(project.selected)];
  if (project.motion === null || motion === undefined || character === undefined) return null;
  const choice = outputChoice.value;
  const formats = formatsOf(character);
  const format = formats.find((one) => one === choice.format) ?? formats[0];
  const output = choice.name ?? outputName(motion.input.name, character.input.name, format);
  const clips = motion.summary?.clips ?? [];
  const clip = choice.isAll || clips.length === 1 ? null : project.motion.clip;
  const request: WriteRequest = {
    motion: motion.input.id,
    clip,
    character: character.input.id,
    options: project.options,
    source: editsOf(project, motion.input.id),
    target: editsOf(project, character.input.id),
    output,
    replace: choice.replace,
    mesh: choice.mesh || isMotionOnly(format),
  };
  const nameOf = (id: string): string => fileOf(id)?.input.name ?? id;
  const command = commandLine({
    ...request,
    motion: motion.input.name,
    clip: clip === null ? null : (clips[clip]?.name ?? null),
    character: character.input.name,
    nameOf,
  });
  return { motion, character, formats, format, request, command };
}

/** Writes a result, with the maps and poses that its command line names. */
export async function writeOutput(
  studio: Studio,
  { motion, character, request }: Output,
): Promise<readonly WrittenFile[]> {
  const engine = studio.client.engine();
  const files = await engine.write(request);
  for (const [{ input }, edits] of [[motion, request.source] as const, [character, request.target] as const]) {
    const name = fileStem(input.name);
    if (edits.map !== null) {
      const { json } = await engine.bones(input.id, edits);
      files.push({ path: `${name}.map.json`, bytes: new TextEncoder().encode(json) });
    }
    if (edits.pose.kind === 'edited') files.push(...(await engine.pose(input.id, edits, `${name}.pose.glb`)));
  }
  return files;
}
