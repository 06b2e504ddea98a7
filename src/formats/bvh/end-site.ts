/** Position of an End Site of a new BVH where no node defines it. */
import { BONE } from '../../core/humanoid/bones.ts';
import * as vec3 from '../../core/math/vec3.ts';

/** Length of an End Site relative to the bone before it, and its limits relative to the size of the skeleton. */
const PART = 0.7;
const SHORTEST = 0.01;
const LONGEST = 0.12;

const UP = [0, 1, 0];
const FRONT = [0, 0, 1];

/** Directions of bones that do not continue the direction of the bone before them. */
const DIRECTIONS: Readonly<Record<number, readonly number[]>> = {
  [BONE.head]: UP,
  [BONE.jaw]: FRONT,
  [BONE.leftEye]: FRONT,
  [BONE.rightEye]: FRONT,
  [BONE.leftFoot]: FRONT,
  [BONE.rightFoot]: FRONT,
  [BONE.leftToes]: FRONT,
  [BONE.rightToes]: FRONT,
};

/**
 * Computes the OFFSET of an End Site: in the direction of the joint's own OFFSET, or in the direction of the bone; up for a single joint.
 *
 * @returns Xyz in the unit of `offset`
 */
export function endOffset(offset: ArrayLike<number>, bone: number, size: number): Float64Array {
  const end = new Float64Array(3);
  const length = Math.min(LONGEST * size, Math.max(SHORTEST * size, PART * vec3.length(offset, 0)));
  const direction = DIRECTIONS[bone];
  if (direction !== undefined) end.set(direction);
  else if (!(vec3.normalize(end, 0, offset, 0) > 0)) end.set(UP);
  vec3.scale(end, 0, end, 0, length > 0 ? length : 1);
  return end;
}
