import type { Clip } from '../../core/animation/clip.ts';
import { resampleClip } from '../../core/animation/resample-clip.ts';
import { chainPart } from '../../core/animation/resample-tolerance.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { ContactReport } from '../../core/contacts/plan/contact-plan.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { FaceRig } from '../../core/face/face-rig.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { planExtract } from '../../core/retarget/extract-clip.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetClosely } from '../../core/retarget/retarget-clip.ts';
import type { ChosenClip } from '../clips/choose-clips.ts';
import { expandTemplate } from '../clips/clip-names.ts';
import { reportRootBone } from '../clips/edit-clips.ts';
import { checkFrameRate } from '../clips/frame-rate.ts';
import { readFaceRig } from '../faces/read-face-rig.ts';
import { contactSurfaceOf } from '../humanoid/contact-surface.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { canonicalRigOf, chooseHumanoid, type FoundHumanoid, type HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import type { MotionJobOptions } from '../options/motion-options.ts';
import type { OutputKeys } from '../outputs/output-format.ts';
import { createIssueCollector, notHumanoidIssue, withFileName } from '../reports/collect-issues.ts';
import type { JobControl } from './job-control.ts';
import type { MovingHumanoid } from './motion-memory.ts';

/** Groups clips by the humanoid that they animate: every humanoid clip of a file has a canonical rig of its own. */
export function clipsByHumanoid(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  { skeleton }: Pick<HumanoidOptions, 'skeleton'>,
): readonly (readonly ChosenClip[])[] {
  if (skeleton !== undefined || !file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true))
    return [chosen];
  const groups = new Map<number, ChosenClip[]>();
  for (const one of chosen) {
    const rig = canonicalRigOf(file, one.clip);
    const group = groups.get(rig) ?? [];
    groups.set(rig, group);
    group.push(one);
  }
  return groups.size === 0 ? [chosen] : [...groups.values()];
}

/** How to retarget clips. */
export interface RetargetClipsOptions extends JobControl, MotionJobOptions {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Template of the names of the new clips, with `{clip}`, `{file}`, `{character}` and `{index}`. */
  readonly name?: string;
  /** Keys that the output can hold; `any` by default. */
  readonly outputKeys?: OutputKeys;
  /** What the caller knows about the humanoids of the motions. */
  readonly source?: HumanoidOptions;
  /** What the caller knows about the character. */
  readonly target?: HumanoidOptions;
}

/** A character that motions are retargeted to one after the other. */
export interface PreparedCharacter {
  /** The file of the character. */
  readonly file: OpenFile;
  /** Its humanoid. */
  readonly choice: HumanoidChoice;
  /** Its face. */
  readonly rig: FaceRig;
  /** What is unusual about it. */
  readonly issues: readonly Issue[];
}

/** Checks the options that do not depend on files. Throws OptionError for a name template or frame rate that fits no motion. */
export function checkClipOptions({ fps, name = '{clip}' }: RetargetClipsOptions): void {
  checkFrameRate(fps, []);
  expandTemplate(name, { clip: '', file: '', character: '', index: 0 });
}

/**
 * Finds the humanoid and the face of a character, and checks the options that do not depend on a motion. `file` stays unchanged. Throws OptionError for
 * an option that does not fit the character, and for a name template or frame rate that fits no motion.
 */
export function prepareCharacter(
  file: OpenFile,
  options: RetargetClipsOptions,
  face: FaceRig | null = null,
): PreparedCharacter {
  checkClipOptions(options);
  const { issues, add } = createIssueCollector();
  const choice = chooseHumanoid(file, 'target', options.target ?? {});
  add(withFileName(file.name, file.asset.issues));
  add(withFileName(file.name, choice.issues));
  if (choice.found === null) add([notHumanoidIssue(file.name, choice.reason)]);
  else add(reportRootBone(choice.found.humanoid, file.name, options.edits ?? {}));
  const faceIssues: Issue[] = [];
  const rig = face ?? readFaceRig(file, faceIssues);
  if (options.face !== false) add(withFileName(file.name, faceIssues));
  return { file, choice, rig, issues };
}

