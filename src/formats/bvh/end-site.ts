/** Where the End Site of a new BVH lies when no node says it. */
import { BONE } from '../../core/humanoid/bones.ts';
import * as vec3 from '../../core/math/vec3.ts';

/** Length of an End Site, in parts of the bone before it, and its bounds in parts of the size of the body. */
const PART = 0.7;
const SHORTEST = 0.01;
const LONGEST = 0.12;

const UP = [0, 1, 0];
const FRONT = [0, 0, 1];

/** Directions of bones that do not go on as the bone before them does. */
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

/** The OFFSET of an End Site below a joint: onward from its own `offset`, or where a bone of a body ends; up for a lone joint. */
export function endOffset(offset: ArrayLike<number>, bone: number, size: number): Float64Array {
  const end = new Float64Array(3);
  const length = Math.min(LONGEST * size, Math.max(SHORTEST * size, PART * vec3.length(offset, 0)));
  const direction = DIRECTIONS[bone];
  if (direction !== undefined) end.set(direction);
  else if (!(vec3.normalize(end, 0, offset, 0) > 0)) end.set(UP);
  vec3.scale(end, 0, end, 0, length > 0 ? length : 1);
  return end;
}
