/** Rigs of the demo characters, modeled after common authoring tools and as different from each other as possible. */

import { makePose } from '../figure/pose.ts';
import { ADULT, CHIBI, CHILD, HEAVY, TALL } from '../figure/proportions.ts';
import { makeWalk } from '../motions/walk.ts';
import type { ArmatureNode, CharacterOptions } from './character.ts';

const CENTIMETERS_Z_UP: ArmatureNode = {
  name: 'Armature',
  rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  scale: 0.01,
};

/** Mixamo exported from Blender: 67 joints, T-pose, joints in centimeters below a Z-up armature with scale 0.01. */
export const MIXAMO_RIG: CharacterOptions = {
  name: 'Mixamo-like',
  naming: 'mixamo',
  without: ['jaw'],
  extras: ['ends'],
  axes: 'bone-y',
  armature: [CENTIMETERS_Z_UP],
};

/** Unreal mannequin: A-pose, +X along the bones, a root joint on the ground, twist joints. */
export const UNREAL_RIG: CharacterOptions = {
  name: 'Unreal-like',
  proportions: { ...ADULT, shoulderWidth: 0.4, spine: 0.52, girth: 1.15 },
  naming: 'unreal',
  without: ['eyes', 'jaw'],
  extras: ['twist'],
  axes: 'bone-x',
  bindPose: { arms: 48, elbows: 14, fingers: 10, legs: 6 },
  armature: [{ name: 'root', joint: true }],
};

/** VRM 1.0: faces +Z, T-pose, local axes along the bones. */
export const VRM1_RIG: CharacterOptions = {
  name: 'VRM 1.0 child',
  proportions: CHILD,
  naming: 'vrm',
  without: ['jaw'],
  axes: 'bone-y',
  armature: [{ name: 'Root' }],
};

/** VRM 0.x: faces −Z, T-pose, no rest rotations. */
export const VRM0_RIG: CharacterOptions = {
  name: 'VRM 0.x chibi',
  proportions: CHIBI,
  naming: 'plain',
  without: ['upperChest', 'jaw'],
  axes: 'identity',
  facing: 180,
};

/** Saved from Blender in mid-walk: the bind pose is an A-pose, the node transforms are a walk pose. */
export const BLENDER_RIG: CharacterOptions = {
  name: 'Blender-like',
  proportions: TALL,
  naming: 'blender',
  without: ['eyes', 'jaw'],
  extras: ['ends'],
  axes: 'bone-y',
  bindPose: { arms: 35, elbows: 5 },
  restPose: (figure) => {
    const pose = makePose(figure);
    makeWalk(figure).pose(pose, 0.4);
    pose.hips[2] = 0;
    return pose;
  },
  armature: [{ name: 'Armature', translation: [0, 0.1, 0] }],
};

export const RANDOM_RIG: CharacterOptions = {
  name: 'Odd axes',
  proportions: { ...ADULT, leg: 0.72, spine: 0.56, arm: 0.6, head: 0.24 },
  naming: 'plain',
  without: ['fingers', 'neck', 'shoulders', 'toes', 'eyes', 'jaw', 'upperChest'],
  extras: ['spine'],
  axes: { seed: 7 },
  bindPose: { arms: 20 },
  facing: 90,
  armature: [
    { name: 'World', translation: [3, 0, -2], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
    { name: 'Rig', scale: 2 },
  ],
};

/** 3ds Max Biped in centimeters without a unit scale: arms down, faces −Z. */
export const GIANT_RIG: CharacterOptions = {
  name: 'Giant in cm',
  proportions: HEAVY,
  naming: 'biped',
  without: ['eyes', 'jaw'],
  extras: ['ends'],
  axes: 'world',
  bindPose: { arms: 68, palms: 80, elbows: 12, fingers: 14 },
  metersPerUnit: 0.01,
  facing: 180,
};

/** Bound in a fighting pose: bent knees and elbows, arms to the front, rotated palms, faces 35° to the side. */
export const FIGHTER_RIG: CharacterOptions = {
  name: 'Fighter',
  proportions: { ...ADULT, leg: 0.87, arm: 0.58, girth: 0.9 },
  naming: 'cmu',
  without: ['eyes', 'jaw'],
  extras: ['joints'],
  axes: 'identity',
  bindPose: { arms: 55, armsForward: 25, elbows: 50, palms: 40, fingers: 20, legs: 12, knees: 40 },
  facing: -35,
};

/** Skeleton of the VRMA motion file; no skin. */
export const VRMA_RIG: CharacterOptions = {
  name: 'VRMA',
  naming: 'vrm',
  without: ['eyes', 'jaw'],
  axes: 'world',
  skin: false,
};

/** Mocap skeleton of the BVH motion file: no rest rotations, arms down in the zero pose, centimeters, no fingers. */
export const BVH_RIG: CharacterOptions = {
  name: 'BVH',
  proportions: { ...ADULT, leg: 0.86, spine: 0.47 },
  naming: 'cmu',
  without: ['fingers', 'eyes', 'jaw'],
  extras: ['ends', 'joints'],
  axes: 'identity',
  bindPose: { arms: 72 },
  metersPerUnit: 0.01,
  skin: false,
};
