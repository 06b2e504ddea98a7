import type { Clip } from '../../animation/clip.ts';
import * as quat from '../../math/quat.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { FrameGrid } from '../frames/character-frames.ts';
import { poseNodes } from '../frames/pose-nodes.ts';
import type { PosedCharacter } from '../frames/posed-character.ts';
import { type ChangedChannel, detachedChannels, nodesOfChannels, rewriteClip } from '../frames/rewrite-clip.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import { createArmPose, rotateArm, trunkBoneOf, trunkRotation, UNKNOWNS } from './arm-pose.ts';
import { FRAME_STRIDE } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';
import { rotateShoulder } from './move-shoulder.ts';

interface ChangedArm {
  readonly arm: Arm;
  /** Whether the hand rotates on its own in world space; otherwise it keeps its rotation relative to the forearm. */
  readonly isHandFree: boolean;
  /** Whether its shoulder bone rotates in some frame. */
  readonly isShoulderFree: boolean;
}

export interface RotatedArm {
  readonly arm: Arm;
  /** Numbers for `rotateArm` per frame. */
  readonly unknowns: Float64Array;
  /** Rotation vector of the hand in the axes of the trunk, radians: 3 numbers per frame; null where it keeps its rotation relative to the forearm. */
  readonly hand: Float64Array | null;
  /** Offset of the upper arm that its shoulder bone brings about, canonical meters: xyz per frame; null where it stays. */
  readonly shoulder: Float64Array | null;
}

const pose = createArmPose();
const toModel = new Float64Array(4);
const shoulderChange = new Float64Array(4);
const upperChange = new Float64Array(4);
const lowerChange = new Float64Array(4);
const handChange = new Float64Array(4);
const parent = new Float64Array(4);
export const NO_CHANGE: Float64Array = Float64Array.of(0, 0, 0, 1);
const shoulderRotation = new Float64Array(4);
const handRotation = new Float64Array(4);

/** Converts a rotation of the canonical frame to model space. */
function toModelRotation(out: Float64Array, rotation: Float64Array, frame: Float64Array): void {
  quat.conjugate(toModel, 0, frame, 0);
  quat.multiply(out, 0, toModel, 0, rotation, 0);
  quat.multiply(out, 0, out, 0, frame, 0);
}

/** Sets the local rotation of a node: `parent⁻¹ · change · rotation`. */
function setLocal(
  local: Float64Array,
  node: number,
  parentRotation: Float64Array,
  change: Float64Array,
  rotations: Float64Array,
): void {
  const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
  quat.conjugate(parentRotation, 0, parentRotation, 0);
  quat.multiply(local, at, change, 0, rotations, 4 * node);
  quat.multiply(local, at, parentRotation, 0, local, at);
  quat.normalize(local, at, local, at);
}

/** World rotations of shoulder, upper arm, forearm and hand, applied after what the clip has: xyzw, canonical frame. */
interface ArmRotations {
  /** Read where the shoulder rotates. */
  readonly shoulder: Float64Array;
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  /** Read where the hand rotates on its own. */
  readonly hand: Float64Array;
}

/** Rotates shoulder, upper arm, forearm and hand in a local pose; `character.rotations` are those before. */
function applyArm(
  local: Float64Array,
  { humanoid, rotations }: PosedCharacter,
  { arm: { bones, shoulder }, isHandFree, isShoulderFree }: ChangedArm,
  change: ArmRotations,
): void {
  const { map, skeleton, frame } = humanoid;
  const [upper, lower, hand] = [map.nodes[bones[0]], map.nodes[bones[1]], map.nodes[bones[2]]];
  toModelRotation(upperChange, change.upper, frame);
  toModelRotation(lowerChange, change.lower, frame);
  const above = (node: number): void => {
    if (skeleton.parents[node] < 0) quat.identity(parent, 0);
    else quat.copy(parent, 0, rotations, 4 * skeleton.parents[node]);
  };
  quat.identity(shoulderChange, 0);
  if (isShoulderFree) {
    const node = map.nodes[shoulder!];
    toModelRotation(shoulderChange, change.shoulder, frame);
    above(node);
    setLocal(local, node, parent, shoulderChange, rotations);
  }
  above(upper);
  quat.multiply(parent, 0, shoulderChange, 0, parent, 0);
  setLocal(local, upper, parent, upperChange, rotations);
  above(lower);
  quat.multiply(parent, 0, upperChange, 0, parent, 0);
  setLocal(local, lower, parent, lowerChange, rotations);
  if (!isHandFree) return;
  above(hand);
  quat.multiply(parent, 0, lowerChange, 0, parent, 0);
  toModelRotation(handChange, change.hand, frame);
  setLocal(local, hand, parent, handChange, rotations);
}

/** Rotates arms of a clip. `rotationsAt` returns how an arm is rotated in a frame; null leaves it as it is. */
export function rewriteArms<Changed extends ChangedArm>(
  { target, retarget }: Pick<ContactPlan, 'target' | 'retarget'>,
  clip: Clip,
  grid: FrameGrid,
  character: PosedCharacter,
  moved: readonly Changed[],
  rotationsAt: (one: Changed, frame: number) => ArmRotations | null,
): Clip {
  const { map, skeleton } = target;
  const rotated = moved.flatMap(({ arm: { bones, shoulder }, isHandFree, isShoulderFree }) => {
    return [...(isShoulderFree ? [shoulder!] : []), ...bones.slice(0, isHandFree ? 3 : 2)];
  });
  const affected = [
    ...rotated.map((bone): ChangedChannel => ({ node: map.nodes[bone], path: 'rotation' })),
    ...detachedChannels(retarget),
  ];
  const nodes = nodesOfChannels(retarget, skeleton.parents, affected);
  const posed = nodes ?? Int32Array.from(skeleton.parents.keys());
  const change = (local: Float64Array, frame: number): void => {
    character.local.set(local);
    poseNodes(character, posed);
    for (const one of moved) {
      const rotations = rotationsAt(one, frame);
      if (rotations !== null) applyArm(local, character, one, rotations);
    }
    for (const joint of retarget.detachedJoints) retargetDetachedJoint(local, joint);
  };
  return rewriteClip(clip, skeleton.rest, grid, affected, change, nodes);
}

export function writeArms(
  plan: ContactPlan,
  clip: Clip,
  grid: FrameGrid,
  character: PosedCharacter,
  bones: Float64Array,
  moved: readonly RotatedArm[],
): Clip {
  const trunkBone = trunkBoneOf(plan.target.map.nodes);
  const changed = moved.map((one) => ({
    ...one,
    isHandFree: one.hand !== null,
    isShoulderFree: one.shoulder !== null,
  }));
  return rewriteArms(plan, clip, grid, character, changed, ({ arm, unknowns, hand, shoulder: offset }, frame) => {
    rotateArm(pose, arm, trunkBone, bones, FRAME_STRIDE * frame, unknowns, UNKNOWNS * frame);
    if (hand !== null) trunkRotation(handRotation, pose.trunk, hand, 3 * frame);
    if (offset !== null) rotateShoulder(shoulderRotation, arm, arm.shoulder!, bones, frame, offset, 3 * frame);
    return { shoulder: shoulderRotation, upper: pose.upper, lower: pose.lower, hand: handRotation };
  });
}
