/**
 * Plans constant channels that put a character into its base pose: the pose that its reference pose was derived from.
 *
 * Some files have a rest pose in the middle of a movement: nodes between bones are rotated, limbs are stretched. Directions and skin are
 * only right if these nodes have the transforms of the base pose (usually the bind pose).
 */
import { PATH_WIDTH, TRACK_PATHS } from '../animation/clip.ts';
import { BONE, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../humanoid/node-bones.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { ConstantChannel } from './plan-types.ts';

/** Greatest difference that counts as noise, radians or relative to the length: inverse bind matrices are float32, often in centimeters. */
const NOISE = 5e-5;

/** Returns the nodes from below the parent bone down to a bone; only the bone if its parent bone is not its ancestor. */
function limbNodes({ skeleton, map }: Humanoid, bone: number): number[] {
  const top = presentParent(bone, map.nodes);
  const nodes: number[] = [];
  let node = map.nodes[bone];
  while (node >= 0 && node !== map.nodes[top]) {
    nodes.push(node);
    node = skeleton.parents[node];
  }
  return node < 0 ? [map.nodes[bone]] : nodes;
}

function differs(a: Floats, b: Floats, at: number, width: number): boolean {
  if (width === 4) return quat.angleBetween(a, at, b, at) > NOISE;
  return vec3.distance(a, at, b, at) > NOISE * vec3.length(b, at);
}

/** Returns the skin joints without a bone that are below a bone. */
function jointsBelowBones({ skeleton, map }: Humanoid): number[] {
  const { parents } = skeleton;
  const boneOfNode = mapNodesToBones(map.nodes, parents.length);
  return skeleton.names.flatMap((_, node) =>
    skeleton.joints[node] === 1 && boneOfNode[node] < 0 && boneAtOrAbove(parents, boneOfNode, node) >= 0 ? [node] : [],
  );
}

/**
 * Plans the channels of the base pose that differ from the rest pose: all channels of the nodes between bones and of skin joints below
 * bones, translation and scale of bones (their rotation is retargeted), the scale of the hips.
 */
export function planBasePose(target: Humanoid): ConstantChannel[] {
  const { map, skeleton, basePose } = target;
  if (basePose === null) return [];
  const boneNodes = new Set(map.nodes);
  const hips = map.nodes[BONE.hips];
  const limbs = Array.from(map.nodes, (node, bone) => (node < 0 || node === hips ? [] : limbNodes(target, bone)));
  const channels: ConstantChannel[] = [];
  for (const node of new Set([hips, ...limbs.flat(), ...jointsBelowBones(target)])) {
    for (const path of TRACK_PATHS) {
      const start = POSE_STRIDE * node + PATH_OFFSET[path];
      const width = PATH_WIDTH[path];
      if (path === 'rotation' && boneNodes.has(node)) continue;
      if (path === 'translation' && node === hips) continue;
      if (!differs(basePose, skeleton.rest, start, width)) continue;
      channels.push({ targetNode: node, path, value: basePose.slice(start, start + width) });
    }
  }
  return channels;
}

/** Returns the rest pose of a character with constant channels applied: 10 floats per node, local space. */
export function restWithChannels(target: Humanoid, channels: readonly ConstantChannel[]): Float64Array {
  const rest = Float64Array.from(target.skeleton.rest);
  for (const { targetNode, path, value } of channels) rest.set(value, POSE_STRIDE * targetNode + PATH_OFFSET[path]);
  return rest;
}
