import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { applyContacts } from '../../core/contacts/plan/apply-contacts.ts';
import type { ContactMode, ContactOptions, ContactReport } from '../../core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../core/contacts/plan/plan-contacts.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { nodesAroundHips } from '../../core/retarget/hips-position.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { type ClipOptions, retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { SceneHumanoidOptions } from './find-scene-humanoid.ts';

/** Reports tracks that animate something but are not transferred, with their number per kind. */
function reportDroppedTracks(plan: RetargetPlan, clip: Clip, others: ReadonlyMap<string, number>): Issue[] {
  const { rotation, pathNodes, hips, translations, scales } = plan;
  const transferred = {
    rotation: new Set(rotation ? pathNodes : []),
    translation: new Set([...(hips === null ? [] : [hips]), ...translations].map(({ sourceNode }) => sourceNode)),
    scale: new Set(scales.map(({ sourceNode }) => sourceNode)),
  };
  const aroundHips = new Set(hips === null ? [] : nodesAroundHips(hips));
  const counts: IssueTally = new Map(others);
  for (const track of clip.tracks) {
    if (aroundHips.has(track.target) || transferred[track.path].has(track.target) || isConstantTrack(track)) continue;
    tallyIssue(counts, track.path);
  }
  const list = formatTally(counts);
  if (list === '') return [];
  return [issue('CHANNELS_DROPPED', `These tracks were not transferred: ${list}`)];
}

/** Options for a pair of characters. */
export interface ScenePairOptions<Node> extends RetargetOptions {
  /** Facts about the character that has the motion. Ignored for a result of `createHumanoid`. */
  readonly source?: SceneHumanoidOptions<Node>;
  /** Facts about the character that receives the motion. Ignored for a result of `createHumanoid`. */
  readonly target?: SceneHumanoidOptions<Node>;
}

/** How a retargeted motion touches the ground and itself, as its source does. */
export interface MotionContactOptions
  extends Pick<ContactOptions, 'selfCollision' | 'hands' | 'armSpace' | 'legSpace'> {
  /**
   * How contacts with the ground are kept. `auto`: feet, trunk and hands touch the ground as those of the source do. `lock`: planted feet do not move over the ground at
   * all. `ground`: nothing is below the floor. `off` (the default): plain retargeting; then the other options of contacts do nothing.
   */
  readonly contacts?: ContactMode | 'off';
}

/** An animation as a clip on nodes of a scene graph. */
export interface SceneMotion {
  /** The clip on nodes of the scene graph. */
  readonly clip: Clip;
  /** Number of tracks that animate something else, by kind. */
  readonly others: ReadonlyMap<string, number>;
  /** Issues of the animation itself. */
  readonly issues: readonly Issue[];
}

/** A character and its motion, a clip on nodes of its skeleton. */
export interface AnimatedCharacter<T> extends SceneMotion {
  readonly character: T;
}

export interface HumanoidMotion {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  /** Number of tracks that animate something else, by kind. */
  readonly others?: ReadonlyMap<string, number>;
  /** Describes what of its meshes can touch the ground and itself; without it, the surface is estimated from the joints. */
  readonly describeSurface?: () => ContactSurface;
}

/** A retargeted motion. */
export interface RetargetedMotion extends Pick<SceneMotion, 'clip' | 'issues'> {
  /** What contacts changed; null where they are off. */
  readonly contacts: ContactReport | null;
}

/** Reports a retargeted clip without tracks. */
export function reportEmptyClip(issues: Issue[], clip: Clip, kind: 'clip' | 'group', name: string): void {
  if (clip.tracks.length > 0) return;
  const message = `The ${kind} ${JSON.stringify(name)} animates no bone of the target; the new ${kind} is empty. Check the bone maps of both characters`;
  issues.push(issue('CLIP_EMPTY', message));
}

/** Retargets a motion. `target`: the humanoid that receives it, and its surface. Throws RangeError for an invalid option. */
export function retargetMotion(
  { humanoid, clip, others = new Map(), describeSurface }: HumanoidMotion,
  target: Required<Pick<HumanoidMotion, 'humanoid' | 'describeSurface'>>,
  options: RetargetOptions & ClipOptions & MotionContactOptions,
): RetargetedMotion {
  const { name, fps, contacts: mode = 'off', selfCollision, hands, armSpace, legSpace, ...channels } = options;
  const plan = planRetarget(humanoid, target.humanoid, channels);
  const named = name === undefined ? {} : { name };
  const timed = fps === undefined ? {} : { fps };
  const retargeted = retargetClip(plan, clip, { ...named, ...timed });
  const issues = [...plan.issues, ...reportDroppedTracks(plan, clip, others)];
  if (mode === 'off') return { clip: retargeted, issues, contacts: null };
  const contacts = planContacts(plan, humanoid, target.humanoid, {
    mode,
    ...(selfCollision === undefined ? {} : { selfCollision }),
    ...(hands === undefined ? {} : { hands }),
    ...(armSpace === undefined ? {} : { armSpace }),
    ...(legSpace === undefined ? {} : { legSpace }),
    ...(describeSurface === undefined ? {} : { sourceSurface: describeSurface() }),
    targetSurface: target.describeSurface(),
  });
  const { clip: touching, report } = applyContacts(contacts, clip, retargeted);
  return { clip: touching, issues, contacts: report };
}
