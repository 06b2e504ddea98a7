/** What the stage and the panels show of a file. */
import type { AssetSkeleton, BoneName, Humanoid } from 'anyrig';
import type { FoundHumanoid } from 'anyrig/files';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import type { StageClip } from '../../../src/stage/contract.ts';
import { editTiming, type TimingOptions } from './edit-timing.ts';
import { entryOf } from './entries.ts';
import { figureHumanoid, referenceRotations } from './figure-humanoid.ts';
import type { Rig } from './following-bones.ts';
import { displayOf, shownOptions } from './open-files.ts';
import type { FigureData, FigureJoint, HumanoidEdits, MapData, PoseEdit } from './protocol.ts';
import { type BoneTurn, rotatePose } from './rotate-pose.ts';
import { toStageClip } from './stage-clip.ts';
import { stageGlb } from './stage-glb.ts';

/** Gives every bone of the right side what its counterpart on the left does, relative to the T-pose of each. */
function mirrorPose(edited: Humanoid, tPose: Humanoid): Humanoid {
  const rotations = Float64Array.from(edited.reference.rotations);
  const [delta, inverse] = [new Float64Array(4), new Float64Array(4)];
  for (const [left, name] of BONES.entries()) {
    if (!name.startsWith('left')) continue;
    const right = BONE[name.replace(/^left/, 'right') as BoneName];
    quat.conjugate(inverse, 0, tPose.reference.rotations, 4 * left);
    quat.multiply(delta, 0, edited.reference.rotations, 4 * left, inverse, 0);
    // Reflection in the plane between left and right, which is x = 0 in the canonical frame.
    delta[1] = -delta[1];
    delta[2] = -delta[2];
    quat.multiply(rotations, 4 * right, delta, 0, tPose.reference.rotations, 4 * right);
  }
  return { ...edited, reference: { ...edited.reference, rotations } };
}

/** Lists the joints of a skeleton that are nodes of the file. `humanoid`: its humanoid; null without. */
function figureJoints({ skeleton, sourceNodes }: AssetSkeleton, humanoid: Humanoid | null): FigureJoint[] {
  const count = skeleton.parents.length;
  const bones = new Map<number, number>();
  humanoid?.map.nodes.forEach((node, bone) => {
    if (node >= 0) bones.set(node, bone);
  });
  const hasJoints = skeleton.joints.some((joint) => joint !== 0);
  const index = new Int32Array(count).fill(-1);
  const joints: FigureJoint[] = [];
  for (let node = 0; node < count; node++) {
    const isShown = bones.has(node) || !hasJoints || skeleton.joints[node] !== 0;
    const parent = skeleton.parents[node];
    // Nodes that are not shown pass on their parent.
    const above = parent < 0 ? -1 : index[parent];
    index[node] = above;
    if (!isShown || sourceNodes[node] < 0) continue;
    index[node] = joints.length;
    const bone = bones.get(node);
    joints.push({
      node: sourceNodes[node],
      parent: above,
      name: skeleton.names[node],
      bone: bone === undefined ? null : BONES[bone],
    });
  }
  return joints;
}

/** Makes the GLB that the stage shows for a file. Throws FormatError for meshes or images that cannot be read. */
export async function glb(id: string): Promise<Uint8Array<ArrayBuffer>> {
  return await stageGlb(await displayOf(entryOf(id)));
}

/** Describes the figure of a file. Throws OptionError for decisions that do not fit the file. */
export async function figure(id: string, edits: HumanoidEdits): Promise<FigureData> {
  const { file, options } = await shownOptions(id, edits);
  const { found, index, reason } = chooseHumanoid(file, 'only', options);
  const part = found?.part ?? file.asset.skeletons[index];
  const joints = part === undefined ? [] : figureJoints(part, found?.humanoid ?? null);
  return { joints, humanoid: found === null ? null : figureHumanoid(found), reason };
}

function poseEdit({ part }: FoundHumanoid, humanoid: Humanoid): PoseEdit {
  return { kind: 'edited', rotations: referenceRotations(humanoid, part.sourceNodes) };
}

/** Mirrors the reference pose of a humanoid from left to right. Returns the pose as an edit; null without a humanoid. */
export async function mirroredPose(id: string, edits: HumanoidEdits): Promise<PoseEdit | null> {
  const { file, options } = await shownOptions(id, edits);
  const { pose: _, ...detecting } = options;
  const edited = chooseHumanoid(file, 'only', options).found;
  const detected = chooseHumanoid(file, 'only', detecting).found;
  if (edited === null || detected === null) return null;
  return poseEdit(edited, mirrorPose(edited.humanoid, detected.humanoid));
}

/** Rotates a bone of the reference pose of a humanoid. Returns the pose as an edit; null without a humanoid. */
export async function rotatedPose(id: string, edits: HumanoidEdits, turn: BoneTurn): Promise<PoseEdit | null> {
  const { file, options } = await shownOptions(id, edits);
  const { found } = chooseHumanoid(file, 'only', options);
  return found === null ? null : poseEdit(found, rotatePose(found.humanoid, turn));
}

/** Reads a clip of a file as the stage plays it beside the result. */
export async function sourceClip(id: string, index: number, timing: TimingOptions): Promise<StageClip | null> {
  const file = await displayOf(entryOf(id));
  const original = file.asset.clips[index];
  if (original === undefined) return null;
  const clip = await editTiming(original, timing);
  const parts = clip.clips.map((one, k) => toStageClip(one, file.asset.skeletons[k], k === 0 ? clip.morphs : []));
  return { name: clip.name, duration: clip.duration, tracks: parts.flatMap(({ tracks }) => tracks) };
}

export async function bones(id: string, edits: HumanoidEdits): Promise<MapData> {
  const { file, options } = await shownOptions(id, edits);
  return (await import('./map-data.ts')).mapData(file, options);
}

/** Returns the skeleton that the map of a file is for, with its first motion; null without it. */
export async function rig(id: string, edits: HumanoidEdits): Promise<Rig | null> {
  const { file, options } = await shownOptions(id, edits);
  const { asset } = file;
  const skeleton = chooseHumanoid(file, 'only', options).index;
  const part = asset.skeletons[skeleton];
  const motion = asset.clips[0]?.clips[skeleton];
  if (part === undefined) return null;
  return {
    skeleton: part.skeleton,
    sourceNodes: part.sourceNodes,
    motion: motion === undefined || motion.tracks.length === 0 ? null : motion,
  };
}
