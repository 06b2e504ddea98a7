/** Edits the clips of a file that is converted, for all its skeletons. */
import type { Clip } from '../../core/animation/clip.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { mirrorExpressions, mirrorLookAt } from '../../core/face/mirror-face.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally } from '../../core/report/issue-tally.ts';
import { describeCanonicalRig } from '../../core/retarget/extract-clip.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { ChosenClip } from '../clips/choose-clips.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { type ClipNameParts, defaultClipName, stemOf, uniqueNames } from '../clips/clip-names.ts';
import {
  applyMirrorToClip,
  applyMirrorToHumanoid,
  applyRoot,
  loopAndReduce,
  reduceMorphTracks,
  trimAndChangeSpeed,
} from '../clips/edit-clips.ts';
import type { MultiSkeletonClip } from '../clips/merge-skeleton-clips.ts';
import { motionFace, namesOfFace } from '../faces/motion-face.ts';
import type { FoundHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import { clipSteps, type JobControl } from './job-control.ts';

/** How to convert the clips of a file. */
export interface ConvertClipsOptions extends JobControl {
  /** Template of the clip names, with `{clip}`, `{file}`, `{character}` and `{index}`. */
  readonly name?: string;
  /** Resamples the clips to this rate, in frames per second, instead of keeping their keys. */
  readonly fps?: number;
  /** Edits of the clips. */
  readonly edits?: ClipEdits;
  /** Keys that the output can hold; `any` by default. */
  readonly outputKeys?: OutputKeys;
}

/** A converted clip. */
export interface ConvertedClip {
  /** The clip that it was made from. */
  readonly chosen: ChosenClip;
  /** That clip, trimmed and at its new speed. */
  readonly motion: AssetClip;
  /** The clips of all skeletons with all edits. */
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
function editClip(
  file: OpenFile,
  skeleton: number,
  clip: Clip,
  found: FoundHumanoid | null,
  options: ConvertClipsOptions,
): Clip {
  const edits = options.edits ?? {};
  if (clip.tracks.length === 0) return clip;
  const humanoid = found?.index === skeleton ? found.humanoid : canonicalHumanoid(file, skeleton);
  let edited = clip;
  if (edits.mirror === true && humanoid !== null) {
    const plan = planRetarget(applyMirrorToHumanoid(humanoid, edits), humanoid);
    edited = retargetClip(plan, applyMirrorToClip(clip, edits), { name: clip.name });
  }
  edited = applyRoot(humanoid, edited, edits);
  if (options.fps !== undefined) edited = resampleClip(edited, options.fps);
  const keys = { motion: clip, fps: options.fps, keys: options.outputKeys ?? 'any' };
  return loopAndReduce(file.asset.skeletons[skeleton].skeleton, humanoid, edited, edits, keys);
}

/** Returns expressions and look-at of a clip, mirrored if requested. */
function editFace(
  { expressions, lookAt }: AssetClip,
  isMirrored: boolean,
): Pick<MultiSkeletonClip, 'expressions' | 'lookAt'> {
  return {
    ...(expressions === undefined ? {} : { expressions: isMirrored ? mirrorExpressions(expressions) : expressions }),
    ...(lookAt === undefined ? {} : { lookAt: isMirrored ? mirrorLookAt(lookAt) : lookAt }),
  };
}

/**
 * Edits and renames the chosen clips of a file.
 *
 * @param file The file; it stays unchanged.
 * @param chosen The clips.
 * @param found The humanoid of the file; null without one.
 * @param options Names, frame rate and edits.
 * @returns The clips in the same order.
 * @throws OptionError for edits that do not fit a clip.
 */
export async function convertClips(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  found: FoundHumanoid | null,
  options: ConvertClipsOptions,
): Promise<ConvertedClip[]> {
  const stem = stemOf(file.name);
  const parts = chosen.map(({ clip, index }) => {
    return { clip: defaultClipName(clip.name, file.name), file: stem, character: stem, index };
  });
  const names = uniqueNames(options.name ?? '{clip}', parts, new Set());
  const step = clipSteps('convert', file.name, chosen.length, { index: 0, total: 1 }, options);
  const converted: ConvertedClip[] = [];
  for (const [k, one] of chosen.entries()) {
    await step(parts[k].clip);
    const motion: AssetClip = trimAndChangeSpeed(one.clip, options.edits ?? {});
    const { clips, morphs } = motion;
    const name = names[k];
    const merged = {
      name,
      clips: clips.map((clip, skeleton) => ({ ...editClip(file, skeleton, clip, found, options), name })),
      morphs: reduceMorphTracks(morphs, options.edits ?? {}),
      ...editFace(motion, options.edits?.mirror === true),
    };
    converted.push({ chosen: one, motion, merged, parts: { ...parts[k], clip: name } });
  }
  return converted;
}

/**
 * Checks that a clip has anything to write.
 *
 * @param clip A converted clip.
 * @param skeleton Index of the only skeleton that is written; null when the whole file is.
 * @param withFace Whether named expressions are written with the skeleton.
 * @returns Whether the clip has tracks to write.
 */
export function hasMotion({ merged, motion }: ConvertedClip, skeleton: number | null, withFace: boolean): boolean {
  const { clips, morphs, expressions = [], lookAt } = merged;
  if (skeleton !== null) {
    const isAnimated = (clips[skeleton]?.tracks.length ?? 0) > 0;
    return isAnimated || (withFace && namesOfFace(motionFace(motion, false)).length > 0);
  }
  return (
    morphs.length + expressions.length > 0 || lookAt !== undefined || clips.some(({ tracks }) => tracks.length > 0)
  );
}

/** Which part of the faces is written: all, what has names, or nothing. */
export type FaceScope = 'all' | 'named' | 'none';

/**
 * Reports the channels that rewritten clips lose.
 *
 * @param converted The converted clips.
 * @param face Which part of the faces is written.
 * @returns One issue `CHANNELS_DROPPED` with counts; none when nothing is lost.
 */
export function lostChannels(converted: readonly ConvertedClip[], face: FaceScope): Issue[] {
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
