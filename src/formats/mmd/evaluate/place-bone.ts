import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import type { Rig, RigState } from './rig.ts';

const offset = new Float64Array(3);

export function placeBone({ parents, rest }: Rig, state: RigState, bone: number): void {
  const { locals, worldPositions, worldRotations } = state;
  quat.multiply(locals, 4 * bone, state.ikRotations, 4 * bone, state.rotations, 4 * bone);
  vec3.add(offset, 0, rest, 3 * bone, state.offsets, 3 * bone);
  const parent = parents[bone];
  if (parent < 0) {
    vec3.copy(worldPositions, 3 * bone, offset, 0);
    quat.copy(worldRotations, 4 * bone, locals, 4 * bone);
    return;
  }
  vec3.rotate(offset, 0, worldRotations, 4 * parent, offset, 0);
  vec3.add(worldPositions, 3 * bone, worldPositions, 3 * parent, offset, 0);
  quat.multiply(worldRotations, 4 * bone, worldRotations, 4 * parent, locals, 4 * bone);
}
