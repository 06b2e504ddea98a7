/** The clips of a file that is converted: edited, all skeletons of each. */
import type { Clip } from '../core/animation/clip.ts';
import { resampleClip } from '../core/animation/resample-clip.ts';
import type { AssetClip } from '../core/asset/asset.ts';
import { mirrorExpressions, mirrorLookAt } from '../core/face/portable-face.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { humanoidOfBody } from '../core/retarget/extract-clip.ts';
import { planRetarget } from '../core/retarget/plan.ts';
import { retargetClip } from '../core/retarget/retarget-clip.ts';
import { motionFace, namesOfFace } from './carry-face.ts';
import type { Body } from './choose-body.ts';
import type { ChosenClip } from './choose-clips.ts';
import type { ClipEdits } from './clip-edits.ts';
import { type ClipNameParts, defaultClipName, stemOf, uniqueNames } from './clip-names.ts';
import { editedBody, editedClip, editMotion, finishClip, finishMorphs } from './edit-clips.ts';
import type { OpenFile } from './open.ts';
import type { WholeClip } from './whole-animation.ts';

/** What is done to the clips of a file. */
export interface ConvertClipsOptions {
  /** Template of the names of the clips, with `{clip}`, `{file}`, `{character}`, `{index}`. */
  readonly name?: string;
  /** Keys at this rate instead of the motion's own keys. */
  readonly fps?: number;
  /** What is done to the clips. */
  readonly edits?: ClipEdits;
}

/** A clip of the file on its way to the output. */
export interface Converting {
  readonly chosen: ChosenClip;
  /** As in the file, cut and sped up. */
  readonly motion: AssetClip;
  readonly whole: WholeClip;
  readonly parts: ClipNameParts;
}

/** What a body of humanoid clips is as a humanoid; null for other skeletons. */
function portableHumanoid({ asset }: OpenFile, index: number): Humanoid | null {
  const { skeleton, declared, isPortable } = asset.skeletons[index];
  return isPortable === true && declared !== null ? humanoidOfBody({ skeleton, declared }) : null;
}

/** One clip of one skeleton, edited. A mirror needs a humanoid, whose bones are retargeted onto itself. */
function editClip(file: OpenFile, skeleton: number, clip: Clip, body: Body | null, options: ConvertClipsOptions): Clip {
  const edits = options.edits ?? {};
  if (clip.tracks.length === 0) return clip;
  const humanoid = body?.index === skeleton ? body.humanoid : portableHumanoid(file, skeleton);
  let edited = clip;
  if (edits.mirror === true && humanoid !== null) {
    const plan = planRetarget(editedBody(humanoid, edits), humanoid);
    edited = retargetClip(plan, editedClip(clip, edits), { name: clip.name });
  }
  if (options.fps !== undefined) edited = resampleClip(edited, options.fps);
  return finishClip(file.asset.skeletons[skeleton].skeleton, humanoid, edited, edits);
}

/** Expressions and gaze of a clip on the nodes of its file, left and right changed where it is mirrored. */
function editFace({ expressions, lookAt }: AssetClip, isMirrored: boolean): Pick<WholeClip, 'expressions' | 'lookAt'> {
  return {
    ...(expressions === undefined ? {} : { expressions: isMirrored ? mirrorExpressions(expressions) : expressions }),
    ...(lookAt === undefined ? {} : { lookAt: isMirrored ? mirrorLookAt(lookAt) : lookAt }),
  };
}

/** The chosen clips of a file, edited and with their new names. OptionError for edits that do not fit a clip. */
export function convertClips(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  body: Body | null,
  options: ConvertClipsOptions,
): Converting[] {
  const stem = stemOf(file.name);
  const parts = chosen.map(({ clip, index }) => {
    return { clip: defaultClipName(clip.name, file.name), file: stem, character: stem, index };
  });
  const names = uniqueNames(options.name ?? '{clip}', parts, []);
  return chosen.map((one, k) => {
    const motion: AssetClip = editMotion(one.clip, options.edits ?? {});
    const { clips, morphs } = motion;
    const name = names[k];
    const whole = {
      name,
      clips: clips.map((clip, skeleton) => ({ ...editClip(file, skeleton, clip, body, options), name })),
      morphs: finishMorphs(morphs, options.edits ?? {}),
      ...editFace(motion, options.edits?.mirror === true),
    };
    return { chosen: one, motion, whole, parts: { ...parts[k], clip: name } };
  });
}

/** Whether there is anything in a clip to write: of the skeleton that is written, or of the whole file. */
export function moves({ whole, motion }: Converting, skeleton: number | null, withFace: boolean): boolean {
  const { clips, morphs, expressions = [], lookAt } = whole;
  if (skeleton !== null) {
    const isMoved = (clips[skeleton]?.tracks.length ?? 0) > 0;
    return isMoved || (withFace && namesOfFace(motionFace(motion, false)).length > 0);
  }
  return (
    morphs.length + expressions.length > 0 || lookAt !== undefined || clips.some(({ tracks }) => tracks.length > 0)
  );
}

/** What of the faces is written: all, what has names, or nothing. */
export type FaceKept = 'whole' | 'named' | 'none';

/** Why clips that are written anew have less than those of the file. */
export function lostChannels(converting: readonly Converting[], kept: FaceKept): Issue[] {
  const chosen = converting.map((one) => one.chosen);
  const others = chosen.reduce((sum, { clip }) => sum + clip.otherChannels, 0);
  const morphs = chosen
    .flatMap(({ clip }) => clip.morphs)
    .filter(({ targetNames }) => {
      return kept === 'none' || (kept === 'named' && targetNames === undefined);
    });
  const expressions = kept === 'none' ? chosen.flatMap(({ clip }) => clip.expressions ?? []) : [];
  const gazes = kept === 'none' ? chosen.filter(({ clip }) => clip.lookAt !== undefined) : [];
  const lost = [
    [morphs.length, 'morph weights'],
    [expressions.length, 'weights of expressions'],
    [gazes.length, 'gaze'],
    [others, 'other properties or nodes'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} × ${what}`]));
  return lost.length === 0 ? [] : [issue('CHANNELS_DROPPED', `Channels that are not carried over: ${lost.join(', ')}`)];
}
