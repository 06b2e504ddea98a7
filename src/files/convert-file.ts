/** All of `anyrig convert` but reading and writing files: one file into another format. */
import { type Issue, issue } from '../core/report/issue.ts';
import { canBeStored } from './can-be-stored.ts';
import { faceOf, keysOfFace } from './carry-face.ts';
import { type CharacterFormat, characterOutputs, isCharacterFormat } from './character-output.ts';
import { type BodyChoice, chooseBody, portableBodyOf } from './choose-body.ts';
import { type ChosenClip, chooseClips } from './choose-clips.ts';
import { hasEdits } from './clip-edits.ts';
import { type ConvertClipsOptions, type Converting, convertClips, lostChannels, moves } from './convert-clips.ts';
import type { BodyOptions } from './describe-body.ts';
import { checkFrameRate } from './frame-rate.ts';
import { type FileGeometry, shownBody } from './geometry.ts';
import { editedOutputs, issuesOfKept, type KeptFormat, keptOutputs, staysWhole } from './kept-outputs.ts';
import { motionOutputs } from './motion-outputs.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { checkIsVrm, type OutputFormat, outputFormat } from './output-format.ts';
import { isTemplate, mainPaths, outputGroups } from './output-paths.ts';
import { type ClipReport, type ConvertReport, reportBody, reportClip } from './retarget-report.ts';
import { plainFaceOf, vrmaFace } from './vrma-face.ts';
import { wholeAnimation } from './whole-animation.ts';

/** How a file is to be converted. */
export interface ConvertOptions extends ConvertClipsOptions {
  /** Path of the output, or a template for a file a clip; its extension decides the format. */
  readonly output: string;
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** `false`: only a skeleton and the clips, also of a file that has more. */
  readonly mesh?: boolean;
  /** What is said about the body. */
  readonly body?: BodyOptions;
  /** Expressions, named morph weights and the gaze in a .vrma; true by default. What stays glTF keeps all of its face anyway. */
  readonly face?: boolean;
}

/** What there is to write, and the report. */
export interface ConvertResult {
  readonly report: ConvertReport;
  /** Files to be written in this order; none when there is nothing to write. */
  readonly outputs: readonly OutputFile[];
}

/** The format in which a file keeps all that it has. */
function keptFormat(file: OpenFile, format: OutputFormat, changes: boolean): KeptFormat | null {
  if (staysWhole(file, format)) return format;
  const isTheSame = file.asset.format === 'vrma' && file.asset.clips.length === 1 && !changes;
  return format === 'vrma' && isTheSame ? 'glb' : null;
}

/** The file with the converted clips in the place of its own. */
async function rewrittenFile(
  file: OpenFile,
  format: KeptFormat,
  clips: readonly Converting[],
  output: string,
  issues: Issue[],
): Promise<OutputFile[]> {
  const groups = outputGroups(
    output,
    clips.map(({ parts }) => parts),
  );
  issues.push(...lostChannels(clips, 'whole'));
  const animations = clips.map(({ whole }) => wholeAnimation(whole, file.asset.skeletons));
  return editedOutputs({ file, format, animations, replace: true }, groups, issues);
}

/** The skeleton that moves, and its clips alone. */
async function motionAlone(
  file: OpenFile,
  converted: readonly Converting[],
  choice: BodyChoice,
  { output, fps, face = true, edits = {} }: ConvertOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const format = outputFormat(output);
  if (choice.index < 0 || (format === 'vrma' && choice.body === null)) {
    issues.push(issue('NOT_HUMANOID', `${file.name} is not humanoid: ${choice.reason}`));
    return [];
  }
  if (format === 'vrma' && converted.length === 0) {
    issues.push(issue('CLIP_EMPTY', `${file.name} has no clips, and a .vrma is nothing but a clip`));
    return [];
  }
  const humanoid = format === 'vrma' && face ? (choice.body?.humanoid ?? null) : null;
  issues.push(...lostChannels(converted, humanoid === null ? 'none' : 'named'));
  const own = humanoid === null ? null : (faceOf(file, []).gaze?.offsetFromHeadBone ?? null);
  const clips = converted.map(({ motion, whole, parts }) => {
    const clip = whole.clips[choice.index];
    if (humanoid === null) return { clip, parts };
    return { clip, parts, face: vrmaFace(motion, edits.mirror === true, humanoid, humanoid, own) };
  });
  const part = file.asset.skeletons[choice.index];
  const body = { file, part, humanoid: choice.body?.humanoid ?? null };
  return motionOutputs(body, clips, output, fps, issues);
}

/** A new file with what is seen of the old one. */
async function newCharacter(
  file: OpenFile,
  shown: FileGeometry,
  converted: readonly Converting[],
  choice: BodyChoice,
  place: { readonly path: string; readonly format: CharacterFormat },
  issues: Issue[],
): Promise<OutputFile[]> {
  issues.push(...shown.issues, ...lostChannels(converted, 'whole'));
  const { part = null, humanoid = null } = choice.body ?? {};
  const body = { file, geometry: shown.geometry, part, humanoid };
  const clips = converted.map(({ whole, parts }) => ({ ...wholeAnimation(whole, file.asset.skeletons), parts }));
  return characterOutputs(body, clips, place, issues);
}

