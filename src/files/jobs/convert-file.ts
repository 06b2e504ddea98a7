/** Converts a file to another format: `anyrig convert` without reading and writing files. */
import type { CleanReport } from '../../core/animation/clean/clean-clip.ts';
import type { Clip } from '../../core/animation/clip.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { mirrorExpressions, mirrorLookAt } from '../../core/face/mirror-face.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { JointNaming } from '../../core/humanoid/rigs/joint-names.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally } from '../../core/report/issue-tally.ts';
import { describeCanonicalRig } from '../../core/retarget/extract-clip.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { moveRootMotion } from '../../core/root-motion/move-root-motion.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import { type ClipEdits, hasEdits } from '../clips/clip-edits.ts';
import { type ClipNameParts, defaultClipName, stemOf, uniqueNames } from '../clips/clip-names.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import {
  applyGround,
  applyLoop,
  applyMirrorToClip,
  applyMirrorToHumanoid,
  chooseKeys,
  motionEditor,
  reduceMorphTracks,
  reportRootBone,
} from '../clips/edit-clips.ts';
import { fitsFloat32 } from '../clips/fits-float32.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import { type MultiSkeletonClip, mergeSkeletonClips } from '../clips/merge-skeleton-clips.ts';
import { keysOfFace, motionFace, namesOfFace } from '../faces/motion-face.ts';
import { readFaceRig } from '../faces/read-face-rig.ts';
import { vrmaFace, vrmExpressions } from '../faces/vrma-face.ts';
import { geometryOf } from '../geometry.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import {
  canonicalRigOf,
  chooseHumanoid,
  type FoundHumanoid,
  type HumanoidChoice,
  lookForHumanoid,
} from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { checkMotionOptions, type MotionJobOptions } from '../options/motion-options.ts';
import { describeOutput, type OutputFile } from '../outputs/output-file.ts';
import {
  formatFamily,
  holdsOneClip,
  type OutputFormat,
  type OutputKeys,
  outputKeysOf,
} from '../outputs/output-format.ts';
import { isTemplate } from '../outputs/output-paths.ts';
import {
  clipsInVrmIssue,
  createOutputWriter,
  type OutputClip,
  type OutputPlan,
  parseIssues,
  planOutput,
  writeUnchanged,
} from '../outputs/plan-output.ts';
import {
  type ClipReport,
  type ConvertReport,
  reportClip,
  reportFileHumanoid,
  reportWritten,
} from '../reports/job-reports.ts';
import { beginStep, clipSteps, type JobControl } from './job-control.ts';

