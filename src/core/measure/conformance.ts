/**
 * How far a body is off the reference pose that EXT_skeleton_humanoid asks for ("Reference pose"), in degrees, bone by bone:
 * its axes off the canonical ones, its +Y off the way to the next joint, its limbs off the T-pose.
 */
import { BONE, BONE_COUNT, BONES, type BoneName } from '../humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../humanoid/canonical-frames.ts';
import { nextInChain, T_POSE_CHAINS } from '../humanoid/reference/t-pose.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

/** A bone against the text, degrees. */
export interface BoneConformance {
  /** Between its world axes and the canonical ones. */
  readonly axes: number;
  /** Between its +Y and the way to the joint that follows; null for the last joint of a chain. */
  readonly child: number | null;
  /** Between the way to the joint that follows and its direction in the T-pose; of feet the heading alone; null where the T-pose says nothing. */
  readonly pose: number | null;
}

/** A whole body against the text, degrees; null where joints are missing that would tell. */
export interface Conformance {
  readonly bones: Readonly<Partial<Record<BoneName, BoneConformance>>>;
  /** Between the line from right to left (upper arms, thighs) and +X: 0 when the body faces +Z. */
  readonly facing: number | null;
  /** Between the way from hips to head and +Y. */
  readonly up: number | null;
  /** Between the way from the little to the index knuckle, seen along the arm, and +Z: 0 when palms face the ground. */
  readonly leftPalm: number | null;
  readonly rightPalm: number | null;
}

const DEGREES = 180 / Math.PI;
const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

/** The joint that comes after a bone along its limb; the trunk has one too. */
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

/** Angle to its T direction; null for segments that the T-pose leaves open. */
function poseAngle(bone: number, way: Float64Array): number | null {
  if (BONES[bone].endsWith('Foot')) {
    const flat = Math.hypot(way[0], way[2]);
    return flat > 0.2 * vec3.length(way, 0) ? Math.abs(Math.atan2(way[0], way[2])) * DEGREES : null;
  }
  const chain = T_POSE_CHAINS.find(({ bones }) => bones.includes(bone) && bones.at(-1) !== bone);
  return chain === undefined ? null : vec3.angleBetween(way, 0, chain.direction, 0) * DEGREES;
}

function boneConformance(bone: number, nodes: Int32Array, positions: Floats, rotations: Floats): BoneConformance {
  const axes = quat.angleBetween(rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone) * DEGREES;
  const next = nextJoint(bone, nodes, positions);
  if (next < 0) return { axes, child: null, pose: null };
  const way = new Float64Array(3);
  vec3.subtract(way, 0, positions, 3 * next, positions, 3 * bone);
  if (!(vec3.length(way, 0) > 0)) return { axes, child: null, pose: null };
  const along = new Float64Array(3);
  vec3.rotate(along, 0, rotations, 4 * bone, Y, 0);
  return { axes, child: vec3.angleBetween(along, 0, way, 0) * DEGREES, pose: poseAngle(bone, way) };
}

function facingAngle(nodes: Int32Array, positions: Floats): number | null {
  const line = new Float64Array(3);
  const way = new Float64Array(3);
  for (const part of ['UpperArm', 'UpperLeg'] as const) {
    const left = BONE[`left${part}`];
    const right = BONE[`right${part}`];
    if (nodes[left] < 0 || nodes[right] < 0) continue;
    vec3.subtract(way, 0, positions, 3 * left, positions, 3 * right);
    vec3.add(line, 0, line, 0, way, 0);
  }
  return vec3.length(line, 0) > 0 ? vec3.angleBetween(line, 0, X, 0) * DEGREES : null;
}

function upAngle(nodes: Int32Array, positions: Floats): number | null {
  if (nodes[BONE.hips] < 0 || nodes[BONE.head] < 0) return null;
  const way = new Float64Array(3);
  vec3.subtract(way, 0, positions, 3 * BONE.head, positions, 3 * BONE.hips);
  return vec3.length(way, 0) > 0 ? vec3.angleBetween(way, 0, Y, 0) * DEGREES : null;
}

function palmAngle(side: 'left' | 'right', nodes: Int32Array, positions: Floats): number | null {
  const knuckles = (['Index', 'Middle', 'Ring', 'Little'] as const)
    .map((finger) => BONE[`${side}${finger}Proximal`])
    .filter((bone) => nodes[bone] >= 0);
  if (knuckles.length < 2) return null;
  const across = new Float64Array(3);
  vec3.subtract(across, 0, positions, 3 * knuckles[0], positions, 3 * knuckles[knuckles.length - 1]);
  across[0] = 0;
  return vec3.length(across, 0) > 0 ? vec3.angleBetween(across, 0, Z, 0) * DEGREES : null;
}

/**
 * Measures a pose of bones. `nodes`: −1 where a bone is absent; `positions` and `rotations`: world space of the file, 3 and 4
 * floats a bone, in the order of BONES.
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
