/** The turns that give bones their canonical axes. EXT_skeleton_humanoid, "Reference pose": +Y along the bone, +X bends it. */
import { BONE_COUNT } from '../humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../humanoid/canonical-frames.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';

/** Squared chord of a turn below which it is none: a rounding of float64 that would only make a file longer. */
const NO_TURN = 1e-18;

/** Whether a rotation turns nothing but by a rounding. */
export function isNoTurn(q: ArrayLike<number>, i: number): boolean {
  return q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] < NO_TURN;
}

/**
 * `G(b) = W̄(b)⁻¹ · C(b)` per bone, xyzw: a bone with the world rotation W̄(b) in the reference pose (`rotations`, canonical frame, 4 a bone) has the
 * canonical axes C(b) once its own axes are turned by G(b). Identity where the bone is absent or has them already.
 */
export function canonicalTurns(rotations: Floats, nodes: ArrayLike<number>): Float64Array {
  const turns = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const at = 4 * bone;
    quat.identity(turns, at);
    if (nodes[bone] < 0) continue;
    quat.conjugate(turns, at, rotations, at);
    quat.multiply(turns, at, turns, at, CANONICAL_FRAMES, at);
    quat.normalize(turns, at, turns, at);
    if (isNoTurn(turns, at)) quat.identity(turns, at);
  }
  return turns;
}
