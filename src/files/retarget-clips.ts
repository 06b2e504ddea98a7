/** Clips of motion files for the character of another file; nothing is written yet. */
import { type Clip, lastKeyTime, type Track } from '../core/animation/clip.ts';
import type { AssetClip, MorphTrack } from '../core/asset/asset.ts';
import type { FaceRig } from '../core/face/face-rig.ts';
import type { FaceTracks } from '../core/face/face-tracks.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import type { RetargetOptions } from '../core/retarget/options.ts';
import { planRetarget } from '../core/retarget/plan.ts';
import { retargetClip } from '../core/retarget/retarget-clip.ts';
import { canBeStored } from './can-be-stored.ts';
import { type CarriedFace, carryFace, faceOf, motionFace, namesOfFace, unnamedMorphs } from './carry-face.ts';
import { carryMorphs } from './carry-morphs.ts';
import { type Body, type BodyChoice, chooseBody } from './choose-body.ts';
import { type ChosenClip, chooseClips } from './choose-clips.ts';
import type { ClipEdits } from './clip-edits.ts';
import { type ClipNameParts, defaultClipName, expandTemplate, stemOf, uniqueNames } from './clip-names.ts';
import { clipsByBody } from './clips-by-body.ts';
import { about, collector, refusal } from './collect-issues.ts';
import type { BodyOptions } from './describe-body.ts';
import { droppedChannels, followedNodes, movesHumanoid } from './dropped-channels.ts';
import { editedBody, editedClip, editMotion, finishClip, finishMorphs } from './edit-clips.ts';
import { checkFrameRate } from './frame-rate.ts';
import type { OpenFile } from './open.ts';
import { vrmaFace } from './vrma-face.ts';

/** How motions are to be retargeted. */
export interface RetargetClipsOptions {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Template of the names of the new clips, with `{clip}`, `{file}`, `{character}`, `{index}`. */
  readonly name?: string;
  /** Keys at this rate instead of the motion's own keys. */
  readonly fps?: number;
  /** What is done to the clips. */
  readonly edits?: ClipEdits;
  /** What is said about the bodies of the motions, and about the character. */
  readonly source?: BodyOptions;
  readonly target?: BodyOptions;
  /** What of a motion is carried over. */
  readonly channels?: RetargetOptions;
  /**
   * Expressions, morph weights and the gaze by what they mean, whatever the character calls them; true by default. `false`: only morph weights
   * of nodes and targets that have the same names.
   */
  readonly face?: boolean;
  /** The face of the character, where its file is no glTF, which has it itself. */
  readonly characterFace?: FaceRig;
  /** Names that new clips must not have: of clips that the character keeps. */
  readonly takenNames?: readonly string[];
  /** Told before every clip. */
  readonly onClip?: (file: string, clip: string) => void;
}

/** A clip for the character. */
export interface RetargetedClip {
  /** On the nodes of the character's skeleton; it has its new name. */
  readonly clip: Clip;
  /** On nodes of the character's file. */
  readonly morphs: readonly MorphTrack[];
  /** The face as a VRM Animation of the character has it; nothing without `face`. */
  readonly face: FaceTracks;
  /** Names of expressions and shapes of the motion that no node of the character shows. */
  readonly droppedFace: readonly string[];
  /** Where it comes from. */
  readonly file: string;
  readonly source: ChosenClip;
}

/** What came of motions and a character. */
export interface RetargetedClips {
  readonly clips: readonly RetargetedClip[];
  readonly target: BodyChoice;
  /** One a motion file: of its first clip, where humanoid clips in it are of several bodies. */
  readonly sources: readonly BodyChoice[];
  /** Of the first humanoid motion; null without one, or without a humanoid character. */
  readonly hipsScale: number | null;
  readonly issues: readonly Issue[];
}

/** Only the weights of nodes and targets that have the same names. */
function plainFace(clip: AssetClip, rig: FaceRig): CarriedFace {
  const morphs = carryMorphs(clip.morphs, rig.morphNodes);
  const same = new Set(morphs.map(({ nodeName }) => nodeName));
  const others = clip.morphs.filter(({ nodeName }) => !same.has(nodeName));
  return { morphs, eyes: [], dropped: namesOfFace(motionFace({ ...clip, morphs: others }, false)) };
}

