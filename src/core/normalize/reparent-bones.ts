/**
 * Reparents bones that are not below their parent bone (feet below IK roots, shoulders below the neck). Every node
 * keeps its world transform, at rest and in every clip. EXT_skeleton_humanoid, "Humanoid bone set and hierarchy".
 */
import type { Clip, Track } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE_COUNT, BONES, type BoneName, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../humanoid/node-bones.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { type Resampling, resampleTrack } from '../retarget/target-track.ts';
import { localToModelMatrices, modelMatrices, restPose } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { isAncestor } from '../skeleton/topology.ts';

/** Tolerances of resampled tracks: radians, fraction of the height, fraction of 1. */
const ROTATION_TOLERANCE = 1e-5;
const TRANSLATION_TOLERANCE = 2e-6;
const SCALE_TOLERANCE = 1e-6;

/** A bone and its new parent. Indices are nodes of the skeleton. */
interface BoneReparenting {
  readonly bone: BoneName;
  readonly node: number;
  readonly parent: number;
  /** Rest transform of the node in its new parent, {@link POSE_STRIDE} floats. */
  readonly rest: Float64Array;
}

/** The local matrix of a node in a parent, from their model matrices; false when the parent is not invertible. */
function localBelow(out: Float64Array, matrices: Float64Array, node: number, parent: number): boolean {
  if (!mat4.invertAffine(out, 0, matrices, MATRIX_STRIDE * parent)) return false;
  mat4.multiply(out, 0, out, 0, matrices, MATRIX_STRIDE * node);
  return true;
}

/**
 * Finds bones that are not below their parent bone. A bone that cannot be reparented is left out: its new parent is
 * below it, or the new local transform would need shear.
 */
export function findMisplacedBones({ skeleton, map }: Humanoid): BoneReparenting[] {
  const { parents } = skeleton;
  const bones = mapNodesToBones(map.nodes, parents.length);
  const matrices = modelMatrices(parents, restPose(skeleton));
  const local = new Float64Array(MATRIX_STRIDE);
  const found: BoneReparenting[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    const wanted = presentParent(bone, map.nodes);
    if (node < 0 || wanted < 0 || boneAtOrAbove(parents, bones, parents[node]) === wanted) continue;
    const parent = map.nodes[wanted];
    const rest = new Float64Array(POSE_STRIDE);
    if (parent === node || isAncestor(parents, node, parent) || !localBelow(local, matrices, node, parent)) continue;
    if (mat4.decompose(rest, 0, local, 0)) found.push({ bone: BONES[bone], node, parent, rest });
  }
  return found;
}

function moves({ parents }: Skeleton, animated: ReadonlySet<number>, node: number): boolean {
  for (let at = node; at >= 0; at = parents[at]) if (animated.has(at)) return true;
  return false;
}

/**
 * Resamples the motion of a node relative to its new parent. The node stays where the clip has it, within 1/100000 of the height. `height`: height
 * of the character in model space.
 */
export function createReparentedTracks(
  skeleton: Skeleton,
  clip: Clip,
  { node, parent, rest }: BoneReparenting,
  height: number,
): Track[] {
  const animated = new Set(clip.tracks.map(({ target }) => target));
  if (!moves(skeleton, animated, node) && !moves(skeleton, animated, parent)) return [];
  const pose = restPose(skeleton);
  const matrices = new Float64Array(MATRIX_STRIDE * skeleton.parents.length);
  const local = new Float64Array(MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  let known = Number.NaN;
  const at = (time: number): Float64Array => {
    if (time === known) return trs;
    known = time;
    sampleClip(clip, time, pose);
    localToModelMatrices(matrices, skeleton.parents, pose);
    if (localBelow(local, matrices, node, parent)) mat4.decompose(trs, 0, local, 0);
    else trs.set(rest);
    return trs;
  };
  at(0);
  const size = Math.cbrt(Math.abs(mat4.determinant(matrices, MATRIX_STRIDE * parent))) || 1;
  const part = (from: number, width: number) => {
    return (time: number, out: Floats, o: number): void => {
      for (let c = 0; c < width; c++) out[o + c] = at(time)[from + c];
    };
  };
  const { tracks, duration } = clip;
  const wanted: Resampling[] = [
    { path: 'translation', tracks, tolerance: (TRANSLATION_TOLERANCE * height) / size, evaluate: part(0, 3) },
    { path: 'rotation', tracks, tolerance: ROTATION_TOLERANCE, evaluate: part(PATH_OFFSET.rotation, 4) },
    { path: 'scale', tracks, tolerance: SCALE_TOLERANCE * size, evaluate: part(PATH_OFFSET.scale, 3) },
  ];
  return wanted.map((resampling) => resampleTrack(node, resampling, duration, undefined));
}
