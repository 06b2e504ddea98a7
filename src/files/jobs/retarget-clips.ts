/** Retargets clips of motion files to the character of another file, without writing. */
import type { CleanReport } from '../../core/animation/clean/clean-clip.ts';
import { type Clip, type Keys, lastKeyTime, type Track } from '../../core/animation/clip.ts';
import type { MotionEvents } from '../../core/animation/motion-events.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import type { AssetClip, MorphTrack } from '../../core/asset/asset.ts';
import type { ContactReport } from '../../core/contacts/plan/contact-plan.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { FaceRig } from '../../core/face/face-rig.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { toHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { followBones } from '../../core/retarget/detached/detached-tracks.ts';
import { addExtraTracks, type ExtraBone, planExtraBones } from '../../core/retarget/extra-bones.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { staysInHips } from '../../core/root-motion/root-bone.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import { type ClipNameParts, defaultClipName, stemOf, uniqueNames } from '../clips/clip-names.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import { applyLoop, chooseKeys, reduceMorphTracks, reportRootBone } from '../clips/edit-clips.ts';
import { fitsFloat32 } from '../clips/fits-float32.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import type { RetargetedFace } from '../faces/retarget-face.ts';
import { chooseHumanoid, type FoundHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { checkMotionOptions } from '../options/motion-options.ts';
import type { OutputClip } from '../outputs/plan-output.ts';
import { createIssueCollector, notHumanoidIssue, withFileName } from '../reports/collect-issues.ts';
import { animatesHumanoid, droppedChannels, usedNodes } from '../reports/dropped-channels.ts';
import { type ClipStep, clipSteps, type MotionPosition } from './job-control.ts';
import { editedClip, movingHumanoid } from './motion-memory.ts';
import type { People } from './people.ts';
import {
  clipsByHumanoid,
  type PreparedCharacter,
  planPair,
  prepareCharacter,
  type RetargetClipsOptions,
  type RetargetedJoints,
  reportHands,
} from './plan-pair.ts';

/**
 * Copies the arrays of tracks that are views of a larger buffer, such as the binary chunk of a GLB, which they would keep in memory. Arrays that
 * several tracks have in common are copied once.
 */
export function createKeyOwner(): <T extends Keys>(tracks: readonly T[]) => T[] {
  const copies = new Map<Floats, Floats>();
  const own = (array: Floats): Floats => {
    if (array.byteLength === array.buffer.byteLength) return array;
    const copy = copies.get(array) ?? array.slice();
    copies.set(array, copy);
    return copy;
  };
  return (tracks) => tracks.map((track) => ({ ...track, times: own(track.times), values: own(track.values) }));
}

/** A clip that was made from one of a motion file. */
export interface RetargetedClip {
  /** The clip with its new name, on nodes of the target's skeleton. */
  readonly clip: Clip;
  /** The humanoid that it moves: the character, or for humanoid clips the canonical rig of the motion. */
  readonly target: FoundHumanoid;
  /** Morph weights, on node indices of the character's file. */
  readonly morphs: readonly MorphTrack[];
  /** The face for a VRMA of the character; empty with `face: false`. */
  readonly face: FaceTracks;
  /** Names of expressions and shapes in the motion that the character lacks. */
  readonly droppedFace: readonly string[];
  /** What contacts changed; null with `contacts: 'off'`. */
  readonly contacts: ContactReport | null;
  /** When its feet touch the ground; null without the option `events`. */
  readonly events: MotionEvents | null;
  /** What cleaning the motion changed; null without the edit `clean`. */
  readonly cleaned: CleanReport | null;
  /** Meters that the target's hips travel per meter of the motion. */
  readonly hipsScale: number;
  /** Name of the motion file. */
  readonly file: string;
  /** The clip that it was made from. */
  readonly source: ChosenClip;
  /** The motion of that clip, trimmed, at its new speed and mirrored. */
  readonly motion: Clip;
  /** The humanoid of the motion, mirrored with it. */
  readonly moving: Humanoid;
}

/** Clips that were made from motion files. */
interface RetargetedClips {
  /** The new clips, in the order of files and clips. */
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

function withEyes(clip: Clip, eyes: readonly Track[]): Clip {
  if (eyes.length === 0) return clip;
  const replaced = new Set(eyes.map(({ target }) => target));
  const others = clip.tracks.filter(({ target, path }) => path !== 'rotation' || !replaced.has(target));
  const tracks = [...others, ...eyes];
  return { ...clip, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

async function deliverRoot(
  plan: RetargetPlan,
  source: Humanoid,
  sourceClip: Clip,
  target: Humanoid,
  clip: Clip,
  { edits = {}, fps }: RetargetClipsOptions,
): Promise<Clip> {
  const to = edits.root ?? 'keep';
  // Hips that do not travel leave nothing to deliver: the module is not loaded for them.
  if (plan.hips === null || staysInHips(target, to)) return clip;
  // Joints that follow bones get their tracks again. Without them now, the nodes above them are not animated to stay where they are.
  const followers = new Set(plan.detachedJoints.flatMap((one) => (one.rotation === null ? [] : [one.targetNode])));
  const own = { ...clip, tracks: clip.tracks.filter(({ target: node }) => !followers.has(node)) };
  const pair = { source, sourceClip, target, clip: own, hipsScale: plan.hipsScale };
  const { transferRootMotion } = await import('../../core/root-motion/transfer-root-motion.ts');
  const delivered = transferRootMotion(pair, to);
  if (delivered === own) return clip;
  return fps === undefined ? delivered : resampleClip(delivered, fps);
}

/** Plans extra bones. Throws OptionError for nodes that do not exist, are bones, or hang on different bones. */
function planExtra(
  plan: RetargetPlan,
  source: Humanoid,
  target: Humanoid,
  { extra = {} }: RetargetClipsOptions,
): ExtraBone[] {
  try {
    return planExtraBones(plan, source, target, extra);
  } catch (error) {
    if (error instanceof RangeError) throw new OptionError('extra', error.message);
    throw error;
  }
}

function withExtraBones(
  plan: RetargetPlan,
  extra: readonly ExtraBone[],
  motion: Clip,
  clip: Clip,
  { fps }: RetargetClipsOptions,
): Clip {
  if (extra.length === 0) return clip;
  const whole = addExtraTracks(plan, extra, motion, clip);
  return fps === undefined ? whole : resampleClip(whole, fps);
}

async function findEvents(
  humanoid: Humanoid,
  surface: () => Promise<ContactSurface>,
  clip: Clip,
): Promise<MotionEvents> {
  const { findMotionEvents } = await import('../contacts-bundle.ts');
  return findMotionEvents(humanoid, await surface(), clip);
}

const NO_FACE: FaceRig = { morphNodes: [], expressions: [], lookAt: null };

const STILL_FACE: RetargetedFace = {
  morphs: [],
  eyes: [],
  dropped: [],
  forVrma: { expressions: [], lookAt: null },
  usedMorphs: 0,
};

interface MotionJob {
  readonly file: OpenFile;
  /** The character; null makes clips for the canonical rig of the motion. */
  readonly character: PreparedCharacter | null;
  readonly options: RetargetClipsOptions;
  readonly joints: RetargetingState['joints'];
  readonly step: ClipStep;
}

async function retargetHumanoid(
  { file, character, options, joints, step }: MotionJob,
  source: FoundHumanoid,
  chosen: readonly ChosenClip[],
): Promise<{ hipsScale: number | null; clips: RetargetedClip[]; issues: Issue[] }> {
  const edits = options.edits ?? {};
  const moving = movingHumanoid(file, source, edits);
  const pair = await planPair(moving, character, options);
  if (pair === null) return { hipsScale: null, clips: [], issues: [] };
  const { plan, target, surface, retargetJoints } = pair;
  const { skeleton } = target.humanoid;
  const rig = character?.rig ?? NO_FACE;
  const extra = planExtra(plan, moving.humanoid, target.humanoid, options);
  const used = usedNodes(plan, extra);
  const inTrim = clipsInTrim(file.name, chosen, edits);
  const issues: Issue[] = [...inTrim.issues, ...(await reportHands(surface, options))];
  // A canonical rig is made for its motion, so the issues of the plan do not apply.
  if (character === null) issues.push(...reportRootBone(target.humanoid, file.name, edits));
  else issues.unshift(...plan.issues);
  const clips: RetargetedClip[] = [];
  let usedMorphs = 0;
  const skip = (code: 'CLIP_EMPTY' | 'CLIP_OVERFLOW', name: string, reason: string): void => {
    issues.push(issue(code, `The clip ${JSON.stringify(name)} of ${file.name} ${reason}; it was left out`));
  };
  for (const one of inTrim.clips) {
    const name = defaultClipName(one.clip.name, file.name);
    await step(name);
    const { clip: edited, cleaned, motionOf } = await editedClip(file, one.clip, edits);
    const motion = await motionOf(source, moving);
    const { expressions = [], lookAt } = edited;
    const isStill = edited.morphs.length + expressions.length === 0 && lookAt === undefined;
    const matching = { isMirrored: edits.mirror === true, byMeaning: options.face !== false };
    // Most motions have no face: what retargets one is imported for the others.
    const face = isStill
      ? STILL_FACE
      : (await import('../faces/retarget-face.ts')).retargetFace(
          edited,
          source.humanoid,
          target.humanoid,
          rig,
          matching,
        );
    const hasFace = face.morphs.length + face.eyes.length > 0;
    if (!animatesHumanoid(used, edited, source.index) && !hasFace) {
      skip('CLIP_EMPTY', name, 'animates no bone of the humanoid');
      continue;
    }
    const { clip: body, contacts } = joints?.get(one.clip) ?? retargetJoints(motion, name);
    const moved = withExtraBones(plan, extra, motion, body, options);
    const rooted = await deliverRoot(plan, moving.humanoid, motion, target.humanoid, moved, options);
    const seeing = withEyes(rooted, face.eyes);
    const looped = await applyLoop(skeleton, target.humanoid, seeing, edits);
    const whole = rooted === moved && looped === seeing ? looped : followBones(plan, looped, options.fps);
    const keys = { motion, fps: options.fps, keys: options.outputKeys ?? 'any' };
    const clip = await chooseKeys(skeleton, target.humanoid, whole, edits, keys);
    if (clip.tracks.length === 0 && !hasFace) {
      skip('CLIP_EMPTY', name, 'animates no bone that the character has');
      continue;
    }
    if (!fitsFloat32(clip)) {
      skip('CLIP_OVERFLOW', name, 'has values that exceed float32');
      continue;
    }
    const morphs = await reduceMorphTracks(face.morphs, edits);
    const from = { file: file.name, source: one, motion, moving: moving.humanoid };
    const { hipsScale } = plan;
    const events = options.events === true ? await findEvents(target.humanoid, surface, whole) : null;
    clips.push({
      clip,
      target,
      morphs,
      face: face.forVrma,
      droppedFace: face.dropped,
      contacts,
      events,
      cleaned: cleaned[source.index] ?? null,
      hipsScale,
      ...from,
    });
    usedMorphs += face.usedMorphs;
  }
  const written = clips.map(({ source: { clip } }) => clip);
  issues.push(...droppedChannels(file.name, source.humanoid, used, written, source.index, usedMorphs));
  return { hipsScale: plan.hipsScale, clips, issues };
}

/** Clips that were made of one motion file. */
export interface RetargetedFile {
  /** The new clips, in the order of the file. */
  readonly clips: readonly RetargetedClip[];
  /** Humanoid of the motion; that of its first clip where its humanoid clips have several. */
  readonly source: HumanoidChoice;
  /** Meters that the target's hips travel per meter of the motion; null when either humanoid is missing. */
  readonly hipsScale: number | null;
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/** What motions share that are retargeted one after the other. */
interface RetargetingState {
  /** Names of clips that the character keeps or got; new names are added. */
  readonly takenNames: Set<string>;
  /** Joints of clips that were retargeted with those of other people. */
  readonly joints?: ReadonlyMap<AssetClip, RetargetedJoints> | undefined;
}

/**
 * Retargets the chosen clips of one file to a character, or without one to the canonical rig of its humanoid. `character`: the character; null for
 * clips that become humanoid clips. `file`: the motion file; it stays unchanged. Throws OptionError for an option that does not fit the file.
 */
export async function retargetFile(
  character: PreparedCharacter | null,
  file: OpenFile,
  chosen: readonly ChosenClip[],
  options: RetargetClipsOptions,
  { takenNames, joints }: RetargetingState,
  position: MotionPosition,
): Promise<RetargetedFile> {
  checkFrameRate(options.fps, chosen);
  const { issues, add } = createIssueCollector();
  const clips: RetargetedClip[] = [];
  let hipsScale: number | null = null;
  add(withFileName(file.name, file.asset.issues));
  const step = clipSteps(character === null ? 'extract' : 'retarget', file.name, chosen.length, position, options);
  const job: MotionJob = { file, character, options, joints, step };
  const choices: HumanoidChoice[] = [];
  for (const group of clipsByHumanoid(file, chosen, options.source ?? {})) {
    const wanted = group.map(({ clip }) => clip);
    const source = chooseHumanoid(file, 'source', options.source ?? {}, wanted);
    choices.push(source);
    add(withFileName(file.name, source.issues));
    if (source.found === null) {
      add([notHumanoidIssue(file.name, source.reason)]);
      continue;
    }
    if (file.asset.clips.length === 0) add([issue('CLIP_EMPTY', `${file.name} has no clips`, { resource: file.name })]);
    const done = await retargetHumanoid(job, source.found, group);
    add(withFileName(file.name, done.issues));
    clips.push(...done.clips);
    hipsScale ??= done.hipsScale;
  }
  clips.sort((a, b) => a.source.index - b.source.index);
  const names = uniqueNames(
    options.name ?? '{clip}',
    clips.map((one) => namePartsOf(one, character?.file.name ?? file.name)),
    takenNames,
  );
  const named = clips.map((one, k) => ({ ...one, clip: { ...one.clip, name: names[k] } }));
  return { clips: named, source: choices[0], hipsScale, issues };
}

/** Returns the values of the placeholders of a name template, with the name that the clip has in its file. */
function namePartsOf({ file, source: { clip, index } }: RetargetedClip, character: string): ClipNameParts {
  return { clip: defaultClipName(clip.name, file), file: stemOf(file), character: stemOf(character), index };
}

/** Makes a clip ready to be written: without the motion that it was made from, whose file can be released. */
export function toOutputClip(made: RetargetedClip, character: string): OutputClip {
  const own = createKeyOwner();
  const { clip, target, morphs, face, events, source } = made;
  const { extras } = source.clip;
  const { name } = clip;
  const { skeleton, declared, sourceNodes, isCanonicalRig } = target.part;
  const lookAt = face.lookAt === null ? null : own([face.lookAt])[0];
  const output = {
    name,
    clip: { ...clip, tracks: own(clip.tracks) },
    sourceNodes,
    morphs: own(morphs),
    ...(events === null ? {} : { events }),
    extras,
    face: { expressions: own(face.expressions), lookAt },
    parts: { ...namePartsOf(made, character), clip: name },
  };
  if (isCanonicalRig !== true || declared === null) return output;
  return { ...output, humanoid: toHumanoidClip({ skeleton, declared }, output.clip) };
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
  checkMotionOptions(options);
  const prepared = prepareCharacter(character, options);
  const joined =
    options.together === true ? await (await import('./people.ts')).joinPeople(prepared, motions, options) : null;
  const chosen = chooseClips(motions, options.clips ?? []);
  const people: readonly People[] = joined?.people ?? motions.map((file, k) => ({ file, chosen: chosen[k], options }));
  const takenNames = new Set<string>();
  const done: RetargetedFile[] = [];
  for (const [index, one] of people.entries()) {
    const state = { takenNames, joints: one.joints };
    const position = { index, total: people.length };
    done.push(await retargetFile(prepared, one.file, one.chosen, one.options, state, position));
  }
  const { issues, add } = createIssueCollector();
  add([...prepared.issues, ...(joined?.issues ?? []), ...done.flatMap((motion) => motion.issues)]);
  return {
    clips: done.flatMap(({ clips }) => clips),
    sources: done.map(({ source }) => source),
    hipsScale: done.find(({ hipsScale }) => hipsScale !== null)?.hipsScale ?? null,
    issues,
    target: prepared.choice,
  };
}
