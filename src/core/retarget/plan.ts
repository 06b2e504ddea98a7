/**
 * Deciding once, per pair of humanoids, how every bone of the target follows the source.
 *
 * World-space retargeting (Wicked Engine, "Animation Retargeting"): what moves is the world delta from the reference pose,
 * `D(b) = W_s(b) · W̄_s(b)⁻¹`, and the target shows `W_t(b) = D(b) · W̄_t(b)`, so its local rotation is
 * `q_t(b) = W_t(p)⁻¹ · W_t(b)`, p its parent node. With a = the nearest bone above b on the target and R the rest rotations of the
 * nodes between a and p,
 *
 *     q_t(b) = [R⁻¹ · W̄_t(a)⁻¹ · W̄_s(a)] · [W_s(a)⁻¹ · W_s(b)] · [W̄_s(b)⁻¹ · W̄_t(b)]
 *
 * Left and right bracket are constants. The middle one is a product of local rotations of the source along the path from a
 * to b: usually one, the rotation of b itself. Nothing is decomposed per key, and no world rotation is computed.
 */

import { BONE, BONE_COUNT, BONE_PARENTS, BONES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, bonesOfNodes } from '../humanoid/node-bones.ts';
import * as quat from '../math/quat.ts';
import { type Issue, issue } from '../report/issue.ts';
import { commonAncestor } from '../skeleton/topology.ts';
import { helperNames } from './helper-names.ts';
import { RETARGET_DEFAULTS, type RetargetOptions } from './options.ts';
import { planAttachments } from './plan-attachments.ts';
import { planScales, planTranslations } from './plan-channels.ts';
import { type Follower, findFollowers, planFollowers } from './plan-followers.ts';
import { hipsFactor, planHips } from './plan-hips.ts';
import { planShape, restWith } from './plan-shape.ts';
import { planShares } from './plan-shares.ts';
import { referenceParentRotation } from './reference-nodes.ts';
import type { RetargetPlan } from './retarget-plan.ts';

/** The source bone that drives every bone: itself where the source has it, else the nearest one above it in the full tree. */
function driverOf(bone: number, sourceNodes: Int32Array): number {
  let driver = bone;
  while (driver >= 0 && sourceNodes[driver] < 0) driver = BONE_PARENTS[driver];
  return driver;
}

/** Appends the path of local rotations from node `from` (−1: the world) to node `to`: inverted up to their common ancestor, then down. */
function appendPath(from: number, to: number, parents: Int32Array, nodes: number[], inverted: number[]): void {
  const meet = from < 0 ? -1 : commonAncestor(parents, from, to);
  for (let n = from; n >= 0 && n !== meet; n = parents[n]) {
    nodes.push(n);
    inverted.push(1);
  }
  const down: number[] = [];
  for (let n = to; n !== meet; n = parents[n]) down.push(n);
  for (let k = down.length - 1; k >= 0; k--) {
    nodes.push(down[k]);
    inverted.push(0);
  }
}

function boneList(bones: readonly number[]): string {
  return bones.map((bone) => BONES[bone]).join(', ');
}

function reportMissing(source: Int32Array, target: Int32Array): Issue[] {
  const folded: number[] = [];
  const held: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (source[bone] >= 0 && target[bone] < 0) folded.push(bone);
    if (source[bone] < 0 && target[bone] >= 0) held.push(bone);
  }
  const issues: Issue[] = [];
  if (folded.length > 0) {
    issues.push(
      issue(
        'BONES_MISSING_IN_TARGET',
        `The character lacks ${boneList(folded)}: their motion goes into the bones below them.`,
      ),
    );
  }
  if (held.length > 0) {
    issues.push(
      issue(
        'BONES_MISSING_IN_SOURCE',
        `The motion lacks ${boneList(held)}: these bones of the character keep their reference pose.`,
      ),
    );
  }
  return issues;
}

/** Joints that are named in a message at most. */
const LISTED = 12;

function reportFollowers({ skeleton }: Humanoid, followers: readonly Follower[]): Issue[] {
  if (followers.length === 0) return [];
  const listed = followers.slice(0, LISTED);
  const each = listed.map(({ node, bone }) => `${JSON.stringify(skeleton.names[node])} (${BONES[bone]})`).join(', ');
  const more = followers.length > LISTED ? ` and ${followers.length - LISTED} more` : '';
  return [
    issue(
      'JOINTS_DETACHED',
      `Joints of the skin that hang elsewhere in the node tree follow the bone at their place: ${each}${more}.`,
    ),
  ];
}

/** Bones of the target so that the nodes of parents come before those of their children. */
function targetOrder(target: Humanoid): number[] {
  const bones: number[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) if (target.map.nodes[bone] >= 0) bones.push(bone);
  return bones.sort((a, b) => target.map.nodes[a] - target.map.nodes[b]);
}

/** Rejects what no plan can be made of. */
function checkArguments(source: Humanoid, target: Humanoid, hipsScale: 'auto' | 'none' | number): void {
  for (const [who, { map }] of Object.entries({ source, target })) {
    if (!(map.nodes[BONE.hips] >= 0))
      throw new RangeError(`planRetarget: the ${who} has no hips, expected a humanoid with the bone hips`);
  }
  if (typeof hipsScale === 'number' && !Number.isFinite(hipsScale)) {
    throw new RangeError(`planRetarget: hipsScale is ${hipsScale}, expected a finite number, 'auto' or 'none'`);
  }
}

