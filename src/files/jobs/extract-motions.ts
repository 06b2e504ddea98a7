/** Extracts motions into a library of humanoid clips: `anyrig extract` without reading and writing files. */
import { writeHumanoidClips } from '../../formats/gltf/write/write-humanoid-clips.ts';
import { stemOf } from '../clips/clip-names.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { outputFormat } from '../outputs/output-format.ts';
import { isTemplate, mainPaths, outputGroups } from '../outputs/output-paths.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import { type ExtractReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import { type ExtractClipsOptions, extractClips } from './extract-clips.ts';

/** How to convert motions, and where to write them. */
export interface ExtractMotionsOptions extends ExtractClipsOptions {
  /** Path of the output, .glb or .gltf, or a template for one file per clip. */
  readonly output: string;
}

/** Report and files of {@link extractMotions}. */
export interface ExtractMotionsResult {
  /** What was done. */
  readonly report: ExtractReport;
  /** Files to write in this order; empty without a clip. */
  readonly outputs: readonly OutputFile[];
}

/**
 * Returns the format of a library of humanoid clips.
 *
 * @param output Path or path template.
 * @returns The container.
 * @throws OptionError (`output`) for formats that cannot hold humanoid clips.
 */
export function extractFormat(output: string): 'glb' | 'gltf' {
  const format = outputFormat(output);
  if (format === 'glb' || format === 'gltf') return format;
  const advice = format === 'vrm' ? '' : `, or use "anyrig convert" for .${format}`;
  throw new OptionError('output', `A .${format} file cannot hold humanoid clips; write .glb or .gltf${advice}`);
}

/**
 * Extracts clips of motion files and makes the output files: glTF with animations of bones (EXT_skeleton_humanoid) and nothing else.
 *
 * @param motions Motion files; they stay unchanged.
 * @param options Which clips, how to name and edit them, where to write them.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the files.
 * @example
 * const motions = [await openFile('walk.fbx'), await openFile('run.bvh')];
 * const { outputs } = await extractMotions(motions, { output: 'clips.glb' });
 * writeFiles(outputs);
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
    outputs.push(...(await serializeDocument(document, motions[0], { path, format }, issues)));
  }
  const sources = done.sources.map((choice, m) => reportFileHumanoid(motions[m].name, choice));
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
