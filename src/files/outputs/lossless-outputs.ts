/** Files that keep all their content, in the same family of formats: only their clips or their container change. */
import type { Issue } from '../../core/report/issue.ts';
import { adapterOf } from '../adapters/adapters.ts';
import type { ClipChanges, Destination } from '../adapters/format-adapter.ts';
import type { OpenFile } from '../open-file.ts';
import type { OutputFile } from './output-file.ts';
import { formatFamily, type GltfFormat, holdsOneClip, type OutputFormat, type UsdFormat } from './output-format.ts';
import type { OutputGroup } from './output-paths.ts';

/** Formats that can hold the whole content of a file of the same family. */
export type LosslessFormat = GltfFormat | UsdFormat;

/**
 * Checks that a format can hold the whole content of a file: glTF as glTF, USD as USD.
 *
 * @param file An opened file.
 * @param format An output format.
 * @returns Whether the file can be written without loss.
 */
export function isLossless(file: OpenFile, format: OutputFormat): format is LosslessFormat {
  if (holdsOneClip(format) || adapterOf(file).writeLossless === undefined) return false;
  return formatFamily(format) === file.format;
}

/**
 * Lists the issues of a file that is written without being interpreted.
 *
 * @param file An opened file.
 * @returns The issues of parsing alone.
 */
export function parseIssues(file: OpenFile): readonly Issue[] {
  return adapterOf(file).parseIssues?.(file) ?? [];
}

function writeLossless(
  file: OpenFile,
  changes: ClipChanges | null,
  destination: Destination,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { writeLossless: write } = adapterOf(file);
  if (write !== undefined) return write(file, changes, destination, issues);
  throw new RangeError(`${file.name} cannot be written as .${destination.format} without loss; check isLossless first`);
}

/**
 * Writes a file unchanged, or in another container of its family.
 *
 * @param file An opened file.
 * @param destination Path and format; see {@link isLossless}.
 * @param issues Receives issues.
 * @returns The files, the main one last.
 * @throws FormatError when content that must be embedded cannot be read.
 */
export function unchangedOutputs(
  file: OpenFile,
  destination: Destination<LosslessFormat>,
  issues: Issue[],
): Promise<OutputFile[]> {
  return writeLossless(file, null, destination, issues);
}

/**
 * Writes a file with other clips, one output per group of clips.
 *
 * @param file An opened file; it stays unchanged.
 * @param changes All animations, and whether they replace those of the file.
 * @param format Format of the outputs; see {@link isLossless}.
 * @param groups Paths, and the animations in each by index.
 * @param issues Receives issues.
 * @returns The files of all outputs, each with its main file last.
 * @throws FormatError when content that must be embedded cannot be read.
 */
export async function editedOutputs(
  file: OpenFile,
  { animations, replace }: ClipChanges,
  format: LosslessFormat,
  groups: readonly OutputGroup[],
  issues: Issue[],
): Promise<OutputFile[]> {
  const outputs: OutputFile[] = [];
  for (const { path, clips } of groups) {
    const chosen = clips.map((index) => animations[index]);
    outputs.push(...(await writeLossless(file, { animations: chosen, replace }, { path, format }, issues)));
  }
  return outputs;
}
