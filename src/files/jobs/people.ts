import type { Clip } from '../../core/animation/clip.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import { findFirstPose } from '../../core/asset/find-first-pose.ts';
import { meetHands, type TakePerson } from '../../core/contacts/hands/meet-hands.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { pelvisPosition } from '../../core/humanoid/pelvis.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { placeClip } from '../../core/root-motion/move-root-motion.ts';
import { yawOf } from '../../core/root-motion/yaw.ts';
import { type ChosenClip, chooseClips } from '../clips/choose-clips.ts';
import type { ClipEdits } from '../clips/clip-edits.ts';
import { clipsInTrim } from '../clips/clips-in-trim.ts';
import { chooseHumanoid, type HumanoidChoice, lookForHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { animatesHumanoid, usedNodes } from '../reports/dropped-channels.ts';
import { beginStep } from './job-control.ts';
import { editedClip, movingHumanoid } from './motion-memory.ts';
import {
  clipsByHumanoid,
  type PreparedCharacter,
  planPair,
  type RetargetClipsOptions,
  type RetargetedJoints,
} from './plan-pair.ts';

/** A file with one person or more of a take on one skeleton. A file with several humanoid skeletons occurs once for each. */
export interface People {
  readonly file: OpenFile;
  readonly chosen: readonly ChosenClip[];
  readonly options: RetargetClipsOptions;
  /** The joints of its clips, with their places; none where the character is not humanoid. */
  readonly joints?: ReadonlyMap<AssetClip, RetargetedJoints>;
}

/** Distance of a hand from where it should be, relative to the height, above which it is reported. */
const MISSED = 0.02;

/** Lists the humanoid skeletons that clips of a file animate, where it has several and none is selected. */
function humanoidSkeletons(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  { source = {} }: RetargetClipsOptions,
): number[] {
  if (source.map !== undefined) return [];
  const wanted = chosen.map(({ clip }) => clip);
  if (lookForHumanoid(file, 'source', source, wanted).people === undefined) return [];
  return [...file.asset.skeletons.keys()].filter(
    (skeleton) =>
      wanted.some(({ clips }) => clips[skeleton].tracks.length > 0) &&
      chooseHumanoid(file, 'source', { ...source, skeleton }, wanted).found !== null,
  );
}

function humanoidOf(
  file: OpenFile,
  group: readonly ChosenClip[],
  { source = {} }: RetargetClipsOptions,
): HumanoidChoice {
  const wanted = group.map(({ clip }) => clip);
  return chooseHumanoid(file, 'source', source, wanted);
}

/** Lets the clips of a take skip the first pose of any of them, so that they stay at the same time. */
function skipTogether(people: readonly People[], edits: ClipEdits): ClipEdits {
  const { skipFirstPose, ...others } = edits;
  if (skipFirstPose !== true) return edits;
  const starts = people.flatMap(({ chosen }) => chosen.map(({ clip }) => findFirstPose(clip)?.end ?? 0));
  const from = Math.max(others.trim?.from ?? 0, ...starts);
  return from > 0 ? { ...others, trim: { ...others.trim, from } } : others;
}

function findPeople(files: readonly OpenFile[], options: RetargetClipsOptions): People[] {
  const chosen = chooseClips(files, options.clips ?? []);
  return files.flatMap((file, k): People[] => {
    const skeletons = humanoidSkeletons(file, chosen[k], options);
    if (skeletons.length === 0) return [{ file, chosen: chosen[k], options }];
    return skeletons.map((skeleton) => {
      const source = { ...options.source, skeleton };
      return { file, chosen: chosen[k], options: { ...options, source } };
    });
  });
}

/** A person of a take before the others are considered. */
interface Member extends Omit<TakePerson, 'yaw' | 'sourceSurface' | 'targetSurface'> {
  /** Who it is, and the clip before its edits. */
  readonly person: People;
  readonly original: AssetClip;
  readonly contacts: RetargetedJoints['contacts'];
  /** Describes the surfaces of both humanoids, on first use. */
  readonly surfaces: () => Promise<Pick<TakePerson, 'sourceSurface' | 'targetSurface'>>;
}

/** Angle about the vertical from the canonical frame of a humanoid to that of another one, of files with the same axes. */
function yawTo(first: Humanoid, { frame }: Humanoid): number {
  const turn = quat.conjugated(frame);
  quat.multiply(turn, 0, first.frame, 0, turn, 0);
  return yawOf(new Float64Array(4), turn);
}

/**
 * Moves the clip of a person to its place beside that of the first one, as far as the humanoids of their motions rest in other places or face other ways:
 * `k · (R · o − o₁) + p̄ − R · p̄`, with o the pelvis of a source at rest, p̄ that of the target, R the rotation between the two fronts.
 */
function placePerson(person: Member & { readonly yaw: number }, first: Member): Clip {
  const [own, other] = [person.plan.hips, first.plan.hips];
  if (own === null || other === null) return person.clip;
  const { yaw, target, plan } = person;
  const turn = new Float64Array(4);
  quat.fromAxisAngle(turn, 0, Float64Array.of(0, 1, 0), 0, yaw);
  const place = new Float64Array(3);
  const pelvis = pelvisPosition(target.map.nodes, target.reference.positions);
  vec3.rotate(place, 0, turn, 0, own.sourceOrigin, 0);
  vec3.subtract(place, 0, place, 0, other.sourceOrigin, 0);
  vec3.scale(place, 0, place, 0, plan.hipsScale);
  vec3.add(place, 0, place, 0, pelvis, 0);
  vec3.rotate(pelvis, 0, turn, 0, pelvis, 0);
  vec3.subtract(place, 0, place, 0, pelvis, 0);
  return placeClip(target, person.clip, yaw, place[0], place[2]);
}

/** Retargets the joints of all clips of a group of people. A clip without a body, as of a camera or a face, is no person. */
async function retargetMembers(character: PreparedCharacter, person: People): Promise<Member[]> {
  const { file, chosen, options } = person;
  const members: Member[] = [];
  const { edits = {} } = options;
  for (const group of clipsByHumanoid(file, chosen, options.source ?? {})) {
    const { found } = humanoidOf(file, group, options);
    if (found === null) continue;
    const moving = movingHumanoid(file, found, edits);
    const { fps: _, ...keyed } = options;
    const pair = await planPair(moving, character, keyed);
    if (pair === null) continue;
    const { plan, target, surface, retargetJoints } = pair;
    const used = usedNodes(plan, []);
    for (const { clip } of clipsInTrim(file.name, group, edits).clips) {
      const { clip: edited, motionOf } = await editedClip(file, clip, edits);
      if (!animatesHumanoid(used, edited, found.index)) continue;
      await beginStep(options, { step: 'retarget', file: file.name, clip: clip.name, done: 0, total: 1 });
      const motion = await motionOf(found, moving);
      members.push({
        person,
        original: clip,
        plan,
        source: moving.humanoid,
        motion,
        target: target.humanoid,
        surfaces: async () => ({ sourceSurface: await moving.surface(), targetSurface: await surface() }),
        ...retargetJoints(motion, clip.name),
      });
    }
  }
  return members;
}

/** Returns the scale of all people: that of one of mean size. */
function commonScale(people: readonly People[], target: Humanoid): number {
  const inverses = people.flatMap(({ file, chosen, options }) =>
    clipsByHumanoid(file, chosen, options.source ?? {}).flatMap((group) => {
      const { found } = humanoidOf(file, group, options);
      if (found === null) return [];
      const { humanoid } = movingHumanoid(file, found, options.edits ?? {});
      return [1 / planRetarget(humanoid, target, options.channels).hipsScale];
    }),
  );
  return inverses.length / inverses.reduce((sum, one) => sum + one, 0);
}

/**
 * Retargets the people of a take together: all with one scale, at the places that they have in the take, and with hands that meet where those of the
 * take do, unless contacts or hands are off. All chosen clips of `files` play at the same time. Throws OptionError (`together`) for a take of one
 * person.
 */
export async function joinPeople(
  character: PreparedCharacter,
  files: readonly OpenFile[],
  options: RetargetClipsOptions,
): Promise<{ readonly people: readonly People[]; readonly issues: readonly Issue[] }> {
  const found = findPeople(files, options);
  if (character.choice.found === null) return { people: found, issues: [] };
  const channels = { ...options.channels, hipsScale: commonScale(found, character.choice.found.humanoid) };
  const edits = skipTogether(found, options.edits ?? {});
  const people = found.map((one) => ({ ...one, options: { ...one.options, channels, edits } }));
  const members: Member[] = [];
  for (const one of people) members.push(...(await retargetMembers(character, one)));
  if (members.length < 2) {
    const message = `The motions have ${members.length} clip${members.length === 1 ? '' : 's'} of a person; together takes the clips of at least two people who were recorded at the same time`;
    throw new OptionError('together', message);
  }
  const placed = members.map((one) => {
    const yaw = yawTo(members[0].source, one.source);
    return { ...one, yaw, clip: placePerson({ ...one, yaw }, members[0]) };
  });
  const keepsHands = options.contacts !== 'off' && options.hands !== false;
  const met = keepsHands
    ? meetHands(await Promise.all(placed.map(async (one) => ({ ...one, ...(await one.surfaces()) }))))
    : { clips: placed.map(({ clip }) => clip), apart: 0, time: 0 };
  const joints = members.map(({ contacts }, k): RetargetedJoints => {
    const clip = met.clips[k];
    return { clip: options.fps === undefined ? clip : resampleClip(clip, options.fps), contacts };
  });
  const issues: Issue[] = [];
  if (met.apart > MISSED) {
    const message = `Hands that touch in the motions stay ${Math.round(100 * met.apart)} % of the height from where they meet, at ${met.time.toFixed(2)} s: the arms of the character are too short. A larger hips scale would move its people apart, a smaller one together.`;
    issues.push(issue('HANDS_APART', message));
  }
  const jointsOf = (one: People): ReadonlyMap<AssetClip, RetargetedJoints> =>
    new Map(members.flatMap(({ person, original }, k) => (person === one ? [[original, joints[k]] as const] : [])));
  return { people: people.map((one) => ({ ...one, joints: jointsOf(one) })), issues };
}
