/**
 * Measures how far a character deviates from the reference pose that EXT_skeleton_humanoid requires ("Reference pose"),
 * in degrees, bone by bone: its axes from the canonical ones, its +Y from the next joint, its limbs from the T-pose.
 */

import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { BONE, BONE_COUNT, BONES, type BoneName, FINGERS } from './bones.ts';
import { CANONICAL_FRAMES } from './canonical-frames.ts';
import { nextInChain, T_POSE_CHAINS } from './t-pose/t-pose-chains.ts';

/** Deviation of a bone from the specification, degrees. */
export interface BoneConformance {
  /** Between its world axes and the canonical ones. */
  readonly axes: number;
  /** Between its +Y and the direction to the next joint; null for the last joint of a chain. */
  readonly child: number | null;
  /**
   * Between the direction to the next joint and that of the T-pose, of feet the heading only; null where the T-pose
   * does not define it.
   */
  readonly pose: number | null;
}

/** Deviation of a character from the specification, degrees; null where the joints to measure are missing. */
export interface Conformance {
  /** Deviation of each present bone. */
  readonly bones: Readonly<Partial<Record<BoneName, BoneConformance>>>;
  /** Between the line from right to left (upper arms, thighs) and +X: 0 when the character faces +Z. */
  readonly facing: number | null;
  /** Between the direction from hips to head and +Y. */
  readonly up: number | null;
  /**
   * Between the line from little to index knuckle of the left hand, seen along the arm, and +Z: 0 when the palm faces
   * the ground.
   */
  readonly leftPalm: number | null;
  /** The same for the right hand. */
  readonly rightPalm: number | null;
}

const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

/** Joints that follow a bone outside the T-pose chains, nearest first. */
const NEXT: Readonly<Partial<Record<BoneName, readonly BoneName[]>>> = {
  hips: ['spine', 'chest', 'upperChest', 'neck', 'head'],
  spine: ['chest', 'upperChest', 'neck', 'head'],
  chest: ['upperChest', 'neck', 'head'],
  upperChest: ['neck', 'head'],
  neck: ['head'],
  leftShoulder: ['leftUpperArm'],
  rightShoulder: ['rightUpperArm'],
  leftFoot: ['leftToes'],
  rightFoot: ['rightToes'],
};

function nextJoint(bone: number, nodes: Int32Array, positions: Floats): number {
  const chain = T_POSE_CHAINS.find(
    ({ bones, limb }) => bones.includes(bone) && (limb.endsWith('Hand') || bones.at(-1) !== bone),
  );
  if (chain !== undefined) {
    const next = nextInChain(chain, bone, nodes, positions);
    if (next >= 0) return next;
  }
  const next = NEXT[BONES[bone]]?.find((name) => nodes[BONE[name]] >= 0);
  return next === undefined ? -1 : BONE[next];
}

function poseAngle(bone: number, segment: Float64Array): number | null {
  if (BONES[bone].endsWith('Foot')) {
    const flat = Math.hypot(segment[0], segment[2]);
    return flat > 0.2 * vec3.length(segment, 0)
      ? Math.abs(Math.atan2(segment[0], segment[2])) * DEGREES_PER_RADIAN
      : null;
  }
  const chain = T_POSE_CHAINS.find(({ bones }) => bones.includes(bone) && bones.at(-1) !== bone);
  return chain === undefined ? null : vec3.angleBetween(segment, 0, chain.direction, 0) * DEGREES_PER_RADIAN;
}

function boneConformance(bone: number, nodes: Int32Array, positions: Floats, rotations: Floats): BoneConformance {
  const axes = quat.angleBetween(rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone) * DEGREES_PER_RADIAN;
  const next = nextJoint(bone, nodes, positions);
  if (next < 0) return { axes, child: null, pose: null };
  const segment = new Float64Array(3);
  vec3.subtract(segment, 0, positions, 3 * next, positions, 3 * bone);
  if (!(vec3.length(segment, 0) > 0)) return { axes, child: null, pose: null };
  const along = new Float64Array(3);
  vec3.rotate(along, 0, rotations, 4 * bone, Y, 0);
  return { axes, child: vec3.angleBetween(along, 0, segment, 0) * DEGREES_PER_RADIAN, pose: poseAngle(bone, segment) };
}

function facingAngle(nodes: Int32Array, positions: Floats): number | null {
  const line = new Float64Array(3);
  const segment = new Float64Array(3);
  for (const part of ['UpperArm', 'UpperLeg'] as const) {
    const left = BONE[`left${part}`];
    const right = BONE[`right${part}`];
    if (nodes[left] < 0 || nodes[right] < 0) continue;
    vec3.subtract(segment, 0, positions, 3 * left, positions, 3 * right);
    vec3.add(line, 0, line, 0, segment, 0);
  }
  return vec3.length(line, 0) > 0 ? vec3.angleBetween(line, 0, X, 0) * DEGREES_PER_RADIAN : null;
}

function upAngle(nodes: Int32Array, positions: Floats): number | null {
  if (nodes[BONE.hips] < 0 || nodes[BONE.head] < 0) return null;
  const segment = new Float64Array(3);
  vec3.subtract(segment, 0, positions, 3 * BONE.head, positions, 3 * BONE.hips);
  return vec3.length(segment, 0) > 0 ? vec3.angleBetween(segment, 0, Y, 0) * DEGREES_PER_RADIAN : null;
}

function palmAngle(side: 'left' | 'right', nodes: Int32Array, positions: Floats): number | null {
  const knuckles = FINGERS.map((finger) => BONE[`${side}${finger}Proximal`]).filter((bone) => nodes[bone] >= 0);
  if (knuckles.length < 2) return null;
  const across = new Float64Array(3);
  vec3.subtract(across, 0, positions, 3 * knuckles[0], positions, 3 * knuckles[knuckles.length - 1]);
  across[0] = 0;
  return vec3.length(across, 0) > 0 ? vec3.angleBetween(across, 0, Z, 0) * DEGREES_PER_RADIAN : null;
}

/**
 * Measures the deviation of a pose from the specification. Positions (xyz) and rotations (xyzw) are those of the bones in world space, axes of the
 * file. Returns degrees per bone and for the whole character.
 */
export function measureConformance(nodes: Int32Array, positions: Floats, rotations: Floats): Conformance {
  const bones: Partial<Record<BoneName, BoneConformance>> = {};
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) bones[BONES[bone]] = boneConformance(bone, nodes, positions, rotations);
  }
  return {
    bones,
    facing: facingAngle(nodes, positions),
    up: upAngle(nodes, positions),
    leftPalm: palmAngle('left', nodes, positions),
    rightPalm: palmAngle('right', nodes, positions),
  };
}
