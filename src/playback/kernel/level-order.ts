/**
 * The order in which the playback kernel works: level by level of the tree. In the order of files a joint often follows its parent, whose result the
 * processor then has to wait for; joints of one level do not wait for each other.
 */
import { inverseOrder } from '../../core/skeleton/topology.ts';
import type { PlaybackClip, PlaybackPlan } from '../matrices/playback-plan.ts';

/** The part of a plan that the kernel reads. */
export type KernelPlan = Pick<
  PlaybackPlan,
  'stepParents' | 'frame' | 'resultCount' | 'slots' | 'parents' | 'drivers' | 'after' | 'scales' | 'binds'
>;

/** A plan in the order of levels. */
export interface LevelOrder {
  /** The plan with its steps and matrices in this order. */
  readonly plan: KernelPlan;
  /** For every step in this order, its index in the original plan. */
  readonly steps: Int32Array;
  /** For every matrix in this order, its index in the original plan. */
  readonly matrices: Int32Array;
}

/** Sorts indices by their depth below the roots; indices of equal depth keep their order. */
function byLevel(parents: Int32Array): Int32Array {
  const depths = new Int32Array(parents.length);
  for (const [k, parent] of parents.entries()) depths[k] = parent < 0 ? 0 : depths[parent] + 1;
  return Int32Array.from(parents.keys()).sort((a, b) => depths[a] - depths[b] || a - b);
}

function reordered<T extends Float32Array | Float64Array | Int32Array>(rows: T, order: Int32Array, stride: number): T {
  const sorted = rows.slice() as T;
  for (const [k, old] of order.entries()) sorted.set(rows.subarray(stride * old, stride * (old + 1)), stride * k);
  return sorted;
}

/** Reorders references to rows of a list whose rows move too; −1 stays. */
function relinked(references: Int32Array, order: Int32Array, indices: Int32Array): Int32Array {
  return order.map((old) => (references[old] < 0 ? -1 : indices[references[old]]));
}

export function orderByLevel(plan: PlaybackPlan): LevelOrder {
  const steps = byLevel(plan.stepParents);
  const matrices = byLevel(plan.parents);
  const stepIndices = inverseOrder(steps);
  return {
    plan: {
      frame: plan.frame,
      resultCount: plan.resultCount,
      stepParents: relinked(plan.stepParents, steps, stepIndices),
      slots: reordered(plan.slots, matrices, 1),
      parents: relinked(plan.parents, matrices, inverseOrder(matrices)),
      drivers: relinked(plan.drivers, matrices, stepIndices),
      after: reordered(plan.after, matrices, 4),
      scales: reordered(plan.scales, matrices, 1),
      binds: reordered(plan.binds, matrices, 3),
    },
    steps,
    matrices,
  };
}

export function orderClip(clip: PlaybackClip, { steps, matrices }: LevelOrder): PlaybackClip {
  const indices = inverseOrder(matrices);
  return {
    ...clip,
    stepKeys: reordered(clip.stepKeys, steps, 1),
    stepRotations: reordered(clip.stepRotations, steps, 4),
    offsets: reordered(clip.offsets, matrices, 4),
    moving: clip.moving.map((k) => indices[k]),
  };
}