/** A clip of the joints of a character, and what contacts changed in it. */
export interface RetargetedJoints {
  readonly clip: Clip;
  /** Null with contacts `off`. */
  readonly contacts: ContactReport | null;
}

type RetargetJoints = (motion: Clip, name: string) => RetargetedJoints;

/** Reports that contacts of hands cannot be kept, because the character has no skin. */
export async function reportHands(
  targetSurface: () => Promise<ContactSurface>,
  { contacts = 'auto', hands = false }: RetargetClipsOptions,
): Promise<Issue[]> {
  if (!hands || contacts === 'off') return [];
  if ((await targetSurface()).from === 'skin') return [];
  const message =
    'Contacts of hands were to be kept, but the character has no skin that shows what they touch, so this has no effect. ' +
    'Use a character with a mesh.';
  return [issue('HANDS_WITHOUT_SKIN', message)];
}

async function planMotion(
  plan: RetargetPlan,
  source: MovingHumanoid,
  target: FoundHumanoid,
  targetSurface: () => Promise<ContactSurface>,
  { contacts: mode = 'auto', selfCollision, hands, armSpace = 0, legSpace = 0, fps, outputKeys }: RetargetClipsOptions,
): Promise<RetargetJoints> {
  const timed = fps === undefined ? {} : { fps };
  const retarget = (motion: Clip, name: string): Clip =>
    retargetClosely(plan, motion, { name, ...timed }, outputKeys === 'curves' ? chainPart(motion.duration) : 1);
  if (mode === 'off') return (motion, name) => ({ clip: retarget(motion, name), contacts: null });
  const { applyContacts, planContacts } = await import('../contacts-bundle.ts');
  const contacts = planContacts(plan, source.humanoid, target.humanoid, {
    mode,
    armSpace,
    legSpace,
    ...(selfCollision === undefined ? {} : { selfCollision }),
    ...(hands === undefined ? {} : { hands }),
    sourceSurface: await source.surface(),
    targetSurface: await targetSurface(),
    sourceSamples: source.samples,
  });
  return (motion, name) => {
    const { clip, report } = applyContacts(contacts, motion, retarget(motion, name));
    return { clip: fps === undefined ? clip : resampleClip(clip, fps), contacts: report };
  };
}

/** Describes the canonical rig of a motion, which humanoid clips move, as a target. */
function planCanonicalTarget(
  moving: Humanoid,
  { channels }: RetargetClipsOptions,
): { plan: RetargetPlan; target: FoundHumanoid } {
  const { plan, rig, humanoid } = planExtract(moving, channels);
  const part: AssetSkeleton = { ...rig, sourceNodes: new Int32Array(), isCanonicalRig: true };
  return { plan, target: { humanoid, part, index: 0 } };
}

interface PlannedPair {
  readonly plan: RetargetPlan;
  /** The character, or the canonical rig of the motion. */
  readonly target: FoundHumanoid;
  readonly surface: () => Promise<ContactSurface>;
  readonly retargetJoints: RetargetJoints;
}

/**
 * Plans how the clips of a humanoid are retargeted. `character`: the character; null for the canonical rig of the motion. Returns the plan; null
 * for a character that is not humanoid.
 */
export async function planPair(
  moving: MovingHumanoid,
  character: PreparedCharacter | null,
  options: RetargetClipsOptions,
): Promise<PlannedPair | null> {
  const found = character?.choice.found;
  if (found === null) return null;
  const { plan, target } =
    found === undefined
      ? planCanonicalTarget(moving.humanoid, options)
      : { plan: planRetarget(moving.humanoid, found.humanoid, options.channels), target: found };
  // Without a character there are no contacts, so nothing asks for its surface.
  const surface: PlannedPair['surface'] = () => contactSurfaceOf((character as PreparedCharacter).file, target);
  return { plan, target, surface, retargetJoints: await planMotion(plan, moving, target, surface, options) };
}
