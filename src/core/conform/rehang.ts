/**
 * Bones that do not hang below the bone that is their parent (feet below roots of their own for inverse kinematics, shoulders below the neck), hung
 * there: every node stays where it is, at rest and in every clip. EXT_skeleton_humanoid, "Humanoid bone set and hierarchy".
 */
import type { Clip, Track } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE_COUNT, BONES, type BoneName, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, bonesOfNodes } from '../humanoid/node-bones.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { type Resampling, resampled } from '../retarget/target-track.ts';
import { localToModelMatrices, restPose } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { isAncestor } from '../skeleton/topology.ts';

/** What resampled tracks may miss: radians, parts of the height, parts of 1. */
const TURN = 1e-5;
const WAY = 2e-6;
const SCALE = 1e-6;

/** A bone and the node that it is to hang below. Nodes of the skeleton. */
export interface Rehanging {
  readonly bone: BoneName;
  readonly node: number;
  readonly parent: number;
  /** Local transform below its new parent at rest, {@link POSE_STRIDE} floats. */
  readonly rest: Float64Array;
}

/** The local matrix of a node below another one, by their model matrices; false where there is none. */
function localBelow(out: Float64Array, matrices: Float64Array, node: number, parent: number): boolean {
  if (!mat4.invertAffine(out, 0, matrices, MATRIX_STRIDE * parent)) return false;
  mat4.multiply(out, 0, out, 0, matrices, MATRIX_STRIDE * node);
  return true;
}

/** Bones that hang elsewhere, parents first. One that cannot be hung below its parent bone is left out: that would make a circle, or need shear. */
export function misplacedBones({ skeleton, map }: Humanoid): Rehanging[] {
  const { parents } = skeleton;
  const bones = bonesOfNodes(map.nodes, parents.length);
  const matrices = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(matrices, parents, restPose(skeleton));
  const local = new Float64Array(MATRIX_STRIDE);
  const found: Rehanging[] = [];
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

/** Whether a clip moves a node, or any above it. */
function moves({ parents }: Skeleton, animated: ReadonlySet<number>, node: number): boolean {
  for (let at = node; at >= 0; at = parents[at]) if (animated.has(at)) return true;
  return false;
}

/**
 * Tracks of a node below its new parent, resampled, which take the place of its own: the node is where the clip has it, to a hundred-thousandth of
 * the height. None when the clip moves neither the node nor its new parent. `height`: of the body, model space.
 */
export function rehungTracks(
  skeleton: Skeleton,
  clip: Clip,
  { node, parent, rest }: Rehanging,
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
    { path: 'translation', tracks, tolerance: (WAY * height) / size, evaluate: part(0, 3) },
    { path: 'rotation', tracks, tolerance: TURN, evaluate: part(3, 4) },
    { path: 'scale', tracks, tolerance: SCALE * size, evaluate: part(7, 3) },
  ];
  return wanted.map((resampling) => resampled(node, resampling, duration, undefined));
}