/** How to convert a file. */
export interface ConvertOptions extends JobControl, Pick<MotionJobOptions, 'ascii' | 'rest' | 'textures'> {
  /** Template of the clip names, with `{clip}`, `{file}` and `{index}`. */
  readonly name?: string;
  /** Resamples the clips to this rate, in frames per second, instead of keeping their keys. */
  readonly fps?: number;
  /** Edits of the clips. */
  readonly edits?: ClipEdits;
  /** Path of the output, or a template for one file per clip; its extension selects the format. */
  readonly output: string;
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** `false` writes only a skeleton and the clips, even where the file has meshes. */
  readonly mesh?: boolean;
  /** What the caller knows about the humanoid of the file. */
  readonly humanoid?: HumanoidOptions;
  /** The names that the joints of the humanoid get; by default they keep theirs. */
  readonly names?: JointNaming;
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

interface ConvertedClip {
  readonly chosen: ChosenClip;
  /** That clip, trimmed and at its new speed. */
  readonly motion: AssetClip;
  /** What cleaning changed; null without it. */
  readonly cleaned: CleanReport | null;
  readonly merged: MultiSkeletonClip;
  /** Values of the placeholders of a path template. */
  readonly parts: ClipNameParts;
}

/** Describes a canonical rig of humanoid clips; null for other skeletons. */
function canonicalHumanoid({ asset }: OpenFile, index: number): Humanoid | null {
  const { skeleton, declared, isCanonicalRig } = asset.skeletons[index];
  return isCanonicalRig === true && declared !== null ? describeCanonicalRig({ skeleton, declared }) : null;
}

/** Edits the clip of one skeleton. Mirroring retargets the mirrored humanoid to itself. */
async function editClip(
  file: OpenFile,
  skeleton: number,
  clip: Clip,
  found: FoundHumanoid | null,
  options: ConvertOptions,
  keys: OutputKeys,
): Promise<Clip> {
  const edits = options.edits ?? {};
  if (clip.tracks.length === 0) return clip;
  const humanoid = found?.index === skeleton ? found.humanoid : canonicalHumanoid(file, skeleton);
  let edited = clip;
  if (edits.mirror === true && humanoid !== null) {
    const plan = planRetarget(applyMirrorToHumanoid(humanoid, edits), humanoid);
    edited = retargetClip(plan, applyMirrorToClip(clip, edits), { name: clip.name });
  }
  if (found !== null && humanoid === found.humanoid)
    edited = await applyGround(humanoid, () => contactSurfaceOf(file, found), edited, edits);
  if (humanoid !== null && edits.root !== undefined && edits.root !== 'keep')
    edited = moveRootMotion(humanoid, edited, edits.root).clip;
  if (options.fps !== undefined) edited = resampleClip(edited, options.fps);
  const source = { motion: clip, fps: options.fps, keys };
  const { skeleton: nodes } = file.asset.skeletons[skeleton];
  return chooseKeys(nodes, humanoid, await applyLoop(nodes, humanoid, edited, edits), edits, source);
}

function editFace(
  { expressions, lookAt }: AssetClip,
  isMirrored: boolean,
): Pick<MultiSkeletonClip, 'expressions' | 'lookAt'> {
  return {
    ...(expressions === undefined ? {} : { expressions: isMirrored ? mirrorExpressions(expressions) : expressions }),
    ...(lookAt === undefined ? {} : { lookAt: isMirrored ? mirrorLookAt(lookAt) : lookAt }),
  };
}

async function convertClips(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  found: FoundHumanoid | null,
  options: ConvertOptions,
  keys: OutputKeys,
): Promise<ConvertedClip[]> {
  const stem = stemOf(file.name);
  const edits = options.edits ?? {};
  const parts = chosen.map(({ clip, index }) => {
    return { clip: defaultClipName(clip.name, file.name), file: stem, character: stem, index };
  });
  const names = uniqueNames(options.name ?? '{clip}', parts, new Set());
  const step = clipSteps('convert', file.name, chosen.length, { index: 0, total: 1 }, options);
  const converted: ConvertedClip[] = [];
  const edit = await motionEditor(edits);
  for (const [k, one] of chosen.entries()) {
    await step(parts[k].clip);
    const { clip: motion, cleaned } = edit(file.asset.skeletons, one.clip);
    const name = names[k];
    const clips: Clip[] = [];
    for (const [index, clip] of motion.clips.entries())
      clips.push({ ...(await editClip(file, index, clip, found, options, keys)), name });
    const merged = {
      name,
      clips,
      morphs: await reduceMorphTracks(motion.morphs, edits),
      ...editFace(motion, edits.mirror === true),
      extras: one.clip.extras,
    };
    const report =
      cleaned[found?.index ?? cleaned.findIndex(({ jitterBefore }) => jitterBefore > 0)] ?? cleaned[0] ?? null;
    converted.push({ chosen: one, motion, cleaned: report, merged, parts: { ...parts[k], clip: name } });
  }
  return converted;
}

/** Returns whether a clip has anything to write: of the only skeleton of the output, with its named expressions on request, or of the whole file. */
function hasMotion({ merged, motion }: ConvertedClip, skeleton: number | null, withFace: boolean): boolean {
  const { clips, morphs, expressions = [], lookAt } = merged;
  if (skeleton !== null) {
    const isAnimated = (clips[skeleton]?.tracks.length ?? 0) > 0;
    return isAnimated || (withFace && namesOfFace(motionFace(motion, false)).length > 0);
  }
  return (
    morphs.length + expressions.length > 0 || lookAt !== undefined || clips.some(({ tracks }) => tracks.length > 0)
  );
}

function lostChannels(converted: readonly ConvertedClip[], face: 'all' | 'named' | 'none'): Issue[] {
  const chosen = converted.map((one) => one.chosen);
  const others = chosen.reduce((sum, { clip }) => sum + clip.otherChannels, 0);
  const morphs = chosen
    .flatMap(({ clip }) => clip.morphs)
    .filter(({ targetNames }) => {
      return face === 'none' || (face === 'named' && targetNames === undefined);
    });
  const expressions = face === 'none' ? chosen.flatMap(({ clip }) => clip.expressions ?? []) : [];
  const lookAts = face === 'none' ? chosen.filter(({ clip }) => clip.lookAt !== undefined) : [];
  const lost = formatTally([
    ['morph weights', morphs.length],
    ['expression weights', expressions.length],
    ['look-at', lookAts.length],
    ['other properties or nodes', others],
  ]);
  return lost === '' ? [] : [issue('CHANNELS_DROPPED', `Channels that the output cannot hold were dropped: ${lost}`)];
}

/** Holds all people of a motion file in glTF and FBX, which have a skeleton for each. */
async function withPeople(file: OpenFile, plan: OutputPlan, { humanoid = {} }: ConvertOptions): Promise<OutputPlan> {
  const { holds, format } = plan;
  if (holds !== 'skeleton' || holdsOneClip(format) || formatFamily(format) === 'usd') return plan;
  if (lookForHumanoid(file, 'only', humanoid, file.asset.clips).people === undefined) return plan;
  const visible = await geometryOf(file);
  return visible === null ? plan : { ...plan, holds: 'visible', visible };
}

/** Finds the humanoid of the file where the conversion needs it. Throws OptionError for a mirror or another root motion without a humanoid. */
function humanoidFor(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  holds: OutputPlan['holds'],
  { edits = {}, humanoid = {}, names }: ConvertOptions,
): HumanoidChoice | null {
  const needsRoot = edits.root !== undefined && edits.root !== 'keep';
  const isLossless = holds === 'everything';
  if (isLossless && edits.mirror !== true && edits.loop !== true && !needsRoot && names === undefined) return null;
  const clips = chosen.map(({ clip }) => clip);
  // Humanoid clips that stay humanoid clips are each edited on their own canonical rig.
  const areHumanoidClips = isLossless && clips.every((clip) => canonicalRigOf(file, clip) >= 0);
  const wanted = areHumanoidClips ? clips.slice(0, 1) : clips;
  const keepsAll = holds !== 'skeleton' && !hasEdits(edits) && names === undefined;
  if (keepsAll && lookForHumanoid(file, 'only', humanoid, wanted).people !== undefined) return null;
  const choice = chooseHumanoid(file, 'only', humanoid, wanted);
  if (edits.mirror === true && choice.found === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so its left and right are unknown; supply a bone map, or do not mirror`;
    throw new OptionError('mirror', message);
  }
  if (needsRoot && choice.found === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so its root motion is unknown; supply a bone map, or keep it`;
    throw new OptionError('root', message);
  }
  if (names !== undefined && choice.found === null) {
    const message = `${file.name} is not humanoid (${choice.reason}), so it is unknown which joints to rename; supply a bone map, or keep the names`;
    throw new OptionError('names', message);
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

/** Prepares clips for an output with one skeleton, and reports what of their faces it cannot hold. */
function skeletonClips(
  file: OpenFile,
  converted: readonly ConvertedClip[],
  { found, index }: HumanoidChoice,
  mirrors: boolean,
  withFace: boolean,
  issues: Issue[],
): OutputClip[] {
  const humanoid = withFace ? (found?.humanoid ?? null) : null;
  issues.push(...lostChannels(converted, humanoid === null ? 'none' : 'named'));
  const eyePosition = humanoid === null ? null : (readFaceRig(file, []).lookAt?.offsetFromHeadBone ?? null);
  const { sourceNodes } = file.asset.skeletons[index];
  return converted.map(({ motion, merged, parts }) => {
    const { name, clips, extras } = merged;
    const one = { name, clip: clips[index], sourceNodes, parts, extras };
    return humanoid === null ? one : { ...one, face: vrmaFace(motion, mirrors, humanoid, humanoid, eyePosition) };
  });
}

/** Returns why an output with one skeleton cannot be written; null where it can. */
function refusal(
  file: OpenFile,
  { found, index, reason }: HumanoidChoice,
  format: OutputFormat,
  count: number,
): Issue | null {
  if (index < 0 || (format === 'vrma' && found === null))
    return issue('NOT_HUMANOID', `${file.name} is not humanoid: ${reason}`);
  if (format !== 'vrma' || count > 0) return null;
  return issue('CLIP_EMPTY', `${file.name} has no clips, but a .vrma holds exactly one; write .glb instead`);
}

function reportOf(
  { chosen, merged, motion, cleaned }: ConvertedClip,
  file: OpenFile,
  skeleton: number | null,
  withFace: boolean,
): ClipReport {
  if (skeleton !== null) {
    const face = withFace ? keysOfFace(vrmExpressions(motion)) : [];
    return reportClip(merged.clips[skeleton], face, file.name, chosen, { cleaned });
  }
  const { clip, humanoid } = mergeSkeletonClips(merged, file.asset.skeletons);
  const tracks = [...clip.tracks, ...(humanoid?.tracks ?? [])];
  return reportClip({ ...clip, tracks }, merged.morphs, file.name, chosen, { cleaned });
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
 * if (report.ok) await writeFiles(outputs);
 */
export async function convertFile(file: OpenFile, options: ConvertOptions): Promise<ConvertResult> {
  const { output, clips: wanted = [], name, fps, edits = {}, mesh = true, face = true, names } = options;
  checkMotionOptions(options);
  const [selected] = chooseClips([file], wanted);
  const inTrim = clipsInTrim(file.name, selected, edits);
  // Where every clip is outside of the range, trimming them reports it.
  const { clips: chosen, issues: trimIssues } = inTrim.clips.length > 0 ? inTrim : { clips: selected, issues: [] };
  checkFrameRate(fps, chosen);
  const isNamed = name !== undefined || names !== undefined;
  const changes = hasEdits(edits) || fps !== undefined || wanted.length > 0 || isNamed || isTemplate(output);
  const planned = await planOutput(file, output, { mesh, isUnchanged: !changes, fbx: options, names });
  const plan = mesh ? await withPeople(file, planned, options) : planned;
  const { format, holds, visible } = plan;
  const rewrites = holds !== 'everything' || changes;
  // A file that is written unchanged keeps what its reader left out, so only issues of parsing count.
  const issues: Issue[] = [...(rewrites ? file.asset.issues : parseIssues(file))];
  const choice = humanoidFor(file, chosen, holds, options);
  issues.push(...(choice?.issues ?? []), ...trimIssues);
  const found = choice?.found ?? null;
  if (found !== null) issues.push(...reportRootBone(found.humanoid, file.name, edits));
  const only = holds === 'skeleton' ? (choice as HumanoidChoice) : null;
  const skeleton = only?.index ?? null;
  const withFace = face && format === 'vrma';
  const all = await convertClips(file, chosen, found, options, outputKeysOf(format));
  const clips = rewrites ? writableClips(file, all, skeleton, withFace, issues) : all;
  await beginStep(options, { step: 'write', file: output, clip: null, done: 1, total: 1 });
  const refused = only === null ? null : refusal(file, only, format, clips.length);
  let outputs: OutputFile[] = [];
  const isEmptied = all.length > 0 && clips.length === 0;
  if (refused !== null && !isEmptied) issues.push(refused);
  else if (!rewrites) outputs = await writeUnchanged(file, plan, issues);
  else if (!isEmptied) {
    const { skeletons } = file.asset;
    const part = only === null ? (found?.part ?? null) : skeletons[only.index];
    const content = {
      file,
      part,
      humanoid: found?.humanoid ?? null,
      replace: true,
      ...(fps === undefined ? {} : { fps }),
    };
    const write = createOutputWriter(plan, content);
    issues.push(...(visible?.issues ?? []));
    if (only !== null)
      outputs = await write(skeletonClips(file, clips, only, edits.mirror === true, withFace, issues), issues);
    else {
      issues.push(...lostChannels(clips, 'all'));
      const merged = clips.map((one) => ({ ...mergeSkeletonClips(one.merged, skeletons), parts: one.parts }));
      outputs = await write(merged, issues);
    }
  }
  if (outputs.length > 0 && rewrites && format === 'vrm' && clips.length > 0)
    issues.push(clipsInVrmIssue(output, 'for them write a .vrma'));
  const reports = clips.map((one) => reportOf(one, file, skeleton, withFace));
  const report: ConvertReport = {
    ...reportWritten(output, outputs.map(describeOutput), reports, issues),
    file: file.name,
    format: file.asset.format,
    humanoid: choice === null ? null : reportFileHumanoid(file.name, choice),
  };
  return { report, outputs };
}
