/** Whole characters as new files: nodes, meshes, skins, materials and clips. */
import type { Issue } from '../../core/report/issue.ts';
import type { NewAnimation } from '../../formats/gltf/write/write-clips.ts';
import { adapterForOutput } from '../adapters/adapters.ts';
import type { Destination, NewCharacter } from '../adapters/format-adapter.ts';
import type { ClipNameParts } from '../clips/clip-names.ts';
import type { OutputFile } from './output-file.ts';
import { isUsd, type OutputFormat, type UsdFormat } from './output-format.ts';
import { outputGroups } from './output-paths.ts';

/** A clip in the axes and unit of the file, on its node indices, and the values of the placeholders of a path template. */
export interface CharacterClip extends NewAnimation {
  /** Values of the placeholders. */
  readonly parts: ClipNameParts;
}

/** Formats of new files with visible content. */
export type CharacterFormat = 'glb' | 'gltf' | UsdFormat;

/**
 * Checks for a format that can be written as a new file with visible content.
 *
 * @param format An output format.
 * @returns Whether the format is GLB, .gltf or USD.
 */
export function isCharacterFormat(format: OutputFormat): format is CharacterFormat {
  return format === 'glb' || format === 'gltf' || isUsd(format);
}

/**
 * Writes files of a planned character; see {@link planCharacterOutputs}.
 *
 * @param clips New clips.
 * @param issues Receives issues; those that it has already are not added again.
 * @returns The files.
 */
export type WriteCharacterClips = (clips: readonly CharacterClip[], issues: Issue[]) => Promise<OutputFile[]>;

/**
 * Prepares writing a whole character with clips. A template in the path writes one file per clip (see `outputGroups`); its paths are unique across
 * calls.
 *
 * @param character The character. In glTF it is converted to the space of glTF, in USD it stays in its own.
 * @param destination Path or path template, and format.
 * @param own Clips of the character, written into every file after the new ones: players start with the first clip, and USD binds it.
 * @returns A function that writes files.
 * @throws {RangeError} For a format that no adapter writes characters in.
 */
export function planCharacterOutputs(
  character: NewCharacter,
  { path: output, format }: Destination<CharacterFormat>,
  own: readonly NewAnimation[],
): WriteCharacterClips {
  const { planCharacter } = adapterForOutput(format);
  if (planCharacter === undefined) throw new RangeError(`No adapter writes characters as .${format}`);
  const write = planCharacter(character, format);
  const taken = new Set<string>();
  return async (clips, issues) => {
    const groups = outputGroups(
      output,
      clips.map(({ parts }) => parts),
      taken,
    );
    const files: OutputFile[] = [];
    for (const { path, clips: indices } of groups) {
      const found: Issue[] = [];
      files.push(...(await write([...indices.map((index) => clips[index]), ...own], path, found)));
      issues.push(...found.filter(({ message }) => !issues.some((known) => known.message === message)));
    }
    return files;
  };
}

/**
 * Writes a whole character with clips; see {@link planCharacterOutputs}.
 *
 * @param character The character. In glTF it is converted to the space of glTF, in USD it stays in its own.
 * @param clips New clips.
 * @param destination Path or path template, and format.
 * @param issues Receives issues; those that repeat in several files are added once.
 * @returns The files.
 * @throws OptionError for a template with unknown placeholders; FormatError for sizes that exceed the format.
 */
export async function characterOutputs(
  character: NewCharacter,
  clips: readonly CharacterClip[],
  destination: Destination<CharacterFormat>,
  issues: Issue[],
): Promise<OutputFile[]> {
  return planCharacterOutputs(character, destination, [])(clips, issues);
}
