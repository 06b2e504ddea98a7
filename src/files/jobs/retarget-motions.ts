/** Retargets motions to a character and makes the output files: `anyrig retarget` without reading and writing files. */
import { createKeyOwner } from '../clips/own-keys.ts';
import { keysOfFace } from '../faces/motion-face.ts';
import { faceRigOfGeometry } from '../faces/read-face-rig.ts';
import { loadDecoders, visibleGeometryOf } from '../geometry.ts';
import type { HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { clipsInVrmIssue } from '../outputs/clips-in-vrm.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { formatFamily, outputKeysOf } from '../outputs/output-format.ts';
import { checkTemplate, isTemplate } from '../outputs/output-paths.ts';
import { createIssueCollector } from '../reports/collect-issues.ts';
import { type RetargetReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import type { MotionMemory } from './motion-memory.ts';
import {
  type MovedClip,
  type PreparedCharacter,
  prepareCharacter,
  type RetargetClipsOptions,
  type RetargetedMotion,
  retargetMotion,
} from './retarget-clips.ts';
import { createRetargetWriter, planRetargetOutput, type RetargetOutput, type WrittenClip } from './retarget-outputs.ts';
import { type MotionInput, type MotionsJob, type MotionsRun, runMotions } from './run-motions.ts';

/** How to retarget motions, and what to write. */
export interface RetargetMotionsOptions
  extends Omit<RetargetClipsOptions, 'takenNames' | 'characterFace' | 'outputKeys'> {
  /** Path of the output, or a template for one file per clip; its extension selects the format. */
  readonly output: string;
  /** Whether new clips replace those of the character; they are appended by default. */
  readonly replace?: boolean;
  /** `false` writes only the skeleton of the character and the new clips into a new file, as .vrma and .bvh always do. */
  readonly mesh?: boolean;
  /** Whether to also write each clip as a .vrma, which VRM players play, with the path of the output; false by default. */
  readonly vrma?: boolean;
}

/** Report and files of {@link retargetMotions}. */
export interface RetargetMotionsResult {
  /** What was done. */
  readonly report: RetargetReport;
  /** Files to write in this order; empty without a clip. */
  readonly outputs: readonly OutputFile[];
}

/** Report of {@link retargetInputs}. */
export interface RetargetInputsResult {
  /** What was done. */
  readonly report: RetargetReport;
  /** Why nothing was written, or why no more was; null when all motions were tried and at least one was written. */
  readonly failure: Error | null;
}

/** Throws OptionError for a canonical rig of humanoid clips, which has no nodes in its file. */
function checkIsCharacter({ found }: HumanoidChoice, { name }: OpenFile): void {
  if (found?.part.isCanonicalRig !== true) return;
  const what = `${name} has humanoid clips, but no character to retarget to`;
  throw new OptionError(
    'mesh',
    `${what}; extract makes more humanoid clips, and the option mesh: false writes a skeleton of bones`,
  );
}

/** Creates the face rig of a visible character that is not glTF. */
async function characterFaceOf(
  character: OpenFile,
  { lossless, visible }: RetargetOutput,
): Promise<Pick<RetargetClipsOptions, 'characterFace'>> {
  if (character.format === 'gltf') return {};
  const found = visible ?? (lossless === null ? null : await visibleGeometryOf(character));
  return found === null ? {} : { characterFace: faceRigOfGeometry(found.geometry) };
}

/** Releases the motion that a clip was made from. */
function withoutMotion(one: MovedClip): WrittenClip {
  const own = createKeyOwner();
  const { source, motion: _motion, moving: _moving, ...kept } = one;
  const { clip, morphs, face } = kept;
  return {
    ...kept,
    clip: { ...clip, tracks: own(clip.tracks) },
    morphs: own(morphs),
    face: {
      expressions: own(face.expressions),
      lookAt: face.lookAt === null ? null : own([face.lookAt])[0],
    },
    source: { clip: { name: source.clip.name }, index: source.index },
  };
}

/** What runs with other characters share. */
export interface SharedMotions {
  /** What is known of motions with the same options. */
  readonly memory?: MotionMemory;
  /** Receives each motion with its new clips, before they are written. */
  readonly onMotion?: (done: RetargetedMotion) => void;
}

function createJob(
  output: RetargetOutput,
  character: PreparedCharacter,
  options: RetargetMotionsOptions,
  { memory, onMotion }: SharedMotions,
): MotionsJob<WrittenClip> {
  const { found } = character.choice;
  const write = found === null ? null : createRetargetWriter(output, found, character.file, options);
  const keyed = { ...options, outputKeys: outputKeysOf(output.format) };
  return {
    clips: options.clips ?? [],
    output: options.output,
    control: options,
    convert: async (motion, chosen, position) => {
      const done = await retargetMotion(character, motion, chosen, keyed, memory, position);
      onMotion?.(done);
      const clips = done.clips.map(withoutMotion);
      const reports = done.clips.map(({ clip, morphs, face, contacts, source, hipsScale }) => {
        const weights = output.format === 'vrma' ? keysOfFace(face) : morphs;
        return { ...reportClip(clip, weights, motion.name, source, contacts), hipsScale };
      });
      return { ...done, clips, reports, source: reportFileHumanoid(motion.name, done.source) };
    },
    serialize: async (clips, issues) => write?.(clips, issues) ?? [],
  };
}

/** A character that motions are retargeted to, and how they are written with it. */
export interface RetargetTarget {
  /** The character. */
  readonly character: PreparedCharacter;
  /** Names of its clips that outputs keep, in the order of the file. */
  readonly keptClips: readonly string[];
  /** What outputs contain besides the new clips. */
  readonly output: RetargetOutput;
}

/**
 * Reads and describes what all motions share: the character, its visible content, and its decoders.
 *
 * @param character File of the character; it stays unchanged.
 * @param options As of {@link retargetMotions}.
 * @returns The character. Runs of {@link retargetToTarget} leave it unchanged, so that it can be used for several.
 * @throws OptionError for an option that does not fit the character; FormatError when its buffers or images cannot be read.
 */
export async function prepareRetargetTarget(
  character: OpenFile,
  options: RetargetMotionsOptions,
): Promise<RetargetTarget> {
  checkTemplate(options.output);
  const output = await planRetargetOutput(character, options);
  const { lossless, visible } = output;
  const isKept = options.replace !== true && (lossless !== null || visible !== null);
  const keptClips = isKept ? character.asset.clips.map(({ name }) => name) : [];
  const prepared = prepareCharacter(character, {
    ...options,
    ...(await characterFaceOf(character, output)),
    takenNames: keptClips,
  });
  if (lossless !== null) checkIsCharacter(prepared.choice, character);
  if (options.contacts !== 'off') await loadDecoders(character);
  return { character: prepared, keptClips, output };
}

/**
 * Retargets motions that are opened one by one; see {@link retargetMotions}. A path template writes the files of a motion before the next one is opened.
 *
 * @param inputs The motions.
 * @param character File of the character; it stays unchanged.
 * @param options As of {@link retargetMotions}.
 * @param run Where the files go, and what happens to motions that fail.
 * @returns The report.
 * @throws As {@link retargetMotions}.
 */
export async function retargetInputs(
  inputs: readonly MotionInput[],
  character: OpenFile,
  options: RetargetMotionsOptions,
  run: MotionsRun,
): Promise<RetargetInputsResult> {
  return retargetToTarget(inputs, await prepareRetargetTarget(character, options), options, run);
}

/**
 * Retargets motions that are opened one by one to a character that was prepared before.
 *
 * @param inputs The motions.
 * @param target Result of {@link prepareRetargetTarget} for the same options, but for the path of the output.
 * @param options As of {@link retargetMotions}.
 * @param run Where the files go, and what happens to motions that fail.
 * @param shared What is known of the motions, and who receives them.
 * @returns The report.
 * @throws As {@link retargetMotions}.
 */
export async function retargetToTarget(
  inputs: readonly MotionInput[],
  target: RetargetTarget,
  options: RetargetMotionsOptions,
  run: MotionsRun,
  shared: SharedMotions = {},
): Promise<RetargetInputsResult> {
  const { output } = options;
  const planned = target.output;
  // The names of new clips are added to those that the character keeps.
  const prepared = { ...target.character, takenNames: new Set(target.character.takenNames) };
  const character = prepared.file;
  // Soles and surfaces come from the vertices.
  const needsVertices = options.contacts !== 'off';
  const opened = inputs.map(({ name, open }): MotionInput => {
    const decoded = async (): Promise<OpenFile> => {
      const file = await open();
      if (needsVertices) await loadDecoders(file);
      return file;
    };
    return { name, open: decoded };
  });
  const done = await runMotions(opened, createJob(planned, prepared, options, shared), run);
  const { issues, add } = createIssueCollector();
  add([...prepared.issues, ...done.issues]);
  const isWritten = done.files.length > 0;
  if (isWritten && planned.format === 'vrm' && options.vrma !== true)
    add([clipsInVrmIssue(output, 'for them write a .vrma, or both with the option vrma')]);
  const { keptClips } = target;
  // An edited glTF keeps the indices of its animations. New files and an edited USD start with a new clip.
  const keepsFirst = keptClips.length > 0 && planned.lossless !== null && formatFamily(planned.format) === 'gltf';
  const firstNew = isTemplate(output) ? null : (done.clips[0]?.name ?? null);
  const report: RetargetReport = {
    ok: isWritten && issues.every(({ severity }) => severity !== 'error'),
    output: isWritten ? output : null,
    ...(isTemplate(output) ? { outputs: done.mains } : {}),
    files: done.files,
    bytes: done.bytes,
    clips: done.clips,
    keptClips: isWritten ? keptClips.length : 0,
    firstClip: !isWritten ? null : keepsFirst ? keptClips[0] : firstNew,
    source: done.sources[0],
    ...(done.sources.length > 1 ? { sources: done.sources } : {}),
    target: reportFileHumanoid(character.name, prepared.choice),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, failure: done.failure };
}

/**
 * Retargets clips of motion files to a character and makes the output files. A glTF character stays glTF and a USD character stays USD without loss;
 * other combinations make a new file.
 *
 * @param motions Motion files; they stay unchanged.
 * @param character File of the character; it stays unchanged.
 * @param options Which clips and channels, how to name and edit the clips, where to write them.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the files; FormatError when buffers or images of the character cannot be read.
 * @example
 * const motions = [await openFile('walk.fbx')];
 * const character = await openFile('avatar.vrm');
 * const { report, outputs } = await retargetMotions(motions, character, { output: 'avatar-walk.vrma' });
 * if (report.ok) writeFiles(outputs);
 */
export async function retargetMotions(
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetMotionsOptions,
): Promise<RetargetMotionsResult> {
  const outputs: OutputFile[] = [];
  const inputs = motions.map((motion) => ({ name: motion.name, open: async () => motion }));
  const write = (files: readonly OutputFile[]): void => {
    outputs.push(...files);
  };
  const { report } = await retargetInputs(inputs, character, options, { write, leavesOut: false });
  return { report, outputs };
}
