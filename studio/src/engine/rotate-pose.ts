/** Rotates a bone of a reference pose, with all that is parented to it. */
import type { BoneName, Humanoid } from 'anyrig';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';

/** An axis of the canonical frame: x to the left side of the character, y up, z to its front. */
type Axis = 'x' | 'y' | 'z';

export interface BoneTurn {
  readonly bone: BoneName;
  readonly axis: Axis;
  /** Degrees, counterclockwise when the axis points at the viewer. */
  readonly degrees: number;
}

function isWithin(parents: Int32Array, node: number, top: number): boolean {
  for (let at = node; at >= 0; at = parents[at]) if (at === top) return true;
  return false;
}

/** Rotates a bone of the reference pose of a humanoid. Returns the humanoid with the new rotations, world space; positions stay. */
export function rotatePose(humanoid: Humanoid, { bone, axis, degrees }: BoneTurn): Humanoid {
  const { map, skeleton, reference } = humanoid;
  const rotations = Float64Array.from(reference.rotations);
  const half = (degrees * Math.PI) / 360;
  const rotation = [0, 0, 0, Math.cos(half)];
  rotation['xyz'.indexOf(axis)] = Math.sin(half);
  const top = map.nodes[BONE[bone]];
  for (let other = 0; top >= 0 && other < BONES.length; other++) {
    if (!isWithin(skeleton.parents, map.nodes[other], top)) continue;
    quat.multiply(rotations, 4 * other, rotation, 0, rotations, 4 * other);
  }
  return { ...humanoid, reference: { ...reference, rotations } };
}
