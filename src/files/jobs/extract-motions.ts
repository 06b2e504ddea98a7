/** Extracts motions into a library of humanoid clips: `anyrig extract` without reading and writing files. */
import type { HumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { writeHumanoidClips } from '../../formats/gltf/write/write-humanoid-clips.ts';
import { type ClipNameParts, stemOf } from '../clips/clip-names.ts';
import { createKeyOwner } from '../clips/own-keys.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { outputFormat } from '../outputs/output-format.ts';
import { checkTemplate, isTemplate, outputGroups } from '../outputs/output-paths.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import { type ExtractReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import { checkExtractOptions, type ExtractClipsOptions, type ExtractedClip, extractMotion } from './extract-clips.ts';
import { type MotionInput, type MotionsJob, type MotionsRun, runMotions } from './run-motions.ts';

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
  const advice = format === 'vrm' ? '' : `, or convert to .${format}`;
  throw new OptionError('output', `A .${format} file cannot hold humanoid clips; write .glb or .gltf${advice}`);
}

/** Report of {@link extractInputs}. */
export interface ExtractInputsResult {
  /** What was done. */
  readonly report: ExtractReport;
  /** Why nothing was written, or why no more was; null when all motions were tried and at least one was written. */
  readonly failure: Error | null;
}

/** A humanoid clip without the motion that it was made from. */
interface WrittenClip {
  readonly clip: HumanoidClip;
  readonly parts: ClipNameParts;
}

/** Releases the motion that a clip was made from. */
function withoutMotion({ clip, file, source: { index } }: ExtractedClip): WrittenClip {
  const tracks = createKeyOwner()(clip.tracks);
  return {
    clip: { ...clip, tracks },
    parts: { clip: clip.name, file: stemOf(file), character: stemOf(file), index },
  };
}

function createJob(options: ExtractMotionsOptions): MotionsJob<WrittenClip> {
  const { output } = options;
  const format = extractFormat(output);
  const takenNames = new Set<string>();
  const takenPaths = new Set<string>();
  return {
    clips: options.clips ?? [],
    output,
    control: options,
    convert: async (motion, chosen, position) => {
      const done = await extractMotion(motion, chosen, options, takenNames, position);
      return {
        clips: done.clips.map(withoutMotion),
        reports: done.clips.map(({ clip, source }) => reportClip(clip, [], motion.name, source)),
        source: reportFileHumanoid(motion.name, done.source),
        hipsScale: null,
        issues: done.issues,
      };
    },
    serialize: async (clips, issues) => {
      const outputs: OutputFile[] = [];
      const parts = clips.map((one) => one.parts);
      for (const { path, clips: indices } of outputGroups(output, parts, takenPaths)) {
        const document = writeHumanoidClips(indices.map((index) => clips[index].clip));
        outputs.push(...(await serializeDocument(document, { readResource: null }, { path, format }, issues)));
      }
      return outputs;
    },
  };
}

/**
 * Extracts motions that are opened one by one; see {@link extractMotions}. A path template writes the files of a motion before the next one is opened.
 *
 * @param inputs The motions.
 * @param options As of {@link extractMotions}.
 * @param run Where the files go, and what happens to motions that fail.
 * @returns The report.
 * @throws As {@link extractMotions}.
 */
export async function extractInputs(
  inputs: readonly MotionInput[],
  options: ExtractMotionsOptions,
  run: MotionsRun,
): Promise<ExtractInputsResult> {
  const { output } = options;
  checkTemplate(output);
  checkExtractOptions(options);
  const { files, bytes, mains, clips, sources, issues, failure } = await runMotions(inputs, createJob(options), run);
  const report: ExtractReport = {
    ok: files.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: files.length > 0 ? output : null,
    ...(isTemplate(output) ? { outputs: mains } : {}),
    files,
    bytes,
    clips,
    sources,
    issues,
  };
  return { report, failure };
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
  const outputs: OutputFile[] = [];
  const inputs = motions.map((motion) => ({ name: motion.name, open: async () => motion }));
  const write = (files: readonly OutputFile[]): void => {
    outputs.push(...files);
  };
  const { report } = await extractInputs(inputs, options, { write, leavesOut: false });
  return { report, outputs };
}
