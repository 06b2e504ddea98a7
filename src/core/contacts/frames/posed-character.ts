/** A character in one pose, with what contacts need: heights above its ground, joints of its legs. No allocation per pose. */

import { lowestHeight } from '../../deform/skin-points.ts';
import { BONE, SIDES, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { straightHumanoid } from '../../humanoid/straight-humanoid.ts';
import type { Floats } from '../../math/floats.ts';
import * as mat4 from '../../math/mat4.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { PoseSigns } from '../../skeleton/reflections.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { elbowAxis } from '../self-collision/elbow-axis.ts';
import { findArms } from '../self-collision/limb-points.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import type { Footing } from '../surface/find-sole.ts';
import { lowestOfGroups } from '../surface/point-groups.ts';

/** A complete leg of a humanoid, or an arm, which bears the body as a leg does: upper arm for thigh, forearm for shin, hand for foot. */
export interface Leg {
  /** The side. */
  readonly side: Side;
  /** Whether it is an arm. */
  readonly isArm: boolean;
  /** Node of the upper leg. */
  readonly thigh: number;
  /** Node of the lower leg. */
  readonly shin: number;
  /** Node of the foot. */
  readonly foot: number;
  /** Length of thigh and shin in the reference pose, meters. */
  readonly length: number;
  /** The axis of the knee in the space of the thigh node; xyz, unit: that of a leg points to the left of the character, those of arms down on the left and up on the right. */
  readonly hinge: Float64Array;
  /** The sole of the foot. */
  readonly sole: Footing;
}

export interface PosedCharacter {
  /** The character without the negative scales of its rig. */
  readonly humanoid: Humanoid;
  /** Signs between its poses and those of the file; null where both are the same. */
  readonly signs: PoseSigns | null;
  readonly surface: ContactSurface;
  readonly legs: Readonly<Record<Side, Leg | null>>;
  /** Its complete arms, but for one that holds a tool which is part of the hand. */
  readonly arms: Readonly<Record<Side, Leg | null>>;
  /** Local pose, 10 floats per node: set it, then call `poseNodes`. */
  readonly local: Float64Array;
  /** Model matrices, 16 floats per node. */
  readonly matrices: Float64Array;
  /** Model rotations, xyzw per node. */
  readonly rotations: Float64Array;
  /** Up direction in model space, times meters per unit. */
  readonly up: Float64Array;
}

const Y = [0, 1, 0] as const;

function findLeg({ map, reference }: Humanoid, sole: Footing | null, side: Side, isArm: boolean): Leg | null {
  if (sole === null) return null;
  const [thigh, shin, foot] = isArm
    ? [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]]
    : [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]];
  const { positions, rotations } = reference;
  const length =
    vec3.distance(positions, 3 * thigh, positions, 3 * shin) + vec3.distance(positions, 3 * shin, positions, 3 * foot);
  if (!(length > 0)) return null;
  const hinge = new Float64Array(3);
  const inverse = quat.conjugated(rotations, 4 * thigh);
  vec3.rotate(hinge, 0, inverse, 0, isArm ? [0, side === 'left' ? -1 : 1, 0] : [1, 0, 0], 0);
  return {
    side,
    isArm,
    thigh: map.nodes[thigh],
    shin: map.nodes[shin],
    foot: map.nodes[foot],
    length,
    hinge,
    sole,
  };
}

/** Allocates the buffers for the poses of a character. Returns the character in its rest pose, not yet posed. */
export function createPosedCharacter(described: Humanoid, surface: ContactSurface): PosedCharacter {
  const { humanoid, signs } = straightHumanoid(described);
  const count = humanoid.skeleton.parents.length;
  const up = new Float64Array(3);
  const inverse = quat.conjugated(humanoid.frame);
  vec3.rotate(up, 0, inverse, 0, Y, 0);
  vec3.scale(up, 0, up, 0, humanoid.metersPerUnit);
  const [left, right] = SIDES.map((side) => findLeg(humanoid, surface.soles[side], side, false));
  const arms = findArms(humanoid, surface);
  const [leftArm, rightArm] = SIDES.map((side) => {
    const holdsTool = arms.some((arm) => arm.side === side && arm.holdsTool);
    return holdsTool ? null : findLeg(humanoid, surface.palms[side], side, true);
  });
  return {
    humanoid,
    signs,
    surface,
    legs: { left, right },
    arms: { left: leftArm, right: rightArm },
    local: new Float64Array(POSE_STRIDE * count),
    matrices: new Float64Array(MATRIX_STRIDE * count),
    rotations: new Float64Array(4 * count),
    up,
  };
}

function toCanonical(out: Floats, o: number, { frame, metersPerUnit }: Humanoid): void {
  vec3.scale(out, o, out, o, metersPerUnit);
  vec3.rotate(out, o, frame, 0, out, o);
}

/** Computes the position of a node. `out` receives xyz at `o`, canonical frame, meters. */
export function nodePosition(out: Floats, o: number, character: PosedCharacter, node: number): void {
  vec3.copy(out, o, character.matrices, MATRIX_STRIDE * node + 12);
  toCanonical(out, o, character.humanoid);
}

/** Computes the position of a point that moves with a node. `out` receives xyz at `o`, canonical frame, meters. */
export function pointPosition(
  out: Floats,
  o: number,
  character: PosedCharacter,
  node: number,
  point: Float64Array,
): void {
  mat4.transformPoint(out, o, character.matrices, MATRIX_STRIDE * node, point, 0);
  toCanonical(out, o, character.humanoid);
}

const bend = new Float64Array(9);

/** Computes the direction of the knee axis of a leg, or of the elbow axis of an arm. `out` receives xyz at `o`, canonical frame, unit. */
export function hingeDirection(out: Floats, o: number, character: PosedCharacter, leg: Leg): void {
  const { rotations, humanoid } = character;
  vec3.rotate(out, o, rotations, 4 * leg.thigh, leg.hinge, 0);
  vec3.rotate(out, o, humanoid.frame, 0, out, o);
  if (!leg.isArm) return;
  for (const [k, node] of [leg.thigh, leg.shin, leg.foot].entries()) nodePosition(bend, 3 * k, character, node);
  vec3.subtract(bend, 6, bend, 6, bend, 3);
  vec3.subtract(bend, 3, bend, 3, bend, 0);
  vec3.normalize(bend, 3, bend, 3);
  vec3.normalize(bend, 6, bend, 6);
  vec3.cross(bend, 0, bend, 3, bend, 6);
  elbowAxis(out, o, bend);
}

/** Computes how far the lowest point of a foot is above the ground; negative below it. */
export function footClearance({ surface, up, matrices }: PosedCharacter, { sole }: Leg): number {
  return lowestHeight(surface.points, sole.from, sole.to, up, matrices) - surface.floor;
}

/**
 * Computes how far the lowest point of the trunk is above the ground; negative below it. Returns meters; Infinity for a character without surface.
 */
export function trunkClearance({ surface, up, matrices }: PosedCharacter): number {
  return lowestOfGroups(surface.trunk, surface.points, up, matrices) - surface.floor;
}

/** Computes how far the lowest point of the pelvis is above the ground; negative below it. Returns meters; Infinity for a pelvis without surface. */
export function pelvisClearance({ surface, up, matrices }: PosedCharacter): number {
  return lowestHeight(surface.points, 0, surface.pelvisEnd, up, matrices) - surface.floor;
}
