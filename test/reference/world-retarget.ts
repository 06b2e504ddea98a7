/**
 * The slow reference implementation of planRetarget and retargetPose: frame by frame, in world space, without a plan.
 * W_t(b) = D(b) · W̄_t(b) with D(b) = W_s(b) · W̄_s(b)⁻¹, the hips at p̄_t + k · (p_s − p̄_s); then local values from the world pose.
 */
import { BONE_COUNT, BONE_PARENTS } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import {
  IDENTITY,
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  rotated,
  rotationOf,
  scaleOf,
  times,
  translationOf,
  unit,
  type Vector,
  worldPose,
  worldPosition,
} from './plain.ts';

/** Returns D(b) of every bone of a pose, canonical frame; null for missing bones. */
export function worldDeltas(humanoid: Humanoid, local: ArrayLike<number>): (Quaternion | null)[] {
  const { rotations } = worldPose(humanoid.skeleton.parents, local);
  return Array.from(humanoid.map.nodes, (node, bone) =>
    node < 0 ? null : product(Array.from(humanoid.frame), rotations[node], inverse(referenceRotation(humanoid, bone))),
  );
}

export function referenceRotation({ reference }: Humanoid, bone: number): Quaternion {
  return read(reference.rotations, 4 * bone, 4);
}

/** Returns the position of the hips, canonical frame, meters. */
export function hipsPosition(humanoid: Humanoid, local: ArrayLike<number>): Vector {
  return toCanonical(humanoid, worldPosition(humanoid.skeleton.parents, local, humanoid.map.nodes[0]));
}

/** Converts a point from the axes and units of the file to the canonical frame, meters. */
export function toCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(rotated(Array.from(frame), point), metersPerUnit);
}

/** Converts a point from the canonical frame, meters, to the axes and units of the file. */
export function fromCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(rotated(inverse(Array.from(frame)), point), 1 / metersPerUnit);
}

/** Returns the bone that drives a bone: the same bone, else its nearest ancestor in the tree of all 55 bones that the source has. */
export function driverOf(source: Humanoid, bone: number): number {
  if (source.map.nodes[bone] >= 0) return bone;
  return driverOf(source, BONE_PARENTS[bone]);
}

/** Returns the deltas that a target must have: those of the drivers of its bones. */
export function expectedDeltas(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
): (Quaternion | null)[] {
  const deltas = worldDeltas(source, sourceLocal);
  return Array.from({ length: BONE_COUNT }, (_, bone) =>
    target.map.nodes[bone] < 0 ? null : deltas[driverOf(source, bone)],
  );
}

/** Returns where the target hips must be: their reference position plus the offset of the source hips times `factor`. */
export function expectedHips(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor: number = target.hipsHeight / source.hipsHeight,
): Vector {
  const offset = minus(hipsPosition(source, sourceLocal), read(source.reference.positions, 0, 3));
  return plus(read(target.reference.positions, 0, 3), times(offset, factor));
}

/** Returns the local pose of the target, non-bone nodes at rest. */
export function retargetInWorldSpace(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor?: number,
): Float64Array {
  const deltas = expectedDeltas(source, target, sourceLocal);
  return poseOfDeltas(target, deltas, expectedHips(source, target, sourceLocal, factor));
}

/** Returns the local pose with these deltas and the hips at a point of the canonical frame; non-bone nodes at rest. */
export function poseOfDeltas(humanoid: Humanoid, deltas: readonly (Quaternion | null)[], hips: Vector): Float64Array {
  const { skeleton, map, frame } = humanoid;
  const local = Float64Array.from(skeleton.rest);
  const toFile = inverse(Array.from(frame));
  const boneOfNode = new Map(Array.from(map.nodes, (node, bone) => [node, bone] as const));
  const world: Quaternion[] = [];
  for (let node = 0; node < skeleton.parents.length; node++) {
    const parent = skeleton.parents[node];
    const above = parent < 0 ? IDENTITY : world[parent];
    const bone = boneOfNode.get(node);
    const delta = bone === undefined ? null : deltas[bone];
    if (bone === undefined || delta === null) {
      world.push(product(above, unit(rotationOf(local, node))));
      continue;
    }
    world.push(product(toFile, delta, referenceRotation(humanoid, bone)));
    local.set(product(inverse(above), world[node]), 10 * node + 3);
  }
  const node = map.nodes[0];
  local.set(localPoint(skeleton.parents, local, skeleton.parents[node], fromCanonical(humanoid, hips)), 10 * node);
  return local;
}

/** Converts a point from model space to the space of a node: back through every node above it, the root first. */
function localPoint(parents: Int32Array, local: ArrayLike<number>, node: number, point: Vector): Vector {
  if (node < 0) return point;
  const above = localPoint(parents, local, parents[node], point);
  const [x, y, z] = rotated(inverse(unit(rotationOf(local, node))), minus(above, translationOf(local, node)));
  const [sx, sy, sz] = scaleOf(local, node);
  return [x / sx, y / sy, z / sz];
}
