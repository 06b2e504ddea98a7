import type { Clip } from '../animation/clip.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { type FoundRootMotion, findRootMotion, movingGroundNodes } from './find-root-motion.ts';
import { scaleGroundMotion } from './ground-motion.ts';
import { moveRootMotion } from './move-root-motion.ts';
import { staysInHips } from './root-bone.ts';
import type { RootOption } from './root-option.ts';
import { travelUnit } from './travel-unit.ts';

/** Movement of a root bone that counts as root motion: relative to the height of the hips, and radians. */
const LEAST_DISTANCE = 0.02;
const LEAST_YAW = 0.035;

/** A motion and what it was retargeted to. */
interface RetargetedPair {
  /** The humanoid that moves. */
  readonly source: Humanoid;
  /** Its clip. */
  readonly sourceClip: Clip;
  /** The humanoid that follows. */
  readonly target: Humanoid;
  /** Its clip after `retargetClip`, with the root motion in the hips; contacts may have been applied. */
  readonly clip: Clip;
  /** Meters that the hips of the target travel per meter of the source: `hipsScale` of the plan. */
  readonly hipsScale: number;
}

/** Whether nodes above the hips move by more than noise. */
function movesNodes({ nodes, motion: { positions, yaws } }: FoundRootMotion, size: number): boolean {
  if (nodes.length === 0) return false;
  const isFar = positions.some((value, k) => Math.abs(value - positions[k % 2]) > LEAST_DISTANCE * size);
  return isFar || yaws?.some((yaw) => Math.abs(yaw - yaws[0]) > LEAST_YAW) === true;
}

/**
 * Delivers the root motion of a retargeted clip. Where nodes above the hips of the source have it, that of the target is exactly theirs, scaled; otherwise it is found in the
 * hips. The bones move over the ground as before, except with `in-place`.
 *
 * @param pair The motion and the retargeted clip.
 * @param to Where the root motion goes.
 * @returns The clip; the same object where nothing changed.
 * @example
 * const plan = planRetarget(source, target);
 * const clip = retargetClip(plan, walk);
 * const game = transferRootMotion({ source, sourceClip: walk, target, clip, hipsScale: plan.hipsScale }, 'root-bone');
 */
export function transferRootMotion(
  { source, sourceClip, target, clip, hipsScale }: RetargetedPair,
  to: RootOption,
): Clip {
  if (staysInHips(target, to)) return clip;
  if (to === 'in-place') return moveRootMotion(target, clip, 'in-place').clip;
  if (to === 'keep' && movingGroundNodes(source, sourceClip).length === 0) return clip;
  const root = findRootMotion(source, sourceClip);
  const isOnNodes = movesNodes(root, travelUnit(source));
  if (to === 'keep' && !isOnNodes) return clip;
  const motion = isOnNodes ? scaleGroundMotion(root.motion, source, target, hipsScale) : undefined;
  return moveRootMotion(target, clip, 'root-bone', motion).clip;
}
