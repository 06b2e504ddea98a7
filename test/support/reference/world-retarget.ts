/**
 * The slow reference implementation of planRetarget and retargetPose: frame by frame, in world space, without a plan.
 * W_t(b) = D(b) · W̄_t(b) with D(b) = W_s(b) · W̄_s(b)⁻¹, the pelvis (the middle of both upper legs) at p̄_t + k · (p_s − p̄_s); then local values
 * from the world pose.
 */
import {
  BONE,
  BONE_COUNT,
  BONE_PARENTS,
  BONES,
  type BoneName,
  presentParent,
} from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
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

/** The bones whose middle is the pelvis: both upper legs, or the hips of a humanoid without them. */
function pelvisBones({ map }: Humanoid): number[] {
  const legs = [BONE.leftUpperLeg, BONE.rightUpperLeg];
  return legs.every((bone) => map.nodes[bone] >= 0) ? legs : [BONE.hips];
}

function middle(points: readonly Vector[]): Vector {
  return times(
    points.reduce((sum, point) => plus(sum, point)),
    1 / points.length,
  );
}

/** Returns the position of the pelvis, canonical frame, meters. */
export function pelvisPosition(humanoid: Humanoid, local: ArrayLike<number>): Vector {
  const positionOf = (bone: number): Vector =>
    worldPosition(humanoid.skeleton.parents, local, humanoid.map.nodes[bone]);
  return middle(pelvisBones(humanoid).map((bone) => toCanonical(humanoid, positionOf(bone))));
}

/** Returns the position of the pelvis in the reference pose, canonical frame, meters. */
export function referencePelvis(humanoid: Humanoid): Vector {
  return middle(pelvisBones(humanoid).map((bone) => read(humanoid.reference.positions, 3 * bone, 3)));
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

/** Returns where the target pelvis must be: its reference position plus the offset of the source pelvis times `factor`. */
export function expectedPelvis(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor: number = target.hipsHeight / source.hipsHeight,
): Vector {
  const offset = minus(pelvisPosition(source, sourceLocal), referencePelvis(source));
  return plus(referencePelvis(target), times(offset, factor));
}

/** Returns where the target hips must be: the vector from the pelvis to the hips rotates with the hips. */
export function expectedHips(
  source: Humanoid,
  target: Humanoid,
  sourceLocal: ArrayLike<number>,
  factor?: number,
): Vector {
  const arm = minus(read(target.reference.positions, 0, 3), referencePelvis(target));
  const delta = worldDeltas(source, sourceLocal)[BONE.hips] as Quaternion;
  return plus(expectedPelvis(source, target, sourceLocal, factor), rotated(delta, arm));
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

/** Returns the position of every joint of the human skeleton, canonical frame, meters: each at the end of the limb of its parent bone. */
export function jointPositions(
  { map, reference }: Humanoid,
  deltas: readonly (Quaternion | null)[],
  pelvis: Vector,
): (Vector | null)[] {
  const out: (Vector | null)[] = [];
  const start = referencePelvis({ map, reference } as Humanoid);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) {
      out.push(null);
      continue;
    }
    const above = presentParent(bone, map.nodes);
    const limb = minus(
      read(reference.positions, 3 * bone, 3),
      above < 0 ? start : read(reference.positions, 3 * above, 3),
    );
    out.push(
      plus(above < 0 ? pelvis : (out[above] as Vector), rotated(deltas[Math.max(above, 0)] as Quaternion, limb)),
    );
  }
  return out;
}

/** Returns the local pose with these deltas and joint positions (canonical frame, meters); non-bone nodes at rest. */
export function poseOfJoints(
  humanoid: Humanoid,
  deltas: readonly (Quaternion | null)[],
  joints: readonly (Vector | null)[],
): Float64Array {
  const { skeleton, map } = humanoid;
  const local = poseOfDeltas(humanoid, deltas, joints[0] as Vector);
  const bones = Array.from(map.nodes.keys()).filter((bone) => map.nodes[bone] >= 0);
  for (const bone of bones.sort((a, b) => map.nodes[a] - map.nodes[b])) {
    const node = map.nodes[bone];
    const point = fromCanonical(humanoid, joints[bone] as Vector);
    local.set(localPoint(skeleton.parents, local, skeleton.parents[node], point), 10 * node);
  }
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
