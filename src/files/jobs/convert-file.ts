/** Converts a file to another format: `anyrig convert` without reading and writing files. */
import { type Issue, issue } from '../../core/report/issue.ts';
import type { Destination, FileGeometry } from '../adapters/format-adapter.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import { hasEdits } from '../clips/clip-edits.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import { reportRootBone } from '../clips/edit-clips.ts';
import { fitsFloat32 } from '../clips/fits-float32.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import { mergeSkeletonClips } from '../clips/merge-skeleton-clips.ts';
import { keysOfFace } from '../faces/motion-face.ts';
import { readFaceRig } from '../faces/read-face-rig.ts';
import { vrmaFace, vrmExpressions } from '../faces/vrma-face.ts';
import { visibleGeometryOf } from '../geometry.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { canonicalRigOf, findHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { type CharacterFormat, characterOutputs, isCharacterFormat } from '../outputs/character-outputs.ts';
import { clipsInVrmIssue } from '../outputs/clips-in-vrm.ts';
import {
  editedOutputs,
  isLossless,
  type LosslessFormat,
  parseIssues,
  unchangedOutputs,
} from '../outputs/lossless-outputs.ts';
import { motionOutputs } from '../outputs/motion-outputs.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { checkIsVrm, type OutputFormat, outputFormat, outputKeysOf } from '../outputs/output-format.ts';
import { isTemplate, mainPaths, outputGroups, pathsOf, sizeOf } from '../outputs/output-paths.ts';
import { type ClipReport, type ConvertReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import {
  type ConvertClipsOptions,
  type ConvertedClip,
  convertClips,
  hasMotion,
  lostChannels,
} from './convert-clips.ts';
import { beginStep } from './job-control.ts';

/** How to convert a file. */
export interface ConvertOptions extends Omit<ConvertClipsOptions, 'outputKeys'> {
  /** Path of the output, or a template for one file per clip; its extension selects the format. */
  readonly output: string;
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** `false` writes only a skeleton and the clips, even where the file has meshes. */
  readonly mesh?: boolean;
  /** What the caller knows about the humanoid of the file. */
  readonly humanoid?: HumanoidOptions;
  /** Whether a .vrma gets expressions, named morph weights and look-at; true by default. Other formats are not affected. */
  readonly face?: boolean;
}

/** Report and files of {@link convertFile}. */
export interface ConvertResult {
  /** What was done. */
  readonly report: ConvertReport;
  /** Files to write in this order; empty when there is nothing to write. */
  readonly outputs: readonly OutputFile[];
}

/** Returns the format in which a file keeps all its content; null when the output is a new file. */
function losslessFormat(file: OpenFile, format: OutputFormat, changes: boolean): LosslessFormat | null {
  if (isLossless(file, format)) return format;
  const isUnchangedVrma = file.asset.format === 'vrma' && file.asset.clips.length === 1 && !changes;
  return format === 'vrma' && isUnchangedVrma ? 'glb' : null;
}

/** Writes the file with the converted clips in place of its own. */
async function rewrittenFile(
  file: OpenFile,
  format: LosslessFormat,
  clips: readonly ConvertedClip[],
  output: string,
  issues: Issue[],
): Promise<OutputFile[]> {
  const groups = outputGroups(
    output,
    clips.map(({ parts }) => parts),
  );
  issues.push(...lostChannels(clips, 'all'));
  const animations = clips.map(({ merged }) => mergeSkeletonClips(merged, file.asset.skeletons));
  return editedOutputs(file, { animations, replace: true }, format, groups, issues);
}

/** Writes one skeleton with its clips. */
async function motionFiles(
  file: OpenFile,
  converted: readonly ConvertedClip[],
  choice: HumanoidChoice,
  { output, fps, face = true, edits = {} }: ConvertOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const format = outputFormat(output);
  if (choice.index < 0 || (format === 'vrma' && choice.found === null)) {
    issues.push(issue('NOT_HUMANOID', `${file.name} is not humanoid: ${choice.reason}`));
    return [];
  }
  if (format === 'vrma' && converted.length === 0) {
    issues.push(issue('CLIP_EMPTY', `${file.name} has no clips, but a .vrma holds exactly one; write .glb instead`));
    return [];
  }
  const humanoid = choice.found?.humanoid ?? null;
  const faceHumanoid = format === 'vrma' && face ? humanoid : null;
  issues.push(...lostChannels(converted, faceHumanoid === null ? 'none' : 'named'));
  const eyePosition = faceHumanoid === null ? null : (readFaceRig(file, []).lookAt?.offsetFromHeadBone ?? null);
  const clips = converted.map(({ motion, merged, parts }) => {
    const clip = merged.clips[choice.index];
    if (faceHumanoid === null) return { clip, parts };
    return { clip, parts, face: vrmaFace(motion, edits.mirror === true, faceHumanoid, faceHumanoid, eyePosition) };
  });
  const part = file.asset.skeletons[choice.index];
  return motionOutputs({ file, part, humanoid }, clips, output, fps, issues);
}

/** Writes a new file with the visible content of the old one. */
async function characterFiles(
  file: OpenFile,
  visible: FileGeometry,
  converted: readonly ConvertedClip[],
  choice: HumanoidChoice,
  destination: Destination<CharacterFormat>,
  issues: Issue[],
): Promise<OutputFile[]> {
  issues.push(...visible.issues, ...lostChannels(converted, 'all'));
  const { part = null, humanoid = null } = choice.found ?? {};
  const character = { file, geometry: visible.geometry, part, humanoid };
  const clips = converted.map(({ merged, parts }) => ({
    ...mergeSkeletonClips(merged, file.asset.skeletons),
    parts,
  }));
  return characterOutputs(character, clips, destination, issues);
}

/** Reports a clip of the whole file, or of the only skeleton that is written. */
function reportOf(
  { chosen, merged, motion }: ConvertedClip,
  file: OpenFile,
  skeleton: number | null,
  withFace: boolean,
): ClipReport {
  if (skeleton !== null) {
    const face = withFace ? keysOfFace(vrmExpressions(motion)) : [];
    return reportClip(merged.clips[skeleton], face, file.name, chosen);
  }
  const { clip, humanoid } = mergeSkeletonClips(merged, file.asset.skeletons);
  const tracks = [...clip.tracks, ...(humanoid?.tracks ?? [])];
  return reportClip({ ...clip, tracks }, merged.morphs, file.name, chosen);
}

/** How a file is converted. */
interface Conversion {
  readonly chosen: readonly ChosenClip[];
  /** Issues about clips that were not chosen, although they were selected. */
  readonly issues: readonly Issue[];
  /** The format in which the file keeps all its content; null when the output is a new file. */
  readonly lossless: LosslessFormat | null;
  /** Whether clips are written anew. */
  readonly rewrites: boolean;
}

/** Decides how to convert a file. Throws OptionError for an option that does not fit it. */
function planConversion(file: OpenFile, options: ConvertOptions): Conversion {
  const { output, clips = [], name, fps, edits = {}, mesh = true } = options;
  const format = outputFormat(output);
  checkIsVrm(file, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError(
      'output',
      'A .vrm without a mesh is not possible; with the option mesh: false write .glb or .gltf',
    );
  }
  const [selected] = chooseClips([file], clips);
  const inTrim = clipsInTrim(file.name, selected, edits);
  // Where every clip is outside of the range, trimming them reports it.
  const { clips: chosen, issues } = inTrim.clips.length > 0 ? inTrim : { clips: selected, issues: [] };
  checkFrameRate(fps, chosen);
  const changes = hasEdits(edits) || fps !== undefined || clips.length > 0 || name !== undefined || isTemplate(output);
  const lossless = mesh ? losslessFormat(file, format, changes) : null;
  return { chosen, issues, lossless, rewrites: lossless === null || changes };
}

/** Finds the humanoid of the file where the conversion needs it. Throws OptionError for a mirror or another root motion without a humanoid. */
function humanoidFor(
  file: OpenFile,
  { chosen, lossless }: Conversion,
  { edits = {}, humanoid }: ConvertOptions,
): HumanoidChoice | null {
  const needsRoot = edits.root !== undefined && edits.root !== 'keep';
  if (lossless !== null && edits.mirror !== true && edits.loop !== true && !needsRoot) return null;
  const clips = chosen.map(({ clip }) => clip);
  // Humanoid clips that stay humanoid clips are each edited on their own canonical rig.
  const areHumanoidClips = lossless !== null && clips.every((clip) => canonicalRigOf(file, clip) >= 0);
  const choice = findHumanoid(file, 'only', humanoid ?? {}, areHumanoidClips ? clips.slice(0, 1) : clips);
  if (edits.mirror === true && choice.found === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so its left and right are unknown; supply a bone map, or do not mirror`;
    throw new OptionError('mirror', message);
  }
  if (needsRoot && choice.found === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so its root motion is unknown; supply a bone map, or keep it`;
    throw new OptionError('root', message);
  }
  return choice;
}

/** Selects the clips that have anything to write and fit into float32; reports the others. */
function writableClips(
  file: OpenFile,
  clips: readonly ConvertedClip[],
  skeleton: number | null,
  withFace: boolean,
  issues: Issue[],
): ConvertedClip[] {
  const skip = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', { merged }: ConvertedClip, reason: string): false => {
    issues.push(issue(code, `The clip ${JSON.stringify(merged.name)} of ${file.name} ${reason}; it was left out`));
    return false;
  };
  return clips.filter((one) => {
    if (!hasMotion(one, skeleton, withFace)) return skip('CLIP_EMPTY', one, 'animates nothing that is written');
    return one.merged.clips.every(fitsFloat32) || skip('CLIP_OVERFLOW', one, 'has values that exceed float32');
  });
}

