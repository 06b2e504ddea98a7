/** The zero pose of a new BVH, in which all angles are 0: world rotation and position of every node. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { mapNodesToBones } from '../../core/humanoid/node-bones.ts';
import { restModelPose } from '../../core/humanoid/t-pose/model-pose.ts';
import { computeNodeReference } from '../../core/humanoid/t-pose/node-reference.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { boxDiagonal } from '../../core/skeleton/skeleton-size.ts';

/** A new BVH is in centimeters. */
const UNITS_PER_METER = 100;

/** A non-humanoid skeleton. It keeps its axes. */
export interface PlainSkeleton {
  /** Joints and rest pose. */
  readonly skeleton: Skeleton;
  /** Meters per unit of length; null if unknown, then the unit is kept. */
  readonly metersPerUnit: number | null;
}

/** Transform from the space of the file to the space of the BVH, and the zero pose. */
export interface ZeroPose {
  /** Bone of every node, −1 for non-bone nodes. */
  readonly bones: Int16Array;
  /** Rotates directions from the axes of the file to those of the BVH; xyzw. */
  readonly frame: Float64Array;
  /** Units of the BVH per unit of the file. */
  readonly scale: number;
  /** Height that becomes y = 0, unit of the BVH. */
  readonly ground: number;
  /** World rotations, space of the BVH, 4 floats per node. */
  readonly rotations: Float64Array;
  /** World positions above the ground, space of the BVH, 3 floats per node. */
  readonly positions: Float64Array;
  /** Diagonal of the box around the positions. */
  readonly size: number;
}

export function isHumanoid(source: Humanoid | PlainSkeleton): source is Humanoid {
  return 'reference' in source;
}

/**
 * Computes the zero pose of a new BVH. A humanoid gets its reference pose in the canonical frame, with the ground at y = 0; non-bone nodes keep
 * the transforms that they had in it. A plain skeleton gets its rest pose in its own axes. In centimeters if the unit is known.
 */
export function zeroPose(source: Humanoid | PlainSkeleton): ZeroPose {
  return isHumanoid(source) ? zeroPoseFromReference(source) : zeroPoseFromRest(source);
}

function zeroPoseFromRest({ skeleton, metersPerUnit }: PlainSkeleton): ZeroPose {
  const { parents } = skeleton;
  const scale = metersPerUnit === null ? 1 : metersPerUnit * UNITS_PER_METER;
  const { rotations, positions } = restModelPose(skeleton);
  for (let i = 0; i < positions.length; i++) positions[i]! *= scale;
  const bones = new Int16Array(parents.length).fill(-1);
  return {
    bones,
    frame: Float64Array.of(0, 0, 0, 1),
    scale,
    ground: 0,
    rotations,
    positions,
    size: boxDiagonal(positions),
  };
}

function zeroPoseFromReference(humanoid: Humanoid): ZeroPose {
  const { map, frame, metersPerUnit } = humanoid;
  const { rotations, positions } = computeNodeReference(humanoid);
  const ground = humanoid.ground * UNITS_PER_METER;
  for (let i = 0; i < positions.length; i++) positions[i]! *= UNITS_PER_METER;
  for (let i = 1; i < positions.length; i += 3) positions[i]! -= ground;
  const bones = mapNodesToBones(map.nodes, humanoid.skeleton.parents.length);
  const scale = metersPerUnit * UNITS_PER_METER;
  return { bones, frame, scale, ground, rotations, positions, size: boxDiagonal(positions) };
}
