/** Says whether a result is good: every figure beside the value from which a person should look at it, and the value from which it is wrong. */
import { MEASURED_LIMBS, type MeasuredLimb } from './limb-errors.ts';
import type { ResultFigures } from './ruler.ts';

/** How good a result is. */
export type Level = 'good' | 'look' | 'wrong';

/** A figure with its thresholds. */
interface Threshold {
  /** Unit of the figure. */
  readonly unit: string;
  /** Value from which a person should look at the result. */
  readonly look: number;
  /** Value from which the result is wrong. */
  readonly wrong: number;
  /** What the figure is, and why these values. */
  readonly why: string;
}

/** A figure that has thresholds. */
export type JudgedFigure =
  | 'direction'
  | 'fingers'
  | 'palm'
  | 'turn'
  | 'peak'
  | 'facing'
  | 'sides'
  | 'height'
  | 'path'
  | 'scale'
  | 'slide'
  | 'below'
  | 'above'
  | 'lying'
  | 'inside'
  | 'hands'
  | 'jerk'
  | 'flips'
  | 'spikes'
  | 'duration'
  | 'changed';

/**
 * Thresholds of the verdict, per figure. Lengths in percent of the height of the result.
 *
 * @experimental
 */
export const THRESHOLDS: Readonly<Record<JudgedFigure, Threshold>> = {
  direction: {
    unit: '°',
    look: 3,
    wrong: 8,
    why: 'angle of an arm, a leg or a hand, 95th percentile: plain retargeting has 0, and 3° are seen when two pictures lie on each other',
  },
  fingers: {
    unit: '°',
    look: 5,
    wrong: 15,
    why: 'the same of the worst segment of a finger: an unbent phalanx is 10° to 20° off its neighbor',
  },
  palm: {
    unit: '°',
    look: 8,
    wrong: 20,
    why: 'twist of a hand, from wrist and knuckles; knuckles of characters are not equally spread: up to 7° on good results',
  },
  turn: {
    unit: '°',
    look: 5,
    wrong: 15,
    why: 'rotation of pelvis, trunk, head or foot since the standing pose of each file, which differ by a few degrees',
  },
  peak: {
    unit: '°',
    look: 30,
    wrong: Number.POSITIVE_INFINITY,
    why: 'the largest angle of any limb at any time: shorter than what the percentile sees',
  },
  facing: { unit: '°', look: 5, wrong: 20, why: 'rotation about the vertical of the result as a whole' },
  sides: {
    unit: '×',
    look: 1,
    wrong: 2,
    why: 'how much better limbs fit with left and right swapped; measured only where they do not fit as they are',
  },
  height: {
    unit: '%',
    look: 2,
    wrong: 4,
    why: 'height of the pelvis relative to straight legs, 95th percentile: 2 % of a person are 3 cm',
  },
  path: { unit: '%', look: 1.5, wrong: 4, why: 'distance from the path of the source, 95th percentile' },
  scale: {
    unit: '×',
    look: 1.1,
    wrong: 1.3,
    why: 'length of the path relative to the ratio of the legs; options for the scale of the hips change it on purpose',
  },
  slide: {
    unit: '%/s',
    look: 3,
    wrong: 10,
    why: 'speed of feet in the contacts of the source, more than that of the source: 3 % are 5 cm per second',
  },
  below: {
    unit: '%',
    look: 1,
    wrong: 4,
    why: 'soles below the ground, deeper than those of the source, 95th percentile',
  },
  above: { unit: '%', look: 1.5, wrong: 5, why: 'soles above the ground in contacts of the source, 95th percentile' },
  lying: {
    unit: '%',
    look: 3,
    wrong: 8,
    why: 'trunk above or below the ground where that of the source is on it, 95th percentile',
  },
  inside: {
    unit: '%',
    look: 5,
    wrong: 20,
    why: 'vertices of hands and forearms inside the character, more than in the source, mean',
  },
  hands: {
    unit: '%',
    look: 2,
    wrong: 6,
    why: 'gap of hands that touch in the source, more than there, mean: 2 % are 3 cm',
  },
  jerk: { unit: '×', look: 1.6, wrong: 4, why: 'third derivative of positions relative to that of the source' },
  flips: {
    unit: '',
    look: 1,
    wrong: 4,
    why: 'knees and elbows that bend the other way from one frame to the next, more than in the source',
  },
  spikes: {
    unit: '',
    look: 1,
    wrong: 6,
    why: 'frames in which an arm or a leg rotates much more suddenly than in the source',
  },
  duration: {
    unit: 's',
    look: 0.034,
    wrong: 0.1,
    why: 'difference of the durations: one frame of a motion with 30 frames per second',
  },
  changed: {
    unit: '°',
    look: 25,
    wrong: Number.POSITIVE_INFINITY,
    why: 'how far contacts and arms changed a limb on purpose, mean: wanted, and worth a look',
  },
};

/** A figure above its first threshold. */
export interface Finding {
  /** The figure. */
  readonly figure: JudgedFigure;
  /** The limb; null for figures of the whole character. */
  readonly limb: MeasuredLimb | null;
  /** Its value, in the unit of its threshold. */
  readonly value: number;
  /** How bad it is. */
  readonly level: Exclude<Level, 'good'>;
  /** A sentence: the figure, its value and the threshold. */
  readonly message: string;
}

/** How good a result is, and why. */
export interface Verdict {
  /** `wrong` where one figure is, `look` where one is above its first threshold, else `good`. */
  readonly level: Level;
  /** Figures above their thresholds, the worst first. */
  readonly findings: readonly Finding[];
}

