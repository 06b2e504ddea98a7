/** Measures and draws the clips of a task for its report. */
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { RetargetedMotion } from '../../files/jobs/retarget-clips.ts';
import type { RetargetTarget } from '../../files/jobs/retarget-motions.ts';
import type { PairFigures, TaskReport, TaskStrips } from '../run/task-outcome.ts';
import { figureStrip } from './figure-strip.ts';
import { measurePair, worstFigures } from './pair-figures.ts';

/** Clips of one result that are measured. */
const MOST_MEASURED = 8;

/** Measures one task. */
export interface TaskMeter {
  /** Measures the clips that were made of a motion. */
  readonly add: (done: RetargetedMotion) => void;
  /** Returns the worst figures, and the contact sheets of the first clip. */
  readonly result: () => Pick<TaskReport, 'figures' | 'strips'>;
}

/** Draws motions once, for all characters. */
export type MotionStrips = (humanoid: Humanoid, motion: Clip) => string;

/**
 * Creates an empty store of contact sheets of motions, which are released with the motions.
 *
 * @returns A function that draws a motion, or returns the sheet that is kept.
 */
export function createMotionStrips(): MotionStrips {
  const known = new WeakMap<Clip, string>();
  return (humanoid, motion) => {
    const strip = known.get(motion) ?? figureStrip(humanoid, motion);
    known.set(motion, strip);
    return strip;
  };
}

/**
 * Creates a meter for a task.
 *
 * @param target The character; null for clip libraries, which are not measured.
 * @param stripOf Draws motions.
 * @returns The meter.
 */
export function createTaskMeter(target: RetargetTarget | null, stripOf: MotionStrips): TaskMeter {
  const figures: PairFigures[] = [];
  let strips: TaskStrips | null = null;
  const found = target?.character.choice.found ?? null;
  const add: TaskMeter['add'] = ({ clips }) => {
    if (target === null || found === null) return;
    const { humanoid } = found;
    for (const { clip, motion, moving, hipsScale } of clips) {
      if (figures.length >= MOST_MEASURED || clip.tracks.length === 0) continue;
      const source = { humanoid: moving.humanoid, surface: moving.surface(), clip: motion, samples: moving.samples };
      figures.push(measurePair(source, { humanoid, surface: target.character.surface(found), clip }, hipsScale));
      strips ??= { source: stripOf(moving.humanoid, motion), target: figureStrip(humanoid, clip) };
    }
  };
  return { add, result: () => ({ figures: worstFigures(figures), strips }) };
}
