/**
 * The body that stands for those of SMPL, SMPL-H and SMPL-X. Files have only numbers for its shape, and the models that they belong to may not be passed
 * on, so it is an average adult: the places of the joints, without a mesh.
 */

import { BONE, BONE_COUNT, BONE_PARENTS, type BoneName } from '../../../core/humanoid/bones.ts';
import { type BodyPositions, bodyPositions } from '../../../core/humanoid/rigs/body-proportions.ts';
import { createRigSkeleton } from '../../../core/humanoid/rigs/create-rig-skeleton.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { skeletonOf } from './motion.ts';

/** The joints of SMPL-X in their order. SMPL and SMPL-H share the first 22. */
export const SMPLX_JOINTS: readonly string[] = createRigSkeleton('smplx', bodyPositions(null)).names;

/** Joints of trunk, arms and legs, which all models have first. */
export const BODY_JOINTS = 22;

/**
 * Way from the parent bone to each bone of the average body in its zero pose, meters; left and right averaged. In its zero pose the legs of SMPL stand apart
 * and the arms hang a little, which rotations are relative to.
 */
const OFFSETS: readonly (readonly [bone: string, x: number, y: number, z: number])[] = [
  ['UpperLeg', 0.069, -0.091, -0.006],
  ['LowerLeg', 0.036, -0.379, -0.007],
  ['Foot', -0.015, -0.398, -0.043],
  ['Toes', 0.026, -0.052, 0.121],
  ['spine', 0, 0.109, -0.027],
  ['chest', 0, 0.135, 0.001],
  ['upperChest', 0, 0.053, 0.025],
  ['neck', 0, 0.214, -0.043],
  ['head', 0, 0.065, 0.051],
  ['Shoulder', 0.08, 0.12, -0.036],
  ['UpperArm', 0.093, 0.032, -0.009],
  ['LowerArm', 0.257, -0.013, -0.025],
  ['Hand', 0.252, 0.008, -0.003],
];
/** Height of the toe joints above the ground. */
const TOE_HEIGHT = 0.02;

/**
 * Position of the pelvis where the translation is 0, in the axes of the file, meters: the origin of the models is in the middle of the body. That of SMPL-X
 * is higher.
 */
export const PELVIS_OF_MODEL = { smpl: [0, -0.223, 0.028], smplx: [0.003, -0.351, 0.012] } as const;

/** Places the bones of the body: hips above the origin, ground at y = 0, facing +Z. */
function smplPositions(): BodyPositions {
  const adult = bodyPositions(null);
  const body = adult.slice();
  const placed = new Set<number>([BONE.hips]);
  body.fill(0, 0, 3);
  for (const [word, x, y, z] of OFFSETS) {
    const bones = word in BONE ? [word] : [`left${word}`, `right${word}`];
    for (const [side, name] of bones.entries()) {
      const bone = BONE[name as BoneName];
      const parent = BONE_PARENTS[bone];
      vec3.set(body, 3 * bone, side === 0 ? x : -x, y, z);
      vec3.add(body, 3 * bone, body, 3 * bone, body, 3 * parent);
      placed.add(bone);
    }
  }
  const lift = TOE_HEIGHT - body[3 * BONE.leftToes + 1];
  for (const bone of placed) body[3 * bone + 1] += lift;
  // Fingers, eyes and jaw are where an adult has them.
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (placed.has(bone)) continue;
    const parent = BONE_PARENTS[bone];
    for (let axis = 0; axis < 3; axis++)
      body[3 * bone + axis] = body[3 * parent + axis] + adult[3 * bone + axis] - adult[3 * parent + axis];
  }
  return body;
}

/**
 * Creates the skeleton of the body, +Y up, facing +Z, standing on y = 0, with those joints that a file animates. `joints` are names of
 * {@link SMPLX_JOINTS}, in their order.
 */
export function smplSkeleton(joints: readonly string[]): Skeleton {
  const full = createRigSkeleton('smplx', smplPositions());
  const parents: number[] = [];
  const offsets: number[] = [];
  for (const name of joints) {
    const joint = full.names.indexOf(name);
    const parent = full.parents[joint];
    parents.push(parent < 0 ? -1 : joints.indexOf(full.names[parent]));
    offsets.push(...full.rest.subarray(POSE_STRIDE * joint, POSE_STRIDE * joint + 3));
  }
  return skeletonOf('SMPL', joints, parents, offsets);
}
