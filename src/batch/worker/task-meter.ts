/** Measures the clips of a task for its report. */
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { describeBody, type MeasuredBody } from '../../core/measure/body.ts';
import type { MeasuredMotion } from '../../core/measure/joint-frames.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { RetargetedFile } from '../../files/jobs/retarget-clips.ts';
import type { RetargetTarget } from '../../files/jobs/retarget-motions.ts';
import type { PairFigures, TaskReport, TaskStrips } from '../run/task-outcome.ts';
import { motionStrip, resultStrip } from './figure-strip.ts';
import { measurePair, worstFigures } from './pair-figures.ts';

/** Clips of one result that are measured. */
const MOST_MEASURED = 8;

interface TaskMeter {
  /** Measures the clips that were made of a motion. */
  readonly add: (done: RetargetedFile) => void;
  /** Returns the worst figures, and the contact sheets of the measured clips. */
  readonly result: () => Pick<TaskReport, 'figures' | 'strips'>;
}

/** Draws motions once, for all characters; the first result tells which way is up where the file does not. */
export type MotionStrips = (motion: MeasuredMotion, result: MeasuredMotion) => string;

/** Creates an empty store of contact sheets of motions, which are released with the motions. */
export function createMotionStrips(): MotionStrips {
  const known = new WeakMap<Clip, string>();
  return (motion, result) => {
    const strip = known.get(motion.clip) ?? motionStrip(motion, result);
    known.set(motion.clip, strip);
    return strip;
  };
}

const bodies = new WeakMap<Humanoid, MeasuredBody>();

/** Describes a character for the ruler, once; without its skin, which would stay in memory: feet are measured at their joints. */
function bodyOf(humanoid: Humanoid): MeasuredBody {
  const body = bodies.get(humanoid) ?? describeBody({ skeleton: humanoid.skeleton, nodes: humanoid.map.nodes });
  bodies.set(humanoid, body);
  return body;
}

/** Creates a meter for a task. `target`: the character; null for clip libraries, which are not measured. */
export function createTaskMeter(target: RetargetTarget | null, stripOf: MotionStrips): TaskMeter {
  const figures: PairFigures[] = [];
  const strips: TaskStrips[] = [];
  const found = target?.character.choice.found ?? null;
  const add: TaskMeter['add'] = ({ clips }) => {
    if (target === null || found === null) return;
    const { humanoid } = found;
    for (const { clip, motion, moving, hipsScale } of clips) {
      if (figures.length >= MOST_MEASURED || clip.tracks.length === 0) continue;
      const source = { body: bodyOf(moving), clip: motion };
      const result = { body: bodyOf(humanoid), clip };
      // With all keys and channels, so that what options change counts as changed on purpose.
      const plain = retargetClip(planRetarget(moving, humanoid, { hipsScale }), motion);
      figures.push(measurePair(source, result, plain));
      strips.push({ clip: clip.name, source: stripOf(source, result), target: resultStrip(result) });
    }
  };
  return { add, result: () => ({ figures: worstFigures(figures), strips }) };
}
