/** Retargets poses between characters of a scene, frame by frame. */
import { createLiveContacts, type LiveContacts, type LiveGround } from '../../core/contacts/live/live-contacts.ts';
import type { ContactMode } from '../../core/contacts/plan/contact-plan.ts';
import { planContacts } from '../../core/contacts/plan/plan-contacts.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { listReadNodes, listWrittenNodes } from './plan-nodes.ts';

/** Applies the current pose of one character to another. */
export interface Retargeter {
  /** The retargeting plan of the pair. */
  readonly plan: RetargetPlan;
  /** Issues of both characters and of the plan. */
  readonly issues: readonly Issue[];
  /** Contacts with the ground: which feet are planted, and a reset; null with `contacts: 'off'`. */
  readonly contacts: LiveContacts | null;
  /**
   * Reads the current pose of the source and applies it to the target. Does not allocate.
   *
   * @param seconds Time since the last update, in the time of the motion: what the mixer of the source was updated with. By default the time that has passed.
   */
  update(seconds?: number): void;
}

/** Options of retargeters. */
export interface LiveOptions extends LiveGround {
  /**
   * How contacts with the ground are kept. `auto` (the default): feet, trunk and hands touch the ground as those of the source do. `lock`: planted feet do not move over
   * the ground at all. `ground`: nothing is below the floor. `off`: plain retargeting.
   */
  readonly contacts?: ContactMode | 'off';
}

/** A character of a scene. */
export interface Character {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** What was unusual or guessed. */
  readonly issues: readonly Issue[];
  /** Describes what of its meshes can touch the ground and itself, at the first call. */
  readonly describeSurface: () => ContactSurface;
}

/** The character that is read. Nodes are indices of its skeleton. */
interface SourceCharacter extends Character {
  /** Returns whether the transform of a node positions the character in the scene, and is ignored. */
  readonly isIgnored: (node: number) => boolean;
  /** Writes the current local transform of a node to `pose`, 10 numbers from index `at`. */
  readonly read: (pose: Float64Array, at: number, node: number) => void;
}

interface TargetCharacter extends Character {
  /** Sets the local translation of a node: 3 numbers of `pose` from index `at`. */
  readonly translate: (node: number, pose: Float64Array, at: number) => void;
  /** Sets the local rotation of a node: 4 numbers xyzw of `pose` from index `at`. */
  readonly rotate: (node: number, pose: Float64Array, at: number) => void;
  /** Sets the local scale of a node: 3 numbers of `pose` from index `at`. */
  readonly scale: (node: number, pose: Float64Array, at: number) => void;
}

/** Returns the seconds since the last call, and starts the clock again. */
function secondsSince(clock: Float64Array): number {
  const now = performance.now();
  const seconds = (now - clock[0]) / 1000;
  clock[0] = now;
  return seconds;
}

function bonesAndAncestors({ map, skeleton: { parents } }: Humanoid): Set<number> {
  const nodes = new Set<number>();
  for (const bone of map.nodes) for (let node = bone; node >= 0; node = parents[node]) nodes.add(node);
  return nodes;
}

/** Creates a retargeter between two characters. Throws RangeError for an invalid option. */
export function createSceneRetargeter(
  from: SourceCharacter,
  to: TargetCharacter,
  { contacts: mode = 'auto', ...options }: RetargetOptions & LiveOptions,
): Retargeter {
  const plan = planRetarget(from.humanoid, to.humanoid, options);
  // Legs that are not retargeted are not moved.
  const contacts =
    mode === 'off' || !plan.rotation
      ? null
      : createLiveContacts(
          planContacts(plan, from.humanoid, to.humanoid, {
            mode,
            sourceSurface: from.describeSurface(),
            targetSurface: to.describeSurface(),
          }),
          options,
        );
  const sourceLocal = restPose(from.humanoid.skeleton);
  const targetLocal = restPose(to.humanoid.skeleton);
  const wanted =
    contacts === null ? listReadNodes(plan) : [...bonesAndAncestors(from.humanoid), ...listReadNodes(plan)];
  const read = Int32Array.from(new Set(wanted)).filter((node) => !from.isIgnored(node));
  const { translation, rotation, scale } = listWrittenNodes(plan);
  const clock = Float64Array.of(performance.now());
  return {
    plan,
    issues: [...from.issues, ...to.issues, ...plan.issues],
    contacts,
    update(seconds) {
      for (let k = 0; k < read.length; k++) from.read(sourceLocal, POSE_STRIDE * read[k], read[k]);
      retargetPose(plan, sourceLocal, targetLocal);
      if (contacts !== null) contacts.update(sourceLocal, targetLocal, seconds ?? secondsSince(clock));
      for (let k = 0; k < rotation.length; k++)
        to.rotate(rotation[k], targetLocal, POSE_STRIDE * rotation[k] + PATH_OFFSET.rotation);
      for (let k = 0; k < translation.length; k++)
        to.translate(translation[k], targetLocal, POSE_STRIDE * translation[k]);
      for (let k = 0; k < scale.length; k++)
        to.scale(scale[k], targetLocal, POSE_STRIDE * scale[k] + PATH_OFFSET.scale);
    },
  };
}
