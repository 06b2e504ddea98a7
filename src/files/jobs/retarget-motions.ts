/** Retargets motions to a character and makes the output files: `anyrig retarget` without reading and writing files. */
import type { NewAnimation } from '../../core/asset/asset.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { mergeSkeletonClips } from '../clips/merge-skeleton-clips.ts';
import { droppedFaces, keysOfFace } from '../faces/motion-face.ts';
import { faceRigOfGeometry } from '../faces/read-face-rig.ts';
import { loadDecoders, visibleGeometryOf } from '../geometry.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { checkMotionOptions } from '../options/motion-options.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { formatFamily, holdsOneClip, type OutputFormat, outputKeysOf } from '../outputs/output-format.ts';
import { isTemplate } from '../outputs/output-paths.ts';
import {
  clipsInVrmIssue,
  createOutputWriter,
  type OutputPlan,
  planOutput,
  vrmaPathBeside,
  type WriteClips,
} from '../outputs/plan-output.ts';
import { createIssueCollector } from '../reports/collect-issues.ts';
import { type RetargetReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import { createStandardRig } from '../standard-rig.ts';
import type { joinPeople } from './people.ts';
import { type PreparedCharacter, prepareCharacter, type RetargetClipsOptions } from './plan-pair.ts';
import { type RetargetedClip, type RetargetedFile, retargetFile, toOutputClip } from './retarget-clips.ts';
import { type JobRun, type MotionInput, runMotions } from './run-motions.ts';

/** How to retarget motions, and what to write. */
export interface RetargetMotionsOptions extends Omit<RetargetClipsOptions, 'outputKeys'> {
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
  /** Files to write in this order; empty without a clip, and where they were written already. */
  readonly outputs: readonly OutputFile[];
  /** Why nothing was written, or why no more was, of motions that are left out; null when all were tried and at least one was written. */
  readonly failure: Error | null;
}

/** A character that motions are retargeted to, and what outputs hold besides the new clips. It stays unchanged, so that several jobs can use it. */
export interface RetargetTarget {
  readonly character: PreparedCharacter;
  readonly plan: OutputPlan;
  /** Names of its clips that outputs keep, in the order of the file. */
  readonly keptClips: readonly string[];
}

/** How a run takes its place among others. */
interface RetargetRun extends JobRun {
  /** Receives each motion with its new clips, before they are written. */
  readonly onMotion?: (done: RetargetedFile) => void;
}

/** Throws OptionError for humanoid clips instead of a character, and for a character without meshes in a format that shows them. */
function checkCharacter(file: OpenFile, { found }: HumanoidChoice, { holds, format }: OutputPlan, mesh: boolean): void {
  if (holds === 'everything' && found?.part.isCanonicalRig === true) {
    const what = `${file.name} has humanoid clips, but no character to retarget to`;
    throw new OptionError(
      'mesh',
      `${what}; extract makes more humanoid clips, and the option mesh: false writes a skeleton of bones`,
    );
  }
  // A file without skeletons is not humanoid, which the report explains.
  if (holds !== 'skeleton' || !mesh || holdsOneClip(format) || file.asset.skeletons.length === 0) return;
  const what = `${file.name} is ${file.asset.format.toUpperCase()} and has a skeleton, but no mesh`;
  throw new OptionError('mesh', `${what}; use the option mesh: false to write the skeleton with the clips`);
}

/**
 * Reads and describes what all motions share: the character, its visible content, and its decoders. `file` stays unchanged. Throws OptionError for an
 * option that does not fit the character; FormatError when its buffers or images cannot be read.
 */
export async function prepareRetargetTarget(file: OpenFile, options: RetargetMotionsOptions): Promise<RetargetTarget> {
  const { output, mesh = true, replace = false, names } = options;
  // The reference pose, soles and surfaces come from the vertices.
  await loadDecoders(file);
  const plan = await planOutput(file, output, { mesh, fbx: options, names });
  const isKept = !replace && plan.holds !== 'skeleton';
  // The face of a glTF is read from its document.
  const shown = plan.holds === 'everything' && file.format !== 'gltf' ? await visibleGeometryOf(file) : plan.visible;
  const face = file.format === 'gltf' || shown === null ? null : faceRigOfGeometry(shown.geometry);
  const character = prepareCharacter(file, options, face);
  checkCharacter(file, character.choice, plan, mesh);
  return { character, plan, keptClips: isKept ? file.asset.clips.map(({ name }) => name) : [] };
}

function hasNoFace({ face }: Pick<RetargetedClip, 'face'>): boolean {
  return face.expressions.length === 0 && face.lookAt === null;
}

function facesWithoutMesh(clips: readonly RetargetedClip[], format: OutputFormat): Issue[] {
  const isLost = (one: RetargetedClip): boolean => format !== 'vrma' || hasNoFace(one);
  // A VRMA identifies shapes by name.
  const morphs = clips.flatMap((one) =>
    one.morphs.filter(({ targetNames }) => targetNames === undefined || hasNoFace(one)),
  );
  const namesOf = (one: RetargetedClip): string[] =>
    isLost(one) ? [...one.face.expressions.map(({ name }) => name), ...one.droppedFace] : [];
  const issues = droppedFaces(clips, namesOf, 'the output has no mesh');
  if (morphs.length === 0) return issues;
  const message = `${morphs.length} × morph weights were dropped because the output has no mesh`;
  return [...issues, issue('CHANNELS_DROPPED', message)];
}

function lostFaces(
  clips: readonly RetargetedClip[],
  { holds, format }: OutputPlan,
  { face = true, vrma = false }: RetargetMotionsOptions,
): Issue[] {
  if (holds === 'skeleton') return facesWithoutMesh(clips, format);
  const reason = face || holds === 'visible' ? 'the character has no equivalent' : 'only equal names were requested';
  const issues = droppedFaces(clips, ({ droppedFace }) => droppedFace, reason);
  return vrma ? [...facesWithoutMesh(clips, 'vrma'), ...issues] : issues;
}

/** Lists all clips of a character. A glTF is read again: jobs need only its first clip otherwise, so callers may open it without the keys of the others. */
function ownClips(character: OpenFile): NewAnimation[] {
  const { clips, skeletons } = character.format === 'gltf' ? readGltf(character.document) : character.asset;
  return clips.map((clip) => mergeSkeletonClips(clip, skeletons));
}

/** Prepares writing clips: into the output of the plan, and on request each as a VRM Animation beside it. */
function createWriter(
  plan: OutputPlan,
  { file, choice }: PreparedCharacter,
  { replace = false, vrma = false, fps }: RetargetMotionsOptions,
): WriteClips {
  const { found } = choice;
  if (found === null) return async () => [];
  const { part, humanoid } = found;
  const own = plan.holds === 'visible' && !replace ? ownClips(file) : [];
  const content = { file, part, humanoid, own, replace, ...(fps === undefined ? {} : { fps }) };
  const write = createOutputWriter(plan, content);
  const writeMain: WriteClips = async (clips, issues) => {
    if (plan.holds !== 'skeleton') return write(clips, issues);
    const written = clips.filter(
      ({ clip, face }) =>
        clip.tracks.length > 0 || (plan.format === 'vrma' && face !== undefined && !hasNoFace({ face })),
    );
    for (const { name, parts } of clips.filter((one) => !written.includes(one))) {
      const message = `The clip ${JSON.stringify(name)} of ${parts.file} animates only a face; it was left out`;
      issues.push(issue('CLIP_EMPTY', message));
    }
    return written.length === 0 ? [] : write(written, issues);
  };
  if (!vrma || plan.format === 'vrma') return writeMain;
  const besideFor = (count: number): WriteClips => {
    const output = vrmaPathBeside(plan.output, count);
    return createOutputWriter({ output, format: 'vrma', holds: 'skeleton', visible: null }, content);
  };
  // The paths of a template are unique across calls of one writer.
  const writeEach = isTemplate(plan.output) ? besideFor(1) : null;
  return async (clips, issues) => {
    const main = await writeMain(clips, issues);
    const beside = await (writeEach ?? besideFor(clips.length))(clips, issues);
    // The file that the user named is the last one, which may replace the character.
    return [...beside, ...main];
  };
}

/** Returns the humanoid of the first motion that has one; null without. A motion that cannot be opened is reported where it is retargeted. */
async function firstHumanoid(
  motions: readonly (OpenFile | MotionInput)[],
  source: HumanoidOptions,
): Promise<Humanoid | null> {
  for (const motion of motions) {
    try {
      const { found } = chooseHumanoid('open' in motion ? await motion.open() : motion, 'source', source);
      if (found !== null) return found.humanoid;
    } catch (error) {
      if (motions.length === 1) throw error;
    }
  }
  return null;
}

/**
 * Gives a standard rig the proportions of the first motion, where the options want it. Throws OptionError (`proportions`) for a character that is
 * no standard rig.
 */
export async function withProportions(
  motions: readonly (OpenFile | MotionInput)[],
  character: OpenFile,
  { proportions = 'adult', source = {} }: RetargetMotionsOptions,
): Promise<OpenFile> {
  if (proportions === 'adult') return character;
  if (character.format !== 'gltf' || character.standardRig === undefined) {
    const message = `${character.name} has proportions of its own; the option proportions is for standard rigs`;
    throw new OptionError('proportions', message);
  }
  return createStandardRig(character.standardRig, await firstHumanoid(motions, source));
}

/** Opens all motions of a take, and retargets its people together. */
async function joinMotions(
  character: PreparedCharacter,
  motions: readonly (OpenFile | MotionInput)[],
  options: RetargetClipsOptions,
): ReturnType<typeof joinPeople> {
  const files: OpenFile[] = [];
  for (const motion of motions) files.push('open' in motion ? await motion.open() : motion);
  for (const file of files) await loadDecoders(file);
  return (await import('./people.ts')).joinPeople(character, files, options);
}

/**
 * Retargets clips of motion files to a character and makes the output files. A glTF character stays glTF and a USD character stays USD without loss;
 * other combinations make a new file.
 *
 * @param motions Motion files, opened, or opened one after the other: a path template writes the files of a motion before the next one is opened.
 * @param character File of the character; it stays unchanged.
 * @param options Which clips and channels, how to name and edit the clips, where to write them.
 * @param run Where the files go, and what happens to motions that fail.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the files; FormatError when buffers or images of the character cannot be read.
 * @example
 * const motions = [await openFile('walk.fbx')];
 * const character = await openFile('avatar.vrm');
 * const { report, outputs } = await retargetMotions(motions, character, { output: 'avatar-walk.vrma' });
 * if (report.ok) await writeFiles(outputs);
 */
export async function retargetMotions(
  motions: readonly (OpenFile | MotionInput)[],
  character: OpenFile | RetargetTarget,
  options: RetargetMotionsOptions,
  run: RetargetRun = {},
): Promise<RetargetMotionsResult> {
  checkMotionOptions(options);
  const target =
    'keptClips' in character
      ? character
      : await prepareRetargetTarget(await withProportions(motions, character, options), options);
  const { character: prepared, keptClips } = target;
  const plan: OutputPlan = { ...target.plan, output: options.output };
  const state = { takenNames: new Set(keptClips) };
  const keyed = { ...options, outputKeys: outputKeysOf(plan.format) };
  const joined = options.together === true ? await joinMotions(prepared, motions, keyed) : null;
  const done = await runMotions(
    joined?.people.map(({ file }) => file) ?? motions,
    {
      ...options,
      make: async (motion, chosen, position) => {
        await loadDecoders(motion);
        const own = joined?.people[position.index];
        const made = await retargetFile(
          prepared,
          motion,
          chosen,
          own?.options ?? keyed,
          { ...state, joints: own?.joints },
          position,
        );
        run.onMotion?.(made);
        return {
          clips: made.clips.map((one) => toOutputClip(one, prepared.file.name)),
          reports: made.clips.map(({ clip, morphs, face, contacts, cleaned, events, source, hipsScale }) => {
            const weights = plan.format === 'vrma' ? keysOfFace(face) : morphs;
            const report = reportClip(clip, weights, motion.name, source, { contacts, cleaned });
            return { ...report, hipsScale, ...(events === null ? {} : { events }) };
          }),
          source: reportFileHumanoid(motion.name, made.source),
          hipsScale: made.hipsScale,
          issues: [...made.issues, ...lostFaces(made.clips, plan, options)],
        };
      },
      serialize: createWriter(plan, prepared, options),
    },
    run,
  );
  const { issues, add } = createIssueCollector();
  add([...prepared.issues, ...(plan.visible?.issues ?? []), ...(joined?.issues ?? []), ...done.report.issues]);
  const isWritten = done.report.files.length > 0;
  if (isWritten && plan.format === 'vrm' && options.vrma !== true)
    add([clipsInVrmIssue(plan.output, 'for them write a .vrma, or both with the option vrma')]);
  // An edited glTF or FBX keeps the order of its animations. New files and an edited USD start with a new clip.
  const keepsFirst = keptClips.length > 0 && plan.holds === 'everything' && formatFamily(plan.format) !== 'usd';
  const firstNew = isTemplate(plan.output) ? null : (done.report.clips[0]?.name ?? null);
  const report: RetargetReport = {
    ...done.report,
    ok: isWritten && issues.every(({ severity }) => severity !== 'error'),
    keptClips: isWritten ? keptClips.length : 0,
    firstClip: !isWritten ? null : keepsFirst ? keptClips[0] : firstNew,
    source: done.sources[0],
    ...(done.sources.length > 1 ? { sources: done.sources } : {}),
    target: reportFileHumanoid(prepared.file.name, prepared.choice),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, outputs: done.outputs, failure: done.failure };
}