type RotationPlan = Pick<
  RetargetPlan,
  'bones' | 'targetNodes' | 'above' | 'drivers' | 'pathStart' | 'pathNodes' | 'pathInverted' | 'left' | 'right'
>;

function planRotations(source: Humanoid, target: Humanoid): RotationPlan {
  const targetBones = bonesOfNodes(target.map.nodes, target.skeleton.parents.length);
  const bones = targetOrder(target);
  const drivers = bones.map((bone) => driverOf(bone, source.map.nodes));
  const above = new Int32Array(bones.length);
  const pathStart = new Int32Array(bones.length + 1);
  const pathNodes: number[] = [];
  const pathInverted: number[] = [];
  const left = new Float64Array(4 * bones.length);
  const right = new Float64Array(4 * bones.length);
  const rotation = new Float64Array(4);
  bones.forEach((bone, k) => {
    const node = target.map.nodes[bone];
    const driver = drivers[k];
    const boneAbove = boneAtOrAbove(target.skeleton.parents, targetBones, target.skeleton.parents[node]);
    const driverAbove = boneAbove < 0 ? -1 : driverOf(boneAbove, source.map.nodes);
    above[k] = bones.indexOf(boneAbove);
    referenceParentRotation(rotation, target, targetBones, node);
    quat.conjugate(left, 4 * k, rotation, 0);
    // Without a bone above, the path starts at the world, and what turns the world is the frame of the source.
    if (driverAbove < 0) quat.multiply(left, 4 * k, left, 4 * k, source.frame, 0);
    else quat.multiply(left, 4 * k, left, 4 * k, source.reference.rotations, 4 * driverAbove);
    quat.conjugate(rotation, 0, source.reference.rotations, 4 * driver);
    quat.multiply(right, 4 * k, rotation, 0, target.reference.rotations, 4 * bone);
    const from = driverAbove < 0 ? -1 : source.map.nodes[driverAbove];
    appendPath(from, source.map.nodes[driver], source.skeleton.parents, pathNodes, pathInverted);
    pathStart[k + 1] = pathNodes.length;
  });
  return {
    bones: Int32Array.from(bones),
    targetNodes: Int32Array.from(bones, (bone) => target.map.nodes[bone]),
    above,
    drivers: Int32Array.from(drivers),
    pathStart,
    pathNodes: Int32Array.from(pathNodes),
    pathInverted: Uint8Array.from(pathInverted),
    left,
    right,
  };
}

/**
 * Plans the retargeting of any motion of `source` onto `target`.
 * Both must have hips: RangeError otherwise, and for a hips scale that is not a finite number.
 */
export function planRetarget(source: Humanoid, target: Humanoid, options: RetargetOptions = {}): RetargetPlan {
  const chosen = { ...RETARGET_DEFAULTS, ...options };
  checkArguments(source, target, chosen.hipsScale);
  const issues = reportMissing(source.map.nodes, target.map.nodes);
  const hipsScale = hipsFactor(source, target, chosen.hipsScale);
  const held = chosen.rotation ? planShape(target) : [];
  // From here on the target is what a player will show: its rest with the held values in it.
  const shown: Humanoid = { ...target, skeleton: { ...target.skeleton, rest: restWith(target, held) } };
  const hips = chosen.hipsTranslation ? planHips(source, shown, hipsScale) : null;
  if (chosen.hipsTranslation && hips === null) {
    issues.push(
      issue(
        'HIPS_NOT_MOVABLE',
        'A node above the hips of the character has scale 0: the hips cannot be moved and stay where they are.',
      ),
    );
  }
  const matched = BONES.flatMap((_, bone) =>
    source.map.nodes[bone] >= 0 && target.map.nodes[bone] >= 0 ? [bone] : [],
  );
  const rotations = planRotations(source, shown);
  const names = helperNames(target.skeleton);
  const shares = chosen.rotation ? planShares(shown, rotations.bones, names, chosen) : [];
  const followers = chosen.rotation
    ? findFollowers(shown, new Set(shares.map(({ targetNode }) => targetNode)), names)
    : [];
  issues.push(...reportFollowers(target, followers));
  const attachments = chosen.rotation ? [...planAttachments(shown), ...planFollowers(shown, followers)] : [];
  const attached = new Set(attachments.map(({ targetNode }) => targetNode));
  const others = matched.filter((bone) => bone !== BONE.hips && !attached.has(target.map.nodes[bone]));
  return {
    sourceParents: source.skeleton.parents,
    sourceRest: Float64Array.from(source.skeleton.rest),
    targetRest: Float64Array.from(target.skeleton.rest),
    ...rotations,
    rotation: chosen.rotation,
    hips,
    translations: chosen.translation ? planTranslations(source, shown, others, hipsScale) : [],
    scales: chosen.scale ? planScales(source, shown, matched) : [],
    held,
    shares,
    attachments,
    hipsScale,
    issues,
  };
}
