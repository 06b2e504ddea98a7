/** One character of a scene doing what another does, frame by frame. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { retargetPose } from '../../core/retarget/retarget-pose.ts';
import { restPose } from '../../core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { readNodesOf, writtenNodesOf } from './pose-transfer.ts';

/** Keeps a character in the pose of another. */
export interface Retargeter {
  readonly plan: RetargetPlan;
  readonly issues: readonly Issue[];
  /** Takes the pose that the source shows now, and puts the target into it. Allocates nothing. */
  update(): void;
}

interface Character {
  readonly humanoid: Humanoid;
  readonly issues: readonly Issue[];
}

/** A character that is watched. Nodes are those of its skeleton. */
export interface WatchedCharacter extends Character {
  /** Whether the transform of a node is where the caller has put the character: it stays out. */
  readonly isPlaced: (node: number) => boolean;
  /** Writes the local transform that a node shows, ten numbers from `at` on. */
  readonly read: (pose: Float64Array, at: number, node: number) => void;
}

/** A character that is posed; each takes its numbers from `at` on. */
export interface PosedCharacter extends Character {
  readonly translate: (node: number, pose: Float64Array, at: number) => void;
  readonly rotate: (node: number, pose: Float64Array, at: number) => void;
  readonly scale: (node: number, pose: Float64Array, at: number) => void;
}

/** A retargeter between two characters. RangeError for options that make no sense. */
export function retargeterOf(from: WatchedCharacter, to: PosedCharacter, options: RetargetOptions): Retargeter {
  const plan = planRetarget(from.humanoid, to.humanoid, options);
  const sourceLocal = restPose(from.humanoid.skeleton);
  const targetLocal = restPose(to.humanoid.skeleton);
  const read = readNodesOf(plan).filter((node) => !from.isPlaced(node));
  const { translation, rotation, scale } = writtenNodesOf(plan);
  return {
    plan,
    issues: [...from.issues, ...to.issues, ...plan.issues],
    update() {
      for (let k = 0; k < read.length; k++) from.read(sourceLocal, POSE_STRIDE * read[k], read[k]);
      retargetPose(plan, sourceLocal, targetLocal);
      for (let k = 0; k < rotation.length; k++) to.rotate(rotation[k], targetLocal, POSE_STRIDE * rotation[k] + 3);
      for (let k = 0; k < translation.length; k++)
        to.translate(translation[k], targetLocal, POSE_STRIDE * translation[k]);
      for (let k = 0; k < scale.length; k++) to.scale(scale[k], targetLocal, POSE_STRIDE * scale[k] + 7);
    },
  };
}