const ROTATED = /^(?:pelvis|trunk|head|leftFoot|rightFoot)$/;

export function thresholdOf(limb: MeasuredLimb): 'direction' | 'fingers' | 'palm' | 'turn' {
  if (ROTATED.test(limb)) return 'turn';
  if (limb.endsWith('Palm')) return 'palm';
  return limb.endsWith('Fingers') ? 'fingers' : 'direction';
}

export function levelOf(figure: JudgedFigure, value: number): Level {
  const { look, wrong } = THRESHOLDS[figure];
  if (!(value < wrong)) return wrong === Number.POSITIVE_INFINITY && value >= look ? 'look' : 'wrong';
  return value < look ? 'good' : 'look';
}

export function worstLevel(levels: readonly Level[]): Level {
  return levels.includes('wrong') ? 'wrong' : levels.includes('look') ? 'look' : 'good';
}

/** Mean angle of limbs, degrees, from which on swapped sides are a question. */
const MISFIT = 5;
/** Jerk of a source that is as good as still, heights per second cubed. */
const STILL = 1;

/** Spells a limb in words: `leftUpperArm` as `left upper arm`. */
export function limbWords(limb: string): string {
  return limb.replace(/([A-Z])/g, ' $1').toLowerCase();
}

const WORDS: Readonly<Record<Exclude<JudgedFigure, 'direction' | 'fingers' | 'palm' | 'turn'>, string>> = {
  peak: 'largest angle of a limb',
  facing: 'facing',
  sides: 'left and right fit better swapped',
  height: 'height of the pelvis',
  path: 'path over the ground',
  scale: 'length of the path',
  slide: 'feet slide more than those of the source',
  below: 'soles below the ground',
  above: 'soles above the ground',
  lying: 'trunk off the ground',
  inside: 'hands inside the character',
  hands: 'gap of touching hands',
  jerk: 'jerk relative to the source',
  flips: 'flips of knees and elbows',
  spikes: 'sudden rotations',
  duration: 'duration',
  changed: 'changed on purpose',
};

/** Lists every judged figure of a result with its value. Returns figures in the units of their thresholds. */
export function judgedValues(
  figures: ResultFigures,
): { figure: JudgedFigure; limb: MeasuredLimb | null; value: number }[] {
  const { limbs, yaw, sides, pelvis, feet, inside, hands, jerk, flips, spikes, duration } = figures;
  const found: { figure: JudgedFigure; limb: MeasuredLimb | null; value: number }[] = [];
  const add = (figure: JudgedFigure, value: number | null, limb: MeasuredLimb | null = null): void => {
    if (value !== null) found.push({ figure, limb, value });
  };
  for (const limb of MEASURED_LIMBS) {
    const one = limbs[limb];
    if (one === undefined) continue;
    add(thresholdOf(limb), one.p95, limb);
    add('peak', one.max, limb);
    add('changed', one.changed.mean, limb);
  }
  add('facing', yaw === null ? null : Math.abs(yaw));
  add('sides', sides.straight < MISFIT ? 0 : sides.straight / Math.max(sides.crossed, 1e-6));
  const { height = null, path = null, scale = null } = pelvis ?? {};
  add('height', height?.p95 ?? null);
  add('path', path?.p95 ?? null);
  add('scale', scale === null ? null : Math.max(scale, 1 / Math.max(scale, 1e-6)));
  if (feet !== null) {
    add('slide', Math.max(0, feet.slide.result - feet.slide.source));
    add('below', feet.below.p95);
    add('above', feet.above.p95);
    add('lying', feet.lying?.p95 ?? null);
  }
  add('inside', inside === null ? null : Math.max(0, inside.result.mean - (inside.source?.mean ?? 0)));
  add('hands', hands?.beyond ?? null);
  add('jerk', jerk.source < STILL ? null : jerk.result / jerk.source);
  add('flips', Math.max(0, flips.result - flips.source));
  add('spikes', spikes);
  add('duration', Math.abs(duration.result - duration.source));
  return found;
}

function textOf(figure: JudgedFigure, limb: MeasuredLimb | null, value: number): string {
  const { unit, look, wrong } = THRESHOLDS[figure];
  const words = figure in WORDS ? WORDS[figure as keyof typeof WORDS] : '';
  const subject = [limb === null ? '' : limbWords(limb), limb !== null && figure in WORDS ? `(${words})` : words]
    .join(' ')
    .trim();
  const from = wrong === Number.POSITIVE_INFINITY ? `look from ${look}` : `look from ${look}, wrong from ${wrong}`;
  return `${subject}: ${Number(value.toPrecision(3))}${unit} (${from})`;
}

/**
 * Judges the figures of a result.
 *
 * @param figures From `measureResult`.
 * @returns The verdict.
 * @experimental
 */
export function judgeFigures(figures: ResultFigures): Verdict {
  const findings = judgedValues(figures).flatMap(({ figure, limb, value }): Finding[] => {
    const level = levelOf(figure, value);
    return level === 'good' ? [] : [{ figure, limb, value, level, message: textOf(figure, limb, value) }];
  });
  if (!figures.isFinite) {
    findings.push({
      figure: 'peak',
      limb: null,
      value: Number.NaN,
      level: 'wrong',
      message: 'positions are not finite numbers',
    });
  }
  const excess = ({ figure, value }: Finding): number => value / THRESHOLDS[figure].look;
  const isWrong = ({ level }: Finding): number => (level === 'wrong' ? 1 : 0);
  findings.sort((a, b) => isWrong(b) - isWrong(a) || excess(b) - excess(a));
  return { level: findings[0]?.level ?? 'good', findings };
}
