/** Compares what a page shows with the library's poses. */
import { readFileSync } from 'node:fs';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONES } from '../../src/core/humanoid/bones.ts';
import * as quat from '../../src/core/math/quat.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../src/core/skeleton/skeleton.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../src/files/index.ts';
import { type Pose, type Shown, TIMES } from './template/probe.ts';

/** How far a page may differ. */
export interface Tolerance {
  /** Rotations in the space of the model, radians. */
  readonly angle: number;
  /** Positions in the space of the model, relative to the height of the hips. */
  readonly position: number;
  /** Only humanoid bones: a VRM Animation does not move twist joints. */
  readonly onlyBones?: boolean;
}

/**
 * Compares the poses of a page with those of the last clip of a file.
 *
 * @param shown What the page sent.
 * @param path A character with the clip.
 * @param tolerance How far it may differ.
 * @returns The largest differences, as text.
 * @throws Error when the page shows another pose, lacks nodes, or stays still.
 */
export async function comparePoses(
  { poses }: Pick<Shown, 'poses'>,
  path: string,
  tolerance: Tolerance,
): Promise<string> {
  const file = await openBytes(readFileSync(path), { name: path });
  const { found } = chooseHumanoid(file, 'target', {});
  if (found === null) throw new Error(`${path} is not humanoid`);
  const { skeleton, hipsHeight, map } = found.humanoid;
  const clip = file.asset.clips[file.asset.clips.length - 1].clips[found.index];
  const bones = BONES.map((bone, b) => ({ bone, node: map.nodes[b] }));
  // The eyes of a VRM Animation are its look-at.
  const compared = bones.filter(({ bone, node }) => node >= 0 && !bone.endsWith('Eye')).map(({ node }) => node);
  const nodes = tolerance.onlyBones === true ? compared : [...skeleton.names.keys()];
  let [angle, position, moved] = [0, 0, 0];
  const still = worldOf(skeleton, restPose(skeleton));
  for (const { time, pose } of poses) {
    const local = restPose(skeleton);
    sampleClip(clip, time, local);
    const own = worldOf(skeleton, local);
    const other = worldOf(skeleton, poseOf(pose, skeleton.names));
    for (const node of nodes) {
      angle = Math.max(angle, quat.angleBetween(own.rotations, 4 * node, other.rotations, 4 * node));
      moved = Math.max(moved, quat.angleBetween(still.rotations, 4 * node, other.rotations, 4 * node));
      for (let k = 12; k < 15; k++) {
        const apart = Math.abs(own.matrices[16 * node + k] - other.matrices[16 * node + k]);
        position = Math.max(position, apart / hipsHeight);
      }
    }
  }
  const text = `${nodes.length} nodes at ${poses.length} times, at most ${angle.toExponential(1)} rad and ${position.toExponential(1)} of the hips height apart`;
  if (moved < 0.2) throw new Error(`The page shows the rest pose (${moved.toFixed(3)} rad from it)`);
  if (angle > tolerance.angle || position > tolerance.position) throw new Error(`The page differs: ${text}`);
  return text;
}

/**
 * Samples the last clip of a file at the times of the pages.
 *
 * @param path A character with the clip.
 * @returns Its poses, as a page sends them.
 */
export async function posesOfFile(path: string): Promise<Pick<Shown, 'poses'>> {
  const { asset } = await openBytes(readFileSync(path), { name: path });
  const [{ skeleton }] = asset.skeletons;
  const poses = TIMES.map((time) => {
    const local = restPose(skeleton);
    sampleClip(asset.clips[asset.clips.length - 1].clips[0], time, local);
    const values = (node: number) => Array.from(local.subarray(POSE_STRIDE * node, POSE_STRIDE * (node + 1)));
    return { time, pose: Object.fromEntries(skeleton.names.map((name, node) => [name, values(node)])) };
  });
  return { poses };
}

function poseOf(pose: Pose, names: readonly string[]): Float64Array {
  const local = new Float64Array(POSE_STRIDE * names.length);
  for (const [node, name] of names.entries()) {
    const values = pose[name];
    if (values === undefined) throw new Error(`The page has no node ${JSON.stringify(name)}`);
    local.set(values, POSE_STRIDE * node);
  }
  return local;
}

function worldOf(
  { parents, names }: { readonly parents: Int32Array; readonly names: readonly string[] },
  local: Float64Array | Float32Array,
): { readonly rotations: Float64Array; readonly matrices: Float64Array } {
  const rotations = new Float64Array(4 * names.length);
  const matrices = new Float64Array(16 * names.length);
  localToModelRotations(rotations, parents, local);
  localToModelMatrices(matrices, parents, local);
  return { rotations, matrices };
}
