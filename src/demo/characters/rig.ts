/** The joint hierarchy of a rig: which humanoid bones it has and which extra joints it adds. */
import { BONE, BONE_COUNT, BONES, type BoneName, presentParent } from '../../core/humanoid/bones.ts';
import { pointOf } from '../../core/math/triples.ts';
import type { Figure } from '../figure/figure.ts';
import type { Naming } from './naming.ts';

/** Groups of bones that a rig may lack. */
export type OptionalBones =
  | 'chest'
  | 'upperChest'
  | 'neck'
  | 'jaw'
  | 'eyes'
  | 'shoulders'
  | 'toes'
  | 'thumbs'
  | 'fingers';

const OPTIONAL_BONES: Readonly<Record<OptionalBones, RegExp>> = {
  chest: /^chest$/,
  upperChest: /^upperChest$/,
  neck: /^neck$/,
  jaw: /^jaw$/,
  eyes: /Eye$/,
  shoulders: /Shoulder$/,
  toes: /Toes$/,
  thumbs: /Thumb/,
  fingers: /(Thumb|Index|Middle|Ring|Little)/,
};

/**
 * Joints in addition to the bones.
 *
 * - `ends`: leaf joints at the far ends of head, toes and fingers.
 * - `twist`: a twist joint for each upper and lower limb.
 * - `spine`: a joint between each pair of bones from hips to neck.
 * - `joints`: joints above the legs and below the head, as in the CMU library.
 */
export type ExtraJoints = 'ends' | 'twist' | 'spine' | 'joints';

/** A joint of a rig. Positions: T-pose, canonical frame, meters. */
interface RigJoint {
  readonly name: string;
  /** Index of the parent joint, −1 for the hips. */
  readonly parent: number;
  /** Bone of the joint; −1 for non-humanoid joints. */
  readonly bone: number;
  /** Bone whose world delta moves the joint: its own bone, else that of its parent. */
  readonly motionBone: number;
  /** For a joint between two bones of the trunk: the child bone, whose delta may be blended in; else −1. */
  readonly blendBone: number;
  readonly position: readonly [number, number, number];
  readonly tail: readonly [number, number, number];
}

const TWISTED = /(UpperArm|LowerArm|UpperLeg|LowerLeg)$/;
const ENDED = /(^head|Toes|Foot|Hand|Distal)$/;
const SPINE_LINKS = /^(spine|chest|upperChest|neck)$/;
const CMU_LINKS = /^(leftUpperLeg|rightUpperLeg|head)$/;

/**
 * Lists the joints of a rig depth first: parents before children, each limb contiguous. Returns joints with T-pose positions, canonical frame,
 * meters.
 */
export function rigJoints(
  figure: Figure,
  without: readonly OptionalBones[],
  extras: readonly ExtraJoints[],
  naming: Naming,
): RigJoint[] {
  const present = BONES.map((name) => (without.some((group) => OPTIONAL_BONES[group].test(name)) ? -1 : 1));
  const children: number[][] = BONES.map(() => []);
  for (let bone = 1; bone < BONE_COUNT; bone++) {
    if (present[bone] > 0) children[presentParent(bone, present)].push(bone);
  }
  const joints: RigJoint[] = [];
  const jointOf = new Int32Array(BONE_COUNT).fill(-1);
  const add = (joint: RigJoint): number => joints.push(joint) - 1;
  const stack: number[] = [BONE.hips];
  for (let bone = stack.pop(); bone !== undefined; bone = stack.pop()) {
    const name: BoneName = BONES[bone];
    const parentBone = presentParent(bone, present);
    const position = pointOf(figure.joints, bone);
    const tail = pointOf(figure.tails, bone);
    let parent = parentBone < 0 ? -1 : jointOf[parentBone];
    const linked =
      (extras.includes('spine') && SPINE_LINKS.test(name)) || (extras.includes('joints') && CMU_LINKS.test(name));
    if (linked) {
      const from = joints[parent].position;
      const middle = position.map((v, c) => from[c] + (v - from[c]) / 2) as [number, number, number];
      const blendBone = SPINE_LINKS.test(name) ? bone : -1;
      parent = add({
        name: naming.between(name),
        parent,
        bone: -1,
        motionBone: parentBone,
        blendBone,
        position: middle,
        tail: position,
      });
    }
    const joint = add({ name: naming.bone(name), parent, bone, motionBone: bone, blendBone: -1, position, tail });
    jointOf[bone] = joint;
    if (extras.includes('twist') && TWISTED.test(name)) {
      const middle = position.map((v, c) => v + (tail[c] - v) / 2) as [number, number, number];
      add({
        name: naming.twist(name),
        parent: joint,
        bone: -1,
        motionBone: bone,
        blendBone: -1,
        position: middle,
        tail,
      });
    }
    const hasChain = children[bone].some((child) => !/Eye$|^jaw$/.test(BONES[child]));
    if (extras.includes('ends') && ENDED.test(name) && !hasChain) {
      const beyond = tail.map((v, c) => v + (v - position[c])) as [number, number, number];
      add({
        name: naming.end(name),
        parent: joint,
        bone: -1,
        motionBone: bone,
        blendBone: -1,
        position: tail,
        tail: beyond,
      });
    }
    for (let k = children[bone].length - 1; k >= 0; k--) stack.push(children[bone][k]);
  }
  return joints;
}
