/** Retargets clips of motion files to the character of another file, without writing. */
import { type Clip, lastKeyTime, type Track } from '../../core/animation/clip.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import type { AssetClip, MorphTrack } from '../../core/asset/asset.ts';
import { applyContacts } from '../../core/contacts/plan/apply-contacts.ts';
import type { ContactMode, ContactReport } from '../../core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../core/contacts/plan/plan-contacts.ts';
import type { Space } from '../../core/contacts/spacing/plan-spacing.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { FaceRig } from '../../core/face/face-rig.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { followBones } from '../../core/retarget/detached/detached-tracks.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import { transferRootMotion } from '../../core/root-motion/transfer-root-motion.ts';
import { type ChosenClip, type ClipOrigin, chooseClips } from '../clips/choose-clips.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { type ClipNameParts, defaultClipName, expandTemplate, stemOf, uniqueNames } from '../clips/clip-names.ts';
import { clipsByHumanoid } from '../clips/clips-by-humanoid.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import { applyLoop, chooseKeys, reduceMorphTracks, reportRootBone } from '../clips/edit-clips.ts';
import { fitsFloat32 } from '../clips/fits-float32.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import { countUnnamedMorphs } from '../faces/motion-face.ts';
import { readFaceRig } from '../faces/read-face-rig.ts';
import { copyFace, retargetFace } from '../faces/retarget-face.ts';
import { vrmaFace } from '../faces/vrma-face.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { type FoundHumanoid, findHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import { createIssueCollector, notHumanoidIssue, withFileName } from '../reports/collect-issues.ts';
import { animatesHumanoid, droppedChannels, usedNodes } from '../reports/dropped-channels.ts';
import { type ClipStep, clipSteps, type JobControl, type MotionPosition } from './job-control.ts';
import { createMotionMemory, type MotionMemory, type MovingHumanoid } from './motion-memory.ts';

/** How to retarget clips. */
export interface RetargetClipsOptions extends JobControl {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Template of the names of the new clips, with `{clip}`, `{file}`, `{character}` and `{index}`. */
  readonly name?: string;
  /** Resamples the clips to this rate, in frames per second, instead of keeping the keys of the motion. */
  readonly fps?: number;
  /** Edits of the clips. */
  readonly edits?: ClipEdits;
  /** Keys that the output can hold; `any` by default. */
  readonly outputKeys?: OutputKeys;
  /** What the caller knows about the humanoids of the motions. */
  readonly source?: HumanoidOptions;
  /** What the caller knows about the character. */
  readonly target?: HumanoidOptions;
  /** Which channels to retarget. */
  readonly channels?: RetargetOptions;
  /**
   * Whether to retarget expressions, morph weights and look-at by their meaning; true by default. `false` copies only morph weights of nodes and
   * targets with the same names.
   */
  readonly face?: boolean;
  /** Face rig of a character that is not glTF; that of a glTF is read from its document. */
  readonly characterFace?: FaceRig;
  /** Names that new clips must not have: those of clips that the character keeps. */
  readonly takenNames?: readonly string[];
  /**
   * How contacts with the ground are kept: as the source has them (`auto`, the default), with planted feet frozen (`lock`), with nothing below the
   * floor (`ground`), or not at all (`off`): then every rotation is exactly that of the source.
   */
  readonly contacts?: ContactMode | 'off';
  /**
   * Constant outward rotation of the upper arms in degrees, or `auto`: by as much as the character is wider than that of the motion; 0 by default. Without
   * effect with contacts `off`.
   */
  readonly armSpace?: Space;
  /** The same for the upper legs. */
  readonly legSpace?: Space;
  /** Whether arms are kept out of trunk, head and thighs; true by default with contacts `auto` and `lock`, and for characters with a mesh. */
  readonly selfCollision?: boolean;
  /** Whether hands touch what those of the motion touch; false by default. It needs meshes of both characters. Without effect with contacts `off`. */
  readonly hands?: boolean;
}

/** A clip for the character. */
export interface RetargetedClip {
  /** The clip with its new name, on nodes of the character's skeleton. */
  readonly clip: Clip;
  /** Morph weights, on node indices of the character's file. */
  readonly morphs: readonly MorphTrack[];
  /** The face for a VRMA of the character; empty with `face: false`. */
  readonly face: FaceTracks;
  /** Names of expressions and shapes in the motion that the character lacks. */
  readonly droppedFace: readonly string[];
  /** What contacts changed; null with `contacts: 'off'`. */
  readonly contacts: ContactReport | null;
  /** Name of the motion file. */
  readonly file: string;
  /** The clip that it was made from. */
  readonly source: ChosenClip;
  /** Meters that the target's hips travel per meter of the motion. */
  readonly hipsScale: number;
}

