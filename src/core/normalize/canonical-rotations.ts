/** The rotations that give bones their canonical axes. EXT_skeleton_humanoid, "Reference pose": +Y along the bone, +X flexes it. */
import { BONE_COUNT } from '../humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../humanoid/canonical-frames.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';

/** Squared sine of half the angle below which a rotation is a float64 rounding error, which would only enlarge the file. */
const MIN_SQUARED_SINE = 1e-18;

/** Checks whether a rotation is the identity up to rounding. `q`: array with a unit quaternion xyzw. */
export function isIdentityRotation(q: ArrayLike<number>, i: number): boolean {
  return q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] < MIN_SQUARED_SINE;
}

/**
 * Computes `G(b) = W̄(b)⁻¹ · C(b)` per bone. A bone with the world rotation W̄(b) in the reference pose has the canonical axes C(b) after its own
 * axes are rotated by G(b). `rotations`: W̄(b): world rotation per bone in the reference pose, xyzw, canonical frame. Returns G(b) per bone, xyzw;
 * identity where the bone is absent or has canonical axes.
 */
export function canonicalRotations(rotations: Floats, nodes: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const at = 4 * bone;
    quat.identity(out, at);
    if (nodes[bone] < 0) continue;
    quat.conjugate(out, at, rotations, at);
    quat.multiply(out, at, out, at, CANONICAL_FRAMES, at);
    quat.normalize(out, at, out, at);
    if (isIdentityRotation(out, at)) quat.identity(out, at);
  }
  return out;
}
