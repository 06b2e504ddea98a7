/** The rigs of the demo: bodies as the usual tools make them. Each differs from the others in all that it can. */
import type { ArmatureNode, CharacterOptions } from './make-character.ts';
import { makePose } from '../figure/pose.ts';
import { ADULT, CHIBI, CHILD, HEAVY, TALL } from '../figure/proportions.ts';
import { makeWalk } from '../motions/walk.ts';

const CENTIMETERS_Z_UP: ArmatureNode = {
  name: 'Armature',
  rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  scale: 0.01,
};

/** Mixamo by way of Blender: 67 joints, T-pose, joints in centimeters below an armature of 0.01 that lies on its back. */
export const MIXAMO_RIG: CharacterOptions = {
  name: 'Mixamo-like',
  naming: 'mixamo',
  without: ['jaw'],
  extras: ['ends'],
  axes: 'bone-y',
  armature: [CENTIMETERS_Z_UP],
};

/** The Unreal mannequin: A-pose, +X along the bones, a root joint on the ground, joints for the twist. */
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

/** VRM 1.0: faces +Z, T-pose; axes of its own. */
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

/** Saved from Blender in the middle of a walk: bound in an A-pose, the nodes are not. */
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

/** Every joint has axes of its own at random; no fingers, neck, shoulders or toes; joints in between in the spine; faces +X. */
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

/** 3ds Max Biped in bare centimeters: arms hang down, faces −Z. */
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

/** Bound as it fights: knees and elbows bent, arms to the front, palms turned, seen from an angle. */
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

/** The motion library of the demo as VRMA. */
export const VRMA_RIG: CharacterOptions = {
  name: 'VRMA',
  naming: 'vrm',
  without: ['eyes', 'jaw'],
  axes: 'world',
  skin: false,
};

/** A mocap skeleton as BVH: no rest rotations, arms down in the zero pose, centimeters, few bones of the hands. */
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
