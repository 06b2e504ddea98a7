/** Motions of files as humanoid clips: what `anyrig extract` writes. */
import { type HumanoidClip, humanoidClipOf } from '../core/humanoid/humanoid-clip.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { planExtract } from '../core/retarget/extract-clip.ts';
import type { RetargetOptions } from '../core/retarget/options.ts';
import { retargetClip } from '../core/retarget/retarget-clip.ts';
import { canBeStored } from './can-be-stored.ts';
import { droppedFaces, motionFace, namesOfFace, unnamedMorphs } from './carry-face.ts';
import { type Body, type BodyChoice, chooseBody } from './choose-body.ts';
import { type ChosenClip, chooseClips } from './choose-clips.ts';
import type { ClipEdits } from './clip-edits.ts';
import { defaultClipName, expandTemplate, stemOf, uniqueNames } from './clip-names.ts';
import { clipsByBody } from './clips-by-body.ts';
import { about, collector, refusal } from './collect-issues.ts';
import type { BodyOptions } from './describe-body.ts';
import { droppedChannels, followedNodes, movesHumanoid } from './dropped-channels.ts';
import { editedBody, editedClip, editMotion, finishClip } from './edit-clips.ts';
import { checkFrameRate } from './frame-rate.ts';
import type { OpenFile } from './open.ts';

/** How motions become humanoid clips. */
export interface ExtractClipsOptions {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Template of the names of the clips, with `{clip}`, `{file}`, `{index}`; a name that is taken gets a number. */
  readonly name?: string;
  /** Keys at this rate instead of the motion's own keys. */
  readonly fps?: number;
  /** What is done to the clips. */
  readonly edits?: ClipEdits;
  /** What is said about the bodies of the motions. */
  readonly source?: BodyOptions;
  /** What of a motion is kept; translations and scales of bones, other than the way of the hips, only where asked for. */
  readonly channels?: Omit<RetargetOptions, 'hipsScale'>;
  /** Told before every clip. */
  readonly onClip?: (file: string, clip: string) => void;
}

/** A humanoid clip and where it comes from. */
export interface ExtractedClip {
  /** It has its new name. */
  readonly clip: HumanoidClip;
  readonly file: string;
  readonly source: ChosenClip;
}

/** What came of the motions. */
export interface ExtractedClips {
  readonly clips: readonly ExtractedClip[];
  /** One a motion file: of its first clip, where humanoid clips in it are of several bodies. */
  readonly sources: readonly BodyChoice[];
  readonly issues: readonly Issue[];
}

/** The chosen clips of one body. */
function extractBody(
  file: OpenFile,
  source: Body,
  chosen: readonly ChosenClip[],
  options: ExtractClipsOptions,
): { clips: ExtractedClip[]; issues: Issue[] } {
  const edits = options.edits ?? {};
  const { plan, body, humanoid } = planExtract(editedBody(source.humanoid, edits), options.channels);
  const followed = followedNodes(plan);
  // Nothing is missing of a body that was made for the motion.
  const issues: Issue[] = [];
  const clips: ExtractedClip[] = [];
  const left = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', name: string, reason: string): void => {
    issues.push(issue(code, `The clip ${JSON.stringify(name)} of ${file.name} ${reason}; it was left out`));
  };
  for (const one of chosen) {
    const name = defaultClipName(one.clip.name, file.name);
    options.onClip?.(file.name, name);
    const edited = editMotion(one.clip, edits);
    if (!movesHumanoid(followed, edited, source.index)) {
      left('CLIP_EMPTY', name, 'animates no bone of the humanoid');
      continue;
    }
    const motion = editedClip(edited.clips[source.index], edits);
    const fps = options.fps === undefined ? {} : { fps: options.fps };
    const whole = retargetClip(plan, motion, { name, ...fps });
    const clip = finishClip(body.skeleton, humanoid, whole, edits);
    if (!canBeStored(clip)) left('CLIP_OVERFLOW', name, 'has numbers too large for a file');
    else clips.push({ clip: humanoidClipOf(body, clip), file: file.name, source: one });
  }
  const used = clips.map((one) => one.source.clip);
  const named = used.reduce((sum, clip) => sum + clip.morphs.length - unnamedMorphs(clip, []), 0);
  issues.push(...droppedChannels(file.name, source.humanoid, followed, used, source.index, named));
  const faceOf = ({ source: { clip } }: ExtractedClip): string[] => namesOfFace(motionFace(clip, false));
  issues.push(...droppedFaces(clips, faceOf, 'humanoid clips are of bones alone'));
  return { clips, issues };
}

/**
 * Clips of motion files as humanoid clips: rotations relative to the reference pose of their body, with the way of its hips, for any other body.
 * Files are not changed. A motion that is not humanoid gives no clips and an issue NOT_HUMANOID.
 *
 * @throws OptionError when an option does not fit the files.
 */
export function extractClips(motions: readonly OpenFile[], options: ExtractClipsOptions = {}): ExtractedClips {
  const chosen = chooseClips(motions, options.clips ?? []);
  const { name: template = '{clip}' } = options;
  checkFrameRate(options.fps, chosen.flat());
  expandTemplate(template, { clip: '', file: '', character: '', index: 0 });
  const { issues, add } = collector();
  const clips: ExtractedClip[] = [];
  const sources = motions.map((file, m) => {
    add(about(file.name, file.asset.issues));
    if (file.asset.clips.length === 0) add([issue('CLIP_EMPTY', `${file.name} has no clips`, { resource: file.name })]);
    const ofFile: ExtractedClip[] = [];
    const choices = clipsByBody(file, chosen[m], options.source ?? {}).map((group) => {
      const wanted = group.map(({ clip }) => clip);
      const source = chooseBody(file, 'source', options.source ?? {}, wanted);
      add(about(file.name, source.issues));
      if (source.body === null) add([refusal(file.name, source.reason)]);
      else {
        const done = extractBody(file, source.body, group, options);
        add(about(file.name, done.issues));
        ofFile.push(...done.clips);
      }
      return source;
    });
    clips.push(...ofFile.sort((a, b) => a.source.index - b.source.index));
    return choices[0];
  });
  const parts = clips.map(({ clip, file, source: { index } }) => {
    return { clip: clip.name, file: stemOf(file), character: stemOf(file), index };
  });
  const names = uniqueNames(template, parts, []);
  return { clips: clips.map((one, k) => ({ ...one, clip: { ...one.clip, name: names[k] } })), sources, issues };
}