/**
 * Converts a file to another format. glTF to glTF and USD to USD keep all content and change only the container and the clips. Other conversions
 * make a new file with the visible content; `mesh: false` makes one with a skeleton and the clips.
 *
 * @param file An opened file; it stays unchanged.
 * @param options Where to write the output, which clips, how to edit them.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the file; FormatError when buffers or images cannot be read.
 * @example
 * const { report, outputs } = await convertFile(await openFile('dance.fbx'), { output: 'dance.vrma' });
 * if (report.ok) writeFiles(outputs);
 */
export async function convertFile(file: OpenFile, options: ConvertOptions): Promise<ConvertResult> {
  const { output, mesh = true } = options;
  const plan = planConversion(file, options);
  const { chosen, lossless, rewrites } = plan;
  // A file that is written unchanged keeps what its reader left out, so only issues of parsing count.
  const issues: Issue[] = [...(lossless !== null && !rewrites ? parseIssues(file) : file.asset.issues)];
  const choice = humanoidFor(file, plan, options);
  issues.push(...(choice?.issues ?? []), ...plan.issues);
  const found = choice?.found ?? null;
  if (found !== null) issues.push(...reportRootBone(found.humanoid, file.name, options.edits ?? {}));
  const format = outputFormat(output);
  const visible = lossless === null && mesh && isCharacterFormat(format) ? await visibleGeometryOf(file) : null;
  const skeleton = lossless === null && visible === null && choice !== null ? choice.index : null;
  const withFace = options.face !== false && format === 'vrma';
  const all = await convertClips(file, chosen, found, { ...options, outputKeys: outputKeysOf(format) });
  const clips = rewrites ? writableClips(file, all, skeleton, withFace, issues) : all;
  let outputs: OutputFile[] = [];
  await beginStep(options, { step: 'write', file: output, clip: null, done: 1, total: 1 });
  if (all.length === 0 || clips.length > 0) {
    if (visible !== null && isCharacterFormat(format)) {
      const destination = { path: output, format };
      outputs = await characterFiles(file, visible, clips, choice as HumanoidChoice, destination, issues);
    } else if (lossless === null) outputs = await motionFiles(file, clips, choice as HumanoidChoice, options, issues);
    else if (rewrites) outputs = await rewrittenFile(file, lossless, clips, output, issues);
    else outputs = await unchangedOutputs(file, { path: output, format: lossless }, issues);
  }
  const isWritten = outputs.length > 0;
  if (isWritten && rewrites && format === 'vrm' && clips.length > 0)
    issues.push(clipsInVrmIssue(output, 'for them write a .vrma'));
  const report: ConvertReport = {
    ok: isWritten && issues.every(({ severity }) => severity !== 'error'),
    file: file.name,
    format: file.asset.format,
    output: isWritten ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    files: pathsOf(outputs),
    bytes: sizeOf(outputs),
    clips: isWritten ? clips.map((one) => reportOf(one, file, skeleton, withFace)) : [],
    humanoid: choice === null ? null : reportFileHumanoid(file.name, choice),
    issues,
  };
  return { report, outputs };
}
