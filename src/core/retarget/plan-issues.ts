/** Reports what a plan could not map one to one. */
import { BONE_COUNT, BONES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type Issue, issue } from '../report/issue.ts';
import type { DetachedJoint } from './detached/find-detached-joints.ts';
import { followingFingers } from './driver-bones.ts';

/** Greatest number of joints that a message names. */
const LISTED = 12;

function listBones(bones: readonly number[]): string {
  return bones.map((bone) => BONES[bone]).join(', ');
}

/** Describes the fingers that follow another one, as a sentence and a space; empty without such fingers. */
function describeFollowing(source: Int32Array, target: Int32Array): string {
  const fingers = followingFingers(source, target);
  if (fingers.length === 0) return '';
  const each = fingers.map(({ finger, follows }) => `${finger} like ${follows}`).join(', ');
  return `Fingers move like the nearest finger of the motion: ${each}. `;
}

/**
 * Reports the bones that only one of two humanoids has.
 *
 * @param source Source node of each bone, −1 for none.
 * @param target Target node of each bone, −1 for none.
 * @returns At most one issue per side.
 */
export function reportMissingBones(source: Int32Array, target: Int32Array): Issue[] {
  const inSourceOnly: number[] = [];
  const inTargetOnly: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (source[bone] >= 0 && target[bone] < 0) inSourceOnly.push(bone);
    if (source[bone] < 0 && target[bone] >= 0) inTargetOnly.push(bone);
  }
  const issues: Issue[] = [];
  if (inSourceOnly.length > 0) {
    issues.push(
      issue(
        'BONES_MISSING_IN_TARGET',
        `The motion animates bones that the character lacks: ${listBones(inSourceOnly)}. Their rotation was added to the bones below them. ` +
          'If the character has joints for these bones, map them explicitly.',
      ),
    );
  }
  if (inTargetOnly.length > 0) {
    issues.push(
      issue(
        'BONES_MISSING_IN_SOURCE',
        `The character has bones that the motion lacks: ${listBones(inTargetOnly)}. They keep their reference pose relative to the bone above. ` +
          `${describeFollowing(source, target)}If the motion has joints for these bones, map them explicitly.`,
      ),
    );
  }
  return issues;
}

/**
 * Reports skin joints that were constrained to a bone without being a copy of it: these may deform badly.
 *
 * @param target The character.
 * @param detached From {@link findDetachedJoints}.
 * @returns One issue that names the first joints and their bones; empty without joints.
 */
export function reportDetachedJoints(target: Humanoid, detached: readonly DetachedJoint[]): Issue[] {
  const joints = detached.filter(({ isCopy }) => !isCopy);
  if (joints.length === 0) return [];
  const { names } = target.skeleton;
  const listed = joints.slice(0, LISTED);
  const each = listed.map(({ node, bone }) => `${JSON.stringify(names[node])} (${BONES[bone]})`).join(', ');
  const more = joints.length > LISTED ? ` and ${joints.length - LISTED} more` : '';
  return [
    issue(
      'JOINTS_DETACHED',
      `Skin joints are outside the bone hierarchy: ${each}${more}. Each was constrained to the bone in parentheses. ` +
        'If one deforms badly, parent it to its bone in the character.',
    ),
  ];
}

/**
 * Reports hips that no translation can move.
 *
 * @returns The issue.
 */
export function reportImmovableHips(): Issue {
  return issue(
    'HIPS_NOT_MOVABLE',
    'A node above the hips of the character has scale 0, so no translation can move the hips. They keep their rest translation. ' +
      'Give every node above the hips a scale other than 0.',
  );
}
