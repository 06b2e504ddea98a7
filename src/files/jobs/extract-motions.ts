/** Extracts motions into a library of humanoid clips: `anyrig extract` without reading and writing files. */
import type { HumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { writeHumanoidClips } from '../../formats/gltf/write/write-humanoid-clips.ts';
import { droppedFaces } from '../faces/motion-face.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { checkMotionOptions } from '../options/motion-options.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { outputFormat } from '../outputs/output-format.ts';
import { checkTemplate } from '../outputs/output-paths.ts';
import { createClipWriter, type OutputClip } from '../outputs/plan-output.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import { type ExtractReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import { checkClipOptions, type RetargetClipsOptions } from './plan-pair.ts';
import { retargetFile, toOutputClip } from './retarget-clips.ts';
import { type JobRun, type MotionInput, runMotions } from './run-motions.ts';

/** How to convert motions to humanoid clips, and where to write them. */
export interface ExtractMotionsOptions
  extends Pick<RetargetClipsOptions, 'clips' | 'name' | 'fps' | 'edits' | 'source' | 'signal' | 'onProgress'> {
  /** Path of the output, .glb or .gltf, or a template for one file per clip. */
  readonly output: string;
  /** Which channels to keep; translations and scales of bones other than the hips only on request. */
  readonly channels?: Omit<NonNullable<RetargetClipsOptions['channels']>, 'hipsScale'>;
}

/** Report and files of {@link extractMotions}. */
export interface ExtractMotionsResult {
  /** What was done. */
  readonly report: ExtractReport;
  /** Files to write in this order; empty without a clip, and where they were written already. */
  readonly outputs: readonly OutputFile[];
  /** Why nothing was written, or why no more was, of motions that are left out; null when all were tried and at least one was written. */
  readonly failure: Error | null;
}

/** Returns the format of a library of humanoid clips. Throws OptionError (`output`) for formats that cannot hold humanoid clips. */
export function extractFormat(output: string): 'glb' | 'gltf' {
  const format = outputFormat(output);
  if (format === 'glb' || format === 'gltf') return format;
  const advice = format === 'vrm' ? '' : `, or convert to .${format}`;
  throw new OptionError('output', `A .${format} file cannot hold humanoid clips; write .glb or .gltf${advice}`);
}

/**
 * Extracts clips of motion files: bone rotations relative to the reference pose of their humanoid and hips translations, which play on any humanoid. Makes the
 * output files: glTF with animations of bones (EXT_skeleton_humanoid) and nothing else. A motion that is not humanoid gives no clips and an issue `NOT_HUMANOID`.
 *
 * @param motions Motion files, opened, or opened one after the other: a path template writes the files of a motion before the next one is opened.
 * @param options Which clips, how to name and edit them, where to write them.
 * @param run Where the files go, and what happens to motions that fail.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the files.
 * @example
 * const motions = [await openFile('walk.fbx'), await openFile('run.bvh')];
 * const { outputs } = await extractMotions(motions, { output: 'clips.glb' });
 * await writeFiles(outputs);
 */
export async function extractMotions(
  motions: readonly (OpenFile | MotionInput)[],
  options: ExtractMotionsOptions,
  run: JobRun = {},
): Promise<ExtractMotionsResult> {
  const { output } = options;
  const format = extractFormat(output);
  checkTemplate(output);
  checkMotionOptions(options);
  checkClipOptions(options);
  const state = { takenNames: new Set<string>() };
  const { report, sources, outputs, failure } = await runMotions(
    motions,
    {
      ...options,
      make: async (motion, chosen, position) => {
        const bonesOnly = { ...options, contacts: 'off', face: false } as const;
        const made = await retargetFile(null, motion, chosen, bonesOnly, state, position);
        const lost = droppedFaces(made.clips, ({ droppedFace }) => droppedFace, 'humanoid clips hold bones only');
        return {
          clips: made.clips.map((one) => toOutputClip(one, motion.name)),
          reports: made.clips.map(({ clip, source, cleaned }) =>
            reportClip(clip, [], motion.name, source, { cleaned }),
          ),
          source: reportFileHumanoid(motion.name, made.source),
          hipsScale: null,
          issues: [...made.issues, ...lost],
        };
      },
      serialize: createClipWriter<OutputClip>(output, async (clips, path, issues) => {
        const document = writeHumanoidClips(
          clips.map(({ humanoid, extras }) => ({
            ...(humanoid as HumanoidClip),
            extras,
          })),
        );
        return serializeDocument(document, { readResource: null }, { path, format }, issues);
      }),
    },
    run,
  );
  return { report: { ...report, sources }, outputs, failure };
}
