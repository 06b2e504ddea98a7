import type { Clip } from '../animation/clip.ts';
import { clipWithoutReflections } from '../animation/reflect-clip.ts';
import type { Floats } from '../math/floats.ts';
import { findReflections, type PoseSigns, reflectPose, withoutReflections } from '../skeleton/reflections.ts';
import type { Humanoid } from './humanoid.ts';

/** A humanoid without negative scales, and the signs that convert its poses and clips. */
interface StraightHumanoid {
  readonly humanoid: Humanoid;
  /** Signs between its poses and those of the file; null where both are the same. */
  readonly signs: PoseSigns | null;
}

/** Returns a humanoid without the negative scales of its rig: joint positions and reference pose are the same, and rotations compose. */
export function straightHumanoid(humanoid: Humanoid): StraightHumanoid {
  const { skeleton, basePose } = humanoid;
  const signs = findReflections(skeleton);
  if (signs === null) return { humanoid, signs };
  const straight = {
    ...humanoid,
    skeleton: withoutReflections(skeleton, signs),
    basePose: basePose === null ? null : reflected(basePose, signs),
  };
  return { humanoid: straight, signs };
}

/** Returns a humanoid and its clip without the negative scales of the rig. */
export function straightMotion(humanoid: Humanoid, clip: Clip): StraightHumanoid & { readonly clip: Clip } {
  const straight = straightHumanoid(humanoid);
  return { ...straight, clip: clipWithoutReflections(clip, straight.signs, straight.humanoid.skeleton.rest) };
}

/**
 * Converts a pose from a rig with reflections to the same rig without, or back. `pose`: 10 floats per node, local space. `signs`: signs of the rig;
 * null for a rig without reflections.
 */
export function reflected<T extends Floats>(pose: T, signs: PoseSigns | null): T {
  if (signs === null) return pose;
  const out = pose.slice() as T;
  reflectPose(out, out, signs);
  return out;
}
