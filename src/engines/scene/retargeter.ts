/** Retargets poses between characters of a scene, frame by frame. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { listReadNodes, listWrittenNodes } from './plan-nodes.ts';

/** Applies the current pose of one character to another. */
export interface Retargeter {
  /** The retargeting plan of the pair. */
  readonly plan: RetargetPlan;
  /** Issues of both characters and of the plan. */
  readonly issues: readonly Issue[];
  /** Reads the current pose of the source and applies it to the target. Does not allocate. */
  update(): void;
}

interface Character {
  readonly humanoid: Humanoid;
  readonly issues: readonly Issue[];
}

/** The character that is read. Nodes are indices of its skeleton. */
export interface SourceCharacter extends Character {
  /** Returns whether the transform of a node positions the character in the scene, and is ignored. */
  readonly isIgnored: (node: number) => boolean;
  /** Writes the current local transform of a node to `pose`, 10 numbers from index `at`. */
  readonly read: (pose: Float64Array, at: number, node: number) => void;
}

/** The character that is written. Nodes are indices of its skeleton. */
export interface TargetCharacter extends Character {
  /** Sets the local translation of a node: 3 numbers of `pose` from index `at`. */
  readonly translate: (node: number, pose: Float64Array, at: number) => void;
  /** Sets the local rotation of a node: 4 numbers xyzw of `pose` from index `at`. */
  readonly rotate: (node: number, pose: Float64Array, at: number) => void;
  /** Sets the local scale of a node: 3 numbers of `pose` from index `at`. */
  readonly scale: (node: number, pose: Float64Array, at: number) => void;
}

/**
 * Creates a retargeter between two characters.
 *
 * @param from The character that is read.
 * @param to The character that is written.
 * @param options Retargeting options.
 * @returns The retargeter.
 * @throws RangeError for an invalid option.
 */
export function createSceneRetargeter(
  from: SourceCharacter,
  to: TargetCharacter,
  options: RetargetOptions,
): Retargeter {
  const plan = planRetarget(from.humanoid, to.humanoid, options);
  const sourceLocal = restPose(from.humanoid.skeleton);
  const targetLocal = restPose(to.humanoid.skeleton);
  const read = listReadNodes(plan).filter((node) => !from.isIgnored(node));
  const { translation, rotation, scale } = listWrittenNodes(plan);
  return {
    plan,
    issues: [...from.issues, ...to.issues, ...plan.issues],
    update() {
      for (let k = 0; k < read.length; k++) from.read(sourceLocal, POSE_STRIDE * read[k], read[k]);
      retargetPose(plan, sourceLocal, targetLocal);
      for (let k = 0; k < rotation.length; k++)
        to.rotate(rotation[k], targetLocal, POSE_STRIDE * rotation[k] + PATH_OFFSET.rotation);
      for (let k = 0; k < translation.length; k++)
        to.translate(translation[k], targetLocal, POSE_STRIDE * translation[k]);
      for (let k = 0; k < scale.length; k++)
        to.scale(scale[k], targetLocal, POSE_STRIDE * scale[k] + PATH_OFFSET.scale);
    },
  };
}