/** A clip with what moved it. */
export interface MovedClip extends RetargetedClip {
  /** The motion of that clip, trimmed, at its new speed and mirrored. */
  readonly motion: Clip;
  /** The humanoid of the motion, mirrored with it. */
  readonly moving: MovingHumanoid;
}

/** Result of {@link retargetClips}. */
export interface RetargetedClips {
  /** The new clips. */
  readonly clips: readonly RetargetedClip[];
  /** Humanoid of the character. */
  readonly target: HumanoidChoice;
  /** Humanoid of each motion file; that of its first clip where its humanoid clips have several. */
  readonly sources: readonly HumanoidChoice[];
  /** Meters that the target's hips travel per meter of the first humanoid motion; null when either humanoid is missing. */
  readonly hipsScale: number | null;
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/** Replaces the eye rotations of a clip. */
function withEyes(clip: Clip, eyes: readonly Track[]): Clip {
  if (eyes.length === 0) return clip;
  const replaced = new Set(eyes.map(({ target }) => target));
  const others = clip.tracks.filter(({ target, path }) => path !== 'rotation' || !replaced.has(target));
  const tracks = [...others, ...eyes];
  return { ...clip, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

/** Retargets the joints of a clip. */
type RetargetMotion = (motion: Clip, name: string) => { readonly clip: Clip; readonly contacts: ContactReport | null };

/** Reports that contacts of hands cannot be kept, because one side has no skin. */
function reportHands(
  source: MovingHumanoid,
  targetSurface: () => ContactSurface,
  { contacts = 'auto', hands = false }: RetargetClipsOptions,
): Issue[] {
  if (!hands || contacts === 'off') return [];
  const sides = [
    ...(source.surface().from === 'skin' ? [] : ['the motion']),
    ...(targetSurface().from === 'skin' ? [] : ['the character']),
  ];
  if (sides.length === 0) return [];
  const message =
    `Contacts of hands were to be kept, but ${sides.join(' and ')} has no skin that shows what they touch, so this has no effect. ` +
    'Use files with meshes.';
  return [issue('HANDS_WITHOUT_SKIN', message)];
}

/** Plans how the joints of any clip of a humanoid are retargeted, with its contacts. */
function planMotion(
  plan: RetargetPlan,
  source: MovingHumanoid,
  target: FoundHumanoid,
  targetSurface: () => ContactSurface,
  { contacts: mode = 'auto', selfCollision, hands = false, armSpace = 0, legSpace = 0, fps }: RetargetClipsOptions,
): RetargetMotion {
  const options = fps === undefined ? {} : { fps };
  if (mode === 'off') {
    return (motion, name) => ({ clip: retargetClip(plan, motion, { name, ...options }), contacts: null });
  }
  const contacts = planContacts(plan, source.humanoid, target.humanoid, {
    mode,
    armSpace,
    legSpace,
    ...(selfCollision === undefined ? {} : { selfCollision }),
    hands,
    sourceSurface: source.surface(),
    targetSurface: targetSurface(),
    sourceSamples: source.samples,
  });
  return (motion, name) => {
    const { clip, report } = applyContacts(contacts, motion, retargetClip(plan, motion, { name, ...options }));
    return { clip: fps === undefined ? clip : resampleClip(clip, fps), contacts: report };
  };
}

/** Delivers the root motion of a retargeted clip. */
function deliverRoot(
  plan: RetargetPlan,
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  clip: Clip,
  { edits = {}, fps }: RetargetClipsOptions,
): Clip {
  // Hips that do not travel leave nothing to deliver.
  if (plan.hips === null) return clip;
  const pair = { source, sourceClip, target, clip, hipsScale: plan.hipsScale };
  const delivered = transferRootMotion(pair, edits.root ?? 'keep');
  return delivered === clip || fps === undefined ? delivered : resampleClip(delivered, fps);
}

/** Retargets the chosen clips of one humanoid. */
async function retargetFile(
  file: OpenFile,
  source: FoundHumanoid,
  chosen: readonly ChosenClip[],
  { rig, surface }: PreparedCharacter,
  target: FoundHumanoid,
  options: RetargetClipsOptions,
  memory: MotionMemory,
  step: ClipStep,
): Promise<{ hipsScale: number; clips: MovedClip[]; issues: Issue[] }> {
  const edits = options.edits ?? {};
  const isMirrored = edits.mirror === true;
  const moving = memory.moving(file, source);
  const plan = planRetarget(moving.humanoid, target.humanoid, options.channels);
  const retargetMotion = planMotion(plan, moving, target, () => surface(target), options);
  const used = usedNodes(plan);
  const inTrim = clipsInTrim(file.name, chosen, edits);
  const issues: Issue[] = [...plan.issues, ...inTrim.issues, ...reportHands(moving, () => surface(target), options)];
  const clips: MovedClip[] = [];
  let usedMorphs = 0;
  const skip = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', name: string, reason: string): void => {
    issues.push(issue(code, `The clip ${JSON.stringify(name)} of ${file.name} ${reason}; it was left out`));
  };
  for (const { clip: original, index } of inTrim.clips) {
    const name = defaultClipName(original.name, file.name);
    await step(name);
    const { clip, motionOf } = memory.edited(original);
    const motion = motionOf(source.index);
    const face = options.face === false ? copyFace(clip, rig) : retargetFace(clip, isMirrored, rig, target.humanoid);
    const hasFace = face.morphs.length + face.eyes.length > 0;
    if (!animatesHumanoid(used, clip, source.index) && !hasFace) {
      skip('CLIP_EMPTY', name, 'animates no bone of the humanoid');
      continue;
    }
    const { clip: moved, contacts } = retargetMotion(motion, name);
    const rooted = deliverRoot(plan, moving.humanoid, motion, target.humanoid, moved, options);
    const { skeleton } = target.humanoid;
    const seeing = withEyes(rooted, face.eyes);
    const looped = applyLoop(skeleton, target.humanoid, seeing, edits);
    const whole = rooted === moved && looped === seeing ? looped : followBones(plan, looped, options.fps);
    const keys = { motion, fps: options.fps, keys: options.outputKeys ?? 'any' };
    const retargeted = chooseKeys(skeleton, target.humanoid, whole, edits, keys);
    if (retargeted.tracks.length === 0 && !hasFace) {
      skip('CLIP_EMPTY', name, 'animates no bone that the character has');
    } else if (!fitsFloat32(retargeted)) skip('CLIP_OVERFLOW', name, 'has values that exceed float32');
    else {
      const { dropped: droppedFace } = face;
      const morphs = reduceMorphTracks(face.morphs, edits);
      const eyePosition = rig.lookAt?.offsetFromHeadBone ?? null;
      const forVrma: FaceTracks =
        options.face === false
          ? { expressions: [], lookAt: null }
          : vrmaFace(clip, isMirrored, source.humanoid, target.humanoid, eyePosition);
      const from = { file: file.name, source: { clip: original, index } };
      clips.push({
        clip: retargeted,
        morphs,
        face: forVrma,
        droppedFace,
        contacts,
        motion,
        moving,
        ...from,
        hipsScale: plan.hipsScale,
      });
      usedMorphs += clip.morphs.length - countUnnamedMorphs(clip, morphs);
    }
  }
  const written: AssetClip[] = clips.map(({ source: { clip } }) => clip);
  issues.push(...droppedChannels(file.name, source.humanoid, used, written, source.index, usedMorphs));
  return { hipsScale: plan.hipsScale, clips, issues };
}

/**
 * Returns the values of the placeholders of a name template, with the name that the clip has in its file.
 *
 * @param file Name of the motion file.
 * @param character The character.
 * @param chosen The clip.
 * @returns The values.
 */
export function clipNameParts(file: string, character: OpenFile, { clip, index }: ClipOrigin): ClipNameParts {
  const [name, stem] = [defaultClipName(clip.name, file), stemOf(file)];
  return { clip: name, file: stem, character: stemOf(character.name), index };
}

/** A character that motions are retargeted to one after the other. */
export interface PreparedCharacter {
  /** The file of the character. */
  readonly file: OpenFile;
  /** Its humanoid. */
  readonly choice: HumanoidChoice;
  /** Its face. */
  readonly rig: FaceRig;
  /** Describes the surface of its humanoid for contacts, on first use. */
  readonly surface: (found: FoundHumanoid) => ContactSurface;
  /** What is unusual about it. */
  readonly issues: readonly Issue[];
  /** Names of clips that it keeps or got; new names are added. */
  readonly takenNames: Set<string>;
}

/**
 * Finds the humanoid and the face of a character, and checks the options that do not depend on a motion.
 *
 * @param file File of the character; it stays unchanged.
 * @param options As of {@link retargetClips}.
 * @returns The character.
 * @throws OptionError for an option that does not fit the character, and for a name template or frame rate that fits no motion.
 */
export function prepareCharacter(file: OpenFile, options: RetargetClipsOptions): PreparedCharacter {
  checkFrameRate(options.fps, []);
  expandTemplate(options.name ?? '', { clip: '', file: '', character: '', index: 0 });
  const { issues, add } = createIssueCollector();
  const choice = findHumanoid(file, 'target', options.target ?? {});
  add(withFileName(file.name, file.asset.issues));
  add(withFileName(file.name, choice.issues));
  if (choice.found === null) add([notHumanoidIssue(file.name, choice.reason)]);
  else add(reportRootBone(choice.found.humanoid, file.name, options.edits ?? {}));
  const faceIssues: Issue[] = [];
  const rig = options.characterFace ?? readFaceRig(file, faceIssues);
  if (options.face !== false) add(withFileName(file.name, faceIssues));
  let known: ContactSurface | null = null;
  const surface = (found: FoundHumanoid): ContactSurface => {
    known ??= contactSurfaceOf(file, found);
    return known;
  };
  return { file, choice, rig, surface, issues, takenNames: new Set(options.takenNames) };
}

/** A motion that was retargeted. */
export interface RetargetedMotion {
  /** The new clips, in the order of the file. */
  readonly clips: readonly MovedClip[];
  /** Humanoid of the motion; that of its first clip where its humanoid clips have several. */
  readonly source: HumanoidChoice;
  /** Meters that the target's hips travel per meter of the motion; null when either humanoid is missing. */
  readonly hipsScale: number | null;
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/**
 * Retargets the chosen clips of one file.
 *
 * @param character The character.
 * @param file The motion file; it stays unchanged.
 * @param chosen Its clips.
 * @param options As of {@link retargetClips}.
 * @param memory What is known of motions with these options, from other characters.
 * @param position Which of how many motions it is, for progress.
 * @returns The new clips.
 * @throws OptionError for an option that does not fit the file.
 */
export async function retargetMotion(
  character: PreparedCharacter,
  file: OpenFile,
  chosen: readonly ChosenClip[],
  options: RetargetClipsOptions,
  memory: MotionMemory = createMotionMemory(options.source ?? {}, options.edits ?? {}),
  position: MotionPosition = { index: 0, total: 1 },
): Promise<RetargetedMotion> {
  checkFrameRate(options.fps, chosen);
  const { issues, add } = createIssueCollector();
  const target = character.choice;
  const clips: MovedClip[] = [];
  let hipsScale: number | null = null;
  add(withFileName(file.name, file.asset.issues));
  const step = clipSteps('retarget', file.name, chosen.length, position, options);
  const choices: HumanoidChoice[] = [];
  for (const group of clipsByHumanoid(file, chosen, options.source ?? {})) {
    const wanted = group.map(({ clip }) => clip);
    const source = memory.find(file, wanted);
    choices.push(source);
    add(withFileName(file.name, source.issues));
    if (source.found === null) {
      add([notHumanoidIssue(file.name, source.reason)]);
      continue;
    }
    if (file.asset.clips.length === 0) add([issue('CLIP_EMPTY', `${file.name} has no clips`, { resource: file.name })]);
    if (target.found === null) continue;
    const done = await retargetFile(file, source.found, group, character, target.found, options, memory, step);
    add(withFileName(file.name, done.issues));
    clips.push(...done.clips);
    hipsScale ??= done.hipsScale;
  }
  clips.sort((a, b) => a.source.index - b.source.index);
  const parts = clips.map(({ clip, source }) => {
    return { ...clipNameParts(file.name, character.file, source), clip: clip.name };
  });
  const names = uniqueNames(options.name ?? '{clip}', parts, character.takenNames);
  const named = clips.map((one, k) => ({ ...one, clip: { ...one.clip, name: names[k] } }));
  return { clips: named, source: choices[0], hipsScale, issues };
}

/**
 * Retargets clips of motion files to a character. A motion or a character that is not humanoid gives no clips and an issue `NOT_HUMANOID`. Use
 * `retargetMotions` to get output files.
 *
 * @param motions Motion files; they stay unchanged.
 * @param character File of the character; it stays unchanged.
 * @param options Which clips and channels, how to name and edit the clips.
 * @returns The clips in the order of files and clips.
 * @throws OptionError for an option that does not fit the files.
 */
export async function retargetClips(
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetClipsOptions = {},
): Promise<RetargetedClips> {
  const chosen = chooseClips(motions, options.clips ?? []);
  const prepared = prepareCharacter(character, options);
  const done: RetargetedMotion[] = [];
  for (const [m, file] of motions.entries()) {
    done.push(await retargetMotion(prepared, file, chosen[m], options, undefined, { index: m, total: motions.length }));
  }
  const { issues, add } = createIssueCollector();
  add([...prepared.issues, ...done.flatMap((motion) => motion.issues)]);
  return {
    clips: done.flatMap(({ clips }) => clips),
    target: prepared.choice,
    sources: done.map(({ source }) => source),
    hipsScale: done.find(({ hipsScale }) => hipsScale !== null)?.hipsScale ?? null,
    issues,
  };
}
