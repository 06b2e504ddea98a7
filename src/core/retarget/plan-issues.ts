import { BONE_COUNT, BONE_PARENTS, BONES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type Issue, issue } from '../report/issue.ts';
import type { DetachedJoint } from './detached/find-detached-joints.ts';
import { followingFingers } from './driver-bones.ts';

/** Greatest number of joints that a message names. */
const LISTED = 12;

/** Bones that are named as one group where all bones of it are listed. */
const GROUPS: readonly (readonly [name: string, test: RegExp])[] = [
  ['the fingers of both hands', /(Thumb|Index|Middle|Ring|Little)/],
  ['the left fingers', /^left(Thumb|Index|Middle|Ring|Little)/],
  ['the right fingers', /^right(Thumb|Index|Middle|Ring|Little)/],
  ['the eyes', /Eye$/],
  ['the toes', /Toes$/],
  ['the shoulders', /Shoulder$/],
];

function listBones(bones: readonly number[]): string {
  const listed: string[] = [];
  let left = bones.map((bone): string => BONES[bone]);
  for (const [name, test] of GROUPS) {
    const group = BONES.filter((bone) => test.test(bone));
    if (!group.every((bone) => left.includes(bone))) continue;
    listed.push(name);
    left = left.filter((bone) => !test.test(bone));
  }
  return [...left, ...listed].join(', ');
}

/** Tells whether a humanoid has a bone below another one, which can take its rotation. */
function hasBoneBelow(nodes: Int32Array, bone: number): boolean {
  for (let other = 0; other < BONE_COUNT; other++) {
    if (nodes[other] < 0) continue;
    for (let above = BONE_PARENTS[other]; above >= 0; above = BONE_PARENTS[above]) if (above === bone) return true;
  }
  return false;
}

/** Says what happens to the rotation of bones that the character lacks. */
function describeLost(bones: readonly number[], target: Int32Array): string {
  const passed = bones.filter((bone) => hasBoneBelow(target, bone));
  const lost = bones.filter((bone) => !hasBoneBelow(target, bone));
  const sentences: string[] = [];
  if (passed.length > 0) sentences.push(`The rotation of ${listBones(passed)} was added to the bones below.`);
  if (lost.length > 0)
    sentences.push(`The rotation of ${listBones(lost)} is lost, because no bone of the character is below.`);
  return sentences.join(' ');
}

/** Describes the fingers that follow another one, as a sentence and a space; empty without such fingers. */
function describeFollowing(source: Int32Array, target: Int32Array): string {
  const fingers = followingFingers(source, target);
  if (fingers.length === 0) return '';
  const each = fingers.map(({ finger, follows }) => `${finger} like ${follows}`).join(', ');
  return `Fingers move like the nearest finger of the motion: ${each}. `;
}

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
        `The motion has bones that the character lacks. ${describeLost(inSourceOnly, target)} ` +
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

/** Reports skin joints that were constrained to a bone without being a copy of it: these may deform badly. */
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

export function reportImmovableHips(): Issue {
  return issue(
    'HIPS_NOT_MOVABLE',
    'A node above the hips of the character has scale 0, so no translation can move the hips. They keep their rest translation. ' +
      'Give every node above the hips a scale other than 0.',
  );
}
