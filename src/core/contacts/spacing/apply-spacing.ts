import type { Clip, Track } from '../../animation/clip.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { computeNodeReference } from '../../humanoid/t-pose/node-reference.ts';
import * as quat from '../../math/quat.ts';
import { retargetDetachedJoint } from '../../retarget/detached/retarget-detached-joint.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { isAncestor } from '../../skeleton/topology.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { type ChangedChannel, detachedChannels, rewriteClip } from '../frames/rewrite-clip.ts';
import type { SpacingPlan } from './plan-spacing.ts';

const FRONT = [0, 0, 1] as const;

/** The rotation of one limb, as a left factor of the local rotation of its upper bone. */
interface LimbOffset {
  readonly node: number;
  readonly left: Float64Array;
  /** Foot below it, which keeps its world rotation; −1 without. */
  readonly foot: number;
}

function limbOffsets(humanoid: Humanoid, { arm, leg }: SpacingPlan): LimbOffset[] {
  const { map, skeleton } = humanoid;
  const { rotations } = computeNodeReference(humanoid);
  return SIDES.flatMap((side) => {
    const sign = side === 'left' ? 1 : -1;
    const limbs = [
      [BONE[`${side}UpperArm`], arm, -1],
      [BONE[`${side}UpperLeg`], leg, map.nodes[BONE[`${side}Foot`]]],
    ] as const;
    return limbs.flatMap(([bone, angle, foot]): LimbOffset[] => {
      const node = map.nodes[bone];
      if (node < 0 || angle === 0) return [];
      const left = new Float64Array(4);
      quat.fromAxisAngle(left, 0, FRONT, 0, sign * angle);
      const parent = skeleton.parents[node];
      if (parent >= 0) {
        const inverse = quat.conjugated(rotations, 4 * parent);
        quat.multiply(left, 0, inverse, 0, left, 0);
        quat.multiply(left, 0, left, 0, rotations, 4 * parent);
      }
      return [{ node, left, foot: foot >= 0 && isAncestor(skeleton.parents, node, foot) ? foot : -1 }];
    });
  });
}

/** Multiplies all values of a rotation track, tangents included, from the left. */
function multiplyTrack(track: Track, left: Float64Array): Track {
  const values = track.values.slice();
  for (let at = 0; at < values.length; at += 4) quat.multiply(values, at, left, 0, values, at);
  return { ...track, values };
}

const above = new Float64Array(4);
const inverse = new Float64Array(4);

/** Rotates a foot back: its ancestors below the upper leg have no part in the offset. `local` is the pose with the offset. */
function rotateFootBack(
  { skeleton: { parents } }: Humanoid,
  local: Float64Array,
  { node, left, foot }: LimbOffset,
): void {
  quat.identity(above, 0);
  for (let at = parents[foot]; at >= 0 && at !== parents[node]; at = parents[at]) {
    quat.multiply(above, 0, local, POSE_STRIDE * at + PATH_OFFSET.rotation, above, 0);
  }
  // above = left · rest of the chain; the foot was below the rest of the chain alone.
  quat.normalize(above, 0, above, 0);
  const at = POSE_STRIDE * foot + PATH_OFFSET.rotation;
  quat.conjugate(inverse, 0, left, 0);
  quat.multiply(inverse, 0, inverse, 0, above, 0);
  quat.multiply(local, at, inverse, 0, local, at);
  quat.conjugate(above, 0, above, 0);
  quat.multiply(local, at, above, 0, local, at);
  quat.normalize(local, at, local, at);
}

/** Rotates upper arms and upper legs outward, relative to the trunk. Keys of arms and legs keep their times; feet keep their world rotation. */
export function applySpacing(target: Humanoid, retarget: RetargetPlan, plan: SpacingPlan, clip: Clip): Clip {
  const limbs = limbOffsets(target, plan);
  const moved = limbs.filter(({ node }) =>
    clip.tracks.some((track) => track.target === node && track.path === 'rotation'),
  );
  if (moved.length === 0) return clip;
  const tracks = clip.tracks.map((track) => {
    const limb = track.path === 'rotation' ? moved.find(({ node }) => node === track.target) : undefined;
    return limb === undefined ? track : multiplyTrack(track, limb.left);
  });
  const legs = moved.filter(({ foot }) => foot >= 0);
  const affected: ChangedChannel[] = [
    ...legs.map(({ foot }) => ({ node: foot, path: 'rotation' as const })),
    ...detachedChannels(retarget),
  ];
  const spaced = { ...clip, tracks };
  if (affected.length === 0) return spaced;
  return rewriteClip(spaced, target.skeleton.rest, frameGridOf(clip, target), affected, (local) => {
    for (const leg of legs) rotateFootBack(target, local, leg);
    for (const joint of retarget.detachedJoints) retargetDetachedJoint(local, joint);
  });
}
