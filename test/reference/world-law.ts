/**
 * The law of retargeting, frame by frame and in the world, without any plan: W_t(b) = D(b) · W̄_t(b) with D(b) = W_s(b) · W̄_s(b)⁻¹, the
 * hips at p̄_t + k · (p_s − p̄_s), and then every local value from the world of the node above it. The slow twin of planRetarget + retargetPose.
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
  rotationOf,
  scaleOf,
  times,
  translationOf,
  turned,
  unit,
  type Vector,
  worldPose,
} from './plain.ts';

/** D(b), canonical frame, of every bone of a pose; null for bones that are not there. */
export function worldDeltas(humanoid: Humanoid, local: ArrayLike<number>): (Quaternion | null)[] {
  const { rotations } = worldPose(humanoid.skeleton.parents, local);
  return Array.from(humanoid.map.nodes, (node, bone) =>
    node < 0 ? null : product(Array.from(humanoid.frame), rotations[node], inverse(referenceRotation(humanoid, bone))),
  );
}

export function referenceRotation({ reference }: Humanoid, bone: number): Quaternion {
  return read(reference.rotations, 4 * bone, 4);
}

/** Where the hips are, canonical frame, meters. */
export function hipsPosition(humanoid: Humanoid, local: ArrayLike<number>): Vector {
  const { positions } = worldPose(humanoid.skeleton.parents, local);
  return toCanonical(humanoid, positions[humanoid.map.nodes[0]]);
}

/** A point of the file in the canonical frame, meters. */
export function toCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(turned(Array.from(frame), point), metersPerUnit);
}

/** A point of the canonical frame, meters, in the file. */
export function fromCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(turned(inverse(Array.from(frame)), point), 1 / metersPerUnit);
}

/** The bone whose motion a bone shows: itself, else the first one above it, in the tree of all 55 bones, that the source has. */
export function driverOf(source: Humanoid, bone: number): number {
  if (source.map.nodes[bone] >= 0) return bone;
  return driverOf(source, BONE_PARENTS[bone]);
}

/** The deltas that a target must show: those of the drivers of its bones. */
export function lawfulDeltas(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
): (Quaternion | null)[] {
  const deltas = worldDeltas(source, sourceLocal);
  return Array.from({ length: BONE_COUNT }, (_, bone) =>
    target.map.nodes[bone] < 0 ? null : deltas[driverOf(source, bone)],
  );
}

/** Where the hips of the target must be: as far from their reference position as those of the source, scaled by `factor`. */
export function lawfulHips(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor: number = target.hipsHeight / source.hipsHeight,
): Vector {
  const way = minus(hipsPosition(source, sourceLocal), read(source.reference.positions, 0, 3));
  return plus(read(target.reference.positions, 0, 3), times(way, factor));
}

/** The local pose of the target, nodes without a bone at rest. */
export function worldLaw(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor?: number,
): Float64Array {
  const deltas = lawfulDeltas(source, target, sourceLocal);
  return poseOfDeltas(target, deltas, lawfulHips(source, target, sourceLocal, factor));
}

/** The local pose in which the bones show these deltas and the hips are at a point of the canonical frame; other nodes at rest. */
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

/** A point of the world in the space of a node: back through every node above it, the root first. */
function localPoint(parents: Int32Array, local: ArrayLike<number>, node: number, point: Vector): Vector {
  if (node < 0) return point;
  const above = localPoint(parents, local, parents[node], point);
  const [x, y, z] = turned(inverse(unit(rotationOf(local, node))), minus(above, translationOf(local, node)));
  const [sx, sy, sz] = scaleOf(local, node);
  return [x / sx, y / sy, z / sz];
}