/** The clip that the report counts: of the whole file, or of the skeleton that is written. */
function reportOf(
  { chosen, whole, motion }: Converting,
  file: OpenFile,
  skeleton: number | null,
  withFace: boolean,
): ClipReport {
  if (skeleton !== null) {
    const face = withFace ? keysOfFace(plainFaceOf(motion)) : [];
    return reportClip(whole.clips[skeleton], face, file.name, chosen);
  }
  const { clip, humanoid } = wholeAnimation(whole, file.asset.skeletons);
  const tracks = [...clip.tracks, ...(humanoid?.tracks ?? [])];
  return reportClip({ ...clip, tracks }, whole.morphs, file.name, chosen);
}

/** What is to become of the file. */
interface Conversion {
  readonly chosen: readonly ChosenClip[];
  /** The format in which the file stays whole; null where a new one is written. */
  readonly kept: KeptFormat | null;
  /** Whether clips are written, and not just kept. */
  readonly rewrites: boolean;
}

/** OptionError when an option does not fit the file. */
function planConversion(file: OpenFile, options: ConvertOptions): Conversion {
  const { output, clips = [], name, fps, edits = {}, mesh = true } = options;
  const format = outputFormat(output);
  checkIsVrm(file, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError('output', 'a VRM has a body; with --no-mesh the output can be .glb or .gltf');
  }
  const [chosen] = chooseClips([file], clips);
  checkFrameRate(fps, chosen);
  const changes = hasEdits(edits) || fps !== undefined || clips.length > 0 || name !== undefined || isTemplate(output);
  const kept = mesh ? keptFormat(file, format, changes) : null;
  return { chosen, kept, rewrites: kept === null || changes };
}

/** The body of the file, where anything asks for it. OptionError for a mirror of what has no sides. */
function bodyOf(file: OpenFile, { chosen, kept }: Conversion, { edits = {}, body }: ConvertOptions): BodyChoice | null {
  if (kept !== null && edits.mirror !== true && edits.loop !== true) return null;
  const clips = chosen.map(({ clip }) => clip);
  // Humanoid clips that stay such are each edited on a body of their own.
  const areHumanoid = kept !== null && clips.every((clip) => portableBodyOf(file, clip) >= 0);
  const choice = chooseBody(file, 'only', body ?? {}, areHumanoid ? clips.slice(0, 1) : clips);
  if (edits.mirror === true && choice.body === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so that nothing says what is left and what is right`;
    throw new OptionError('mirror', message);
  }
  return choice;
}

/** The clips that move something that is written and can be stored; others are reported. */
function writable(
  file: OpenFile,
  clips: readonly Converting[],
  skeleton: number | null,
  withFace: boolean,
  issues: Issue[],
): Converting[] {
  const left = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', { whole }: Converting, reason: string): false => {
    issues.push(issue(code, `The clip ${JSON.stringify(whole.name)} of ${file.name} ${reason}; it was left out`));
    return false;
  };
  return clips.filter((one) => {
    if (!moves(one, skeleton, withFace)) return left('CLIP_EMPTY', one, 'moves nothing that is written');
    return one.whole.clips.every(canBeStored) || left('CLIP_OVERFLOW', one, 'has numbers too large for a file');
  });
}

/**
 * Converts a file: what is glTF already stays whole, with another container or other clips; anything else, and with `mesh: false`
 * glTF too, becomes a skeleton with its clips. The document of the file is edited: open it anew for another job.
 *
 * @throws OptionError when an option does not fit the file; FormatError when its buffers or images cannot be followed.
 */
export async function convertFile(file: OpenFile, options: ConvertOptions): Promise<ConvertResult> {
  const { output, mesh = true } = options;
  const plan = planConversion(file, options);
  const { chosen, kept, rewrites } = plan;
  // A file that stays whole need not be understood: what its reader left out is still there.
  const issues: Issue[] = [...(kept !== null && !rewrites ? issuesOfKept(file) : file.asset.issues)];
  const choice = bodyOf(file, plan, options);
  issues.push(...(choice?.issues ?? []));
  const format = outputFormat(output);
  const shown = kept === null && mesh && isCharacterFormat(format) ? await shownBody(file) : null;
  const skeleton = kept === null && shown === null && choice !== null ? choice.index : null;
  const withFace = options.face !== false && format === 'vrma';
  const all = convertClips(file, chosen, choice?.body ?? null, options);
  const clips = rewrites ? writable(file, all, skeleton, withFace, issues) : all;
  let outputs: OutputFile[] = [];
  if (all.length === 0 || clips.length > 0) {
    if (shown !== null && isCharacterFormat(format)) {
      outputs = await newCharacter(file, shown, clips, choice as BodyChoice, { path: output, format }, issues);
    } else if (kept === null) outputs = await motionAlone(file, clips, choice as BodyChoice, options, issues);
    else if (rewrites) outputs = await rewrittenFile(file, kept, clips, output, issues);
    else outputs = await keptOutputs(file, { path: output, format: kept }, issues);
  }
  const isWritten = outputs.length > 0;
  const report: ConvertReport = {
    ok: isWritten && issues.every(({ severity }) => severity !== 'error'),
    file: file.name,
    format: file.asset.format,
    output: isWritten ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    clips: isWritten ? clips.map((one) => reportOf(one, file, skeleton, withFace)) : [],
    body: choice === null ? null : reportBody(file.name, choice),
    issues,
  };
  return { report, outputs };
}
