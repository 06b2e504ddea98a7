/** Converts motions to humanoid clips, as `anyrig extract` writes them. */
import { type HumanoidClip, toHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { planExtract } from '../../core/retarget/extract-clip.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { defaultClipName, expandTemplate, stemOf, uniqueNames } from '../clips/clip-names.ts';
import { clipsByHumanoid } from '../clips/clips-by-humanoid.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import {
  applyMirrorToClip,
  applyMirrorToHumanoid,
  applyRoot,
  loopAndReduce,
  reportRootBone,
  trimAndChangeSpeed,
} from '../clips/edit-clips.ts';
import { fitsFloat32 } from '../clips/fits-float32.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import { countUnnamedMorphs, droppedFaces, motionFace, namesOfFace } from '../faces/motion-face.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { type FoundHumanoid, findHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { createIssueCollector, notHumanoidIssue, withFileName } from '../reports/collect-issues.ts';
import { animatesHumanoid, droppedChannels, usedNodes } from '../reports/dropped-channels.ts';
import { type ClipStep, clipSteps, type JobControl, type MotionPosition } from './job-control.ts';

/** How to convert motions to humanoid clips. */
export interface ExtractClipsOptions extends JobControl {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Template of the clip names, with `{clip}`, `{file}` and `{index}`; repeated names are numbered. */
  readonly name?: string;
  /** Resamples the clips to this rate, in frames per second, instead of keeping the keys of the motion. */
  readonly fps?: number;
  /** Edits of the clips. */
  readonly edits?: ClipEdits;
  /** What the caller knows about the humanoids of the motions. */
  readonly source?: HumanoidOptions;
  /** Which channels to keep; translations and scales of bones other than the hips only on request. */
  readonly channels?: Omit<RetargetOptions, 'hipsScale'>;
}

/** A humanoid clip and its origin. */
export interface ExtractedClip {
  /** The clip with its new name. */
  readonly clip: HumanoidClip;
  /** Name of the motion file. */
  readonly file: string;
  /** The clip that it was made from. */
  readonly source: ChosenClip;
}

/** Result of {@link extractClips}. */
export interface ExtractedClips {
  /** The humanoid clips. */
  readonly clips: readonly ExtractedClip[];
  /** Humanoid of each motion file; that of its first clip where its humanoid clips have several. */
  readonly sources: readonly HumanoidChoice[];
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/** Converts the chosen clips of one humanoid. */
async function extractFile(
  file: OpenFile,
  source: FoundHumanoid,
  chosen: readonly ChosenClip[],
  options: ExtractClipsOptions,
  step: ClipStep,
): Promise<{ clips: ExtractedClip[]; issues: Issue[] }> {
  const edits = options.edits ?? {};
  // The canonical rig is made for the motion, so the issues of the plan do not apply.
  const { plan, rig, humanoid } = planExtract(applyMirrorToHumanoid(source.humanoid, edits), options.channels);
  const used = usedNodes(plan);
  const inTrim = clipsInTrim(file.name, chosen, edits);
  const issues: Issue[] = [...inTrim.issues, ...reportRootBone(humanoid, file.name, edits)];
  const clips: ExtractedClip[] = [];
  const skip = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', name: string, reason: string): void => {
    issues.push(issue(code, `The clip ${JSON.stringify(name)} of ${file.name} ${reason}; it was left out`));
  };
  for (const one of inTrim.clips) {
    const name = defaultClipName(one.clip.name, file.name);
    await step(name);
    const edited = trimAndChangeSpeed(one.clip, edits);
    if (!animatesHumanoid(used, edited, source.index)) {
      skip('CLIP_EMPTY', name, 'animates no bone of the humanoid');
      continue;
    }
    const motion = applyMirrorToClip(edited.clips[source.index], edits);
    const fps = options.fps === undefined ? {} : { fps: options.fps };
    const rooted = applyRoot(humanoid, retargetClip(plan, motion, { name, ...fps }), edits);
    const keys = { motion, fps: options.fps, keys: 'any' } as const;
    const clip = loopAndReduce(rig.skeleton, humanoid, rooted, edits, keys);
    if (!fitsFloat32(clip)) skip('CLIP_OVERFLOW', name, 'has values that exceed float32');
    else clips.push({ clip: toHumanoidClip(rig, clip), file: file.name, source: one });
  }
  const written = clips.map((one) => one.source.clip);
  const named = written.reduce((sum, clip) => sum + clip.morphs.length - countUnnamedMorphs(clip, []), 0);
  issues.push(...droppedChannels(file.name, source.humanoid, used, written, source.index, named));
  const faceNames = ({ source: { clip } }: ExtractedClip): string[] => namesOfFace(motionFace(clip, false));
  issues.push(...droppedFaces(clips, faceNames, 'humanoid clips hold bones only'));
  return { clips, issues };
}

/** A motion that was converted. */
export interface ExtractedMotion {
  /** The humanoid clips, in the order of the file. */
  readonly clips: readonly ExtractedClip[];
  /** Humanoid of the motion; that of its first clip where its humanoid clips have several. */
  readonly source: HumanoidChoice;
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/**
 * Checks the options that do not depend on a motion.
 *
 * @param options As of {@link extractClips}.
 * @throws OptionError for a name template or frame rate that fits no motion.
 */
export function checkExtractOptions({ fps, name = '{clip}' }: ExtractClipsOptions): void {
  checkFrameRate(fps, []);
  expandTemplate(name, { clip: '', file: '', character: '', index: 0 });
}

/**
 * Converts the chosen clips of one file to humanoid clips.
 *
 * @param file The motion file; it stays unchanged.
 * @param chosen Its clips.
 * @param options As of {@link extractClips}.
 * @param takenNames Names that clips have already; new names are added.
 * @param position Which of how many motions it is, for progress.
 * @returns The humanoid clips.
 * @throws OptionError for an option that does not fit the file.
 */
export async function extractMotion(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  options: ExtractClipsOptions,
  takenNames: Set<string>,
  position: MotionPosition = { index: 0, total: 1 },
): Promise<ExtractedMotion> {
  checkFrameRate(options.fps, chosen);
  const { issues, add } = createIssueCollector();
  const clips: ExtractedClip[] = [];
  add(withFileName(file.name, file.asset.issues));
  if (file.asset.clips.length === 0) add([issue('CLIP_EMPTY', `${file.name} has no clips`, { resource: file.name })]);
  const step = clipSteps('extract', file.name, chosen.length, position, options);
  const choices: HumanoidChoice[] = [];
  for (const group of clipsByHumanoid(file, chosen, options.source ?? {})) {
    const wanted = group.map(({ clip }) => clip);
    const source = findHumanoid(file, 'source', options.source ?? {}, wanted);
    choices.push(source);
    add(withFileName(file.name, source.issues));
    if (source.found === null) add([notHumanoidIssue(file.name, source.reason)]);
    else {
      const done = await extractFile(file, source.found, group, options, step);
      add(withFileName(file.name, done.issues));
      clips.push(...done.clips);
    }
  }
  clips.sort((a, b) => a.source.index - b.source.index);
  const stem = stemOf(file.name);
  const parts = clips.map(({ clip, source: { index } }) => ({ clip: clip.name, file: stem, character: stem, index }));
  const names = uniqueNames(options.name ?? '{clip}', parts, takenNames);
  const named = clips.map((one, k) => ({ ...one, clip: { ...one.clip, name: names[k] } }));
  return { clips: named, source: choices[0], issues };
}

/**
 * Converts clips of motion files to humanoid clips: bone rotations relative to the reference pose of their humanoid and hips translations. They
 * play on any humanoid. A motion that is not humanoid gives no clips and an issue `NOT_HUMANOID`.
 *
 * @param motions Motion files; they stay unchanged.
 * @param options Which clips, how to name and edit them.
 * @returns The clips in the order of files and clips.
 * @throws OptionError for an option that does not fit the files.
 */
export async function extractClips(
  motions: readonly OpenFile[],
  options: ExtractClipsOptions = {},
): Promise<ExtractedClips> {
  const chosen = chooseClips(motions, options.clips ?? []);
  checkExtractOptions(options);
  const takenNames = new Set<string>();
  const done: ExtractedMotion[] = [];
  for (const [m, file] of motions.entries()) {
    done.push(await extractMotion(file, chosen[m], options, takenNames, { index: m, total: motions.length }));
  }
  const { issues, add } = createIssueCollector();
  add(done.flatMap((motion) => motion.issues));
  return { clips: done.flatMap(({ clips }) => clips), sources: done.map(({ source }) => source), issues };
}