/** A clip whose eyes look where the gaze does. */
function withEyes(clip: Clip, eyes: readonly Track[]): Clip {
  if (eyes.length === 0) return clip;
  const turned = new Set(eyes.map(({ target }) => target));
  const others = clip.tracks.filter(({ target, path }) => path !== 'rotation' || !turned.has(target));
  const tracks = [...others, ...eyes];
  return { ...clip, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

/** Retargets the chosen clips of one motion file. */
function retargetFile(
  file: OpenFile,
  source: Body,
  chosen: readonly ChosenClip[],
  target: Body,
  rig: FaceRig,
  options: RetargetClipsOptions,
): { hipsScale: number; clips: RetargetedClip[]; issues: Issue[] } {
  const edits = options.edits ?? {};
  const plan = planRetarget(editedBody(source.humanoid, edits), target.humanoid, options.channels);
  const followed = followedNodes(plan);
  const issues: Issue[] = [...plan.issues];
  const clips: RetargetedClip[] = [];
  let carried = 0;
  const left = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', name: string, reason: string): void => {
    issues.push(issue(code, `The clip ${JSON.stringify(name)} of ${file.name} ${reason}; it was left out`));
  };
  for (const { clip: whole, index } of chosen) {
    const name = defaultClipName(whole.name, file.name);
    options.onClip?.(file.name, name);
    const clip = editMotion(whole, edits);
    const motion = editedClip(clip.clips[source.index], edits);
    const face =
      options.face === false ? plainFace(clip, rig) : carryFace(clip, edits.mirror === true, rig, target.humanoid);
    const showsFace = face.morphs.length + face.eyes.length > 0;
    if (!movesHumanoid(followed, clip, source.index) && !showsFace) {
      left('CLIP_EMPTY', name, 'animates no bone of the humanoid');
      continue;
    }
    const fps = options.fps === undefined ? {} : { fps: options.fps };
    const retargeted = finishClip(
      target.humanoid.skeleton,
      target.humanoid,
      withEyes(retargetClip(plan, motion, { name, ...fps }), face.eyes),
      edits,
    );
    if (retargeted.tracks.length === 0 && !showsFace) left('CLIP_EMPTY', name, 'moves no bone that the character has');
    else if (!canBeStored(retargeted)) left('CLIP_OVERFLOW', name, 'has numbers too large for a file');
    else {
      const { dropped: droppedFace } = face;
      const morphs = finishMorphs(face.morphs, edits);
      const portable =
        options.face === false
          ? { expressions: [], lookAt: null }
          : vrmaFace(
              clip,
              edits.mirror === true,
              source.humanoid,
              target.humanoid,
              rig.gaze?.offsetFromHeadBone ?? null,
            );
      const from = { file: file.name, source: { clip: whole, index } };
      clips.push({ clip: retargeted, morphs, face: portable, droppedFace, ...from });
      carried += clip.morphs.length - unnamedMorphs(clip, morphs);
    }
  }
  const used: AssetClip[] = clips.map(({ source: { clip } }) => clip);
  issues.push(...droppedChannels(file.name, source.humanoid, followed, used, source.index, carried));
  return { hipsScale: plan.hipsScale, clips, issues };
}

/** What a name by a template is made of; the clip is called as in its file. */
export function partsOf(file: string, character: OpenFile, { clip, index }: ChosenClip): ClipNameParts {
  const [name, stem] = [defaultClipName(clip.name, file), stemOf(file)];
  return { clip: name, file: stem, character: stemOf(character.name), index };
}

/** The clips with their final names. */
function nameClips(
  clips: readonly RetargetedClip[],
  character: OpenFile,
  { name = '{clip}', takenNames = [] }: RetargetClipsOptions,
): RetargetedClip[] {
  const parts = clips.map(({ clip, file, source }) => ({ ...partsOf(file, character, source), clip: clip.name }));
  const names = uniqueNames(name, parts, takenNames);
  return clips.map((one, k) => ({ ...one, clip: { ...one.clip, name: names[k] } }));
}

/**
 * Retargets clips of motion files onto a character. Files are not changed: `retargetMotions` does that. A motion that is not humanoid gives no clips
 * and an issue NOT_HUMANOID; so does a character.
 *
 * @throws OptionError when an option does not fit the files.
 */
export function retargetClips(
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetClipsOptions = {},
): RetargetedClips {
  const chosen = chooseClips(motions, options.clips ?? []);
  checkFrameRate(options.fps, chosen.flat());
  expandTemplate(options.name ?? '', { clip: '', file: '', character: '', index: 0 });
  const { issues, add } = collector();
  const target = chooseBody(character, 'target', options.target ?? {});
  add(about(character.name, character.asset.issues));
  add(about(character.name, target.issues));
  if (target.body === null) add([refusal(character.name, target.reason)]);
  const faceIssues: Issue[] = [];
  const rig = options.characterFace ?? faceOf(character, faceIssues);
  if (options.face !== false) add(about(character.name, faceIssues));
  const clips: RetargetedClip[] = [];
  let hipsScale: number | null = null;
  const sources = motions.map((file, m) => {
    const ofFile: RetargetedClip[] = [];
    add(about(file.name, file.asset.issues));
    const choices = clipsByBody(file, chosen[m], options.source ?? {}).map((group) => {
      const wanted = group.map(({ clip }) => clip);
      const source = chooseBody(file, 'source', options.source ?? {}, wanted);
      add(about(file.name, source.issues));
      if (source.body === null) {
        add([refusal(file.name, source.reason)]);
        return source;
      }
      if (file.asset.clips.length === 0)
        add([issue('CLIP_EMPTY', `${file.name} has no clips`, { resource: file.name })]);
      if (target.body === null) return source;
      const done = retargetFile(file, source.body, group, target.body, rig, options);
      add(about(file.name, done.issues));
      ofFile.push(...done.clips);
      hipsScale ??= done.hipsScale;
      return source;
    });
    clips.push(...ofFile.sort((a, b) => a.source.index - b.source.index));
    return choices[0];
  });
  return { clips: nameClips(clips, character, options), target, sources, hipsScale, issues };
}
