/** All of `anyrig extract` but reading and writing files: motions of files into a library of humanoid clips. */
import { writeHumanoidClips } from '../formats/gltf/write-humanoid-clips.ts';
import { stemOf } from './clip-names.ts';
import { type ExtractClipsOptions, extractClips } from './extract-clips.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { outputFormat } from './output-format.ts';
import { isTemplate, mainPaths, outputGroups } from './output-paths.ts';
import { printOutput } from './print-output.ts';
import { type ExtractReport, reportBody, reportClip } from './retarget-report.ts';

/** Where the clips go. */
export interface ExtractMotionsOptions extends ExtractClipsOptions {
  /** Path of the output, .glb or .gltf, or a template for a file a clip. */
  readonly output: string;
}

/** What there is to write, and the report. */
export interface ExtractMotionsResult {
  readonly report: ExtractReport;
  /** Files to be written in this order; none when there is no clip. */
  readonly outputs: readonly OutputFile[];
}

/** OptionError for a path that names no format with humanoid clips. */
export function extractFormat(output: string): 'glb' | 'gltf' {
  const format = outputFormat(output);
  if (format === 'glb' || format === 'gltf') return format;
  const advice = format === 'vrm' ? '' : `; a .${format} is made by "anyrig convert"`;
  throw new OptionError('output', `humanoid clips are written as .glb or .gltf, not as .${format}${advice}`);
}

/**
 * Extracts clips of motion files and makes the files of the output: glTF with animations by bone (EXT_skeleton_humanoid) and nothing else.
 *
 * @throws OptionError when an option does not fit the files.
 */
export async function extractMotions(
  motions: readonly OpenFile[],
  options: ExtractMotionsOptions,
): Promise<ExtractMotionsResult> {
  const { output } = options;
  const format = extractFormat(output);
  const done = extractClips(motions, options);
  const issues = [...done.issues];
  const parts = done.clips.map(({ clip, file, source: { index } }) => {
    return { clip: clip.name, file: stemOf(file), character: stemOf(file), index };
  });
  const outputs: OutputFile[] = [];
  for (const { path, clips } of done.clips.length === 0 ? [] : outputGroups(output, parts)) {
    const document = writeHumanoidClips(clips.map((index) => done.clips[index].clip));
    outputs.push(...(await printOutput(document, motions[0], { path, format }, issues)));
  }
  const sources = done.sources.map((choice, m) => reportBody(motions[m].name, choice));
  const report: ExtractReport = {
    ok: outputs.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: outputs.length > 0 ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    clips: done.clips.map(({ clip, file, source }) => reportClip(clip, [], file, source)),
    sources,
    issues,
  };
  return { report, outputs };
}
