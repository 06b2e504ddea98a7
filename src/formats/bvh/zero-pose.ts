/** The pose that all angles of a new BVH are 0 in, as world rotations and positions of every node. */

import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { mapNodesToBones } from '../../core/humanoid/node-bones.ts';
import { restModelPose } from '../../core/humanoid/t-pose/model-pose.ts';
import { computeNodeReference } from '../../core/humanoid/t-pose/node-reference.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';

/** Units of length of a new BVH in a meter: centimeters. */
const UNITS_PER_METER = 100;

/** A skeleton that is no humanoid. It keeps its axes. */
export interface PlainBody {
  readonly skeleton: Skeleton;
  /** Meters of one unit of length; null where it is not known: the unit is kept. */
  readonly metersPerUnit: number | null;
}

/** How points and rotations of a file come into the space of the BVH, and the pose that is its zero pose. */
export interface ZeroPose {
  /** The bone of every node, −1 for nodes that are none. */
  readonly bones: Int16Array;
  /** Turns directions of the file's axes into those of the BVH; xyzw. */
  readonly frame: Float64Array;
  /** Units of the BVH in one of the file. */
  readonly scale: number;
  /** Height, in units of the BVH, that becomes y = 0. */
  readonly ground: number;
  /** World rotation per node, 4 a node; world position per node, 3 a node, from the ground. Space of the BVH. */
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
  /** Diagonal of the box around the positions. */
  readonly size: number;
}

export function isHumanoid(body: Humanoid | PlainBody): body is Humanoid {
  return 'reference' in body;
}

/**
 * Of a humanoid the reference pose: bones as there, nodes between and below them as they stood when it was taken; canonical frame,
 * ground at y = 0. Of another skeleton the rest pose, axes kept. Centimeters, where the unit is known.
 */
export function zeroPose(body: Humanoid | PlainBody): ZeroPose {
  return isHumanoid(body) ? poseOfReference(body) : poseOfRest(body);
}

function sizeOf(positions: Float64Array): number {
  const low = positions.slice(0, 3);
  const high = positions.slice(0, 3);
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  return vec3.distance(low, 0, high, 0);
}

function poseOfRest({ skeleton, metersPerUnit }: PlainBody): ZeroPose {
  const { parents } = skeleton;
  const scale = metersPerUnit === null ? 1 : metersPerUnit * UNITS_PER_METER;
  const { rotations, positions } = restModelPose(skeleton);
  for (let i = 0; i < positions.length; i++) positions[i]! *= scale;
  const bones = new Int16Array(parents.length).fill(-1);
  return { bones, frame: Float64Array.of(0, 0, 0, 1), scale, ground: 0, rotations, positions, size: sizeOf(positions) };
}

function poseOfReference(humanoid: Humanoid): ZeroPose {
  const { map, frame, metersPerUnit } = humanoid;
  const { rotations, positions } = computeNodeReference(humanoid);
  const ground = humanoid.ground * UNITS_PER_METER;
  for (let i = 0; i < positions.length; i++) positions[i]! *= UNITS_PER_METER;
  for (let i = 1; i < positions.length; i += 3) positions[i]! -= ground;
  const bones = mapNodesToBones(map.nodes, humanoid.skeleton.parents.length);
  const scale = metersPerUnit * UNITS_PER_METER;
  return { bones, frame, scale, ground, rotations, positions, size: sizeOf(positions) };
}
