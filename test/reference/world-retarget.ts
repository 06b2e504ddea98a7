/**
 * The slow reference implementation of planRetarget and retargetPose: frame by frame, in world space, without a plan.
 * W_t(b) = D(b) · W̄_t(b) with D(b) = W_s(b) · W̄_s(b)⁻¹, the hips at p̄_t + k · (p_s − p̄_s); then local values from the world pose.
 */
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, type BoneName } from '../../src/core/humanoid/bones.ts';
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

/**
 * Returns the position of the hips that a target follows, canonical frame, meters: if the legs move against the hips, the middle of both
 * legs less its offset from the hips in the reference pose. A thousandth of the hips height has no effect.
 */
export function drivingHips(humanoid: Humanoid, local: ArrayLike<number>): Vector {
  const { skeleton, map, reference, hipsHeight, height } = humanoid;
  const hips = hipsPosition(humanoid, local);
  const legs = [BONE.leftUpperLeg, BONE.rightUpperLeg];
  const isBelowHips = (node: number): boolean =>
    node >= 0 && (node === map.nodes[0] || isBelowHips(skeleton.parents[node]));
  if (!legs.every((bone) => isBelowHips(map.nodes[bone]))) return hips;
  const middle = (points: readonly Vector[]): Vector => times(plus(points[0], points[1]), 0.5);
  const rest = minus(
    middle(legs.map((bone) => read(reference.positions, 3 * bone, 3))),
    read(reference.positions, 0, 3),
  );
  const delta = worldDeltas(humanoid, local)[0] as Quaternion;
  const shown = middle(
    legs.map((bone) => toCanonical(humanoid, worldPosition(skeleton.parents, local, map.nodes[bone]))),
  );
  const offset = minus(minus(shown, hips), rotated(delta, rest));
  const scale = hipsHeight > 0.01 * height ? hipsHeight : height > 0 ? height : 1;
  const length = Math.hypot(...offset);
  return length > 1e-3 * scale ? plus(hips, times(offset, 1 - (1e-3 * scale) / length)) : hips;
}

/** Converts a point from the axes and units of the file to the canonical frame, meters. */
export function toCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(rotated(Array.from(frame), point), metersPerUnit);
}

/** Converts a point from the canonical frame, meters, to the axes and units of the file. */
export function fromCanonical({ frame, metersPerUnit }: Humanoid, point: Vector): Vector {
  return times(rotated(inverse(Array.from(frame)), point), 1 / metersPerUnit);
}

/** The fingers in whose place each finger is driven, in the order in which they are tried. */
const INSTEAD: Readonly<Record<string, string>> = {
  Index: 'Index Middle Ring Little',
  Middle: 'Middle Ring Index Little',
  Ring: 'Ring Middle Little Index',
  Little: 'Little Ring Middle Index',
};

/**
 * Returns the bone that drives a bone: the same bone, else the same joint of the nearest finger that the source has, else its nearest
 * ancestor in the tree of all 55 bones that the source has.
 */
export function driverOf(source: Humanoid, bone: number): number {
  const has = (one: number): boolean => source.map.nodes[one] >= 0;
  const [, side = '', finger = '', segment = ''] =
    /^(left|right)(Index|Middle|Ring|Little)(.*)$/.exec(BONES[bone]) ?? [];
  const segments = ['Proximal', 'Intermediate', 'Distal'];
  for (const other of finger === '' ? [] : INSTEAD[finger].split(' ')) {
    const joints = segments
      .slice(0, segments.indexOf(segment) + 1)
      .map((name) => BONE[`${side}${other}${name}` as BoneName]);
    // Another finger is only taken if it starts at the hand.
    if (other !== finger && !has(joints[0])) continue;
    const last = joints.filter(has).at(-1);
    if (last !== undefined) return last;
  }
  return has(bone) ? bone : driverOf(source, BONE_PARENTS[bone]);
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
  const offset = minus(drivingHips(source, sourceLocal), read(source.reference.positions, 0, 3));
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
